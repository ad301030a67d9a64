#include "external_predictions/external_predictions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/files/fsio.hpp"
#include "base/printable.hpp"
#include "data/csv/dialect.hpp"
#include "data/csv/fields.hpp"
#include "data/table/table.hpp"
#include "data/values/text.hpp"
#include "tables/predictions.hpp"

namespace elmx {
namespace {

constexpr const char* kPrediction = "prediction";
constexpr const char* kScore = "score_";
constexpr std::size_t kMostNamed = 5;

std::string place(const std::string& origin, std::size_t line, std::size_t column) {
  return fmt::format("{}: line {}, column {}: ", origin, line, column);
}

/// The columns of the file by their names.
class Columns {
 public:
  Columns(const std::vector<std::string_view>& header, const std::string& origin) : count_(header.size()) {
    for (std::size_t j = 0; j < header.size(); ++j) {
      if (!index_.emplace(header[j], j).second)
        throw DataError(place(origin, 1, j + 1) + "\"" + std::string(header[j]) + "\" stands twice; allowed: once");
    }
  }

  std::size_t count() const { return count_; }
  std::optional<std::size_t> find(const std::string& name) const {
    const auto found = index_.find(name);
    return found == index_.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [name, j] : index_) names.push_back(name);
    return names;
  }

 private:
  std::map<std::string, std::size_t> index_;
  std::size_t count_;
};

std::vector<std::string> scores_of(const Dataset& data) {
  std::vector<std::string> names;
  for (const std::string& name : data.classes) names.push_back(kScore + name);
  return names;
}

/// Whether one column says all: a class, or the only target.
bool takes_prediction(const Dataset& data) { return data.task == Task::classification || data.Y.n_cols == 1; }

/// The columns that say it one by one.
std::vector<std::string> single_columns(const Dataset& data) {
  return data.task == Task::classification ? scores_of(data) : target_names(data.columns, data.Y.n_cols);
}

/// One line of the file.
struct Line {
  const std::vector<std::string_view>& fields;
  const std::string& origin;
  std::size_t number;

  std::string at(std::size_t column) const { return place(origin, number, column + 1); }

  double number_in(std::size_t column, const std::string& what) const {
    const auto value = parse_number(fields[column]);
    if (!value || !std::isfinite(*value))
      throw DataError(fmt::format("{}{} \"{}\"; allowed: a number", at(column), what, fields[column]));
    return *value;
  }

  std::size_t count_in(std::size_t column, const std::string& what, std::size_t least) const {
    const auto value = parse_number(fields[column]);
    if (!value || *value < static_cast<double>(least) || *value > 1e15 || *value != std::floor(*value))
      throw DataError(fmt::format("{}{} \"{}\"; allowed: an integer from {}", at(column), what, fields[column], least));
    return static_cast<std::size_t>(*value);
  }
};

/// The predictions of one fold as they come in.
class FoldInHand {
 public:
  FoldInHand(const FoldSet& set, std::size_t repeat, std::size_t fold)
      : set_(set),
        where_(fmt::format("repeat {}, fold {}", repeat, fold)),
        rows_(row_numbers(*set.data, set.folds[repeat][fold].test)),
        line_of_(rows_.n_elem, 0) {
    if (set.data->task == Task::classification)
      found_.classes.set_size(rows_.n_elem);
    else
      found_.values.set_size(rows_.n_elem, set.data->Y.n_cols);
  }

  void add(const Line& line, const Columns& columns) {
    const std::size_t column = *columns.find("row"), row = line.count_in(column, "row", 1);
    const auto found = std::ranges::lower_bound(rows_, row);
    if (found == rows_.end() || *found != row)
      throw DataError(fmt::format("{}row {} is not in the test part of {}; allowed: its rows in `elmx folds`",
                                  line.at(column), row, where_));
    const auto i = static_cast<std::size_t>(found - rows_.begin());
    if (line_of_[i] > 0)
      throw DataError(fmt::format("{}row {} of {} stands in line {} already; allowed: once", line.at(column), row,
                                  where_, line_of_[i]));
    line_of_[i] = line.number;
    if (set_.data->task == Task::classification)
      found_.classes(i) = class_in(line, columns);
    else
      read_values(line, columns, i);
    read_seconds(line, columns);
  }

