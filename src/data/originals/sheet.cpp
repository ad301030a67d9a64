#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/content/unpack.hpp"
#include "data/originals/originals.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostXml = std::size_t{1} << 26;  // bytes of a member of the workbook
constexpr std::size_t kMostColumns = 16384;             // of a sheet

/// An element of XML: <name attributes>inside</name> or <name attributes/>.
struct Element {
  std::string_view attributes, inside;
};

/// Takes the next element of this name, and what stands before it, from the front of `xml`. Nothing is taken
/// if there is none. The elements that are asked for here do not contain elements of their own name.
std::optional<Element> take_element(std::string_view& xml, std::string_view name) {
  const std::string begin = fmt::format("<{}", name), end = fmt::format("</{}>", name);
  for (std::size_t at = xml.find(begin); at != std::string_view::npos; at = xml.find(begin, at + 1)) {
    const std::size_t head = at + begin.size();
    if (xml.substr(head, 1).find_first_of(" \t\r\n/>") != 0) continue;  // a longer name
    const std::size_t close = xml.find('>', head);
    if (close == std::string_view::npos) return std::nullopt;
    if (xml[close - 1] == '/') {
      const Element element{xml.substr(head, close - 1 - head), {}};
      xml.remove_prefix(close + 1);
      return element;
    }
    const std::size_t stop = xml.find(end, close);
    if (stop == std::string_view::npos) return std::nullopt;
    const Element element{xml.substr(head, close - head), xml.substr(close + 1, stop - close - 1)};
    xml.remove_prefix(stop + end.size());
    return element;
  }
  return std::nullopt;
}

/// The value of an attribute, "" if the element does not have it.
std::string_view attribute(const Element& element, std::string_view name) {
  const std::string begin = fmt::format(" {}=\"", name);
  const std::size_t at = element.attributes.find(begin);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = element.attributes.substr(at + begin.size());
  return rest.substr(0, rest.find('"'));
}

/// The texts that cells refer to by their number. A text may be divided into runs of one look.
std::vector<std::string> texts_in(std::string_view xml) {
  std::vector<std::string> texts;
  while (const auto item = take_element(xml, "si")) {
    std::string& text = texts.emplace_back();
    std::string_view runs = item->inside;
    while (const auto run = take_element(runs, "t")) text += run->inside;
  }
  return texts;
}

/// The column of a cell, counted from 0: 2 of "C5"; 0 if the place is none of a sheet.
std::size_t column_of(std::string_view place) {
  std::size_t column = 0;
  for (const char letter : place.substr(0, place.find_first_of("0123456789"))) {
    if (letter < 'A' || letter > 'Z' || column > kMostColumns) return 0;
    column = 26 * column + static_cast<std::size_t>(letter - 'A' + 1);
  }
  return column == 0 || column > kMostColumns ? 0 : column - 1;
}

/// The value of a cell as a field; "" if it is neither a number nor a shared text.
std::string field_of(std::string_view type, std::string_view value, const std::vector<std::string>& texts) {
  if (type.empty() || type == "n") {
    const std::optional<double> number = parse_number(value);
    return number ? shortest(*number) : "";
  }
  const std::size_t index = parse_digits(value).value_or(texts.size());
  return type == "s" && index < texts.size() ? texts[index] : "";
}

}  // namespace

std::string sheet_as_csv(std::string_view workbook, const std::string& origin, std::size_t most) {
  const auto member = [&](const char* name) {
    return archive_member(workbook, name, origin, kMostXml, ArchiveKind::zip);
  };
  const std::string texts = member("xl/sharedStrings.xml"), sheet = member("xl/worksheets/sheet1.xml");
  return csv_of_sheet(sheet, texts, origin, most);
}

std::string csv_of_sheet(std::string_view sheet, std::string_view shared_texts, const std::string& origin,
                         std::size_t most) {
  const std::vector<std::string> texts = texts_in(shared_texts);
  std::string csv;
  std::string_view rows = sheet;
  while (const auto row = take_element(rows, "row")) {
    std::size_t fields = 0;  // of this row
    std::string_view cells = row->inside;
    while (const auto cell = take_element(cells, "c")) {
      std::string_view inside = cell->inside;
      const auto value = take_element(inside, "v");
      if (!value) continue;
      const std::size_t column = std::max(fields, column_of(attribute(*cell, "r")));
      csv.append(fields > 0 ? column - fields + 1 : column, ',');
      csv += field_of(attribute(*cell, "t"), value->inside, texts);
      fields = column + 1;
      if (csv.size() >= most)
        throw DataError(origin, fmt::format("the first sheet has more than the expected {} bytes of text", most));
    }
    if (fields > 0) csv += '\n';
  }
  return csv;
}

}  // namespace elmx
