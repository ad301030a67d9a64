#pragma once

#include <algorithm>
#include <concepts>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/config/json.hpp"
#include "base/error.hpp"

// An options struct lists its members once, in the order in which they are written,
//
//     void fields(FieldVisitor& field) { field("ridge", ridge, "ridge penalty", at_least(0)); ... }
//
// and the functions of this file read it from JSON (strictly), write it, describe it as JSON Schema, and find
// its sweeps and its paths.

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

class FieldVisitor;

/// A struct that lists its members.
template <class T>
concept HasFields = requires(T& options, FieldVisitor& field) {
  options.fields(field);
};

/// A member that is one value in JSON, however it is written: swept over by a list of them.
template <class T>
concept OneValue = requires(const T& value, const Json& json) {
  { T::from_json(json, std::string()) } -> std::same_as<T>;
  { value.to_json() } -> std::same_as<Json>;
  { T::schema() } -> std::same_as<Json>;
};

/// A group of members.
template <class T>
concept Options = HasFields<T> && !OneValue<T>;

/// Options with a short form in JSON: a value that is no object stands for the object T::long_form(value,
/// place).
template <class T>
concept HasShortForm = requires(const Json& value) {
  { T::long_form(value, std::string()) } -> std::same_as<Json>;
  { T::short_schema() } -> std::same_as<Json>;
};

template <class T>
struct is_vector : std::false_type {};
template <class T>
struct is_vector<std::vector<T>> : std::true_type {};

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};

/// A member of an options struct, whatever its type.
class Field {
 public:
  enum class Kind {
    value,  ///< swept over by a list
    list,   ///< swept over by a list of lists
    group,  ///< has members of its own
    json    ///< any JSON
  };

  Field(const char* its_key, const char* its_doc, const Allowed& its_values, Kind its_kind, bool may_be_absent)
      : key(its_key), doc(its_doc), allowed(its_values), kind(its_kind), optional(may_be_absent) {}
  virtual ~Field() = default;

  /// Sets the member. Throws ConfigError with a place at or below `place`.
  virtual void read(const Json& value, const std::string& place) const = 0;
  /// Returns false if the member is an optional one without a value, which cannot be written.
  virtual bool present() const = 0;
  virtual Json write() const = 0;
  /// Returns the JSON Schema of one value.
  virtual Json schema() const = 0;
  /// Visits the members of a group.
  virtual void members(const std::function<void(const Field&)>& visit) const = 0;

  const char* const key;
  const char* const doc;
  const Allowed& allowed;
  const Kind kind;
  const bool optional;
};

/// The argument of T::fields, which is called for each member.
class FieldVisitor {
 public:
  explicit FieldVisitor(const std::function<void(const Field&)>& visit) : visit_(visit) {}

  template <class T>
  void operator()(const char* key, T& member, const char* doc, const Allowed& allowed = {});

 private:
  const std::function<void(const Field&)>& visit_;
};

/// One swept member: its place ("/model/ridge") and the values it takes.
struct Axis {
  std::string place;
  std::vector<Json> values;
};

// The functions of one group of members. The templates at the end of this file are the same for an options
// struct.
void read_group(const Field& group, const Json& object, const std::string& place);
Json write_group(const Field& group);
Json schema_of_group(const Field& group);
void find_sweeps_of_group(const Field& group, const Json& object, const std::string& place, std::vector<Axis>& axes);
void resolve_paths_of_group(const Field& group, Json& value, const std::string& folder);

/// Return one scalar from JSON. Throw ConfigError with this place.
bool read_bool(const Json& value, const std::string& place);
double read_number(const Json& value, const std::string& place, const Allowed& allowed);
long long read_integer(const Json& value, const std::string& place, const Allowed& allowed);
std::string read_string(const Json& value, const std::string& place, const Allowed& allowed);
Json scalar_schema(const char* type, const Allowed& allowed);
bool is_scalar(const Json& value);  ///< a number, a text, true or false
void require_array(const Json& value, const std::string& place);
void require_object(const Json& value, const std::string& place);
/// Throws ConfigError unless `range` is [lower, upper] with lower <= upper.
void check_range(const std::vector<double>& range, const std::string& place);

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

template <class T>
class FieldOf final : public Field {
 public:
  FieldOf(T& member, const char* its_key, const char* its_doc, const Allowed& its_values)
      : Field(its_key, its_doc, its_values, kind_of_T(), is_optional<T>::value), member_(member) {}

  void read(const Json& value, const std::string& place) const override {
    if constexpr (OneValue<T>) {
      member_ = T::from_json(value, place);
    } else if constexpr (HasShortForm<T>) {
      read_group(*this, T::long_form(value, place), place);
    } else if constexpr (HasFields<T>) {
      read_group(*this, value, place);
    } else if constexpr (is_optional<T>::value) {
      if (value.is_null()) return member_.reset();
      of(member_.emplace()).read(value, place);
    } else if constexpr (is_vector<T>::value) {
      const Json list = expand_series(value, place);
      member_.clear();
      if (Options<typename T::value_type> ? list.is_object() : is_scalar(list))  // a list of one
        return of(member_.emplace_back()).read(list, place);
      require_array(list, place);
      for (std::size_t i = 0; i < list.size(); ++i)
        of(member_.emplace_back()).read(list[i], place + "/" + std::to_string(i));
    } else if constexpr (std::same_as<T, Json>) {
      member_ = value;
    } else if constexpr (std::same_as<T, bool>) {
      member_ = read_bool(value, place);
    } else if constexpr (std::integral<T>) {
      member_ = static_cast<T>(read_integer(value, place, held_by<T>(allowed)));
    } else if constexpr (std::floating_point<T>) {
      member_ = static_cast<T>(read_number(value, place, allowed));
    } else {
      member_ = read_string(value, place, allowed);
    }
  }

