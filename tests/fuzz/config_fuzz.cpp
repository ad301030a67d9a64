#include "data/values/text.hpp"
#include "experiment/config/spec.hpp"
#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

constexpr std::size_t kMostPointsHere = 200;  // as many cost as much as the rest of a run of the fuzzer

/// A config, then the lines of --set.
void expand_config(std::string_view bytes) {
  const std::vector<std::string_view> given = parts(bytes, 2);
  Json config = parse_json(std::string(given.front()), "config.json");
  require_object(config, "config.json: /");
  if (given.size() == 2) {
    for (Lines lines(given.back()); lines.next();) set_by_path(config, std::string(lines.line()));
  }
  for (const CaseSpec& spec : expand(config, kMostPointsHere)) {
    require(spec.family != nullptr && !spec.model->algorithms.empty(), "a case has a family and algorithms");
    const Json model = spec.family->read(spec.model->json(), "/model", false)->json();
    require(model == spec.model->json(), "what is resolved resolves to itself");
    static_cast<void>(spec.identity().dump());
  }
}

const Registered config_target("config", [](std::string_view bytes) { refused_or([&] { expand_config(bytes); }); });

}  // namespace
}  // namespace elmx::fuzz
