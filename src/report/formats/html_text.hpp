#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace elmx {

/// Replaces invalid UTF-8, control characters except \n and \t, and characters that XML forbids by U+FFFD.
std::string valid_text(std::string_view text);

/// Escapes & < > " ' in a valid text for element content or quoted attributes in HTML and XML.
std::string html_text(std::string_view text);

/// Returns "<p>content</p>"; content: HTML; `attributes` begins with a blank, " class=\"note\"".
std::string html_element(const std::string& name, const std::string& content, const std::string& attributes = "");

/// Returns a <div class="table"> around a table: `content` is the HTML of its head and body, `attributes` are
/// the attributes of the <table>. A wide table scrolls within the <div>.
std::string table_div(const std::string& title, const std::string& content, const std::string& attributes,
                      const std::vector<std::string>& remarks, const std::vector<std::string>& footnotes);

}  // namespace elmx
