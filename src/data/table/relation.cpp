#include "data/table/relation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "data/table/text.hpp"

namespace elmx {
namespace {

constexpr std::string_view kComment = "%";
constexpr std::string_view kQuotes = "'\"";
constexpr std::string_view kAllowedTypes = "; allowed: numeric, real, integer, string, {a, b, ...}";

/// The first word, or quoted name, of `rest`, which then begins behind it.
std::string take_name(std::string_view& rest) {
  rest = trimmed(rest);
  const bool is_quoted = !rest.empty() && kQuotes.find(rest.front()) != std::string_view::npos;
  const std::size_t begin = is_quoted ? 1 : 0;
  const std::size_t end = is_quoted ? rest.find(rest.front(), 1) : rest.find_first_of(" \t{");
  const std::string name(rest.substr(begin, end == std::string_view::npos ? end : end - begin));
  rest = end == std::string_view::npos ? std::string_view() : trimmed(rest.substr(end + begin));
  return name;
}

std::vector<std::string> split_list(std::string_view list, const std::string& origin, std::size_t line) {
  Fields fields(',', kQuotes);
  const auto& names = split_line(fields, list, origin, line);
  return {names.begin(), names.end()};
}

RawColumn parse_attribute(std::string_view declaration, const std::string& origin, std::size_t line) {
  const std::string where = place(origin, line);
  RawColumn column;
  column.name = take_name(declaration);
  if (column.name.empty()) throw DataError(where + "an attribute without a name; @attribute NAME TYPE is expected");
  if (declaration.starts_with('{')) {
    const std::size_t end = declaration.find('}');
    if (end == std::string_view::npos) throw DataError(where + "a list of categories without end; \"}\" is expected");
    column.kind = Kind::category;
    column.declared = true;
    column.categories = split_list(declaration.substr(1, end - 1), origin, line);
    std::set<std::string_view> seen;
    for (const std::string& category : column.categories) {
      if (seen.insert(category).second) continue;
      throw DataError(fmt::format("{}attribute \"{}\": the category \"{}\" stands twice; allowed: once", where,
                                  column.name, category));
    }
  } else if (begins_with_word(declaration, "string")) {
    column.kind = Kind::category;
  } else if (!begins_with_word(declaration, "numeric") && !begins_with_word(declaration, "real") &&
             !begins_with_word(declaration, "integer")) {
    throw DataError(fmt::format("{}attribute \"{}\" of type \"{}\"{}", where, column.name, declaration, kAllowedTypes));
  }
  return column;
}

/// What stands behind a keyword such as "@inputs", up to the end of the line.
std::string_view behind_word(std::string_view line) {
  return trimmed(line.substr(std::min(line.find_first_of(" \t"), line.size())));
}

}  // namespace

Relation read_relation(const Content& content) {
  Relation relation;
  Lines lines(content.bytes);
  while (lines.next_content(kComment)) {
    const std::string_view line = trimmed(lines.line());
    const std::string where = place(content.origin, lines.number());
    if (begins_with_word(line, "@attribute")) {
      relation.columns.push_back(parse_attribute(behind_word(line), content.origin, lines.number()));
    } else if (begins_with_word(line, "@input")) {
      relation.inputs = split_list(behind_word(line), content.origin, lines.number());
    } else if (begins_with_word(line, "@output")) {
      relation.outputs = split_list(behind_word(line), content.origin, lines.number());
    } else if (begins_with_word(line, "@data")) {
      if (relation.columns.empty())
        throw DataError(where + "@data without an attribute before it; @attribute is expected");
      relation.data_line = lines.number();
      return relation;
    } else if (!begins_with_word(line, "@relation")) {
      throw DataError(
          fmt::format("{}\"{}\"; allowed before @data: @relation, @attribute, @inputs, @outputs, comments (%)", where,
                      line.substr(0, 40)));
    }
  }
  throw DataError(content.origin + ": no @data line; an ARFF or KEEL file is expected");
}

RawTable read_relation_rows(const Content& content, Relation relation, const TableOptions& options) {
  Lines lines(content.bytes);
  while (lines.number() < relation.data_line) lines.next();

  TableBuilder builder(content.origin, std::move(relation.columns), missing_of(options), options.label_strip,
                       options.missing_values);
  Fields by_comma(',', kQuotes);
  Fields by_blank(' ', kQuotes);
  while (lines.next_content(kComment)) {
    const std::string_view line = lines.line();
    if (trimmed(line).starts_with('{')) {
      throw DataError(place(content.origin, lines.number()) + "a sparse row; one value for each attribute is expected");
    }
    Fields& fields = line.find(',') == std::string_view::npos ? by_blank : by_comma;
    builder.add_row(split_line(fields, line, content.origin, lines.number()), lines.number());
  }
  return builder.finish();
}

}  // namespace elmx
