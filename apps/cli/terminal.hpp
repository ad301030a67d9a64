#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "report/formats/table.hpp"

namespace elmx {

/// Returns the width of the terminal in columns, or none if the descriptor is not a terminal. If the terminal
/// does not report its width, returns $COLUMNS or 80.
std::optional<std::size_t> terminal_columns(int descriptor);

/// Returns true if the terminal supports ECMA-48 escape codes: TERM is not "dumb".
bool takes_codes();

/// Prints tables as Markdown, even on a terminal, if `markdown`. `in_full`: the command that prints all
/// columns of a table, "elmx table out/NAME --markdown".
void set_table_output(bool markdown, const std::string& in_full);

/// Returns true if tables are printed for a person: stdout is a terminal, and Markdown was not requested.
bool prints_for_people();

/// Prints a table to stdout: on a terminal in its width and in colour, unless NO_COLOR is set or TERM is
/// "dumb"; otherwise as Markdown. `whole` tells where to find columns that do not fit, "all columns are in
/// FILE"; "" = the command of set_table_output().
void print(const Table& table, const std::string& whole = "");

/// Prints the help of a command to stdout; on a terminal, descriptions are wrapped to its width.
ExitCode print_help(const std::string& help);

/// Prints text for other programs unchanged. On a terminal, control characters within its lines are escaped.
void print_output(const std::string& text);

/// Print a printable line to stdout or stderr; on a terminal, the line is wrapped to its width.
void print_line(const std::string& text);
void note_line(const std::string& text);

}  // namespace elmx
