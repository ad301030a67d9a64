#include "results/row_traits.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/config/fields.hpp"
#include "base/printable.hpp"

namespace elmx {
namespace {

std::string trait_text(const Dimension& dimension, const Json& value) {
  switch (dimension.kind) {
    case DimensionKind::nodes:
      return counted(value.get<std::size_t>(), "node");
    case DimensionKind::iterations:
      return counted(value.get<std::size_t>(), "iteration");
    case DimensionKind::chosen:
      return text_of(value);
    default:
      return dimension.name + " = " + text_of(value);
  }
}

bool is_trait(const RecordRow& row, const Dimension& dimension) {
  using enum DimensionKind;
  switch (dimension.kind) {
    case named:
    case of_trial:
      return false;
    case swept:
      return row.point.contains(dimension.place) && !is_size(row, dimension);
    case chosen:
      return !row.chosen.empty();
    case parameter:
      return row.chosen.empty() && row.parameters.contains(dimension.name);
    default:
      return !dimension.value(row, {}).is_null();
  }
}

}  // namespace

std::vector<std::span<const RecordRow>> by_data_set(std::span<const RecordRow> rows) {
  std::vector<std::span<const RecordRow>> blocks;
  while (!rows.empty()) {
    const auto end = std::ranges::find_if(rows, [&](const RecordRow& row) {
      return row.experiment_case != rows[0].experiment_case || row.dataset != rows[0].dataset;
    });
    blocks.push_back(rows.first(static_cast<std::size_t>(end - rows.begin())));
    rows = rows.subspan(blocks.back().size());
  }
  return blocks;
}

bool is_size(const RecordRow& row, const Dimension& dimension) {
  return dimension.kind == DimensionKind::swept && row.nodes && last_component(dimension.place) == kNodes &&
         number_of(row, dimension) == static_cast<double>(*row.nodes);
}

std::optional<double> number_of(const RecordRow& row, const Dimension& dimension) {
  const Json value = dimension.value(row, {});
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::vector<Trait> traits_of(const RecordRow& row, const Dimensions& dimensions) {
  std::vector<Trait> traits;
  for (const Dimension& dimension : dimensions.all()) {
    if (is_trait(row, dimension)) traits.push_back({&dimension, trait_text(dimension, dimension.value(row, {}))});
  }
  return traits;
}

std::vector<std::string> numeric_keys(const std::vector<RecordRow>& rows, DimensionKind kind) {
  const Dimensions dimensions(rows);
  std::vector<std::string> keys;
  for (const Dimension& dimension : dimensions.all()) {
    const auto has = [&](const RecordRow& row) { return number_of(row, dimension) && !is_size(row, dimension); };
    if (dimension.kind == kind && std::ranges::any_of(rows, has)) keys.push_back(dimension.key());
  }
  return keys;
}

std::string point_text(const std::vector<Trait>& traits) {
  std::string text;
  for (const Trait& trait : traits) {
    if (trait.dimension->kind == DimensionKind::swept) text += (text.empty() ? "" : ", ") + trait.text;
  }
  return text;
}

std::vector<std::string> distinctions(const std::vector<LegendEntry>& entries) {
  std::map<std::string, std::size_t> of_algorithm;
  std::map<std::tuple<std::string, const Dimension*, std::string>, std::size_t> with_trait;
  for (const LegendEntry& entry : entries) {
    ++of_algorithm[entry.algorithm];
    for (const Trait& trait : entry.traits) ++with_trait[{entry.algorithm, trait.dimension, trait.text}];
  }
  std::vector<std::string> texts;
  for (const LegendEntry& entry : entries) {
    std::string text;
    for (const Trait& trait : entry.traits) {
      if (with_trait[{entry.algorithm, trait.dimension, trait.text}] < of_algorithm[entry.algorithm])
        text += ", " + trait.text;
    }
    texts.push_back(text);
  }
  return texts;
}

}  // namespace elmx
