#pragma once

#include <armadillo>

namespace elmx {

/// Confusion matrix C: c x c, C(i, j) = samples of class i that were predicted as class j.
/// truth, predicted: N class indices < classes.
arma::mat confusion_matrix(const arma::uvec& truth, const arma::uvec& predicted, arma::uword classes);

// Of class k:  TP = C(k, k),  FN = rest of row k,  FP = rest of column k. A ratio 0 / 0 is taken as 0, in all
// metrics: as scikit-learn does with zero_division = 0, and so that giving a class up never raises a mean.
// Without a sample all is NaN.

/// Classes are unbalanced if the largest has kUnbalanced times the rows of the smallest: then accuracy says
/// little.
inline constexpr double kUnbalanced = 3;

/// Fraction of correct predictions: trace(C) / N.
double accuracy(const arma::mat& C);

/// TP / (TP + FN) of one class (recall); 0 where the class has no sample.
double sensitivity(const arma::mat& C, arma::uword positive);

/// TP / (TP + FP) of one class; 0 where it was never predicted.
double precision(const arma::mat& C, arma::uword positive);

// Macro averages: the plain mean over the classes that occur, in the samples or in the predictions.

double macro_sensitivity(const arma::mat& C);
double macro_precision(const arma::mat& C);

/// Mean sensitivity of the classes that have a sample.
double balanced_accuracy(const arma::mat& C);

/// (prod_k sensitivity_k)^(1/m) over the m classes that have a sample: 0 where one of them is given up. M.
/// Kubat, S. Matwin, "Addressing the curse of imbalanced training sets: one-sided selection", ICML (1997)
/// 179-186.
double geometric_mean_sensitivity(const arma::mat& C);

/// F1 = 2 TP / (2 TP + FP + FN) of one class; 0 where the class does not occur.
double f1_score(const arma::mat& C, arma::uword positive);

/// Mean F1 of the classes that occur.
double macro_f1(const arma::mat& C);

/// Matthews correlation coefficient for any number of classes:
///
///     R_K = (N s - t'p) / sqrt((N^2 - p'p) (N^2 - t't)),   s = trace(C),  t = row sums,  p = column sums
///
/// which for two classes is (TP TN - FP FN) / sqrt((TP + FP)(TP + FN)(TN + FP)(TN + FN)). 0 / 0 is 0 here too
/// (all samples, or all predictions, in one class): nothing better than chance was shown. Within [-1, 1],
/// whatever rounding does. J. Gorodkin, "Comparing two K-category assignments by a K-category correlation
/// coefficient", Computational Biology and Chemistry 28 (2004) 367-374.
double matthews(const arma::mat& C);

/// Area under the ROC curve: the fraction of pairs of a sample of the class and a sample of another one in
/// which the first has the larger score; equal scores count one half. NaN where there is no pair. scores: N x
/// 1, of the class.
double roc_auc(const arma::uvec& truth, arma::uword positive, const arma::vec& scores);

/// Mean of -log(probability of the true class). P: N x c, from which 0 and 1 are kept apart by the rounding
/// unit, as scikit-learn does.
double log_loss(const arma::uvec& truth, const arma::mat& P);

// Where a 0 / 0 was taken as 0.

/// Class k has no sample, and so no sensitivity.
bool lacks_samples(const arma::mat& C, arma::uword k);
/// Class k is never predicted, and so has no precision.
bool never_predicted(const arma::mat& C, arma::uword k);
/// A class that occurs is never predicted; occurs only in the predictions.
bool lacks_some_precision(const arma::mat& C);
bool lacks_some_sensitivity(const arma::mat& C);
/// All samples, or all predictions, are of one class.
bool lacks_matthews(const arma::mat& C);

}  // namespace elmx
