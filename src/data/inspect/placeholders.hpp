#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace elmx {

/// The different texts that stand among the numbers of a column, where they are few.
class FewTexts {
 public:
  void add(std::string_view text);

  bool are_few() const { return !more_; }
  const std::vector<std::string>& texts() const { return texts_; }  ///< in order of appearance

 private:
  std::vector<std::string> texts_;
  bool more_ = false;
};

/// Whether people write it where a value is not known: without a letter or a digit ("-", "..."), or one of the words
/// for it, with or without points, in any case ("n.d.", "k. A.", "Unknown").
bool is_placeholder(std::string_view text);

/// Whether it is a number with a sign or a unit: "97%", "$8,394", "12 kg".
bool is_number_with_unit(std::string_view text);

}  // namespace elmx
