#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"

namespace elmx {

/// Everything that keeps a file from being read, in the order of its columns. what() has all of it in one
/// line.
class TableProblems : public DataError {
 public:
  /// problems: at least one. missing: the value of "missing" that would let the file be read; "" = none
  /// would.
  TableProblems(const std::string& origin, const std::vector<std::string>& problems, const std::string& missing);

  /// The same for a terminal: a line for each problem below a heading. One line if there is one problem.
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

}  // namespace elmx
