#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string_view>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "data/csv/csv.hpp"
#include "data/load.hpp"
#include "data/table/dataset.hpp"
#include "data/table/infer.hpp"

namespace elmx {
namespace {

/// An array of doubles that grows row by row, in a file of its own until it is finished.
class NpyWriter {
 public:
  explicit NpyWriter(std::filesystem::path path) : path_(std::move(path)), part_(path_.string() + ".part") {
    out_.open(part_, std::ios::binary | std::ios::trunc);
    put_header();
  }
  ~NpyWriter() {
    std::error_code ignored;
    if (!finished_) std::filesystem::remove(part_, ignored);
  }
  NpyWriter(const NpyWriter&) = delete;
  NpyWriter& operator=(const NpyWriter&) = delete;

  void add(const std::vector<double>& row) {
    has_missing_ = has_missing_ || std::ranges::any_of(row, [](double x) { return std::isnan(x); });
    put({reinterpret_cast<const char*>(row.data()), row.size() * sizeof(double)});
    columns_ = row.size();
    ++rows_;
  }

  void finish() {
    out_.seekp(0);
    put_header();
    out_.close();
    if (out_.fail() || std::rename(part_.c_str(), path_.c_str()) != 0) refuse_write(path_);
    finished_ = true;
  }

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  bool has_missing() const { return has_missing_; }

 private:
  void put(std::string_view bytes) {
    if (!out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()))) refuse_write(path_);
  }

  /// Writes 128 bytes for any shape: the magic, version 1.0, the length of the text (118), the text.
  void put_header() {
    constexpr std::string_view begin("\x93NUMPY\x01\0\x76\0", 10);
    put(fmt::format("{}{:<117}\n", begin,
                    fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", rows_, columns_)));
  }

  std::filesystem::path path_, part_;
  std::ofstream out_;
  std::size_t rows_ = 0, columns_ = 0;
  bool finished_ = false, has_missing_ = false;
};

/// The columns of the array, of a text that was decided.
KnownFile known_file(const RawTable& decided, const std::string& origin, bool keeps_missing) {
  KnownFile known{.origin = origin, .columns = {}, .same_file = true};
  for (std::size_t j = 0; j < decided.columns.size(); ++j) {
    RawColumn column = decided.columns[j];
    const bool category = column.role == Role::input && column.kind == Kind::category;
    if (category && keeps_missing && decided.report.columns[j].missing > 0)
      column.categories.emplace_back(kMissingCategory);
    known.columns.push_back(known_column(column));
  }
  return known;
}

std::vector<std::string> classes_of(const RawTable& decided) {
  const auto target = std::ranges::find(decided.columns, Role::target, &RawColumn::role);
  std::vector<double> numbers;
  for (std::size_t k = 0; k < target->categories.size(); ++k) numbers.push_back(static_cast<double>(k));
  Dataset all;
  set_classes(all, target->categories, numbers);
  return all.classes;
}

/// complete: leaves out rows in which an input is missing. Returns how many rows are left out.
std::size_t write_rows(const Dataset& rows, const std::vector<std::string>& classes, bool complete, NpyWriter& array) {
  std::size_t left_out = 0;
  std::vector<double> row;
  std::vector<double> number;  // of the classes of these rows among all
  for (const std::string& name : rows.classes)
    number.push_back(static_cast<double>(std::ranges::find(classes, name) - classes.begin()));
  for (arma::uword i = 0; i < rows.X.n_rows; ++i) {
    const bool known = rows.task == Task::classification ? !rows.labels.is_empty() && rows.labels(i) < number.size()
                                                         : rows.Y.row(i).is_finite();
    if (!known || (complete && rows.imputed[i])) {
      ++left_out;
      continue;
    }
    const arma::rowvec inputs = rows.X.row(i);
    row.assign(inputs.begin(), inputs.end());
    if (rows.task == Task::classification)
      row.push_back(number[rows.labels(i)]);
    else
      for (const double y : rows.Y.row(i)) row.push_back(y);
    array.add(row);
  }
  return left_out;
}

}  // namespace

Conversion convert_to_npy(Json given, const std::filesystem::path& output) {
  unfold_format(given, "/data");
  DataOptions options;
  read_options(given, "/data", options);
  if (options.format != "delimited")
    throw ConfigError("data convert", fmt::format("expected delimited text, found format \"{}\"", options.format));
  DataSource source = source_of(options);
  TableOptions& table = source.table;
  if (!given.contains("missing")) table.missing = "mean";
  table.guess_target = options.target.empty();
  table.guess_task = !given.contains("task");
  table.drop_uninformative = true;
  CsvFile file(open_content(options.path), source.delimited, table);
  std::vector<RawColumn> columns = file.columns();
  assign_roles(columns, table);
  RawTable decided = file.summarise(columns);
  std::vector<ColumnTexts> empty;
  for (const ColumnTexts& column : decided.texts) empty.push_back(column.without_rows());
  infer_columns(decided, table);

  TableOptions as_decided = table;
  as_decided.task = decided.task;
  as_decided.guess_task = as_decided.drop_uninformative = false;
  as_decided.known = std::make_shared<const KnownFile>(known_file(decided, source.name, table.missing != "drop_rows"));
  const bool classifies = decided.task == Task::classification;
  const std::vector<std::string> classes = classifies ? classes_of(decided) : std::vector<std::string>();
  columns = file.columns();
  assign_roles(columns, as_decided);
  if (std::ranges::count(decided.columns, Role::input, &RawColumn::role) == 0)
    throw DataError(source.name, "no input column is left");
  NpyWriter array(output);
  std::size_t left_out = 0;
  file.read_windows(columns, empty, [&](RawTable rows) {
    infer_columns(rows, as_decided);
    const Dataset data = assemble(std::move(rows), as_decided, 0, source.name);
    left_out += write_rows(data, classes, table.missing == "drop_rows", array);
  });
  if (array.rows() == 0) throw DataError(source.name, "no row has a target");
  array.finish();

  Conversion done{array.rows(), array.columns(), {}, std::move(decided.report)};
  done.report.rows = done.rows;
  done.report.name = source.name;
  std::vector<std::string> names;
  for (const KnownColumn& column : as_decided.known->columns) {
    for (std::string& name : input_names(column, false)) names.push_back(std::move(name));
  }
  done.report.notes.push_back(fmt::format("columns of the array: {}, then the target", fmt::join(names, ", ")));
  if (left_out > 0) done.report.rows_left_out.push_back({"the target or a value is missing", left_out, 0});
  if (classifies) done.report.notes.push_back(fmt::format("classes by number: {}", Json(classes).dump()));
  done.data = {{"path", output.string()}, {"format", "npy"}};
  Json targets = Json::array();
  const auto count = std::ranges::count(decided.columns, Role::target, &RawColumn::role);
  for (long k = count; k > 0; --k) targets.push_back(std::to_string(-k));
  done.data["target"] = targets;
  done.data["task"] = classifies ? "classification" : "regression";
  if (array.has_missing()) done.data["missing"] = "mean";
  done.data["from_disk"] = true;
  return done;
}

}  // namespace elmx
