#pragma once

#include <map>
#include <string>

#include "data/dataset.hpp"
#include "models/comparison.hpp"
#include "preprocess/targets.hpp"

namespace elmx {

/// What the leverages of a checkpoint say of the error on other samples: adds to `metrics`
///
///     dof       tr H = sum_i h_i
///     loo_mse   sum_i w_i ||e_i / (1 - h_i)||^2 / (c sum_i w_i),   e = targets - train_output
///     gcv       sum_i w_i ||e_i||^2 / (c sum_i w_i) / (1 - tr H / n)^2
///     loo_acc   accuracy, and loo_bac balanced accuracy, of the leave-one-out outputs t_i - e_i / (1 - h_i)
///
/// e_i / (1 - h_i) is the error at sample i of the network trained on the others, scalings, random nodes and weights w kept
/// as they are. Errors are in the units of train_mse; of a classification in those of its coded targets. Nothing is added
/// without leverages, nor what rounding leaves less than a digit of: of loo_* where some 1 - h_i <= 10 times the bound on the
/// rounding of h_i, of gcv where n - tr H <= 10 times their sum.
///
/// rows: the training part; weights: of its samples, empty = all 1.
///
/// D. M. Allen, "The relationship between variable selection and data augmentation and a method for prediction",
/// Technometrics 16 (1974) 125-127; G. H. Golub, M. Heath, G. Wahba, "Generalized cross-validation as a method for choosing a
/// good ridge parameter", Technometrics 21 (1979) 215-223.
void add_leave_one_out(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::vec& weights,
                       const Checkpoint& point, std::map<std::string, double>& metrics);

}  // namespace elmx
