#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiment/plan/plan.hpp"

namespace elmx {

/// A case that is tested on a fold set, at all its sweep points or at those that have `point` in common.
struct FoldUse {
  std::string experiment_case;
  std::map<std::string, Json> point;  ///< what all of its sweep points there have in common
  const CaseSpec* spec = nullptr;     ///< the first of them; points into the plan
};

/// A data set and its folds, as cases and sweep points have them in common.
struct FoldSet {
  std::shared_ptr<const Dataset> data;
  Folds folds;
  std::vector<std::vector<SampleDigests>> samples;  ///< [repeat][fold]
  std::vector<FoldUse> uses;
  std::size_t split = 1;  ///< which of the splits of its data set, in the order of the config
};

/// Every fold set of the plan, once, in its order.
std::vector<FoldSet> fold_sets(const Plan& plan);

/// True if there is more than one data set; more than one split of one.
bool several_data_sets(const std::vector<FoldSet>& sets);
bool several_splits(const std::vector<FoldSet>& sets);

/// The rows of a part as their files count them, from 1; where rows were dropped these keep their numbers,
/// and those of a second file go on from the first.
arma::uvec row_numbers(const Dataset& data, const arma::uvec& rows);

/// CSV, one line for each row in each part of each fold that it is in: dataset (where there are several),
/// split (where a data set has several), row, repeat, fold, part (train, test or unlabelled). A row that
/// stands in no part of a fold has no line there.
std::string folds_csv(const std::vector<FoldSet>& sets);

}  // namespace elmx
