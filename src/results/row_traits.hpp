#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/dimensions.hpp"

namespace elmx {

/// The rows of one case and data set after another, as they are sorted.
std::vector<std::span<const RecordRow>> by_data_set(std::span<const RecordRow> rows);

/// One thing that tells rows of a case and data set apart, beside the algorithm.
struct Trait {
  const Dimension* dimension;
  std::string text;  ///< in a legend: "20 nodes", "ridge = 0.1"
  bool operator==(const Trait&) const = default;
};

/// What a row has of them, in the order of the dimensions. A swept number of nodes is the size, not a place; the
/// parameters that each trial or the test part has chosen are no traits. They point into `dimensions`.
std::vector<Trait> traits_of(const RecordRow& row, const Dimensions& dimensions);

/// Whether the dimension is a place at which the row's number of nodes was swept.
bool is_size(const RecordRow& row, const Dimension& dimension);

/// The number that the row has; none where it has nothing there, or no number.
std::optional<double> number_of(const RecordRow& row, const Dimension& dimension);

/// The keys of the dimensions of a kind that some row has a number of, other than its size.
std::vector<std::string> numeric_keys(const std::vector<RecordRow>& rows, DimensionKind kind);

/// "ridge = 0.1, k = 2": those of swept places; "" where nothing is swept.
std::string point_text(const std::vector<Trait>& traits);

/// A row's share of a legend.
struct LegendEntry {
  std::string algorithm;
  std::vector<Trait> traits;
  bool operator==(const LegendEntry&) const = default;
};

/// For each entry ", ridge = 0.1, 20 nodes": the traits that another entry of its algorithm has otherwise.
std::vector<std::string> distinctions(const std::vector<LegendEntry>& entries);

}  // namespace elmx
