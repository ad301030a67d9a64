#pragma once

#include <armadillo>

namespace elmx {

/// Confusion matrix C: c x c, C(i, j) = samples of class i that were predicted as class j.
/// truth, predicted: N class indices < classes.
arma::mat confusion_matrix(const arma::uvec& truth, const arma::uvec& predicted, arma::uword classes);

// Of class k:  TP = C(k, k),  FN = rest of row k,  FP = rest of column k. A zero denominator gives NaN where nothing
// else is said.

/// Fraction of correct predictions: trace(C) / N.
double accuracy(const arma::mat& C);

/// TP / (TP + FN) of one class (recall). NaN where the class has no sample.
double sensitivity(const arma::mat& C, arma::uword positive);

/// TP / (TP + FP) of one class. NaN where it was never predicted.
double precision(const arma::mat& C, arma::uword positive);

// Macro averages: the plain mean over the classes that have a sample. A class that has samples but was never predicted
// counts with precision 0 (as it does with F1 0), so that giving a class up never raises the average.

double macro_sensitivity(const arma::mat& C);
double macro_precision(const arma::mat& C);

/// (prod_k sensitivity_k)^(1/m) over the m classes that have a sample: 0 where one of them is given up.
/// M. Kubat, S. Matwin, "Addressing the curse of imbalanced training sets: one-sided selection", ICML (1997) 179-186.
double geometric_mean_sensitivity(const arma::mat& C);

/// Mean of F1 = 2 TP / (2 TP + FP + FN).
double macro_f1(const arma::mat& C);

/// Matthews correlation coefficient for any number of classes:
///
///     R_K = (N s - t'p) / sqrt((N^2 - p'p) (N^2 - t't)),   s = trace(C),  t = row sums,  p = column sums
///
/// which for two classes is (TP TN - FP FN) / sqrt((TP + FP)(TP + FN)(TN + FP)(TN + FN)). By convention 0 where the
/// denominator is 0 (all samples, or all predictions, in one class): nothing better than chance was shown.
/// J. Gorodkin, "Comparing two K-category assignments by a K-category correlation coefficient", Computational Biology
/// and Chemistry 28 (2004) 367-374.
double matthews(const arma::mat& C);

}  // namespace elmx
