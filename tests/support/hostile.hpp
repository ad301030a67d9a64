#pragma once

#include <string>
#include <vector>

#include "base/printable.hpp"

namespace elmx {

/// Names (of data sets, columns, classes, folders) with a special meaning in file formats or terminals.
inline const std::vector<std::string>& hostile_names() {
  static const std::vector<std::string> names = {"[a]",
                                                 "*",
                                                 "*a*",
                                                 "=1+1",
                                                 "@SUM(A1)",
                                                 "-x",
                                                 "-2+3+cmd|' /C calc'!A0",
                                                 "+A1",
                                                 "\t=1+1",
                                                 "\r=1+1",
                                                 "<script>alert(1)</script>",
                                                 "<img src=x onerror=alert(1)>",
                                                 "</td></svg><b>",
                                                 "&lt;b&gt;",
                                                 "a]]>b",
                                                 "<![CDATA[a]]>",
                                                 "$x$",
                                                 "\\input{a}",
                                                 "\\",
                                                 "a\\",
                                                 "%",
                                                 "#",
                                                 "_",
                                                 "_a_",
                                                 "{}",
                                                 "}",
                                                 "~^",
                                                 "&",
                                                 "a|b",
                                                 "`a`",
                                                 "**a**",
                                                 "~~a~~",
                                                 "![a](b)",
                                                 "[a](javascript:alert(1))",
                                                 "[a]: b",
                                                 "a,\"b\"",
                                                 "'a'",
                                                 "';drop",
                                                 "\x1b[31m",
                                                 "\x1b]0;title\x07",
                                                 "a\rb",
                                                 "a\nb",
                                                 "a\n\nb",
                                                 "\x01\x7f",
                                                 "\xff",
                                                 "caf\xe9",
                                                 "\xc0\xaf",
                                                 "\xc2\x9b"
                                                 "31m",
                                                 "\u202egnp.exe",
                                                 "a\u2028b",
                                                 "\u2066a",
                                                 "\xef\xbf\xbf",
                                                 std::string(3000, 'a')};
  return names;
}

/// Returns true if the text is UTF-8 without control characters except line feeds and tabs.
inline bool steers_nothing(std::string_view text) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::string_view line = text.substr(begin, text.find_first_of("\n\t", begin) - begin);
    if (printable(line) != line) return false;
    begin += line.size() + 1;
  }
  return true;
}

}  // namespace elmx
