#pragma once

#include <algorithm>
#include <concepts>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "base/config/json.hpp"
#include "base/error.hpp"

// An options struct lists its members once,
//
//     template <class F> void fields(F& field) { field("ridge", ridge, "ridge penalty", at_least(0)); ... }
//
// and the visitors of this file read it from JSON (strictly), write it, describe it as JSON Schema and find
// its sweeps.

namespace elmx {

/// The values that a scalar, or each element of a list, may take.
struct Allowed {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool min_excluded = false;
  std::vector<std::string> choices;
  bool open = false;  ///< `choices` only serves the schema; a separate check decides about other values
  bool path = false;  ///< a file; a relative path starts at the folder of the config

  /// Describes the allowed values: "a number >= 0", "one of: a, b".
  std::string text(const char* kind) const;
};

Allowed at_least(double min);
Allowed more_than(double min);
Allowed between(double min, double max);
Allowed one_of(std::vector<std::string> choices);
/// The names of a table that has a check of its own.
Allowed among(std::vector<std::string> names);
Allowed a_path();

/// Options with a short form in JSON: a value that is no object stands for the object T::long_form(value,
/// place).
template <class T>
concept HasShortForm = requires(const Json& value) {
  { T::long_form(value, std::string()) } -> std::same_as<Json>;
  { T::short_schema() } -> std::same_as<Json>;
};

/// A member that is one value in JSON, however it is written: swept over by a list of them.
template <class T>
concept OneValue = requires(const T& value, const Json& json) {
  { T::from_json(json, std::string()) } -> std::same_as<T>;
  { value.to_json() } -> std::same_as<Json>;
  { T::schema() } -> std::same_as<Json>;
};

/// Throws ConfigError unless `range` is [lower, upper] with lower <= upper.
void check_range(const std::vector<double>& range, const std::string& place);

template <class T>
struct is_vector : std::false_type {};
template <class T>
struct is_vector<std::vector<T>> : std::true_type {};

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};

/// A list, or one that may be absent.
template <class T>
struct is_list : is_vector<T> {};
template <class T>
struct is_list<std::optional<T>> : is_vector<T> {};

/// The bounds that an integer member of type T adds: its sign, and its width where that is less than any
/// integer of JSON.
template <std::integral T>
Allowed held_by(Allowed allowed) {
  if (std::is_unsigned_v<T>) allowed.min = std::max(allowed.min, 0.0);
  if constexpr (sizeof(T) < sizeof(long long)) {
    allowed.min = std::max(allowed.min, static_cast<double>(std::numeric_limits<T>::min()));
    allowed.max = std::min(allowed.max, static_cast<double>(std::numeric_limits<T>::max()));
  }
  return allowed;
}

struct NoVisitor {
  template <class T>
  void operator()(const char*, T&, const char*, const Allowed& = {}) {}
};

template <class T>
concept HasFields = requires(T options, NoVisitor visitor) {
  options.fields(visitor);
};

/// A group of members.
template <class T>
concept Options = HasFields<T> && !OneValue<T>;

/// Return one scalar from JSON. Throw ConfigError with this place.
bool read_bool(const Json& value, const std::string& place);
double read_number(const Json& value, const std::string& place, const Allowed& allowed);
long long read_integer(const Json& value, const std::string& place, const Allowed& allowed);
std::string read_string(const Json& value, const std::string& place, const Allowed& allowed);
bool is_scalar(const Json& value);  ///< a number, a text, true or false
void require_array(const Json& value, const std::string& place);
void require_object(const Json& value, const std::string& place);

template <class T>
void read_value(const Json& value, const std::string& place, const Allowed& allowed, T& member);

/// Reads an object strictly. Throws ConfigError with the place of an unknown key, a wrong type or a value out of
/// range.
class FieldReader {
 public:
  FieldReader(const Json& object, std::string place) : object_(object), place_(std::move(place)) {
    require_object(object_, place_);
  }

