#include "data/formats/arff.hpp"

#include "data/table/relation.hpp"

namespace elmx {

RawTable read_arff(const Content& content, const TableOptions& options) {
  Relation relation = read_relation(content);
  assign_roles(relation.columns, options);
  return read_relation_rows(content, std::move(relation), options);
}

}  // namespace elmx
