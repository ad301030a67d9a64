#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiment/plan/plan.hpp"
#include "experiment/records/record.hpp"

namespace elmx {

/// A case that is tested on a fold set, at all of its sweep points or at the points that contain `point`.
struct FoldUse {
  std::string experiment_case;
  std::map<std::string, Json> point;  ///< the values that all of these sweep points share
  const CaseSpec* spec = nullptr;     ///< the first of these sweep points, owned by the plan
};

/// A data set and its folds, shared by cases and sweep points.
struct FoldSet {
  std::shared_ptr<const Dataset> data;
  Folds folds;
  std::vector<std::vector<SampleDigests>> samples;  ///< [repeat][fold]
  std::vector<FoldUse> uses;
  std::size_t split = 1;  ///< number of the split among the splits of its data set, in config order
};

/// Returns every fold set of the plan once, in plan order.
std::vector<FoldSet> fold_sets(const Plan& plan);

/// Return true if there are several data sets, or several splits of a data set.
bool several_data_sets(const std::vector<FoldSet>& sets);
bool several_splits(const std::vector<FoldSet>& sets);

/// Returns the row numbers of a part in the files, from 1. Dropped rows are counted. The numbers of the
/// second file continue after the first file.
arma::uvec row_numbers(const Dataset& data, const arma::uvec& rows);

/// Returns a CSV text with one line for each row in each part of each fold: dataset (if there are several),
/// split (if a data set has several), row, repeat, fold, part (train, test or unlabelled). A row that is in
/// no part of a fold has no line there.
std::string folds_csv(const std::vector<FoldSet>& sets);

}  // namespace elmx
