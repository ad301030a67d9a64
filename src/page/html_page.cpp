#include "page/html_page.hpp"

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

}  // namespace

std::string html_page(const Page& page) {
  const std::string title = html_text(page.title);
  std::string body = "<main>\n" + html_element("h1", title) + "\n" + page.lead + contents_of(page.sections);
  for (const PageSection& section : page.sections) {
    body += html_element("section", "\n" + html_element("h2", html_text(section.heading)) + "\n" + section.html,
                         " id=\"" + html_text(section.id) + "\"") +
            "\n";
  }
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
         "<meta name=\"color-scheme\" content=\"light dark\" />\n" +
         html_element("title", title) + "\n<style>\n" + kPageStyle + "</style>\n</head>\n<body>\n" + body +
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

std::string preformatted(const std::string& text) {
  return html_element("pre", html_text(text), " class=\"scroll\" tabindex=\"0\"");
}

}  // namespace elmx
