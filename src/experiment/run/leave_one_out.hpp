#pragma once

#include "data/table/dataset.hpp"
#include "data/transforms/targets.hpp"
#include "metrics/registry.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Returns the output at each sample of the minimiser of the other samples.   T, Z: n x c, targets and
/// outputs; h: n, leverages.
///
///     t_i - (t_i - z_i) / (1 - h_i)
arma::mat left_out_outputs(const arma::mat& T, const arma::mat& Z, const arma::vec& h);

/// Estimates the error on other samples from the leverages of a checkpoint, and adds to `measured`
///
///     dof       sum_i h_i
///     loo_mse   sum_i w_i ||e_i / (1 - h_i)||^2 / (c sum_i w_i),   e = targets - train_output
///     gcv       sum_i w_i ||e_i||^2 / (c sum_i w_i) / (1 - dof / N)^2
///     loo_acc   accuracy, and loo_bac balanced accuracy, of the leave-one-out outputs t_i - e_i / (1 - h_i)
///
/// e_i / (1 - h_i) is the error at sample i of the network trained on the other samples with the same
/// scalings, random nodes and weights w. Errors have the units of train_mse, or of the coded targets for a
/// classification. Nothing is added without leverages. The formulas hold only for the exact minimiser.
/// Therefore the state of the solver is checked, and a metric becomes NA with a note in these cases:
///
///     rounding   leaves less than one digit of 1 - h_i for some i (loo_*) or of N - dof (gcv), or may have
///                changed sum_i h_i, as estimated from the probes, by more than 1 % (dof), or (N - dof)^2 by
///                more than 1 % (gcv)
///     R^-1       has drifted: ten times the error of h_i at the probes, to allow for the samples in between,
///                exceeds 10 % of 1 - h_i (loo_*) or N - dof (gcv); or the error exceeds 1 % of dof, or
///                dof > nodes (all metrics)
///     W          has drifted: one step of refinement changes loo_mse, or gcv, by more than 1 %
///
/// An error of 1 % does not affect a choice by these metrics, their main use. Stable solvers stay far below.
///
/// rows: the training part; weights: the weights of its samples, empty = all 1.
///
/// D. M. Allen, "The relationship between variable selection and data augmentation and a method for
/// prediction", Technometrics 16 (1974) 125-127; G. H. Golub, M. Heath, G. Wahba, "Generalized
/// cross-validation as a method for choosing a good ridge parameter", Technometrics 21 (1979) 215-223.
void add_leave_one_out(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::vec& weights,
                       const Checkpoint& point, Measurements& measured);

}  // namespace elmx
