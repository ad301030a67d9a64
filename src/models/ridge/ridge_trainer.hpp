#pragma once

#include <memory>

#include "models/ridge/expansion.hpp"
#include "models/ridge/ridge_setup.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Trains every algorithm for all models on the same columns of A, which are formed once. The models differ
/// in the ridge parameter only, and everything else is computed once. Memory: the part of A that `expansion`
/// holds, and the state of the running algorithm for each model. Algorithms that share nothing between models
/// train one model after another.
template <class T>
std::unique_ptr<Trainer> ridge_trainer(RidgeSetup setup, Expansion<T> expansion, FoldView fold);

}  // namespace elmx
