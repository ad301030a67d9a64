#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>
#include <string_view>
#include <vector>

#include "page/html_page.hpp"
#include "table_formats/html_text.hpp"

namespace elmx {
namespace {

// What gnuplot 5 and 6 write for the diagrams of elmx, each word between blanks. A title names a curve.
constexpr std::string_view kElements =
    " g title desc defs circle path rect use text tspan polygon polyline pattern filter feFlood feComposite ";
constexpr std::string_view kAttributes =
    " class color cx cy d dx dy fill fill-opacity filter filterUnits flood-color flood-opacity font-family font-size"
    " font-style font-weight height id in in2 operator patternUnits points r result shape-rendering stroke"
    " stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity stroke-width style text-anchor transform width x"
    " xlink:href xml:space y ";
constexpr std::string_view kAttributesOfRoot = " viewBox width height ";
constexpr std::string_view kNamespaces = " http://www.w3.org/2000/svg http://www.w3.org/1999/xlink ";
constexpr std::string_view kFunctions[] = {"rgb", "url", "translate", "scale", "rotate"};

bool is_one_of(std::string_view words, const std::string& word) {
  return word.find(' ') == std::string::npos && words.find(" " + word + " ") != std::string_view::npos;
}

bool is_alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Letters of both cases, digits and what numbers, colours, transforms and declarations need: no quotes,
/// escapes, entities or addresses.
bool is_plain(const std::string& value) {
  return std::ranges::all_of(value, [](char c) {
    return is_alphanumeric(c) || std::string_view(" \t\n#%(),.+-:;_").find(c) != std::string_view::npos;
  });
}

/// Returns true if all declarations of a style are of colours and strokes.
bool is_paint(std::string_view style) {
  while (true) {
    style.remove_prefix(std::min(style.find_first_not_of(" \t\n;"), style.size()));
    if (style.empty()) return true;
    if (!style.starts_with("fill") && !style.starts_with("stroke") && !style.starts_with("color:")) return false;
    style.remove_prefix(std::min(style.find(';'), style.size()));
  }
}

/// The value of an attribute with `prefix` at the id that it is or refers to; none where gnuplot would not write it:
/// with another function than gnuplot's, or with a reference to another file.
std::optional<std::string> allowed_value(const std::string& name, std::string value, const std::string& prefix) {
  if (!is_one_of(kAttributes, name) || !is_plain(value) || (name == "style" && !is_paint(value))) return std::nullopt;
  if (name == "id") return prefix + value;
  if (name == "xlink:href" && !value.starts_with('#')) return std::nullopt;
  if (name == "xlink:href") return value.insert(1, prefix);
  for (std::size_t at = 0; (at = value.find('(', at)) != std::string::npos; ++at) {
    const std::string_view before = std::string_view(value).substr(0, at);
    const auto calls = [&](std::string_view function) { return before.ends_with(function); };
    if (std::ranges::none_of(kFunctions, calls)) return std::nullopt;
    if (!calls("url")) continue;
    if (value.substr(at + 1, 1) != "#") return std::nullopt;
    value.insert(at + 2, prefix);
  }
  return value;
}

/// Where a picture stands in the page is no matter of the file.
bool is_allowed_in_root(const std::string& name, const std::string& value) {
  return name == "xmlns" || name == "xmlns:xlink" ? is_one_of(kNamespaces, value)
                                                  : is_one_of(kAttributesOfRoot, name) && is_plain(value);
}

/// Reads tags and texts of a file from "<svg" on, and writes those that pass.
class SvgFilter {
 public:
  SvgFilter(std::string_view text, const std::string& prefix) : rest_(text), prefix_(prefix) {}

  /// The root element, its tag with `attributes` before all others; none where the text is not well-formed.
  std::optional<std::string> filtered(const std::string& attributes) {
    do {
      if (pass("</") ? !close() : !open(open_.empty() ? attributes : "")) return std::nullopt;
      if (!open_.empty()) pass_text();
    } while (!open_.empty());
    return out_;
  }

 private:
  struct Element {
    std::string name;
    bool written;
  };

  /// Removes the beginning up to the first character for which `ends` holds, and returns it.
  template <class Ends>
  std::string take(const Ends& ends) {
    const auto end = std::find_if(rest_.begin(), rest_.end(), ends);
    const std::string taken(rest_.begin(), end);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  void pass_blanks() {
    take([](char c) { return c != ' ' && c != '\t' && c != '\n'; });
  }
  std::string name() {
    return take([](char c) { return !is_alphanumeric(c) && c != ':' && c != '-' && c != '_'; });
  }
  bool pass(std::string_view word) {
    const bool found = rest_.starts_with(word);
    if (found) rest_.remove_prefix(word.size());
    return found;
  }

  /// The title and the description of the whole are gnuplot's own.
  bool is_written(const std::string& element) const {
    if (open_.empty()) return element == "svg";
    const bool of_root = open_.size() == 1 && (element == "title" || element == "desc");
    return open_.back().written && !of_root && is_one_of(kElements, element);
  }

  bool open(const std::string& attributes) {
    if (!pass("<")) return false;
    const std::string element = name();
    if (element.empty()) return false;
    const bool written = is_written(element);
    std::string tag = "<" + element + attributes;
    for (pass_blanks(); !rest_.empty() && rest_[0] != '/' && rest_[0] != '>'; pass_blanks()) {
      if (!attribute(tag)) return false;
    }
    const bool empty = pass("/");
    if (!pass(">")) return false;
    if (written) out_ += tag + (empty ? "/>" : ">");
    if (!empty) open_.push_back({element, written});
    return true;
  }

  /// Reads one, and adds it to the tag if it passes.
  bool attribute(std::string& tag) {
    const std::string attribute_name = name();
    pass_blanks();
    if (attribute_name.empty() || !pass("=")) return false;
    pass_blanks();
    const std::string quote = rest_.starts_with('\'') ? "'" : "\"";
    if (!pass(quote)) return false;
    const std::string value = take([&](char c) { return c == quote[0] || c == '<'; });
    if (!pass(quote)) return false;
    if (!open_.empty()) {
      if (const auto allowed = allowed_value(attribute_name, value, prefix_))
        tag += " " + attribute_name + "=" + quote + *allowed + quote;
    } else if (is_allowed_in_root(attribute_name, value)) {
      tag += " " + attribute_name + "=" + quote + value + quote;
    }
    return true;
  }

  bool close() {
    const std::string element = name();
    pass_blanks();
    if (!pass(">") || open_.empty() || open_.back().name != element) return false;
    if (open_.back().written) out_ += "</" + element + ">";
    open_.pop_back();
    return true;
  }

  /// Text holds no markup, but an & that begins no entity of XML.
  void pass_text() {
    static const std::regex kBareAmpersand("&(?!(amp|lt|gt|quot|apos|#39);)");
    const std::string text = take([](char c) { return c == '<'; });
    if (open_.back().written) out_ += std::regex_replace(text, kBareAmpersand, "&amp;");
  }

  std::string_view rest_;
  const std::string& prefix_;
  std::vector<Element> open_;
  std::string out_;
};

}  // namespace

std::string inline_svg(const std::string& svg, const std::string& prefix, const std::string& label) {
  const std::string text = valid_text(svg);
  const std::size_t begin = text.find("<svg");
  if (begin == std::string::npos) return "";
  const std::string attributes = " role=\"img\" aria-label=\"" + html_text(label) + "\"";
  return SvgFilter(std::string_view(text).substr(begin), prefix).filtered(attributes).value_or("");
}

}  // namespace elmx
