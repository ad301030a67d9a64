#pragma once

#include "models/cost.hpp"
#include "models/ridge/ridge_setup.hpp"

namespace elmx {

/// What the columns of A cost.
struct ExpansionCost {
  double word = 8;   ///< bytes of a number
  double bytes = 0;  ///< of A where it is stored, and of all that forms it
  double flops = 0;  ///< to fit it and form it once
  /// flops to form all columns of the training samples for another pass; 0 where they are stored
  double again = 0;
  double block_rows = 0;   ///< rows that are in memory at once
  double test = 0;         ///< flops for the test part, whatever the number of columns ...
  double test_column = 0;  ///< ... and for each column
};

/// Of one task: one fold, all algorithms one after another, all models.
Cost ridge_cost(const RidgeSetup& setup, const ExpansionCost& expansion, const Sizes& sizes);

/// The columns of random nodes, direct links among them.
ExpansionCost node_cost(uword columns, const Sizes& sizes, double word);

}  // namespace elmx
