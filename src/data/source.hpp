#pragma once

#include <filesystem>
#include <string>

#include "data/catalogue.hpp"
#include "data/formats/reviews.hpp"
#include "data/matlab/mat.hpp"
#include "data/table/source.hpp"

namespace elmx {

struct DataOptions;

/// A source with the options of its format.
struct DataSource : Source {
  CsvOptions delimited;
  MatOptions mat;
  ReviewOptions reviews;
  std::string positive;
};

/// An entry of the catalogue, with what the options change about it.
DataSource source_of(const CatalogueEntry& entry, const DataOptions& options, const std::filesystem::path& data_dir);

/// The user's own files.
DataSource source_of(const DataOptions& options);

}  // namespace elmx
