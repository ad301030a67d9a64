#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace elmx {

/// What a command returns to the shell.
enum class ExitCode {
  ok = 0,
  internal = 1,
  config = 2,
  data = 3,
  trials_failed = 4,
  check_failed = 5,
  resume_refused = 6
};

/// An error of the user. The text is one line: *place: what was found; what is allowed*. What was found
/// may be anything: the message is made printable and, beyond 2000 bytes, cut.
class UserError : public std::runtime_error {
 public:
  UserError(ExitCode code, const std::string& message);
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// A command line or a config that cannot be carried out.
class ConfigError : public UserError {
 public:
  explicit ConfigError(const std::string& message) : UserError(ExitCode::config, message) {}
};

/// A data file that is missing, damaged or not what it should be.
class DataError : public UserError {
 public:
  explicit DataError(const std::string& message) : UserError(ExitCode::data, message) {}
};

/// What the numbers did. Anything but ok leaves the object as it was and becomes "NA" in a table.
enum class Status { ok, not_positive_definite, not_finite, not_decreasing, all_pruned, too_few_samples };

std::string_view to_string(Status status);

/// What the programmer got wrong: throws std::logic_error. Always on: O(1) beside the work it guards.
void expects(bool condition, const char* message);

/// The entry of `known` nearest to `word` by edit distance, or "" where none is close enough to be a
/// misspelling.
template <class Strings>
std::string nearest(std::string_view word, const Strings& known);

std::size_t edit_distance(std::string_view a, std::string_view b);

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

/// "; did you mean \"x\"?" or, where nothing is near, "; allowed: a, b, c".
template <class Strings>
std::string suggest(std::string_view word, const Strings& known) {
  if (const std::string best = nearest(word, known); !best.empty()) return "; did you mean \"" + best + "\"?";
  std::string all;
  for (const auto& candidate : known) all += (all.empty() ? "" : ", ") + std::string(candidate);
  return "; allowed: " + (all.empty() ? std::string("nothing") : all);
}

}  // namespace elmx
