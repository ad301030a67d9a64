#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"

namespace elmx {

/// How delimited text is read, where the text does not show it.
struct CsvOptions {
  std::string separator = "auto";
  std::string header = "auto";
  std::string comment = "";
  std::optional<std::string> decimal = std::nullopt;
  std::optional<std::string> thousands = std::nullopt;
  std::optional<std::string> date_order = std::nullopt;
  std::optional<std::size_t> lines_above = std::nullopt;
  std::optional<std::vector<std::string>> missing_values = std::nullopt;

  template <class F>
  void fields(F& field) {
    field("separator", separator, "delimited text: what separates the fields",
          one_of({"auto", "comma", "semicolon", "tab", "pipe", "blank"}));
    field("header", header, "delimited text: whether the first line names the columns", one_of({"auto", "yes", "no"}));
    field("comment", comment, "delimited text: a line that begins with this is skipped; \"\" = none");
    field("decimal", decimal,
          "delimited text: the decimal mark of numbers; without it each column is read in the spelling that its values "
          "have",
          one_of({"point", "comma"}));
    field("thousands", thousands,
          "delimited text: what stands between thousands, with \"decimal\" (the other one of "
          "point and comma)",
          one_of({"point", "comma", "blank", "apostrophe", "none"}));
    field("date_order", date_order, "delimited text: which comes first in dates such as 3/4/2024",
          one_of({"day_first", "month_first"}));
    field("lines_above", lines_above, "delimited text: lines above the names or the first row that are left out");
    field(
        "missing_values", missing_values,
        "delimited text, arff, keel: the texts that stand for a missing value beside an empty field, in every column");
  }
};

}  // namespace elmx
