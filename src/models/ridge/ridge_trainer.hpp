#pragma once

#include <memory>

#include "models/ridge/expansion.hpp"
#include "models/ridge/ridge_setup.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Trains every algorithm on the same columns of A, which are formed once, for all models: these differ in
/// the ridge parameter only, and what does not depend on it is computed once for all of them. Memory: what
/// `expansion` holds of A, and the state of the algorithm that runs: once for each model, but for algorithms
/// that share nothing between models, which are trained one after another.
template <class T>
std::unique_ptr<Trainer> ridge_trainer(RidgeSetup setup, Expansion<T> expansion, FoldView fold);

}  // namespace elmx
