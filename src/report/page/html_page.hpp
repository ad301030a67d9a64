#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/formats/table.hpp"

namespace elmx {

/// A page or a part of a page; its parts follow its own text.
struct PageSection {
  std::string id;
  std::string heading;
  std::string html;
  std::vector<PageSection> parts;
};

/// Returns an HTML5 document that needs no other file, no network and no script, and is well-formed XML
/// except for its document type. Its style is kPageStyle. The parts of the page are listed below its text.
std::string html_page(const PageSection& page);

/// Returns a <dl> of names and values. Entries without a value are left out.
std::string description_list(const std::vector<std::pair<std::string, std::string>>& entries);

/// Returns <details> that open on a click; the content is HTML.
std::string details(const std::string& summary, const std::string& content);

/// Returns a text with its line breaks.
std::string preformatted(const std::string& text);

/// Escapes a text for a URL: bytes except letters, digits and the bytes in `plain` become "%" escapes.
std::string address_of(const std::string& text, const char* plain);

/// Returns an <img> with an embedded SVG file and an alternative text. Browsers neither run scripts nor load
/// files for such an image, and its names and styles do not affect the page.
std::string svg_image(const std::string& svg, const std::string& label);

/// Returns true if the table compares published with measured numbers (compare_with_paper).
bool is_published(const Table& table);

/// Returns a comparison with a published table (compare_with_paper) in the layout of papers, as HTML. The
/// last key with several values heads the columns (together with the key before it if the last has the values
/// mean and deviation); the other keys head the rows. A cell has the published number above the measured one,
/// and a sign if they disagree. Returns "" if less than half of the table would be filled.
std::string paper_layout(const Table& comparison);

/// The style for light and dark screens and paper; wide tables and figures scroll on narrow screens.
extern const char* const kPageStyle;

}  // namespace elmx
