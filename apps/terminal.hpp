#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "table_formats/table.hpp"

namespace elmx {

/// Columns of the terminal that a descriptor is; none where it is none. What a terminal does not say is
/// $COLUMNS or 80.
std::optional<std::size_t> terminal_columns(int descriptor);

/// True if terminals take the codes of ECMA-48: TERM is not "dumb".
bool takes_codes();

/// From here on tables are Markdown on a terminal too.
void print_markdown();

/// True if tables are printed for a person: stdout is a terminal, and nobody has asked for Markdown.
bool prints_for_people();

/// To stdout: for people as wide as their terminal, in colour unless NO_COLOR is set or TERM is "dumb", else
/// as Markdown. `whole` says where columns without room are, "all columns are in FILE"; "" = what
/// print_in_full() says.
void print(const Table& table, const std::string& whole = "");

/// From here on `command`, "elmx table out/NAME --markdown", is what prints all columns.
void print_in_full(const std::string& command);

/// The help of a command, to stdout: for people its descriptions are broken at blanks so that they fit their
/// terminal.
void print_help(const std::string& help);

/// Prints text for programs as it is. Where stdout is a terminal, control characters within its lines are
/// escaped.
void print_output(const std::string& text);

/// A line to stdout, or to stderr, printable, for people broken at blanks so that it fits their terminal.
void print_line(const std::string& text);
void note_line(const std::string& text);

}  // namespace elmx
