#pragma once

#include <string>
#include <vector>

#include "results/quantities.hpp"
#include "results/record_rows.hpp"

namespace elmx {

/// A method in a contest, at one of its settings.
struct Entrant {
  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);

  std::string name;                  ///< of all of them
  std::vector<std::string> methods;  ///< those that print alike: one for ranks and tests, a row each in tables
  RecordRow row;
  std::string setting;       ///< "nodes 100, ridge 0.01"; "" = it has none
  std::size_t settings = 1;  ///< several: it is the one of these that is best on the test part; kUnknown: of some
};

/// Methods that were tested on the same samples in the same units: case (where several of them have the
/// samples), algorithm, and swept values that are no numbers tell them apart. Swept numbers, nodes,
/// iterations and grids are settings: of those a method takes its own choice, or the one that is best on the
/// test part. Methods whose metric prints alike in every trial are one, named after all. The best comes
/// first, those with failed trials after all others, those without a number last.
struct Contest {
  std::string data_set;
  Quantity metric;  ///< test_acc, or test_rmse where there is none of that
  std::vector<Entrant> entrants;
  std::size_t first = 1;  ///< how many of them share the first place: their means differ by rounding alone
};

/// Whether a method with failed trials, which stands behind all others, has the better mean in those that it
/// has.
bool some_incomplete_is_better(const Contest& contest);

/// Contests of one metric. With a common frame all have the same methods, so that ranks over them have a
/// meaning.
struct Tournament {
  std::vector<Contest> contests;
  bool common = false;
};

/// Rows in different units (RecordRow::units) are in different contests.
std::vector<Tournament> tournaments(const std::vector<RecordRow>& rows);

}  // namespace elmx
