#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/content/content.hpp"
#include "data/table/text.hpp"

namespace elmx {

/// The rows of delimited text: a line each, but for those of which a quoted field holds line ends.
class Records {
 public:
  /// The content must outlive this.
  Records(const Content& content, char separator, std::string comment);

  /// Moves to the next row that is not blank and no comment; false at the end. Throws DataError: a quote that is not
  /// closed.
  bool next();

  /// Of the row; valid until the next call of next().
  const std::vector<std::string_view>& fields() const { return *found_; }

  /// The line that the row begins in.
  std::size_t line() const { return line_; }

 private:
  const std::string& origin_;
  std::string comment_;
  Lines lines_;
  Fields fields_;
  const std::vector<std::string_view>* found_ = nullptr;
  std::size_t line_ = 0;
};

/// Adds lines to that of `lines` until the quotes `"` in it are in pairs.
void take_quoted_lines(Lines& lines);

}  // namespace elmx
