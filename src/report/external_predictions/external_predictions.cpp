#include "report/external_predictions/external_predictions.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "base/files/files.hpp"
#include "base/files/sha256.hpp"
#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "data/csv/dialect.hpp"
#include "data/csv/fields.hpp"
#include "experiment/records/metrics_of_outputs.hpp"
#include "report/tables/predictions.hpp"

namespace elmx {
namespace {

constexpr const char* kPrediction = "prediction";
constexpr std::size_t kMostNamed = 5, kLast = 1'000'000'000'000'000;

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

  /// Returns an integer from `first` to `last`.
  std::size_t integer(const std::string& column, std::size_t first, std::size_t last = kLast) const {
    const auto value = parse_number(text(column));
    if (!value || *value < static_cast<double>(first) || *value > static_cast<double>(last) ||
        *value != std::floor(*value))
      refuse(column,
             fmt::format("expected an integer {} for {}, found \"{}\"",
                         last == kLast ? fmt::format(">= {}", first) : fmt::format("from {} to {}", first, last),
                         column, text(column)));
    return static_cast<std::size_t>(*value);
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

/// The predictions for the test part of one fold, line by line.
class PredictedFold {
 public:
  PredictedFold(const FoldSet& set, std::size_t repeat, std::size_t fold)
      : set_(set),
        repeat_(repeat),
        fold_(fold),
        where_(fmt::format("repeat {}, fold {}", repeat, fold)),
        rows_(row_numbers(*set.data, rows().test)),
        columns_(single_columns(*set.data)),
        line_of_(rows_.n_elem, 0) {
    if (set.data->task == Task::classification)
      classes_.set_size(rows_.n_elem);
    else
      values_.set_size(rows_.n_elem, set.data->Y.n_cols);
  }

  void add(const NamedFields& line) {
    const std::size_t row = line.integer("row", 1);
    const auto found = std::ranges::lower_bound(rows_, row);
    if (found == rows_.end() || *found != row)
      line.refuse("row", fmt::format("row {} is not in the test part of {}; use the rows that `elmx folds` lists", row,
                                     where_));
    const auto i = static_cast<std::size_t>(found - rows_.begin());
    if (line_of_[i] > 0)
      line.refuse("row", fmt::format("duplicate row {} of {}, which line {} has already", row, where_, line_of_[i]));
    line_of_[i] = line.line();
    if (set_.data->task == Task::classification) {
      classes_(i) = class_in(line);
    } else {
      const bool one = columns_.size() == 1 && line.has(kPrediction);
      for (arma::uword j = 0; j < columns_.size(); ++j) values_(i, j) = line.number(one ? kPrediction : columns_[j]);
    }
    if (line.has("seconds")) read_seconds(line);
  }

  void refuse_if_incomplete(const std::string& origin) const {
    std::vector<arma::uword> lacking;
    for (std::size_t i = 0; i < line_of_.size(); ++i) {
      if (line_of_[i] == 0) lacking.push_back(rows_(i));
    }
    if (lacking.empty()) return;
    const std::size_t count = lacking.size();
    lacking.resize(std::min(count, kMostNamed));
    throw DataError(origin, fmt::format("{}, {}: no prediction for {} of {} (row {}{}); every test row needs one",
                                        set_.data->name, where_, count, counted(line_of_.size(), "test row"),
                                        fmt::join(lacking, ", "), count > kMostNamed ? ", ..." : ""));
  }

  Record record(const std::string& name, const FoldUse& use) const {
    const Dataset& data = *set_.data;
    const Targets targets(data, use.spec->options.preprocess.targets, rows().train);
    Record record;
    record.experiment_case = use.experiment_case;
    record.dataset = data.name;
    record.family = kImported;
    record.algorithm = name;
    record.point = use.point;
    record.repeat = repeat_;
    record.fold = fold_;
    record.samples = set_.samples[repeat_][fold_];
    record.test_part = test_part_of(data, targets, rows().test);
    const Json determined = {{"imported", name},   {"case", use.experiment_case}, {"dataset", data.name},
                             {"point", use.point}, {"repeat", repeat_},           {"fold", fold_}};
    record.key = sha256(determined.dump()).substr(0, 16);
    StepRecord& step = record.steps.emplace_back();
    Measurements measured;
    if (data.task == Task::classification) {
      add_metrics_of_classes(data, targets, rows().test, classes_, "test_", measured);
      step.confusion = confusion_of(data, rows().test, classes_);
    } else {
      add_metrics_of_values(data, targets, rows().test, values_, "test_", measured);
    }
    step.metrics = measured.values;
    step.notes = measured.notes;
    step.total_seconds = seconds_;
    return record;
  }

 private:
  const Fold& rows() const { return set_.folds[repeat_][fold_]; }

  arma::uword class_in(const NamedFields& line) const {
    if (!line.has(kPrediction)) {
      arma::vec scores(columns_.size());
      for (arma::uword k = 0; k < columns_.size(); ++k) scores(k) = line.number(columns_[k]);
      return scores.index_max();
    }
    const std::vector<std::string>& classes = set_.data->classes;
    const std::string_view name = line.text(kPrediction);
    auto found = std::ranges::find(classes, name);
    // another way to write it
    if (const auto value = parse_number(name); found == classes.end() && value)
      found = std::ranges::find_if(classes, [&](const std::string& one) { return parse_number(one) == value; });
    if (found == classes.end())
      line.refuse(kPrediction, fmt::format("{} has no class \"{}\"{}", set_.data->name, name, suggest(name, classes)));
    return static_cast<arma::uword>(found - classes.begin());
  }

  void read_seconds(const NamedFields& line) {
    const double seconds = line.number("seconds");
    if (seconds < 0) line.refuse("seconds", fmt::format("expected seconds >= 0, found {}", seconds));
    if (!std::isnan(seconds_) && seconds_ != seconds)
      line.refuse("seconds",
                  fmt::format("expected {} seconds, as in the other rows of {}, found {}", seconds_, where_, seconds));
    seconds_ = seconds;
  }

  const FoldSet& set_;
  std::size_t repeat_, fold_;
  std::string where_;
  arma::uvec rows_;  // numbers of the test part, ascending
  std::vector<std::string> columns_;
  std::vector<std::size_t> line_of_;  // line of each row; 0: none yet
  arma::mat values_;                  // regression: n x c, in the units of the data, rows as in Fold::test
  arma::uvec classes_;                // classification: n class indices
  double seconds_ = nan;              // training time; NaN = not stated
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
        refuse(fmt::format("column \"{}\" has another meaning here than the target of {} with the same name; {}", name,
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
  const std::size_t split = line.has("split") ? line.integer("split", 1) : 1;
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

std::vector<Record> records_of_predictions(const std::filesystem::path& file, const std::string& name,
                                           const std::vector<FoldSet>& sets) {
  const std::string origin = file.string(), content = read_file(file);
  CsvOptions options;
  options.header = "yes";
  NamedFields line(content, detect_dialect(content, options, {}, origin), origin);
  check_columns(line, sets, origin);

  std::map<std::array<std::size_t, 3>, PredictedFold> predicted;  // by set, repeat and fold
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (std::size_t repeat = 0; repeat < sets[s].folds.size(); ++repeat) {
      for (std::size_t fold = 0; fold < sets[s].folds[repeat].size(); ++fold)
        predicted.try_emplace({s, repeat, fold}, sets[s], repeat, fold);
    }
  }
  while (line.next()) {
    if (line.has("part") && line.text("part") != "test")
      line.refuse("part", fmt::format("expected the part test, found \"{}\"", line.text("part")));
    const std::size_t s = set_of(line, sets), repeat = line.integer("repeat", 0, sets[s].folds.size() - 1),
                      fold = line.integer("fold", 0, sets[s].folds[repeat].size() - 1);
    predicted.at({s, repeat, fold}).add(line);
  }

  for (const auto& [place, fold] : predicted) fold.refuse_if_incomplete(origin);
  std::vector<Record> records;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (const FoldUse& use : sets[s].uses) {
      for (const auto& [place, fold] : predicted) {
        if (place[0] == s) records.push_back(fold.record(name, use));
      }
    }
  }
  return records;
}

}  // namespace elmx
