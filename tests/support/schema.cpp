#include "support/schema.hpp"

#include <cmath>
#include <cstdint>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace elmx {

namespace {

/// JSON has one kind of number, valijson two. Whole numbers such as 3.0 are converted to integers.
void write_whole_numbers_as_integers(nlohmann::json& value) {
  if (value.is_structured()) {
    for (nlohmann::json& element : value) write_whole_numbers_as_integers(element);
  } else if (value.is_number_float() && std::abs(value.get<double>()) < 1e15 &&
             std::floor(value.get<double>()) == value.get<double>()) {
    value = static_cast<std::int64_t>(value.get<double>());
  }
}

}  // namespace

bool schema_accepts(const Json& schema, const Json& value) {
  // valijson reads objects whose keys are sorted
  auto sorted_schema = nlohmann::json::parse(schema.dump()), sorted_value = nlohmann::json::parse(value.dump());
  write_whole_numbers_as_integers(sorted_value);
  valijson::Schema rules;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(sorted_schema), rules);
  return valijson::Validator().validate(rules, valijson::adapters::NlohmannJsonAdapter(sorted_value), nullptr);
}

}  // namespace elmx