  template <class T>
  void operator()(const char* key, T& member, const char*, const Allowed& allowed = {}) {
    known_.push_back(key);
    if (const auto found = object_.find(key); found != object_.end()) {
      read_value(*found, place_ + "/" + key, allowed, member);
    }
  }

  /// Refuses the first key that no member has asked for.
  void finish() const;

 private:
  const Json& object_;
  std::string place_;
  std::vector<std::string> known_;
};

template <HasFields T>
void read_options(const Json& value, const std::string& place, T& options) {
  const auto read = [&](const Json& object) {
    FieldReader reader(object, place);
    options.fields(reader);
    reader.finish();
  };
  if constexpr (HasShortForm<T>) return read(T::long_form(value, place));
  read(value);
}

template <class T>
void read_value(const Json& value, const std::string& place, const Allowed& allowed, T& member) {
  if constexpr (OneValue<T>) {
    member = T::from_json(value, place);
  } else if constexpr (Options<T>) {
    read_options(value, place, member);
  } else if constexpr (is_optional<T>::value) {
    if (value.is_null()) {
      member.reset();
    } else {
      read_value(value, place, allowed, member.emplace());
    }
  } else if constexpr (is_vector<T>::value) {
    using Element = typename T::value_type;
    const Json list = expand_series(value, place);
    member.clear();
    if (Options<Element> ? list.is_object() : is_scalar(list))  // a list of one
      return read_value(list, place, allowed, member.emplace_back());
    require_array(list, place);
    for (std::size_t i = 0; i < list.size(); ++i) {
      read_value(list[i], place + "/" + std::to_string(i), allowed, member.emplace_back());
    }
  } else if constexpr (std::same_as<T, Json>) {
    member = value;
  } else if constexpr (std::same_as<T, bool>) {
    member = read_bool(value, place);
  } else if constexpr (std::integral<T>) {
    member = static_cast<T>(read_integer(value, place, held_by<T>(allowed)));
  } else if constexpr (std::floating_point<T>) {
    member = static_cast<T>(read_number(value, place, allowed));
  } else {
    member = read_string(value, place, allowed);
  }
}

/// Writes every member that a run has used, including defaults. Absent optional members and groups without
/// members are omitted, so that a new optional member does not change the resolved form of earlier configs.
class FieldWriter {
 public:
  template <class T>
  void operator()(const char* key, T& member, const char*, const Allowed& = {}) {
    if constexpr (is_optional<T>::value) {
      if (member) object[key] = to_json(*member);
    } else if constexpr (Options<T>) {
      if (Json group = to_json(member); !group.empty()) object[key] = std::move(group);
    } else {
      object[key] = to_json(member);
    }
  }
  Json object = Json::object();

 private:
  template <class T>
  static Json to_json(T& member) {
    if constexpr (OneValue<T>) {
      return member.to_json();
    } else if constexpr (Options<T>) {
      FieldWriter writer;
      member.fields(writer);
      return writer.object;
    } else if constexpr (is_vector<T>::value) {
      Json list = Json::array();
      for (auto& element : member) list.push_back(to_json(element));
      return list;
    } else {
      return Json(member);
    }
  }
};

template <HasFields T>
Json write_options(T options) {
  FieldWriter writer;
  options.fields(writer);
  return writer.object;
}

/// One swept member: its place ("/model/ridge") and the values it takes.
struct Axis {
  std::string place;
  std::vector<Json> values;
};

/// Returns "ridge" for "/model/ridge".
inline std::string last_component(const std::string& place) { return place.substr(place.rfind('/') + 1); }

/// Finds the members that the config gives a list where one value is expected.
class SweepFinder {
 public:
  SweepFinder(const Json& object, std::string place, std::vector<Axis>& axes)
      : object_(object), place_(std::move(place)), axes_(axes) {}

