#include "page/html_page.hpp"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

#include "table_formats/html_text.hpp"

namespace elmx {
namespace {

std::string contents_of(const std::vector<PageSection>& sections) {
  std::string items;
  for (const PageSection& section : sections) {
    items +=
        html_element("li", html_element("a", html_text(section.heading), " href=\"#" + html_text(section.id) + "\""));
  }
  return html_element("nav", html_element("ul", items), " aria-label=\"Contents\"") + "\n";
}

/// The parts as sections, their headings of a level.
std::string sections_of(const std::vector<PageSection>& parts, int level) {
  std::string html;
  for (const PageSection& part : parts) {
    const std::string heading = html_element("h" + std::to_string(level), html_text(part.heading));
    html += html_element("section", "\n" + heading + "\n" + part.html + sections_of(part.parts, level + 1),
                         " id=\"" + html_text(part.id) + "\"") +
            "\n";
  }
  return html;
}

}  // namespace

std::string html_page(const PageSection& page) {
  const std::string title = html_text(page.heading);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
         "<meta name=\"color-scheme\" content=\"light dark\" />\n" +
         html_element("title", title) + "\n<style>\n" + kPageStyle + "</style>\n</head>\n<body>\n<main>\n" +
         html_element("h1", title) + "\n" + page.html + contents_of(page.parts) + sections_of(page.parts, 2) +
         "</main>\n</body>\n</html>\n";
}

std::string description_list(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string items;
  for (const auto& [what, value] : entries) {
    if (!value.empty())
      items += html_element("div", html_element("dt", html_text(what)) + html_element("dd", html_text(value))) + "\n";
  }
  return html_element("dl", "\n" + items) + "\n";
}

std::string details(const std::string& summary, const std::string& content) {
  return html_element("details", html_element("summary", html_text(summary)) + "\n" + content) + "\n";
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
  return html_element("pre", html_text(text), " class=\"scroll\" tabindex=\"0\"");
}

}  // namespace elmx
