#include "data/formats/keel.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/table/relation.hpp"

namespace elmx {
namespace {

bool lists(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::count(names, name) > 0;
}

}  // namespace

RawTable read_keel(const Content& content, const TableOptions& options) {
  Relation relation = read_relation(content);
  for (const auto& [keyword, names] :
       {std::pair("@inputs", &relation.inputs), std::pair("@outputs", &relation.outputs)}) {
    for (const std::string& name : *names) {
      if (std::ranges::count(relation.columns, name, &RawColumn::name) > 0) continue;
      std::vector<std::string> known;
      for (const RawColumn& column : relation.columns) known.push_back(column.name);
      throw DataError(fmt::format("{}: {} has \"{}\", which is no attribute{}", content.origin, keyword, name,
                                  suggest_name(name, known)));
    }
  }
  if (!relation.inputs.empty()) {
    for (RawColumn& column : relation.columns) {
      const bool used = lists(relation.inputs, column.name) || lists(relation.outputs, column.name);
      if (!used) column.role = Role::dropped;
    }
  }
  assign_roles(relation.columns, options, relation.outputs);
  return read_relation_rows(content, std::move(relation), options);
}

}  // namespace elmx
