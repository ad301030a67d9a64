#pragma once

#include <string>
#include <utility>
#include <vector>

#include "table_formats/table.hpp"

namespace elmx {

/// A part of a page, or the page itself, with its parts below its own text.
struct PageSection {
  std::string id;
  std::string heading;
  std::string html;
  std::vector<PageSection> parts;
};

/// One HTML5 document that needs no other file, no network and no script, and is well-formed XML but for its
/// document type; its style is kPageStyle. The parts of the page are listed below its text.
std::string html_page(const PageSection& page);

/// <dl> of texts: what, and what it is. Those without a value are left out.
std::string description_list(const std::vector<std::pair<std::string, std::string>>& entries);

/// <details> that opens on a click; the content is HTML.
std::string details(const std::string& summary, const std::string& content);

/// A text in the lines that it has.
std::string preformatted(const std::string& text);

/// Text as part of an address: bytes other than letters, digits and those of `plain` are escaped by "%".
std::string address_of(const std::string& text, const char* plain);

/// An SVG file as an <img> that holds it, with a text for those who do not see it. Browsers run nothing that
/// an image holds and load nothing for it, and its names and styles are its own.
std::string svg_image(const std::string& svg, const std::string& label);

/// Returns true if the table sets published numbers beside measured ones (compare_with_paper).
bool is_published(const Table& table);

/// A comparison with a published table (compare_with_paper) in the layout of papers, as HTML: the last of its
/// keys that has several values heads the columns (with the one before it where those are mean and
/// deviation), the others head the rows; a cell has the published number above the measured one, and a sign
/// where they disagree. "" where the keys make no such table: less than half of it would be filled.
std::string paper_layout(const Table& comparison);

/// Colours for light and dark screens and for paper; wide tables and figures scroll within themselves on
/// narrow ones.
extern const char* const kPageStyle;

}  // namespace elmx
