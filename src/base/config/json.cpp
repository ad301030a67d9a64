#include "base/config/json.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr std::size_t kDeepest = 100;           // configs need ten; copies and comparisons of a value recurse
constexpr std::size_t kLongestPipe = 64 << 20;  // bytes of a config that does not say how long it is
constexpr int kMostDecimals = 17;               // a series whose numbers have more is not rounded
// --set fills a list with nulls up to the element that it names
constexpr std::size_t kIndexDigits = 4;

/// The objects and arrays that are open while a text is parsed: the keys seen in each, and where in it the
/// parser stands.
class OpenValues {
 public:
  explicit OpenValues(std::string origin) : origin_(std::move(origin)) {}

  /// Throws ConfigError if values are nested too deep.
  bool operator()(Json::parse_event_t event, const Json& value) {
    using Event = Json::parse_event_t;
    const bool is_element = event == Event::object_start || event == Event::array_start || event == Event::value;
    if (is_element && !open_.empty() && open_.back().is_array)
      open_.back().at = std::to_string(open_.back().elements++);
    if (event == Event::object_start || event == Event::array_start) {
      if (open_.size() == kDeepest) {
        throw ConfigError(fmt::format("{}: {}", origin_, dotted(current_place())),
                          fmt::format("nested too deeply; use at most {} levels", kDeepest));
      }
      open_.push_back({.place = current_place(), .is_array = event == Event::array_start, .at = {}, .keys = {}});
    } else if (event == Event::object_end || event == Event::array_end) {
      open_.pop_back();
    } else if (event == Event::key) {
      open_.back().at = value.get<std::string>();
      if (!open_.back().keys.insert(open_.back().at).second && duplicate_.empty()) duplicate_ = current_place();
    }
    return true;
  }
  const std::string& duplicate() const { return duplicate_; }

 private:
  struct Open {
    std::string place;
    bool is_array = false;
    std::string at;  ///< current key or index
    std::size_t elements = 0;
    std::set<std::string> keys;
  };
  std::string current_place() const { return open_.empty() ? "" : open_.back().place + "/" + open_.back().at; }

  std::string origin_;
  std::vector<Open> open_;
  std::string duplicate_;
};

bool is_series(const Json& value) {
  return value.is_object() && value.size() == 1 && (value.contains("range") || value.contains("logspace"));
}

bool is_index(const std::string& key) {
  return !key.empty() && key.find_first_not_of("0123456789") == std::string::npos;
}

/// Returns the member or element of this key, or null.
const Json* child_of(const Json& value, const std::string& key) {
  if (value.is_object()) {
    const auto found = value.find(key);
    return found == value.end() ? nullptr : &*found;
  }
  if (!value.is_array() || !is_index(key) || key.size() > 9 || std::stoul(key) >= value.size()) return nullptr;
  return &value[std::stoul(key)];
}

/// Returns true if a path is short enough and does not address a list element far beyond the end of its list.
bool leads_somewhere(const Json& config, Json::json_pointer path) {
  std::size_t depth = 0;
  for (; !path.empty(); path.pop_back()) {
    const std::string& token = path.back();
    const Json::json_pointer parent = path.parent_pointer();
    const bool is_key = config.contains(parent) && config[parent].is_object();
    if (++depth > kDeepest || (!is_key && is_index(token) && token.size() > kIndexDigits)) return false;
  }
  return true;
}

double number_of(const std::string& digits) {
  double number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

/// The fewest digits after the decimal point with which `x` is written exactly: 1 for 0.5, 0 for 3. At most
/// kMostDecimals.
int decimals_of(double x) {
  int decimals = 0;
  while (decimals < kMostDecimals && number_of(fmt::format("{:.{}f}", x, decimals)) != x) ++decimals;
  return decimals;
}

/// 10^exponent. A whole exponent gives the double that "1e-5" is read as.
double power_of_ten(double exponent) {
  const bool whole = exponent == std::round(exponent);
  return whole ? number_of(fmt::format("1e{:.0f}", exponent)) : std::pow(10.0, exponent);
}

}  // namespace

Json parse_json(const std::string& text, const std::string& origin) {
  OpenValues open(origin);
  Json parsed;
  try {
    parsed = Json::parse(
        text, [&](int, Json::parse_event_t event, Json& value) { return open(event, value); }, true, true);
  } catch (const Json::exception& error) {
    // nlohmann's text is "[json.exception.parse_error.101] parse error at line 3, column 5: <what>", or for a
    // number that no double holds "[json.exception.out_of_range.406] number overflow parsing '1e999'".
    std::string what = error.what();
    if (const auto end = what.find("] "); end != std::string::npos) what = what.substr(end + 2);
    if (what.starts_with("parse error at ")) what = what.substr(15);
    throw ConfigError(origin, what);
  }
  if (!open.duplicate().empty()) {
    throw ConfigError(fmt::format("{}: {}", origin, dotted(open.duplicate())), "duplicate key");
  }
  return parsed;
}

Json read_json_file(const std::filesystem::path& path) {
  std::string text;
  try {
    text = read_file(path, kLongestPipe);
  } catch (const DataError& error) {
    throw ConfigError(error.place(), error.problem());
  }
  return parse_json(text, path.string());
}

