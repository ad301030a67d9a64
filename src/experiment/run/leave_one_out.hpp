#pragma once

#include "data/table/dataset.hpp"
#include "metrics/measurements.hpp"
#include "models/trainer.hpp"
#include "preprocess/targets.hpp"

namespace elmx {

/// The outputs at each sample of the minimiser of the others.   T, Z: n x c, targets and outputs; h: n,
/// leverages.
///
///     t_i - (t_i - z_i) / (1 - h_i)
arma::mat left_out_outputs(const arma::mat& T, const arma::mat& Z, const arma::vec& h);

/// What the leverages of a checkpoint say of the error on other samples: adds to `measured`
///
///     dof       sum_i h_i
///     loo_mse   sum_i w_i ||e_i / (1 - h_i)||^2 / (c sum_i w_i),   e = targets - train_output
///     gcv       sum_i w_i ||e_i||^2 / (c sum_i w_i) / (1 - dof / N)^2
///     loo_acc   accuracy, and loo_bac balanced accuracy, of the leave-one-out outputs t_i - e_i / (1 - h_i)
///
/// e_i / (1 - h_i) is the error at sample i of the network trained on the others, scalings, random nodes and
/// weights w kept as they are. Errors are in the units of train_mse; of a classification in those of its
/// coded targets. Nothing is added without leverages. These formulas hold for the minimiser alone, so that
/// what a solver holds is checked, and NA with a note where
///
///     rounding   leaves less than a digit of 1 - h_i (loo_*: of some i; gcv: of N - dof), or may have moved the sum of
///                the h_i, by what the probes show of it, by more than 1 % (dof), or (N - dof)^2 by more than 1 % (gcv)
///     R^-1       has drifted: an error of h_i at the probes, ten times it for the samples in between, that is more
///                than 1 % of tenfold that rest (loo_*, gcv), or more than 1 % of dof, or dof > nodes (dof, and with it the
///                others)
///     W          has drifted: one step of refinement changes loo_mse, or gcv, by more than 1 %
///
/// 1 % is what a choice by these numbers, the largest use of them, does not feel; stable solvers stay far
/// below.
///
/// rows: the training part; weights: of its samples, empty = all 1.
///
/// D. M. Allen, "The relationship between variable selection and data augmentation and a method for
/// prediction", Technometrics 16 (1974) 125-127; G. H. Golub, M. Heath, G. Wahba, "Generalized
/// cross-validation as a method for choosing a good ridge parameter", Technometrics 21 (1979) 215-223.
void add_leave_one_out(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::vec& weights,
                       const Checkpoint& point, Measurements& measured);

}  // namespace elmx
