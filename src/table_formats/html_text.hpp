#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace elmx {

/// Replaces by U+FFFD what is no UTF-8, control characters but \n and \t, and characters that XML does not
/// have.
std::string valid_text(std::string_view text);

/// Any text as the content of an element or of a quoted attribute, in HTML and in XML: valid, & < > " '
/// escaped.
std::string html_text(std::string_view text);

/// "<p>content</p>"; the content is HTML already. `attributes` begins with a blank, as in " class=\"note\"".
std::string html_element(const std::string& name, const std::string& content, const std::string& attributes = "");

/// A <div class="table"> around any head and body: `content` is HTML, `attributes` are those of the <table>.
/// A wide table scrolls within itself.
std::string table_div(const std::string& title, const std::string& content, const std::string& attributes,
                      const std::vector<std::string>& remarks, const std::vector<std::string>& footnotes);

}  // namespace elmx