void merge(Json& base, const Json& over) {
  if (!base.is_object() || !over.is_object() || is_series(base) || is_series(over)) {
    base = over;
    return;
  }
  for (const auto& [key, value] : over.items()) {
    if (base.contains(key)) {
      merge(base[key], value);
    } else {
      base[key] = value;
    }
  }
}

Json set_by_path(Json& config, const std::string& assignment) {
  if (!is_utf8(assignment)) throw ConfigError("--set", "KEY=VALUE must be text in UTF-8");
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw ConfigError("--set", fmt::format("expected KEY=VALUE, as in model.ridge=0.1, found \"{}\"", assignment));
  std::string path = assignment.substr(0, equals);
  const std::string text = assignment.substr(equals + 1);
  if (path.front() != '/') {
    for (char& c : path) c = c == '.' ? '/' : c;
    path = "/" + path;
  }
  const Json value = Json::accept(text) ? parse_json(text, "--set: " + dotted(path)) : Json(text);
  try {
    Json::json_pointer pointer(path);
    if (!leads_somewhere(config, pointer)) {
      throw ConfigError("--set", fmt::format("the place is too deep or far beyond the end of a list; use at most {} "
                                             "keys and at most {} digits for an element: {}",
                                             kDeepest, kIndexDigits, assignment));
    }
    config[pointer] = value;
    Json alone = value;
    for (; !pointer.empty(); pointer.pop_back()) {
      Json object = Json::object();
      object[pointer.back()] = std::move(alone);
      alone = std::move(object);
    }
    return alone;
  } catch (const Json::exception&) {
    throw ConfigError("--set", fmt::format("the key lies inside a value that is not an object: {}", assignment));
  }
}

std::string existing_part(const Json& config, const std::string& place) {
  const Json* value = &config;
  for (std::size_t begin = 0; begin < place.size();) {
    const std::size_t end = std::min(place.find('/', begin + 1), place.size());
    value = child_of(*value, place.substr(begin + 1, end - begin - 1));
    if (value == nullptr) return place.substr(0, begin);
    begin = end;
  }
  return place;
}

std::string dotted(const std::string& place) {
  std::string text;
  for (std::size_t begin = 0; begin < place.size();) {
    const std::size_t end = std::min(place.find('/', begin + 1), place.size());
    const std::string key = place.substr(begin + 1, end - begin - 1);
    text += is_index(key) ? "[" + key + "]" : (text.empty() ? "" : ".") + key;
    begin = end;
  }
  return text;
}

Json expand_series(const Json& value, const std::string& place) {
  if (!is_series(value)) return value;
  const std::string kind = value.begin().key();
  const Json& v = value.begin().value();
  const auto refuse = [&](const std::string& expected) {
    throw ConfigError(place, fmt::format("expected {}, found {}", expected, value.dump()));
  };
  const bool numbers = v.is_array() && std::all_of(v.begin(), v.end(), [](const Json& x) { return x.is_number(); });

  Json list = Json::array();
  if (kind == "range") {
    if (!numbers || v.size() < 2 || v.size() > 3) refuse("{\"range\": [first, last, step]}");
    const double first = v[0], last = v[1], step = v.size() == 3 ? v[2].get<double>() : 1.0;
    const double steps = (last - first) / step;
    if (step == 0) refuse("a step other than 0 in [first, last, step]");
    if (steps < 0)
      refuse(fmt::format("a {} step from {} {} to {}", last > first ? "positive" : "negative", shortest(first),
                         last > first ? "up" : "down", shortest(last)));
    if (steps > 1e6) refuse("a range of at most 1e6 values");
    const bool integers = std::all_of(v.begin(), v.end(), [](const Json& x) { return x.is_number_integer(); });
    const auto count = static_cast<long>(std::floor((last - first) / step + 1e-9)) + 1;
    // 0.1 + 2 * 0.1 is the double nearest to 0.3
    const int decimals = std::max(decimals_of(first), decimals_of(step));
    for (long i = 0; i < count; ++i) {
      const double x = first + static_cast<double>(i) * step;
      if (integers) {
        list.push_back(std::llround(x));
      } else {
        // Adding 0.0 turns -0 into 0.
        list.push_back(decimals < kMostDecimals ? number_of(fmt::format("{:.{}f}", x, decimals)) + 0.0 : x);
      }
    }
  } else {
    if (!numbers || v.size() != 3 || !v[2].is_number_integer() || v[2] < 1 || v[2] > 1000000) {
      refuse("{\"logspace\": [from, to, count]} ([-8, -1, 8] gives 1e-8, 1e-7, ..., 1e-1)");
    }
    const double from = v[0], to = v[1];
    if (std::abs(from) > 300 || std::abs(to) > 300) refuse("exponents from -300 to 300");
    const long count = v[2];
    for (long i = 0; i < count; ++i) {
      const double exponent =
          count == 1 ? from : from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1);
      list.push_back(power_of_ten(exponent));
    }
  }
  return list;
}

std::string text_in(const Json& value, const std::string& place) {
  const Json::json_pointer there(place);
  return value.contains(there) && value[there].is_string() ? value[there].get<std::string>() : "";
}

std::uint64_t count_from(const Json& value) {
  const bool count = value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
  if (!count) throw DataError("expected an integer >= 0, found " + value.dump());
  return value.get<std::uint64_t>();
}

}  // namespace elmx
