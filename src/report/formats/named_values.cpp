#include "report/formats/named_values.hpp"

#include <cmath>

#include "base/error.hpp"
#include "report/formats/table_formats.hpp"

namespace elmx {
namespace {

std::size_t rows_of(const std::vector<NamedValues>& columns) {
  if (columns.empty()) return 0;
  return std::visit([](const auto& values) { return static_cast<std::size_t>(values.size()); }, columns.front().values);
}

/// Returns value i; null if it is not known.
Json json_of(const NamedValues& column, std::size_t i) {
  if (const auto* counts = std::get_if<arma::uvec>(&column.values)) return (*counts)(i);
  // Json writes NaN as null.
  if (const auto* numbers = std::get_if<arma::vec>(&column.values)) return (*numbers)(i);
  const std::string& text = std::get<std::vector<std::string>>(column.values)[i];
  return text.empty() ? Json(nullptr) : Json(text);
}

std::string text_of(const NamedValues& column, std::size_t i) {
  if (const auto* counts = std::get_if<arma::uvec>(&column.values)) return std::to_string((*counts)(i));
  if (const auto* numbers = std::get_if<arma::vec>(&column.values))
    return std::isnan((*numbers)(i)) ? "" : show((*numbers)(i));
  return std::get<std::vector<std::string>>(column.values)[i];
}

}  // namespace

const std::vector<ValuesFormat>& values_formats() {
  static const std::vector<ValuesFormat> formats = {
      {"csv", "comma-separated values", values_as_csv},
      {"npy", "a structured array that numpy.load reads, one field a column", values_as_npy},
      {"json", "a list of objects, one a row", values_as_json},
  };
  return formats;
}

const ValuesFormat& find_values_format(const std::string& name) {
  return named_row(values_formats(), name, "--format " + name, "unknown format");
}

std::string values_as_csv(const std::vector<NamedValues>& columns) {
  std::vector<std::string> fields;
  for (const NamedValues& column : columns) fields.push_back(column.name);
  std::string csv = csv_line(fields);
  for (std::size_t i = 0; i < rows_of(columns); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) fields[j] = text_of(columns[j], i);
    csv += csv_line(fields);
  }
  return csv;
}

std::string values_as_json(const std::vector<NamedValues>& columns) {
  std::string text = "[";
  for (std::size_t i = 0; i < rows_of(columns); ++i) {
    Json row = Json::object();
    for (const NamedValues& column : columns) row[column.name] = json_of(column, i);
    text += (i == 0 ? "\n" : ",\n") + json_text(row);
  }
  return text + "\n]\n";
}

}  // namespace elmx
