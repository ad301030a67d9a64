#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "table_formats/lines_of_text.hpp"
#include "table_formats/markdown.hpp"
#include "table_formats/terminal.hpp"

namespace elmx {
namespace {

constexpr std::size_t kNarrowest = 20, kUsual = 80;

bool markdown_asked_for = false;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::size_t told_columns() {
  const std::string_view text = variable("COLUMNS");
  std::size_t columns = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), columns);
  return read.ec == std::errc() && columns > 0 ? columns : kUsual;
}

/// https://no-color.org: set and not empty.
bool wants_colour() { return variable("NO_COLOR").empty() && variable("TERM") != "dumb"; }

void write_line(std::ostream& out, const std::string& text, bool for_people, int descriptor) {
  if (!for_people) {
    out << text << '\n' << std::flush;
    return;
  }
  for (const std::string& line : lines_of_text(text, *terminal_columns(descriptor))) out << line << '\n';
  out << std::flush;
}

}  // namespace

std::optional<std::size_t> terminal_columns(int descriptor) {
  if (::isatty(descriptor) != 1) return std::nullopt;
  winsize size{};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return std::max(kNarrowest, known ? std::size_t{size.ws_col} : told_columns());
}

void print_markdown() { markdown_asked_for = true; }

bool prints_for_people() { return !markdown_asked_for && ::isatty(STDOUT_FILENO) == 1; }

void print(const Table& table, const std::string& whole, const std::vector<std::string>& first) {
  if (prints_for_people())
    std::cout << to_terminal(table, {*terminal_columns(STDOUT_FILENO), wants_colour(), whole, first});
  else
    std::cout << to_markdown(table);
  std::cout << '\n' << std::flush;
}

void print_line(const std::string& text) { write_line(std::cout, text, prints_for_people(), STDOUT_FILENO); }

void note_line(const std::string& text) { write_line(std::cerr, text, ::isatty(STDERR_FILENO) == 1, STDERR_FILENO); }

}  // namespace elmx