  bool present() const override {
    if constexpr (is_optional<T>::value) return member_.has_value();
    return true;
  }

  Json write() const override {
    if constexpr (OneValue<T>) {
      return member_.to_json();
    } else if constexpr (HasFields<T>) {
      return write_group(*this);
    } else if constexpr (is_optional<T>::value) {
      return of(*member_).write();
    } else if constexpr (is_vector<T>::value) {
      Json list = Json::array();
      for (auto& element : member_) list.push_back(of(element).write());
      return list;
    } else {
      return Json(member_);
    }
  }

  Json schema() const override {
    if constexpr (OneValue<T>) {
      return T::schema();
    } else if constexpr (HasShortForm<T>) {
      return {{"anyOf", {schema_of_group(*this), T::short_schema()}}};
    } else if constexpr (HasFields<T>) {
      return schema_of_group(*this);
    } else if constexpr (is_optional<T>::value) {
      typename T::value_type value{};
      return of(value).schema();
    } else if constexpr (is_vector<T>::value) {
      typename T::value_type element{};
      return {{"type", "array"}, {"items", of(element).schema()}};
    } else if constexpr (std::same_as<T, Json>) {
      return Json::object();
    } else if constexpr (std::same_as<T, bool>) {
      return scalar_schema("boolean", allowed);
    } else if constexpr (std::integral<T>) {
      return scalar_schema("integer", held_by<T>(allowed));
    } else {
      return scalar_schema(std::floating_point<T> ? "number" : "string", allowed);
    }
  }

  void members(const std::function<void(const Field&)>& visit) const override {
    if constexpr (HasFields<T>) {
      FieldVisitor visitor(visit);
      member_.fields(visitor);
    }
  }

 private:
  static constexpr Kind kind_of_T() {
    if (std::same_as<T, Json>) return Kind::json;
    if (Options<T>) return Kind::group;
    if constexpr (is_optional<T>::value) return is_vector<typename T::value_type>::value ? Kind::list : Kind::value;
    return is_vector<T>::value ? Kind::list : Kind::value;
  }

  /// Returns the field of a value inside this member.
  template <class Value>
  FieldOf<Value> of(Value& value) const {
    return {value, key, doc, allowed};
  }

  T& member_;
};

template <class T>
void FieldVisitor::operator()(const char* key, T& member, const char* doc, const Allowed& allowed) {
  visit_(FieldOf<T>(member, key, doc, allowed));
}

/// Returns the field of a whole options struct.
template <HasFields T>
FieldOf<T> group_of(T& options) {
  static const Allowed any;
  return {options, "", "", any};
}

/// Reads an object strictly. Throws ConfigError with the place of an unknown key, a wrong type or a value out
/// of range.
template <HasFields T>
void read_options(const Json& value, const std::string& place, T& options) {
  if constexpr (HasShortForm<T>) return read_group(group_of(options), T::long_form(value, place), place);
  read_group(group_of(options), value, place);
}

/// Writes every member that a run has used, including defaults. Absent optional members and groups without
/// members are omitted, so that a new optional member does not change the resolved form of earlier configs.
template <HasFields T>
Json write_options(const T& options) {
  return write_group(group_of(const_cast<T&>(options)));  // writing only reads the members
}

/// Finds the members that the config gives a list where one value is expected.
template <Options T>
void find_sweeps(const Json& object, const std::string& place, std::vector<Axis>& axes) {
  T options;
  find_sweeps_of_group(group_of(options), object, place, axes);
}

/// Sets the folder before the relative paths that an object of a config gives, in lists (sweeps) too.
template <Options T>
void resolve_paths(Json& object, const std::string& folder) {
  T options;
  resolve_paths_of_group(group_of(options), object, folder);
}

/// Returns the JSON Schema (draft-07) of an options struct. It refers to series_definitions, which stand at
/// the root.
template <HasFields T>
Json schema_of() {
  T options;
  return schema_of_group(group_of(options));
}

/// Returns {"range": schema, "logspace": schema}.
Json series_definitions();

/// Returns the keys of the members, in their order.
template <Options T>
std::vector<const char*> option_keys() {
  T options;
  std::vector<const char*> keys;
  group_of(options).members([&](const Field& member) { keys.push_back(member.key); });
  return keys;
}

/// Returns the keys of the options whose values are not the defaults.
template <Options T>
std::vector<const char*> given_options(const T& options) {
  const Json values = write_options(options), defaults = write_options(T());
  std::vector<const char*> keys = option_keys<T>();
  std::erase_if(keys, [&](const char* key) { return values.value(key, Json()) == defaults.value(key, Json()); });
  return keys;
}

/// An option that only some kinds of objects have (file formats, network layers).
struct OwnedOption {
  const char* key;
  bool given;
  std::vector<std::string> owners;
};

/// Throws ConfigError for the first given option that an object of this `kind` does not have:
/// "PLACE/KEY: WITH "KIND"; use it with OWNERS", where `with` is for example "not with format".
void refuse_options_of_others(const std::vector<OwnedOption>& options, const std::string& kind,
                              const std::string& place, const std::string& with);

/// Returns "ridge" for "/model/ridge".
inline std::string last_component(const std::string& place) { return place.substr(place.rfind('/') + 1); }

}  // namespace elmx
