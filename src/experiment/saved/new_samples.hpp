#pragma once

#include "data/catalogue.hpp"
#include "experiment/saved/saved_model.hpp"

namespace elmx {

/// Samples for a model: inputs as its own data had them. Targets are in the order of its classes; one that is
/// not known is NaN, or the number of classes for a label.
struct NewSamples {
  Dataset data;
  arma::uvec rows;  ///< of `data`, those that are meant

  /// Of the samples meant: numbers of the rows in their file, counted from 0 (where there are several files,
  /// on through them).
  arma::uvec numbers() const;
  /// Those of `rows` whose targets are known, as places among them.
  arma::uvec with_targets() const;
};

/// Options for reading new samples.
struct NewSamplesOptions {
  std::string labels_path = {};        ///< of images
  bool targets = true;                 ///< false: targets are not read even where they are there
  bool strict = false;                 ///< refuse a category or a missing value that the model does not know
  std::vector<std::string> keep = {};  ///< columns whose texts are kept
};

struct DataPlace {
  const Catalogue& catalogue;
  std::filesystem::path data_dir;
};

/// All rows of a file of the format that the model was trained on. Missing values and unknown categories are
/// imputed. Throws DataError or ConfigError: columns or classes that the model does not know, or that are
/// lacking.
NewSamples read_new_file(const SavedModel& model, const std::string& path, const NewSamplesOptions& wanted,
                         const DataPlace& place);

/// All rows of a set of the catalogue.
NewSamples read_new_set(const SavedModel& model, const std::string& set, const NewSamplesOptions& wanted,
                        const DataPlace& place);

/// The rows of a part of the data that the model was trained on: "train", "test", "unlabelled". Throws
/// DataError where they are not the same data.
NewSamples read_own_part(const SavedModel& model, const std::string& part, const DataPlace& place);

}  // namespace elmx
