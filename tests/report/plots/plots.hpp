#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/machine/machine.hpp"
#include "report/plots/plot.hpp"
#include "support/records.hpp"

namespace elmx {

namespace fs = std::filesystem;

/// How often a part stands in a text.
inline std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

/// The names of the curves, in their order.
inline std::vector<std::string> legend_of(const Plot& plot) {
  std::vector<std::string> names;
  for (const Curve& curve : plot.curves) names.push_back(curve.name);
  return names;
}

/// Lines of numbers of one block of a .dat file.
using Block = std::vector<std::vector<double>>;

/// What gnuplot would read of a .dat file: blocks between two empty lines, lines with # left out.
inline std::vector<Block> blocks_of(const std::string& data) {
  std::vector<Block> blocks(1);
  std::istringstream lines(data);
  int empty = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      if (++empty == 2) blocks.emplace_back();
      continue;
    }
    empty = 0;
    if (line[0] == '#') continue;
    std::istringstream words(line);
    std::vector<double> numbers;
    for (std::string word; words >> word;) numbers.push_back(std::stod(word));
    blocks.back().push_back(numbers);
  }
  return blocks;
}

inline std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

inline bool gnuplot_installed() { return run_program({"gnuplot", "--version"}, ".") == 0; }

/// Whether Python's parser takes the file for XML; true where there is no Python.
inline bool is_xml(const fs::path& file) {
  const auto code =
      run_program({"python3", "-c", "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])", file.string()}, ".");
  return !code || code == 0;
}

/// The texts of an SVG that begin at their place, which are those of the legend, as they stand there.
inline std::vector<std::string> titles_in(const std::string& svg) {
  std::vector<std::string> titles;
  const std::string anchor = "text-anchor=\"start\"";
  for (std::size_t at = 0; (at = svg.find(anchor, at)) != std::string::npos;) {
    at = svg.find('>', svg.find("<text", at)) + 1;
    titles.push_back(svg.substr(at, svg.find("</text>", at) - at));
  }
  return titles;
}

/// A folder that is gone at the end of the test.
class PlotFolder : public testing::Test {
 protected:
  PlotFolder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / ("elmx plots '" + std::string(test->name()) + "\"");
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~PlotFolder() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string text_in(const std::string& file) const { return text_of(folder_ / "plots" / file); }

  fs::path folder_;
};

}  // namespace elmx