  /// Once all lines are read.
  FoldPredictions finish(const std::string& origin) {
    std::string lacking;
    std::size_t count = 0;
    for (std::size_t i = 0; i < line_of_.size(); ++i) {
      if (line_of_[i] > 0 || ++count > kMostNamed) continue;
      lacking += (lacking.empty() ? "" : ", ") + std::to_string(rows_(i));
    }
    if (count == 0) return std::move(found_);
    throw DataError(fmt::format("{}: {}{}: no prediction of {} of {} (row {}{}); allowed: every test row once", origin,
                                set_.data->name + ", ", where_, count, counted(line_of_.size(), "test row"), lacking,
                                count > kMostNamed ? ", ..." : ""));
  }

 private:
  /// A number may be written in another way.
  arma::uword index_of(std::string_view name, const Line& line, std::size_t column) const {
    const std::vector<std::string>& classes = set_.data->classes;
    auto found = std::ranges::find(classes, name);
    if (const auto value = parse_number(name); found == classes.end() && value)
      found = std::ranges::find_if(classes, [&](const std::string& one) { return parse_number(one) == value; });
    if (found == classes.end())
      throw DataError(fmt::format("{}class \"{}\" is none of {}{}", line.at(column), name, set_.data->name,
                                  suggest(name, classes)));
    return static_cast<arma::uword>(found - classes.begin());
  }

  arma::uword class_in(const Line& line, const Columns& columns) const {
    arma::uword best = 0;
    double largest = -std::numeric_limits<double>::infinity();
    const std::vector<std::string> scores = scores_of(*set_.data);
    for (arma::uword k = 0; k < scores.size(); ++k) {
      const auto column = columns.find(scores[k]);
      if (!column) continue;
      const double score = line.number_in(*column, scores[k]);
      if (score > largest) best = k;
      largest = std::max(largest, score);
    }
    const auto column = columns.find(kPrediction);
    return column ? index_of(line.fields[*column], line, *column) : best;
  }

  void read_values(const Line& line, const Columns& columns, std::size_t i) {
    const std::vector<std::string> names = target_names(set_.data->columns, set_.data->Y.n_cols);
    for (arma::uword j = 0; j < names.size(); ++j) {
      const std::string name = names.size() == 1 && columns.find(kPrediction) ? kPrediction : names[j];
      found_.values(i, j) = line.number_in(*columns.find(name), name);
    }
  }

  void read_seconds(const Line& line, const Columns& columns) {
    const auto column = columns.find("seconds");
    if (!column) return;
    const double seconds = line.number_in(*column, "seconds");
    if (seconds < 0) throw DataError(fmt::format("{}seconds {}; allowed: 0 or more", line.at(*column), seconds));
    if (!std::isnan(found_.seconds) && found_.seconds != seconds)
      throw DataError(fmt::format("{}seconds {}, but {} of other rows of {}; allowed: one time for each fold",
                                  line.at(*column), seconds, found_.seconds, where_));
    found_.seconds = seconds;
  }

