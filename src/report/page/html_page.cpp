#include <fmt/format.h>

#include <cctype>
#include <string_view>

#include "report/formats/table_formats.hpp"
#include "report/page/report_page.hpp"

namespace elmx {
namespace {

/// The style for light and dark screens and paper; wide tables and figures scroll on narrow screens.
constexpr const char* kPageStyle = R"css(
:root { --text: #1b1f24; --muted: #57606a; --ground: #ffffff; --raised: #f4f6f8; --line: #d0d7de; --link: #0a58a8; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e9ee; --muted: #a2abb6; --ground: #14171b; --raised: #1e2329; --line: #3a424c; --link: #7db8f5; }
}
* { box-sizing: border-box; }
html { color-scheme: light dark; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 0.75rem; padding-bottom: 0.25rem; border-bottom: 1px solid var(--line); }
a { color: var(--link); }
main nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; list-style: none; margin: 1.25rem 0 0; padding: 0; }
.scroll {
  overflow-x: auto; overflow-wrap: normal;
  background: linear-gradient(90deg, var(--ground) 1rem, transparent 2rem) left / 2rem 100% no-repeat local,
    linear-gradient(270deg, var(--ground) 1rem, transparent 2rem) right / 2rem 100% no-repeat local,
    linear-gradient(90deg, var(--line), transparent) left / 1rem 100% no-repeat scroll,
    linear-gradient(270deg, var(--line), transparent) right / 1rem 100% no-repeat scroll;
}
.table { margin: 1.25rem 0 1.75rem; }
table { border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
caption { caption-side: top; text-align: left; font-weight: 600; font-size: 1rem; padding-bottom: 0.4rem; position: sticky; left: 0; max-width: calc(100vw - 2rem); }
th, td { padding: 0.25rem 0.75rem; text-align: left; vertical-align: top; white-space: nowrap; }
th { border-top: 2px solid var(--text); border-bottom: 1px solid var(--text); vertical-align: bottom; }
tbody tr:last-child td { border-bottom: 2px solid var(--text); }
tbody tr:nth-child(even) { background: var(--raised); }
td:not(.number) { white-space: normal; min-width: 5rem; max-width: 24rem; overflow-wrap: break-word; }
.number { text-align: right; }
details > .table caption { display: none; }
.note { color: var(--muted); font-size: 0.875rem; margin: 0.35rem 0 0; max-width: 60rem; }
sup { line-height: 0; }
td strong { font-weight: 700; text-decoration: underline; text-underline-offset: 0.15em; }
main ul { padding-left: 1.2rem; }
main > ul { margin: 0 0 1rem; }
.warning { border-left: 4px solid var(--text); padding: 0.25rem 0.75rem; background: var(--raised); font-weight: 600; }
section li, section > p { max-width: 60rem; margin-bottom: 0.5rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); gap: 0 2rem; align-items: start; }
figure { margin: 1rem 0; min-width: 0; }
figure img { display: block; width: 100%; max-width: 42rem; height: auto; background: #ffffff; border: 1px solid var(--line); }
@media screen and (prefers-color-scheme: dark) { figure img { filter: invert(0.91) hue-rotate(180deg); border-color: #c5bdb3; } }
figcaption { color: var(--muted); font-size: 0.875rem; margin-top: 0.4rem; }
details { margin: 0.75rem 0; }
summary { cursor: pointer; font-weight: 600; }
pre { background: var(--raised); padding: 0.75rem; font: 0.8125rem/1.45 ui-monospace, monospace; border: 1px solid var(--line); }
@media (max-width: 40rem) {
  table { font-size: 0.8rem; }
  th, td { padding: 0.2rem 0.3rem; }
  th, td:not(.number) { white-space: normal; min-width: 0; }
}
@media print {
  :root { --text: #000000; --muted: #333333; --ground: #ffffff; --raised: #ffffff; --line: #999999; --link: #000000; }
  html { color-scheme: light; }
  main { max-width: none; padding: 0; }
  nav { display: none; }
  .scroll { overflow: visible; background: none; }
  table { font-size: 7.5pt; }
  th, td, td:not(.number) { padding: 0.1rem 0.35rem; white-space: normal; min-width: 0; overflow-wrap: anywhere; }
  tr, figure { break-inside: avoid; }
  h2, caption { break-after: avoid; }
  .figures { display: block; }
  figure img { max-width: 26rem; }
  details::details-content { content-visibility: visible; block-size: auto; }
  summary { list-style: none; break-after: avoid; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 6.5pt; column-count: 3; }
}
)css";

std::string contents_of(const std::vector<PageSection>& sections) {
  std::string items;
  for (const PageSection& section : sections)
    items += fmt::format("<li><a href=\"#{}\">{}</a></li>", html_text(section.id), html_text(section.heading));
  return fmt::format("<nav aria-label=\"Contents\"><ul>{}</ul></nav>\n", items);
}

/// Escapes a text for a data URL: bytes except letters, digits and some marks become "%" escapes.
std::string address_of(const std::string& text) {
  constexpr std::string_view kPlain = "/-_.~,:;=()!*+";
  std::string address;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool kept = byte < 0x80 && (std::isalnum(byte) != 0 || kPlain.find(c) != std::string_view::npos);
    address += kept ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return address;
}

}  // namespace

std::string html_page(const std::string& heading, const std::string& html, const std::vector<PageSection>& parts) {
  std::string sections;
  for (const PageSection& part : parts)
    sections +=
        fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", part.id, html_text(part.heading), part.html);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
      "<meta name=\"color-scheme\" content=\"light dark\" />\n<title>{0}</title>\n<style>\n{1}</style>\n</head>\n"
      "<body>\n<main>\n<h1>{0}</h1>\n{2}{3}{4}</main>\n</body>\n</html>\n",
      html_text(heading), kPageStyle, html, contents_of(parts), sections);
}

std::string details(const std::string& summary, const std::string& content) {
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", html_text(summary), content);
}

std::string svg_image(const std::string& svg, const std::string& label) {
  return fmt::format("<img src=\"data:image/svg+xml,{}\" alt=\"{}\" />", address_of(svg), html_text(label));
}

std::string preformatted(const std::string& text) {
  return fmt::format("<pre class=\"scroll\" tabindex=\"0\">{}</pre>", html_text(text));
}

}  // namespace elmx
