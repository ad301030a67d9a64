#pragma once

#include <armadillo>

namespace elmx {

// T: N x c targets, P: N x c predictions. Without samples every metric is NaN. Numbers are scaled before they
// are squared if their squares would leave the range of double, so a metric is infinite only if its own value
// is too large.

/// Returns ||P - T||_F^2 / (N c), the mean over all N c entries.
double mean_squared_error(const arma::mat& T, const arma::mat& P);

/// Returns the square root of mean_squared_error, in the unit of the targets.
double root_mean_squared_error(const arma::mat& T, const arma::mat& P);

/// Returns the mean of |P - T| over all N c entries.
double mean_absolute_error(const arma::mat& T, const arma::mat& P);

/// Returns the mean over the columns of the median of |P - T|.
double median_absolute_error(const arma::mat& T, const arma::mat& P);

/// Returns the coefficient of determination, averaged over the columns of T that are not constant:
///
///     1 - SSE / SST,   SSE = ||p - t||^2,   SST = ||t - mean of t||^2
///
/// NaN if all columns are constant.
double r_squared(const arma::mat& T, const arma::mat& P);

/// Returns true if the targets t (N) are constant up to rounding: max - min <= 16 eps max |t_i|, the few ulps
/// of error that scaling and unscaling leave.
bool is_constant(const arma::vec& t);

/// Returns the c x c confusion matrix C: C(i, j) samples of class i were predicted as class j. truth,
/// predicted: N class indices < classes.
arma::mat confusion_matrix(const arma::uvec& truth, const arma::uvec& predicted, arma::uword classes);

// Class k has TP = C(k, k), FN = the rest of row k and FP = the rest of column k. All metrics take a ratio
// 0 / 0 as 0, like scikit-learn with zero_division = 0, so that never predicting a class cannot raise a mean.
// All metrics are NaN if there are no samples.

/// Returns true if the largest class has at least 3 times the samples of the smallest: accuracy would reward
/// a model that always predicts the largest. samples: of each class; none for a regression.
bool is_unbalanced(const arma::vec& samples);

/// Returns the fraction of correct predictions, trace(C) / N.
double accuracy(const arma::mat& C);

/// Returns the recall TP / (TP + FN) of one class; 0 if the class has no sample.
double sensitivity(const arma::mat& C, arma::uword positive);

/// Returns TP / (TP + FP) of one class; 0 if the class is never predicted.
double precision(const arma::mat& C, arma::uword positive);

// Macro averages: the unweighted mean over the classes that occur in the samples or in the predictions.

double macro_sensitivity(const arma::mat& C);
double macro_precision(const arma::mat& C);

/// Returns the mean sensitivity of the classes that have a sample.
double balanced_accuracy(const arma::mat& C);

/// Returns (prod_k sensitivity_k)^(1/m) over the m classes that have a sample; 0 if the sensitivity of any
/// class is 0. M. Kubat, S. Matwin, "Addressing the curse of imbalanced training sets: one-sided selection",
/// ICML (1997) 179-186.
double geometric_mean_sensitivity(const arma::mat& C);

/// Returns F1 = 2 TP / (2 TP + FP + FN) of one class; 0 if the class does not occur.
double f1_score(const arma::mat& C, arma::uword positive);

/// Returns the mean F1 of the classes that occur.
double macro_f1(const arma::mat& C);

/// Returns the Matthews correlation coefficient for any number of classes:
///
///     R_K = (N s - t'p) / sqrt((N^2 - p'p) (N^2 - t't)),   s = trace(C),  t = row sums,  p = column sums
///
/// For two classes this is (TP TN - FP FN) / sqrt((TP + FP)(TP + FN)(TN + FP)(TN + FN)). Here, too, 0 / 0 is
/// taken as 0 (all samples, or all predictions, are of one class). The result is within [-1, 1] in spite of
/// rounding. J. Gorodkin, "Comparing two K-category assignments by a K-category correlation coefficient",
/// Computational Biology and Chemistry 28 (2004) 367-374.
double matthews(const arma::mat& C);

/// Returns the area under the ROC curve: the fraction of pairs (a sample of the class, another sample) in
/// which the first has the larger score; equal scores count one half. NaN if there is no pair. scores: N x 1,
/// the scores for the class.
double roc_auc(const arma::uvec& truth, arma::uword positive, const arma::vec& scores);

/// Returns the mean of -log(probability of the true class). P: N x c; its entries are clipped to [eps,
/// 1 - eps], eps the rounding unit, as in scikit-learn.
double log_loss(const arma::uvec& truth, const arma::mat& P);

// The following functions return true if a 0 / 0 was taken as 0.

/// Returns true if class k has no sample and hence no sensitivity.
bool lacks_samples(const arma::mat& C, arma::uword k);
/// Returns true if class k is never predicted and hence has no precision.
bool never_predicted(const arma::mat& C, arma::uword k);
/// Return true if a class that occurs is never predicted (first) or has no sample (second).
bool lacks_some_precision(const arma::mat& C);
bool lacks_some_sensitivity(const arma::mat& C);
/// Returns true if all samples, or all predictions, are of one class.
bool lacks_matthews(const arma::mat& C);

}  // namespace elmx
