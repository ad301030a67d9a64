#include "support/schema.hpp"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace elmx {

bool schema_accepts(const Json& schema, const Json& value) {
  // valijson reads objects whose keys are sorted
  const auto sorted_schema = nlohmann::json::parse(schema.dump()), sorted_value = nlohmann::json::parse(value.dump());
  valijson::Schema rules;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(sorted_schema), rules);
  return valijson::Validator().validate(rules, valijson::adapters::NlohmannJsonAdapter(sorted_value), nullptr);
}

}  // namespace elmx
