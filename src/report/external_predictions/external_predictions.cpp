#include "report/external_predictions/external_predictions.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/files/files.hpp"
#include "base/printable.hpp"
#include "data/csv/dialect.hpp"
#include "data/csv/fields.hpp"
#include "data/table/table.hpp"
#include "report/tables/predictions.hpp"

namespace elmx {
namespace {

constexpr const char* kPrediction = "prediction";
constexpr std::size_t kMostNamed = 5;

/// The lines of a CSV file, whose fields are read by the names of their columns.
class NamedFields {
 public:
  NamedFields(const std::string& content, const Dialect& dialect, const std::string& origin)
      : origin_(origin), rows_(content, dialect.separator, dialect.line_end, dialect.names.size(), 1) {
    rows_.next_content("");
    for (const std::string_view name : rows_.fields()) {
      if (!columns_.emplace(name, columns_.size()).second)
        throw DataError(origin + ":1", fmt::format("duplicate column \"{}\"", name));
    }
  }

  bool next() {
    if (!rows_.next_content("")) return false;
    fields_ = rows_.fields();
    if (fields_.size() == columns_.size()) return true;
    throw DataError(place(), fmt::format("expected {}, as in the first line, found {}",
                                         counted(columns_.size(), "field"), fields_.size()));
  }

  std::size_t line() const { return rows_.line(); }
  const std::map<std::string, std::size_t>& columns() const { return columns_; }
  bool has(const std::string& column) const { return columns_.contains(column); }
  std::string_view text(const std::string& column) const { return fields_[columns_.at(column)]; }

  [[noreturn]] void refuse(const std::string& column, const std::string& why) const {
    throw DataError(place(), fmt::format("column {}: {}", columns_.at(column) + 1, why));
  }

  double number(const std::string& column) const {
    const auto value = parse_number(text(column));
    if (!value || !std::isfinite(*value))
      refuse(column, fmt::format("expected a number for {}, found \"{}\"", column, text(column)));
    return *value;
  }

  std::size_t count(const std::string& column, std::size_t least) const {
    const auto value = parse_number(text(column));
    if (!value || *value < static_cast<double>(least) || *value > 1e15 || *value != std::floor(*value))
      refuse(column, fmt::format("expected an integer >= {} for {}, found \"{}\"", least, column, text(column)));
    return static_cast<std::size_t>(*value);
  }

  std::size_t index(const std::string& column, std::size_t end) const {
    const std::size_t value = count(column, 0);
    if (value >= end) refuse(column, fmt::format("expected a {} from 0 to {}, found {}", column, end - 1, value));
    return value;
  }

 private:
  std::string place() const { return fmt::format("{}:{}", origin_, line()); }

  const std::string& origin_;
  RowScanner rows_;
  std::map<std::string, std::size_t> columns_;
  std::vector<std::string_view> fields_;
};

/// The columns of single targets or of the scores of classes.
std::vector<std::string> single_columns(const Dataset& data) {
  if (data.task == Task::regression) return target_names(data.columns, data.Y.n_cols);
  std::vector<std::string> names;
  for (const std::string& name : data.classes) names.push_back("score_" + name);
  return names;
}

/// The predictions of one fold, line by line.
class OpenFold {
 public:
  OpenFold(const FoldSet& set, std::size_t repeat, std::size_t fold)
      : data_(*set.data),
        where_(fmt::format("repeat {}, fold {}", repeat, fold)),
        rows_(row_numbers(data_, set.folds[repeat][fold].test)),
        columns_(single_columns(data_)),
        line_of_(rows_.n_elem, 0) {
    if (data_.task == Task::classification)
      found_.classes.set_size(rows_.n_elem);
    else
      found_.values.set_size(rows_.n_elem, data_.Y.n_cols);
  }

  void add(const NamedFields& line) {
    const std::size_t row = line.count("row", 1);
    const auto found = std::ranges::lower_bound(rows_, row);
    if (found == rows_.end() || *found != row)
      line.refuse("row", fmt::format("row {} is not in the test part of {}; use the rows that `elmx folds` lists", row,
                                     where_));
    const auto i = static_cast<std::size_t>(found - rows_.begin());
    if (line_of_[i] > 0)
      line.refuse("row", fmt::format("duplicate row {} of {}, which line {} has already", row, where_, line_of_[i]));
    line_of_[i] = line.line();
    if (data_.task == Task::classification) {
      found_.classes(i) = class_in(line);
    } else {
      const bool one = columns_.size() == 1 && line.has(kPrediction);
      for (arma::uword j = 0; j < columns_.size(); ++j)
        found_.values(i, j) = line.number(one ? kPrediction : columns_[j]);
    }
    if (line.has("seconds")) read_seconds(line);
  }

  FoldPredictions finish(const std::string& origin) {
    std::vector<arma::uword> lacking;
    for (std::size_t i = 0; i < line_of_.size(); ++i) {
      if (line_of_[i] == 0) lacking.push_back(rows_(i));
    }
    if (lacking.empty()) return std::move(found_);
    const std::size_t count = lacking.size();
    lacking.resize(std::min(count, kMostNamed));
    throw DataError(origin, fmt::format("{}, {}: no prediction for {} of {} (row {}{}); every test row needs one",
                                        data_.name, where_, count, counted(line_of_.size(), "test row"),
                                        fmt::join(lacking, ", "), count > kMostNamed ? ", ..." : ""));
  }

