#include "page/inline_svg.hpp"

#include <algorithm>
#include <string_view>

#include "table_formats/html_text.hpp"

namespace elmx {
namespace {

/// The tag with `prefix` at the ids that it has and refers to. All that gnuplot writes of them, in either kind of
/// quotes.
std::string with_prefix(std::string tag, const std::string& prefix) {
  for (const std::string_view before : {" id='", " id=\"", "href='#", "href=\"#", "url(#"}) {
    for (std::size_t at = 0; (at = tag.find(before, at)) != std::string::npos;) {
      at += before.size();
      tag.insert(at, prefix);
    }
  }
  return tag;
}

/// Cuts out the element that begins within the head of the file, if it has one.
void remove_element(std::string& svg, const std::string& name) {
  const std::size_t begin = svg.find("<" + name + ">"), end = svg.find("</" + name + ">");
  if (begin != std::string::npos && end != std::string::npos && begin < svg.find("<g"))
    svg.erase(begin, end + name.size() + 3 - begin);
}

}  // namespace

std::string inline_svg(const std::string& svg, const std::string& prefix, const std::string& label) {
  const std::size_t begin = svg.find("<svg"), end = svg.rfind("</svg>");
  if (begin == std::string::npos || end == std::string::npos) return "";
  std::string text = valid_text(svg.substr(begin, end + 6 - begin));
  remove_element(text, "title");
  remove_element(text, "desc");
  text.insert(4, " role=\"img\" aria-label=\"" + html_text(label) + "\"");
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool in_tag = text[at] == '<';
    const std::size_t next = std::min(in_tag ? text.find('>', at) : text.find('<', at), text.size());
    const std::string part = text.substr(at, next - at);
    out += in_tag ? with_prefix(part, prefix) : part;
    at = next;
    if (in_tag && at < text.size()) out += text[at++];
  }
  return out;
}

}  // namespace elmx
