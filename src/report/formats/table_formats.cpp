#include "report/formats/table_formats.hpp"

#include <map>
#include <set>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "report/formats/tex.hpp"

namespace elmx {
namespace {

/// The replacement texts of --rename, and the names that occur in the tables.
class Renaming {
 public:
  explicit Renaming(const std::vector<std::string>& changes) {
    for (const std::string& change : changes) {
      // The name of a target may contain "=", as in test_rmse[y=2]=Error.
      const std::size_t open = change.find('[');
      std::size_t at = change.find('=');
      if (open < at) at = change.find('=', change.find(']', open));
      if (at == 0 || at == std::string::npos)
        throw ConfigError("--rename", "expected HEADING=TEXT or FIELD.VALUE=TEXT, found \"" + change + '"');
      if (!texts_.emplace(change.substr(0, at), change.substr(at + 1)).second)
        throw ConfigError("--rename", "\"" + change.substr(0, at) + "\" is renamed twice");
    }
  }

  void apply(Table& table) {
    const std::size_t heads = row_heads(table);
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      Column& column = table.columns[j];
      if (j < heads) apply_to_values(table, j);
      if (!column.labels.empty())
        apply_to_labels(column);
      else if (const std::string* text = text_of_name(column.name))
        column.name = column.heading = *text;
    }
    std::set<std::string> names;
    for (const Column& column : table.columns) {
      if (!names.insert(column.name).second)
        throw ConfigError("--rename", "two columns would have the name \"" + column.name + '"');
    }
  }

  void refuse_unused() const {
    for (const auto& [name, text] : texts_) {
      if (!known_.contains(name))
        throw ConfigError("--rename", "the table has no \"" + name + '"' + suggest(name, known_));
    }
  }

 private:
  const std::string* text_of_name(const std::string& name) {
    known_.insert(name);
    const auto found = texts_.find(name);
    return found == texts_.end() ? nullptr : &found->second;
  }

  void apply_to_values(Table& table, std::size_t j) {
    for (std::vector<Cell>& row : table.rows) {
      const std::string* text = text_of_name(table.columns[j].name + '.' + mean_text(row[j]));
      if (text != nullptr) row[j] = {.text = *text, .note = row[j].note};
    }
  }

  void apply_to_labels(Column& column) {
    std::vector<ColumnLabel> labels = column.labels;
    for (ColumnLabel& label : labels) {
      if (label.text.empty()) continue;
      const std::string* text = text_of_name(label.field + '.' + label.value);
      if (text == nullptr && label.field == "metric") text = text_of_name(label.value);
      if (text != nullptr) label.value = label.text = *text;
    }
    column = labelled_column(std::move(labels));
  }

  std::map<std::string, std::string> texts_;
  std::set<std::string> known_;
};

}  // namespace

const std::vector<TableFormat>& table_formats() {
  static const std::vector<TableFormat> formats = {
      {"md", "markdown, aligned for a terminal", to_markdown, true},
      {"csv", "comma-separated values at full precision, standard deviations in columns of their own", to_csv, false},
      {"tex", "LaTeX for the booktabs package", to_tex, true},
      {"json", "JSON at full precision, several tables as one list", to_json_text, false, "[\n", ",\n", "", "]\n"},
      {"html", "HTML, a part of a page", to_html, true},
  };
  return formats;
}

const TableFormat& find_table_format(const std::string& name) {
  return named_row(table_formats(), name, "unknown table format \"" + name + "\"");
}

std::filesystem::path table_file(const std::filesystem::path& folder, const Table& table, const std::string& format) {
  return folder / "tables" / (table.name + "." + format);
}

void write_tables(const std::filesystem::path& folder, const std::vector<Table>& tables) {
  std::vector<std::string> names;
  for (const Table& table : tables) {
    for (const TableFormat& format : table_formats()) names.push_back("tables/" + table.name + "." + format.name);
  }
  claim_files(folder, names);
  for (const Table& table : tables) {
    for (const TableFormat& format : table_formats()) {
      const std::filesystem::path file = table_file(folder, table, format.name);
      const std::string text = format.write(table);
      if (!has_content(file, text)) write_file(file, text);
    }
  }
}

void rename_in(std::vector<Table>& tables, const std::vector<std::string>& changes) {
  if (changes.empty()) return;
  Renaming renaming(changes);
  for (Table& table : tables) renaming.apply(table);
  renaming.refuse_unused();
}

}  // namespace elmx
