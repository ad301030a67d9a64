#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace elmx {

/// The exit code of a command.
enum class ExitCode {
  ok = 0,
  internal = 1,
  config = 2,
  data = 3,
  trials_failed = 4,
  check_failed = 5,
  resume_refused = 6,
  interrupted = 130
};

/// An error of the user. The message is one line, "PLACE: PROBLEM": what is wrong where, and how to mend it.
/// A place is a file ("houses.csv:14"), an option ("--shard") or the JSON pointer of a value of a config
/// ("/model/ridge"). The constructors make the text printable and shorten it to 2000 bytes.
class UserError : public std::runtime_error {
 public:
  UserError(ExitCode code, const std::string& problem) : UserError(code, "", problem) {}
  UserError(ExitCode code, const std::string& place, const std::string& problem);

  ExitCode code() const { return code_; }
  const std::string& place() const { return place_; }  ///< "" if the error has none
  const std::string& problem() const { return problem_; }
  /// Returns the lines to print: what(), or a heading and a line for each of several problems.
  virtual std::vector<std::string> lines() const { return {what()}; }

 private:
  ExitCode code_;
  std::string place_, problem_;
};

/// An invalid command line or config.
class ConfigError : public UserError {
 public:
  explicit ConfigError(const std::string& problem) : UserError(ExitCode::config, problem) {}
  ConfigError(const std::string& place, const std::string& problem) : UserError(ExitCode::config, place, problem) {}
};

/// A data file that is missing, damaged or of the wrong kind.
class DataError : public UserError {
 public:
  explicit DataError(const std::string& problem) : UserError(ExitCode::data, problem) {}
  DataError(const std::string& place, const std::string& problem) : UserError(ExitCode::data, place, problem) {}
};

/// The outcome of a numeric operation. Any status but ok leaves the object unchanged and becomes "NA" in a
/// table.
enum class Status { ok, not_positive_definite, not_finite, not_decreasing, all_pruned, too_few_samples };

std::string_view to_string(Status status);

/// Throws std::logic_error if a precondition is violated. Enabled in all builds: its cost is O(1).
void expects(bool condition, const char* message);

std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns the entry of `known` nearest to `word` by edit distance, or "" if none is close enough to be a
/// misspelling.
template <class Strings>
std::string nearest(std::string_view word, const Strings& known) {
  std::string best;
  std::size_t best_distance = word.size() / 3 + 2;
  for (const auto& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

/// Returns " (did you mean \"x\"?)" or, if no entry is near, ", expected one of: a, b, c". A long list is
/// left to the command `shown_by`.
template <class Strings>
std::string suggest(std::string_view word, const Strings& known, const std::string& shown_by = "") {
  if (const std::string best = nearest(word, known); !best.empty()) return " (did you mean \"" + best + "\"?)";
  if (!shown_by.empty()) return ", expected a name that " + shown_by + " shows";
  std::string all;
  for (const auto& candidate : known) all += (all.empty() ? "" : ", ") + std::string(candidate);
  return all.empty() ? ", expected nothing here" : ", expected one of: " + all;
}

/// Returns the names of the rows of a table.
template <class Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

/// Returns the row of a table with this name. Throws ConfigError with this place, and with `problem` followed
/// by the nearest name or all names.
template <class Rows>
const auto& named_row(const Rows& rows, std::string_view name, const std::string& place, const std::string& problem) {
  for (const auto& row : rows) {
    if (row.name == name) return row;
  }
  throw ConfigError(place, problem + suggest(name, names_of(rows)));
}

/// Does the same for an error without a place.
template <class Rows>
const auto& named_row(const Rows& rows, std::string_view name, const std::string& problem) {
  return named_row(rows, name, "", problem);
}

}  // namespace elmx