  const FoldSet& set_;
  std::string where_;
  arma::uvec rows_;                   // numbers of the test part, ascending
  std::vector<std::size_t> line_of_;  // of each of them; 0 = none yet
  FoldPredictions found_;
};

/// All columns that one of the sets can have, and none is lacking.
void check_columns(const Columns& columns, const std::vector<FoldSet>& sets, const std::string& origin) {
  std::vector<std::string> needed = {"row", "repeat", "fold"}, known = {"row", "repeat", "fold", "part", "seconds"};
  for (const auto& [name, several] :
       {std::pair("dataset", several_data_sets(sets)), std::pair("split", several_splits(sets))}) {
    known.emplace_back(name);
    if (several) needed.emplace_back(name);
  }
  for (const std::string& name : needed) {
    if (!columns.find(name))
      throw DataError(
          fmt::format("{}: no column \"{}\"{}", origin, name, name == "row" ? " (elmx folds CONFIG has it)" : ""));
  }
  const std::vector<std::string> of_file = known;
  for (const FoldSet& set : sets) {
    const std::vector<std::string> singly = single_columns(*set.data);
    known.insert(known.end(), singly.begin(), singly.end());
    const bool at_once = takes_prediction(*set.data);
    if (at_once) known.emplace_back(kPrediction);
    if (at_once && columns.find(kPrediction)) continue;
    const auto means_both = std::ranges::find_first_of(singly, of_file);
    if (means_both != singly.end())
      throw DataError(
          fmt::format("{}: \"{}\" is a target of {} and a column of the file that means something else; "
                      "allowed: {}",
                      origin, *means_both, set.data->name,
                      at_once ? "a column prediction" : "another name of the target in the data"));
    if (std::ranges::all_of(singly, [&](const std::string& name) { return columns.find(name).has_value(); })) continue;
    std::string allowed;
    for (const std::string& name : singly) allowed += (allowed.empty() ? "columns " : ", ") + name;
    throw DataError(fmt::format("{}: no predictions of {}; allowed: {}{}", origin, set.data->name,
                                at_once ? "a column prediction, or " : "", allowed));
  }
  for (const std::string& name : columns.names()) {
    if (std::ranges::count(known, name) == 0)
      throw DataError(fmt::format("{}: column \"{}\": unknown{}", origin, name, suggest(name, known)));
  }
}

/// The set that a line is of.
std::size_t set_of(const Line& line, const Columns& columns, const std::vector<FoldSet>& sets) {
  const auto data = columns.find("dataset"), split = columns.find("split");
  const std::size_t number = split ? line.count_in(*split, "split", 1) : 1;
  bool known = false;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const bool named = !data || line.fields[*data] == sets[s].data->name;
    if (named && sets[s].split == number) return s;
    known = known || named;
  }
  if (known) throw DataError(fmt::format("{}split {}; allowed: those of `elmx folds`", line.at(*split), number));
  std::set<std::string> names;
  for (const FoldSet& set : sets) names.insert(set.data->name);
  throw DataError(fmt::format("{}data set \"{}\" is not in the run{}", line.at(*data), line.fields[*data],
                              suggest(line.fields[*data], names)));
}

}  // namespace

std::vector<SetPredictions> read_external_predictions(const std::filesystem::path& file,
                                                      const std::vector<FoldSet>& sets) {
  const std::string origin = file.string(), content = read_file(file);
  CsvOptions options;
  options.header = "yes";
  const Dialect dialect = detect_dialect(content, options, {}, origin);
  RowScanner rows(content, dialect.separator, dialect.line_end, dialect.names.size(), 1);
  const auto next_row = [&] {
    while (rows.next()) {
      if (!trimmed(rows.row()).empty()) return true;
    }
    return false;
  };
  next_row();
  const Columns columns(rows.fields(), origin);
  check_columns(columns, sets, origin);

  std::vector<std::vector<std::vector<FoldInHand>>> in_hand;  // [set][repeat][fold]
  for (const FoldSet& set : sets) {
    auto& of_set = in_hand.emplace_back(set.folds.size());
    for (std::size_t repeat = 0; repeat < set.folds.size(); ++repeat) {
      for (std::size_t fold = 0; fold < set.folds[repeat].size(); ++fold)
        of_set[repeat].emplace_back(set, repeat, fold);
    }
  }
  while (next_row()) {
    const Line line{rows.fields(), origin, rows.line()};
    if (line.fields.size() != columns.count())
      throw DataError(fmt::format("{}: line {}: {}; allowed: {}, as in the first line", origin, line.number,
                                  counted(line.fields.size(), "field"), columns.count()));
    if (const auto part = columns.find("part"); part && line.fields[*part] != "test")
      throw DataError(fmt::format("{}part \"{}\"; allowed: test", line.at(*part), line.fields[*part]));
    auto& of_set = in_hand[set_of(line, columns, sets)];
    const std::size_t repeat_column = *columns.find("repeat"), fold_column = *columns.find("fold"),
                      repeat = line.count_in(repeat_column, "repeat", 0), fold = line.count_in(fold_column, "fold", 0);
    if (repeat >= of_set.size())
      throw DataError(fmt::format("{}repeat {}; allowed: 0 to {}", line.at(repeat_column), repeat, of_set.size() - 1));
    if (fold >= of_set[repeat].size())
      throw DataError(
          fmt::format("{}fold {}; allowed: 0 to {}", line.at(fold_column), fold, of_set[repeat].size() - 1));
    of_set[repeat][fold].add(line, columns);
  }

  std::vector<SetPredictions> found;
  for (auto& of_set : in_hand) {
    SetPredictions& predictions = found.emplace_back();
    for (auto& of_repeat : of_set) {
      auto& done = predictions.emplace_back();
      for (FoldInHand& fold : of_repeat) done.push_back(fold.finish(origin));
    }
  }
  return found;
}

}  // namespace elmx
