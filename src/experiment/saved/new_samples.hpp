#pragma once

#include "data/catalogue.hpp"
#include "experiment/saved/saved_model.hpp"

namespace elmx {

/// Samples for a model, with inputs in the form of its own data and labels in the order of its classes. An
/// unknown target is NaN, or the number of classes for a label.
struct NewSamples {
  Dataset data;
  arma::uvec rows;  ///< the requested rows of `data`

  /// Returns the row numbers of the requested samples in their file, counted from 0 and continued over
  /// several files.
  arma::uvec numbers() const;
  /// Returns the positions in `rows` of the samples with known targets.
  arma::uvec with_targets() const;
};

/// Options for reading new samples.
struct NewSamplesOptions {
  std::string labels_path = {};        ///< the file of labels of images
  bool targets = true;                 ///< false: targets are not read even if they exist
  bool strict = false;                 ///< refuse a category or a missing value that the model does not know
  bool new_classes = false;            ///< append classes that the model does not have to its own
  std::vector<std::string> keep = {};  ///< columns whose texts are kept
};

struct DataPlace {
  const Catalogue& catalogue;
  std::filesystem::path data_dir;
};

/// Reads all rows of a file in the format that the model was trained on, and imputes missing values and
/// unknown categories. Throws DataError or ConfigError: missing columns or classes, or ones that the model
/// does not know.
NewSamples read_new_file(const SavedModel& model, const std::string& path, const NewSamplesOptions& wanted,
                         const DataPlace& place);

/// Reads all rows of a set of the catalogue.
NewSamples read_new_set(const SavedModel& model, const std::string& set, const NewSamplesOptions& wanted,
                        const DataPlace& place);

/// Reads the rows of a part of the data that the model was trained on: "train", "test", "unlabelled". Throws
/// DataError if the data have changed.
NewSamples read_own_part(const SavedModel& model, const std::string& part, const DataPlace& place);

}  // namespace elmx
