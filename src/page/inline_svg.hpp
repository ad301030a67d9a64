#pragma once

#include <string>

namespace elmx {

/// An SVG file of gnuplot's as an element of a page. Only elements and attributes that gnuplot writes pass,
/// and only references to places of the file itself: whatever else a file holds, such as scripts, handlers of
/// events, links, foreign elements and style sheets, is left out. The prolog and the title "Gnuplot" are
/// gone; every id begins with `prefix`, so that several can stand in one page; `label` names it for those who
/// do not see it. "" where the text is no well-formed SVG.
std::string inline_svg(const std::string& svg, const std::string& prefix, const std::string& label);

}  // namespace elmx
