#pragma once

#include <string>

namespace elmx {

/// An SVG file of gnuplot's as an element of a page: the prolog and the title "Gnuplot" are gone; every id begins with
/// `prefix`, so that several can stand in one page; `label` names it for those who do not see it. "" where the text is
/// no SVG.
std::string inline_svg(const std::string& svg, const std::string& prefix, const std::string& label);

}  // namespace elmx
