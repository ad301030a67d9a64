#include "base/config/json.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "base/files/fsio.hpp"
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
        throw ConfigError(
            fmt::format("{}: {}: nested too deep; allowed: {} levels", origin_, current_place(), kDeepest));
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

/// Returns true if a path is short enough and does not address a list element far beyond the end of its list.
bool leads_somewhere(const Json& config, Json::json_pointer path) {
  std::size_t depth = 0;
  for (; !path.empty(); path.pop_back()) {
    const std::string& token = path.back();
    const Json::json_pointer parent = path.parent_pointer();
    const bool is_key = config.contains(parent) && config[parent].is_object();
    const bool is_index = !token.empty() && token.find_first_not_of("0123456789") == std::string::npos;
    if (++depth > kDeepest || (!is_key && is_index && token.size() > kIndexDigits)) return false;
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
    throw ConfigError(origin + ": " + what);
  }
  if (!open.duplicate().empty()) {
    throw ConfigError(fmt::format("{}: {}: the key stands twice; allowed: once", origin, open.duplicate()));
  }
  return parsed;
}

Json read_json_file(const std::filesystem::path& path) {
  std::string text;
  try {
    text = read_file(path, kLongestPipe);
  } catch (const DataError& error) {
    throw ConfigError(error.what());
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

void set_by_path(Json& config, const std::string& assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw ConfigError("--set " + assignment + ": no value; allowed: path=value, as in model.ridge=0.1");
  }
  std::string path = assignment.substr(0, equals);
  const std::string text = assignment.substr(equals + 1);
  if (path.front() != '/') {
    for (char& c : path) c = c == '.' ? '/' : c;
    path = "/" + path;
  }
  if (!is_utf8(assignment)) throw ConfigError("--set: text that is not UTF-8; allowed: path=value in UTF-8");
  const Json value = Json::accept(text) ? parse_json(text, "--set " + path) : Json(text);
  try {
    const Json::json_pointer pointer(path);
    if (!leads_somewhere(config, pointer)) {
      throw ConfigError(fmt::format(
          "--set {}: {} is no place of a config; allowed: at most {} keys, elements of a list by at most {} digits",
          assignment, path, kDeepest, kIndexDigits));
    }
    config[pointer] = value;
  } catch (const Json::exception&) {
    throw ConfigError(fmt::format("--set {}: {} leads through a value that is not an object", assignment, path));
  }
}

Json expand_series(const Json& value, const std::string& place) {
  if (!is_series(value)) return value;
  const std::string kind = value.begin().key();
  const Json& v = value.begin().value();
  const auto refuse = [&](const std::string& allowed) {
    throw ConfigError(fmt::format("{}: {}; allowed: {}", place, value.dump(), allowed));
  };
  const bool numbers = v.is_array() && std::all_of(v.begin(), v.end(), [](const Json& x) { return x.is_number(); });

  Json list = Json::array();
  if (kind == "range") {
    if (!numbers || v.size() < 2 || v.size() > 3) refuse("{\"range\": [first, last, step]}");
    const double first = v[0], last = v[1], step = v.size() == 3 ? v[2].get<double>() : 1.0;
    if (step == 0 || (last - first) / step < 0 || (last - first) / step > 1e6)
      refuse("a range that ends, of at most 1e6 values");
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
      refuse("{\"logspace\": [from, to, count]}, as in [-8, -1, 8] for 1e-8 ... 1e-1");
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

}  // namespace elmx
