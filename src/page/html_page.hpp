#pragma once

#include <string>
#include <utility>
#include <vector>

namespace elmx {

/// A part of a page, or the page itself, with its parts below its own text.
struct PageSection {
  std::string id;
  std::string heading;
  std::string html;
  std::vector<PageSection> parts;
};

/// One HTML5 document that needs no other file, no network and no script, and is well-formed XML but for its document
/// type; its style is kPageStyle. The parts of the page are listed below its text.
std::string html_page(const PageSection& page);

/// <dl> of texts: what, and what it is. Those without a value are left out.
std::string description_list(const std::vector<std::pair<std::string, std::string>>& entries);

/// <details> that opens on a click; the content is HTML.
std::string details(const std::string& summary, const std::string& content);

/// A text in the lines that it has.
std::string preformatted(const std::string& text);

/// Colours for light and dark screens and for paper; wide tables and figures scroll within themselves on narrow ones.
extern const char* const kPageStyle;

}  // namespace elmx
