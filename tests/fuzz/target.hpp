#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/files/files.hpp"
#include "data/options.hpp"

namespace elmx::fuzz {

/// What is done with the bytes that a fuzzer makes up. Throws nothing but findings.
using Run = void (*)(std::string_view bytes);

struct Target {
  std::string_view name;
  Run run;
};

/// The targets that are linked: one in a fuzzer, all in the replay of their corpora.
std::vector<Target>& targets();

/// Makes a target known.
struct Registered {
  Registered(std::string_view name, Run run) { targets().push_back({name, run}); }
};

/// Takes choices from the front of an input: one byte each.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : rest_(bytes) {}

  /// Of 0 ... count - 1.
  std::size_t of(std::size_t count);
  bool yes() { return of(2) == 1; }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

/// An input as the files of a set: they are parted by "#part\n".
std::vector<std::string_view> parts(std::string_view bytes, std::size_t most);

/// Throws std::logic_error, a finding.
void require(bool condition, const std::string& what);

/// A refusal is a UserError of one line of printable UTF-8, "place: what"; all else that f throws is a
/// finding.
template <class Function>
void refused_or(Function f);

/// Loads the data set that the options describe and checks what comes of it. The parts of `bytes` are the
/// files that `paths`, members of the options, name, in this order.
void load(std::string_view bytes, const DataOptions& options, const std::vector<std::string*>& paths);

void check_refusal(const std::string& message);

template <class Function>
void refused_or(Function f) {
  try {
    f();
  } catch (const UserError& error) {
    check_refusal(error.what());
  }
}

}  // namespace elmx::fuzz
