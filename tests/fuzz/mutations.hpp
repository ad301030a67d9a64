#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/config/json.hpp"
#include "fuzz/target.hpp"

namespace elmx::fuzz {

inline void collect_places(const Json& value, const Json::json_pointer& place,
                           std::vector<Json::json_pointer>& places) {
  places.push_back(place);
  if (!value.is_structured()) return;
  for (const auto& [key, inner] : value.items()) {
    collect_places(inner, value.is_array() ? place / static_cast<std::size_t>(std::stoul(key)) : place / key, places);
  }
}

/// What JSON can have in place of what is expected. No number between 100 and 10^9: work that is merely long
/// is no finding.
inline Json odd_value(Choices& choices) {
  static const std::vector<std::string> values = {"null",
                                                  "true",
                                                  "false",
                                                  "[]",
                                                  "{}",
                                                  "\"\"",
                                                  "0",
                                                  "1",
                                                  "-1",
                                                  "2",
                                                  "3",
                                                  "7",
                                                  "64",
                                                  "0.5",
                                                  "-0.0",
                                                  "1e-320",
                                                  "1e300",
                                                  "4294967296",
                                                  "9007199254740993",
                                                  "18446744073709551615",
                                                  "-9223372036854775808",
                                                  "\"x\"",
                                                  "\"rbf\"",
                                                  "\"single\"",
                                                  "\"double\"",
                                                  "\"regression\"",
                                                  "\"classification\"",
                                                  "[[]]",
                                                  "[1,2]",
                                                  "[\"a\",\"a\"]",
                                                  "{\"a\":1}",
                                                  "[null]",
                                                  "\"linear\"",
                                                  "\"sigmoid\"",
                                                  "\"standard\"",
                                                  "\"codes\"",
                                                  "\"max_pool\"",
                                                  "\"convolution\"",
                                                  "\"lstm\""};
  return Json::parse(values[choices.of(values.size())]);
}

/// Changes, adds, removes or copies one value.
inline void mutate(Json& json, Choices& choices) {
  std::vector<Json::json_pointer> places;
  collect_places(json, Json::json_pointer(), places);
  const auto any = [&] { return places[(choices.of(256) + 256 * choices.of(256)) % places.size()]; };
  const Json::json_pointer place = any();
  const std::size_t how = choices.of(4);
  if (how == 0 || place.empty()) {
    json[place] = odd_value(choices);
  } else if (how == 1) {
    Json& parent = json[place.parent_pointer()];
    if (parent.is_array())
      parent.erase(std::stoul(place.back()));
    else
      parent.erase(place.back());
  } else if (how == 2) {
    const Json copied = json[any()];
    json[place] = copied;
  } else {
    Json& value = json[place];
    if (value.is_array())
      value.push_back(odd_value(choices));
    else if (value.is_object())
      value["added"] = odd_value(choices);
    else
      value = odd_value(choices);
  }
}

/// Changes a byte, cuts, or repeats a part.
inline void mutate(std::string& bytes, Choices& choices) {
  if (bytes.empty()) return;
  const auto place = [&] { return (choices.of(256) + 256 * choices.of(256)) % bytes.size(); };
  const std::size_t how = choices.of(4), at = place();
  if (how <= 1) bytes[at] = static_cast<char>(choices.of(256));
  if (how == 2) bytes.resize(at);
  if (how == 3) bytes.insert(at, bytes.substr(place(), choices.of(64)));
}

/// Of a JSON text: mostly what it says, seldom its bytes.
inline void mutate_text(std::string& text, Choices& choices) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || choices.of(8) == 0) return mutate(text, choices);
  mutate(json, choices);
  text = json.dump();
}

}  // namespace elmx::fuzz
