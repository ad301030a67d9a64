#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/record_rows.hpp"

namespace elmx {

/// One thing that tells rows of a case and data set apart, beside the algorithm.
struct Trait {
  std::string key;  ///< "nodes", "iterations", "chosen", a swept place ("/model/ridge") or a grid parameter ("grid/mu")
  std::string text;  ///< in a legend: "20 nodes", "ridge = 0.1"
};

inline constexpr const char* kNodesTrait = "nodes";
inline constexpr const char* kGridTrait = "grid/";

/// What a row has of them, in the order in which legends name them. A swept number of nodes is the trait "nodes", not a
/// place; the parameters that each trial or the test part has chosen are no traits.
std::vector<Trait> traits_of(const RecordRow& row);

/// The number that the trait is at this row; none where the row lacks it or it is no number.
std::optional<double> number_of_trait(const RecordRow& row, const std::string& key);

/// The keys of the places, or of the grid parameters, that have a number at some row; sorted.
std::vector<std::string> numeric_places(const std::vector<RecordRow>& rows);
std::vector<std::string> grid_parameters(const std::vector<RecordRow>& rows);

void remove_trait(std::vector<Trait>& traits, const std::string& key);

/// A row's share of a legend.
struct LegendEntry {
  std::string algorithm;
  std::vector<Trait> traits;
};

/// For each entry ", ridge = 0.1, 20 nodes": the traits that another entry of its algorithm has otherwise.
std::vector<std::string> distinctions(const std::vector<LegendEntry>& entries);

}  // namespace elmx
