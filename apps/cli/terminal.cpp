#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string_view>

#include "base/printable.hpp"
#include "report/formats/lines_of_text.hpp"
#include "report/formats/table_formats.hpp"

namespace elmx {
namespace {

constexpr std::size_t kNarrowest = 20, kUsual = 80;
constexpr std::size_t kDescriptions = 30;  // where CLI11 begins the description of an option

bool markdown_asked_for = false;
std::string command_in_full;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Returns false if NO_COLOR is set and not empty (https://no-color.org).
bool wants_colour() { return variable("NO_COLOR").empty() && takes_codes(); }

void write_line(std::ostream& out, const std::string& text, bool for_people, int descriptor) {
  if (!for_people) {
    out << printable(text) << '\n' << std::flush;
    return;
  }
  const std::size_t columns = *terminal_columns(descriptor);
  const std::size_t indent = std::min(std::min(text.find_first_not_of(' '), text.size()), columns / 2);
  for (const std::string& line : lines_of_text(printable(text), columns - indent))
    out << std::string(indent, ' ') << line << '\n';
  out << std::flush;
}

}  // namespace

std::optional<std::size_t> terminal_columns(int descriptor) {
  if (::isatty(descriptor) != 1) return std::nullopt;
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::max<std::size_t>(kNarrowest, size.ws_col);
  const std::string_view text = variable("COLUMNS");
  std::size_t columns = 0;
  const bool read = std::from_chars(text.data(), text.data() + text.size(), columns).ec == std::errc();
  return read && columns > 0 ? std::max(kNarrowest, columns) : kUsual;
}

bool takes_codes() { return variable("TERM") != "dumb"; }

void set_table_output(bool markdown, const std::string& in_full) {
  markdown_asked_for = markdown;
  command_in_full = in_full;
}

bool prints_for_people() { return !markdown_asked_for && ::isatty(STDOUT_FILENO) == 1; }

void print(const Table& table, const std::string& whole) {
  const std::string remedy = whole.empty() ? command_in_full + " prints all columns" : whole;
  if (prints_for_people())
    std::cout << to_terminal(table, {*terminal_columns(STDOUT_FILENO), wants_colour(), remedy});
  else
    std::cout << to_markdown(table);
  std::cout << '\n' << std::flush;
}

ExitCode print_help(const std::string& help) {
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t width = terminal_columns(STDOUT_FILENO).value_or(line.size());
    const bool described = line.size() > kDescriptions && line[0] == ' ' && line[kDescriptions - 1] == ' ';
    const std::size_t begin = described && width > 2 * kDescriptions ? kDescriptions : 0;
    if (display_width(line) <= width) {
      std::cout << line << '\n';
      continue;
    }
    std::string before = line.substr(0, begin);
    for (const std::string& part : lines_of_text(line.substr(begin), width - begin)) {
      std::cout << before << part << '\n';
      before = std::string(begin, ' ');
    }
  }
  return ExitCode::ok;
}

void print_output(const std::string& text) {
  if (::isatty(STDOUT_FILENO) == 1) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) std::cout << printable(line) << '\n';
  } else {
    std::cout << text;
  }
  std::cout << std::flush;
}

void print_line(const std::string& text) { write_line(std::cout, text, prints_for_people(), STDOUT_FILENO); }

void note_line(const std::string& text) { write_line(std::cerr, text, ::isatty(STDERR_FILENO) == 1, STDERR_FILENO); }

}  // namespace elmx
