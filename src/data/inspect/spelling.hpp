#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elmx {

/// How the numbers of a column are spelt.
///
///     plain   1234.5, 1e5
///     point   also 1,234.5: commas part thousands
///     comma   1234,5 and 1.234,5: the comma is the decimal mark, points part thousands
enum class Decimal { plain, point, comma };

/// A number in that spelling that takes up all of `text`. A thousands separator stands between groups of exactly three
/// digits, of which the first has one to three and begins with no zero.
std::optional<double> parse_number(std::string_view text, Decimal decimal);

/// "plain", "point", "comma".
std::string to_string(Decimal decimal);
Decimal decimal_named(std::string_view name);

/// What stands for a missing value in a file: an empty field always, and these.
class MissingValues {
 public:
  /// "?" and "<null>", as in the published sets.
  MissingValues() : MissingValues({"?", "<null>"}) {}
  explicit MissingValues(std::vector<std::string> spellings);

  /// Those of the published sets, and NA, N/A, #N/A, n/a, <NA>, nan, NaN, null, NULL, None.
  static MissingValues usual();

  bool has(std::string_view field) const;
  const std::vector<std::string>& spellings() const { return spellings_; }

 private:
  std::vector<std::string> spellings_;
  std::size_t longest_ = 0;
};

}  // namespace elmx
