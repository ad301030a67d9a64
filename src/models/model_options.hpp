#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/fields.hpp"

namespace elmx {

/// An algorithm of a family, as `elmx list algorithms` and `elmx help` describe it.
struct AlgorithmInfo {
  std::string_view name;
  std::string_view summary;
  /// flops of one step as in the table of complexities of the family; "" = not stated
  std::string intermediate_flops = "";
  std::string weight_flops = "";
  std::string_view symbols = "";  ///< meaning of the letters in both
  /// The work of one step ("adds one node"). Times of single steps can be compared between algorithms with
  /// the same text.
  std::string_view step = "";
  /// false: it solves another problem, and its backward error measures the distance from the ridge problem
  bool ridge_solution = true;
  std::string_view family = "";  ///< filled in by the registry
};

/// Returns the names of the rows of a table.
template <class Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

/// The options that every family has. A family hides the functions that it answers otherwise.
struct ModelOptions {
  std::string family;
  std::vector<std::string> algorithms;
  std::optional<bool> leave_one_out;  ///< listed by the families that have leave-one-out errors

  ModelOptions(std::string its_family, std::vector<std::string> its_algorithms)
      : family(std::move(its_family)), algorithms(std::move(its_algorithms)) {}

  /// Lists family and algorithms, with which every model begins.
  void first_fields(FieldVisitor& field, const char* doc, const std::vector<std::string>& known);

  /// Throws ConfigError unless the algorithms are some of `known`, each once.
  void check_algorithms(const std::vector<std::string>& known, const std::string& place) const;

  /// Sets the defaults that depend on the other members of the model in the config.
  void complete(const Json&) {}

  // See Model.
  std::vector<std::size_t> sizes() const { return {}; }
  bool single_answers() const { return false; }
  bool measures_steps() const { return false; }
  bool solves_ridge_problem(std::string_view) const { return true; }
};

}  // namespace elmx
