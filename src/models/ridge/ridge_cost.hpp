#pragma once

#include "models/model.hpp"
#include "models/ridge/ridge_setup.hpp"

namespace elmx {

/// The cost of forming the columns of A.
struct ExpansionCost {
  double word = 8;   ///< bytes of a number
  double bytes = 0;  ///< bytes of a stored A, and of everything that forms A
  double flops = 0;  ///< flops to fit it and form it once
  /// flops to form all columns of the training samples for another pass; 0 if they are stored
  double again = 0;
  double block_rows = 0;     ///< rows that are in memory at once
  double passes = 1;         ///< passes over the training inputs, to fit A and form A once ...
  bool reads_again = false;  ///< ... and one more whenever columns are formed for another pass
  double test = 0;           ///< flops for the test part that do not depend on the number of columns ...
  double test_column = 0;    ///< ... and for each column
};

inline constexpr double kProducts = 5;  ///< passes over the samples that refine a mixed solution

/// Returns the cost of one task: one fold, all algorithms one after another, all models.
Cost ridge_cost(const RidgeSetup& setup, const ExpansionCost& expansion, const Sizes& sizes);

/// Returns the cost of columns of random nodes, including direct links; stored, or formed anew in blocks on
/// each use.
ExpansionCost node_cost(uword columns, const Sizes& sizes, double word, bool stored);

/// Returns true if `samples` rows of A are held in memory: according to `wish` ("stored", "streamed"), or for
/// "auto" if A and the state of every algorithm together take less than 0.7 of the memory of the machine.
/// Algorithms that add single nodes always need a stored A.
bool stores_columns(const std::string& wish, const RidgeSetup& setup, double samples, double word);

}  // namespace elmx