 private:
  arma::uword class_in(const NamedFields& line) const {
    if (!line.has(kPrediction)) {
      arma::vec scores(columns_.size());
      for (arma::uword k = 0; k < columns_.size(); ++k) scores(k) = line.number(columns_[k]);
      return scores.index_max();
    }
    const std::string_view name = line.text(kPrediction);
    auto found = std::ranges::find(data_.classes, name);
    // another way to write it
    if (const auto value = parse_number(name); found == data_.classes.end() && value)
      found = std::ranges::find_if(data_.classes, [&](const std::string& one) { return parse_number(one) == value; });
    if (found == data_.classes.end())
      line.refuse(kPrediction, fmt::format("{} has no class \"{}\"{}", data_.name, name, suggest(name, data_.classes)));
    return static_cast<arma::uword>(found - data_.classes.begin());
  }

  void read_seconds(const NamedFields& line) {
    const double seconds = line.number("seconds");
    if (seconds < 0) line.refuse("seconds", fmt::format("expected seconds >= 0, found {}", seconds));
    if (!std::isnan(found_.seconds) && found_.seconds != seconds)
      line.refuse("seconds", fmt::format("expected {} seconds, as in the other rows of {}, found {}", found_.seconds,
                                         where_, seconds));
    found_.seconds = seconds;
  }

  const Dataset& data_;
  std::string where_;
  arma::uvec rows_;  // numbers of the test part, ascending
  std::vector<std::string> columns_;
  std::vector<std::size_t> line_of_;  // of each row; 0 = none yet
  FoldPredictions found_;
};

/// Throws DataError if a column is missing, or if none of the sets can have a column.
void check_columns(const NamedFields& file, const std::vector<FoldSet>& sets, const std::string& origin) {
  const auto refuse = [&](const std::string& why) { throw DataError(origin, why); };
  std::set<std::string> needed = {"row", "repeat", "fold"};
  if (several_data_sets(sets)) needed.insert("dataset");
  if (several_splits(sets)) needed.insert("split");
  for (const std::string& name : needed) {
    if (!file.has(name))
      refuse(fmt::format("missing column \"{}\"{}", name, name == "row" ? " (elmx folds CONFIG writes it)" : ""));
  }
  const std::set<std::string> of_file = {"row", "repeat", "fold", "part", "seconds", "dataset", "split"};
  std::set<std::string> known = of_file;
  for (const FoldSet& set : sets) {
    const std::vector<std::string> singly = single_columns(*set.data);
    known.insert(singly.begin(), singly.end());
    const bool at_once = set.data->task == Task::classification || singly.size() == 1;
    if (at_once) known.insert(kPrediction);
    if (at_once && file.has(kPrediction)) continue;
    for (const std::string& name : singly) {
      if (of_file.contains(name))
        refuse(fmt::format("column \"{}\" has another meaning than the target of {} with this name; {}", name,
                           set.data->name, at_once ? "use a column prediction" : "rename the target in the data"));
      if (!file.has(name))
        refuse(fmt::format("no predictions for {}; expected {}columns {}", set.data->name,
                           at_once ? "a column prediction, or " : "", fmt::join(singly, ", ")));
    }
  }
  for (const auto& [name, j] : file.columns()) {
    if (!known.contains(name)) refuse(fmt::format("unknown column \"{}\"{}", name, suggest(name, known)));
  }
}

/// The set that a line is of.
std::size_t set_of(const NamedFields& line, const std::vector<FoldSet>& sets) {
  const std::size_t split = line.has("split") ? line.count("split", 1) : 1;
  std::set<std::string> names;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    names.insert(sets[s].data->name);
    const bool named = !line.has("dataset") || line.text("dataset") == sets[s].data->name;
    if (named && sets[s].split == split) return s;
  }
  if (!line.has("dataset") || names.contains(std::string(line.text("dataset"))))
    line.refuse("split", fmt::format("unknown split {}; use one that `elmx folds` lists", split));
  const std::string_view name = line.text("dataset");
  line.refuse("dataset", fmt::format("the run has no data set \"{}\"{}", name, suggest(name, names)));
}

}  // namespace

std::vector<SetPredictions> read_external_predictions(const std::filesystem::path& file,
                                                      const std::vector<FoldSet>& sets) {
  const std::string origin = file.string(), content = read_file(file);
  CsvOptions options;
  options.header = "yes";
  NamedFields line(content, detect_dialect(content, options, {}, origin), origin);
  check_columns(line, sets, origin);

  std::vector<std::vector<std::vector<OpenFold>>> open;  // [set][repeat][fold]
  for (const FoldSet& set : sets) {
    auto& of_set = open.emplace_back(set.folds.size());
    for (std::size_t repeat = 0; repeat < set.folds.size(); ++repeat) {
      for (std::size_t fold = 0; fold < set.folds[repeat].size(); ++fold)
        of_set[repeat].emplace_back(set, repeat, fold);
    }
  }
  while (line.next()) {
    if (line.has("part") && line.text("part") != "test")
      line.refuse("part", fmt::format("expected the part test, found \"{}\"", line.text("part")));
    auto& of_set = open[set_of(line, sets)];
    auto& of_repeat = of_set[line.index("repeat", of_set.size())];
    of_repeat[line.index("fold", of_repeat.size())].add(line);
  }

  std::vector<SetPredictions> found;
  for (auto& of_set : open) {
    SetPredictions& predictions = found.emplace_back();
    for (auto& of_repeat : of_set) {
      auto& done = predictions.emplace_back();
      for (OpenFold& fold : of_repeat) done.push_back(fold.finish(origin));
    }
  }
  return found;
}

}  // namespace elmx
