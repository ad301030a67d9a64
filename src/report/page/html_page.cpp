#include "report/page/html_page.hpp"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

#include "report/formats/html_text.hpp"

namespace elmx {
namespace {

std::string contents_of(const std::vector<PageSection>& sections) {
  std::string items;
  for (const PageSection& section : sections)
    items += fmt::format("<li><a href=\"#{}\">{}</a></li>", html_text(section.id), html_text(section.heading));
  return fmt::format("<nav aria-label=\"Contents\"><ul>{}</ul></nav>\n", items);
}

/// Returns the parts as sections, with headings of the given level.
std::string sections_of(const std::vector<PageSection>& parts, int level) {
  std::string html;
  for (const PageSection& part : parts)
    html += fmt::format("<section id=\"{0}\">\n<h{1}>{2}</h{1}>\n{3}{4}</section>\n", html_text(part.id), level,
                        html_text(part.heading), part.html, sections_of(part.parts, level + 1));
  return html;
}

}  // namespace

std::string html_page(const PageSection& page) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
      "<meta name=\"color-scheme\" content=\"light dark\" />\n<title>{0}</title>\n<style>\n{1}</style>\n</head>\n"
      "<body>\n<main>\n<h1>{0}</h1>\n{2}{3}{4}</main>\n</body>\n</html>\n",
      html_text(page.heading), kPageStyle, page.html, contents_of(page.parts), sections_of(page.parts, 2));
}

std::string description_list(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string items;
  for (const auto& [what, value] : entries) {
    if (!value.empty()) items += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", html_text(what), html_text(value));
  }
  return fmt::format("<dl>\n{}</dl>\n", items);
}

std::string details(const std::string& summary, const std::string& content) {
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", html_text(summary), content);
}

std::string address_of(const std::string& text, const char* plain) {
  std::string address;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool kept =
        byte < 0x80 && (std::isalnum(byte) != 0 || std::string_view(plain).find(c) != std::string_view::npos);
    address += kept ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return address;
}

std::string svg_image(const std::string& svg, const std::string& label) {
  return fmt::format("<img src=\"data:image/svg+xml,{}\" alt=\"{}\" />", address_of(svg, "/-_.~,:;=()!*+"),
                     html_text(label));
}

std::string preformatted(const std::string& text) {
  return fmt::format("<pre class=\"scroll\" tabindex=\"0\">{}</pre>", html_text(text));
}

}  // namespace elmx
