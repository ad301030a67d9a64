#include "data/formats/keel.hpp"

#include <algorithm>

#include "data/table/relation.hpp"

namespace elmx {
namespace {

bool lists(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::count(names, name) > 0;
}

}  // namespace

RawTable read_keel(const Content& content, const TableOptions& options) {
  Relation relation = read_relation(content);
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