  template <class T>
  void operator()(const char* key, T& member, const char*, const Allowed& = {}) {
    const auto found = object_.find(key);
    if (found == object_.end()) return;
    const std::string place = place_ + "/" + key;
    if constexpr (Options<T>) {
      if (found->is_object()) {
        SweepFinder inner(*found, place, axes_);
        member.fields(inner);
      }
    } else if constexpr (std::same_as<T, Json>) {
      return;
    } else if constexpr (is_list<T>::value) {
      // A list of lists: several values of the whole list.
      if (found->is_array() && !found->empty() && found->front().is_array()) add(place, *found);
    } else {
      const Json list = expand_series(*found, place);
      if (list.is_array()) add(place, list);
    }
  }

 private:
  void add(const std::string& place, const Json& list);

  const Json& object_;
  std::string place_;
  std::vector<Axis>& axes_;
};

template <Options T>
void find_sweeps(const Json& object, const std::string& place, std::vector<Axis>& axes) {
  if (!object.is_object()) return;
  T options;
  SweepFinder finder(object, place, axes);
  options.fields(finder);
}

/// Sets the folder before the relative paths that an object of a config gives, in lists (sweeps) too.
class PathResolver {
 public:
  PathResolver(Json& object, std::string folder) : object_(object), folder_(std::move(folder)) {}

  template <class T>
  void operator()(const char* key, T& member, const char*, const Allowed& allowed = {}) {
    const auto found = object_.find(key);
    if (found == object_.end()) return;
    if constexpr (Options<T>) {
      for (Json* one : objects_of(*found)) {
        PathResolver inner(*one, folder_);
        member.fields(inner);
      }
    } else {
      if (allowed.path) resolve(*found);
    }
  }

 private:
  static std::vector<Json*> objects_of(Json& value);  ///< itself, or the elements of a list
  void resolve(Json& value) const;

  Json& object_;
  std::string folder_;
};

template <Options T>
void resolve_paths(Json& object, const std::string& folder) {
  if (!object.is_object()) return;
  T options;
  PathResolver resolver(object, folder);
  options.fields(resolver);
}

/// JSON Schema (draft-07) of an options struct, made from the same member list. It refers to the definitions
/// "range" and "logspace" (series_definitions), which stand at the root.
class SchemaWriter {
 public:
  template <class T>
  void operator()(const char* key, T& member, const char* doc, const Allowed& allowed = {}) {
    Json schema = describe(member, allowed);
    if constexpr (!Options<T> && !std::same_as<T, Json>) schema = with_sweep(schema);
    if constexpr (is_optional<T>::value) schema["anyOf"].push_back({{"type", "null"}});
    schema["description"] = doc;
    if constexpr (!Options<T> && !std::same_as<T, Json>) {
      FieldWriter writer;
      writer(key, member, doc);
      if (!writer.object[key].is_null()) schema["default"] = writer.object[key];
    }
    properties[key] = schema;
  }
  Json object() const;
  Json properties = Json::object();

 private:
  static Json bounds(const char* type, const Allowed& allowed);
  static Json with_sweep(const Json& single);

  template <class T>
  static Json describe(T& member, const Allowed& allowed) {
    if constexpr (OneValue<T>) {
      return T::schema();
    } else if constexpr (Options<T>) {
      SchemaWriter inner;
      member.fields(inner);
      if constexpr (HasShortForm<T>) return {{"anyOf", {inner.object(), T::short_schema()}}};
      return inner.object();
    } else if constexpr (is_optional<T>::value) {
      typename T::value_type value{};
      return describe(value, allowed);
    } else if constexpr (is_vector<T>::value) {
      typename T::value_type element{};
      return {{"type", "array"}, {"items", describe(element, allowed)}};
    } else if constexpr (std::same_as<T, Json>) {
      return Json::object();
    } else if constexpr (std::same_as<T, bool>) {
      return bounds("boolean", allowed);
    } else if constexpr (std::integral<T>) {
      return bounds("integer", held_by<T>(allowed));
    } else if constexpr (std::floating_point<T>) {
      return bounds("number", allowed);
    } else {
      return bounds("string", allowed);
    }
  }
};

/// Returns {"range": schema, "logspace": schema}.
Json series_definitions();

template <HasFields T>
Json schema_of() {
  T options;
  SchemaWriter writer;
  options.fields(writer);
  return writer.object();
}

}  // namespace elmx
