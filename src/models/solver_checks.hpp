#pragma once

#include <vector>

#include "linalg/checks/ratios.hpp"

namespace elmx {

/// Checks every row of the tables of solvers: ridge_algorithms(), update_algorithms() and kernels(). Each is
/// checked in every precision that it supports, for R = A'A + lambda I of conditions up to 1e12, by the
/// backward error of its weights. The ridge solvers must also give equal bits with 1, 2 and all threads.
std::vector<CheckGroup> check_solvers();

/// Checks what training in steps uses, by definition: every activation, the error of a perceptron and its
/// gradient, L-BFGS and decomposition on it, the optimisers, the gradients of deep networks, and the
/// reweighted step of sparse nodes.
std::vector<CheckGroup> check_training();

}  // namespace elmx
