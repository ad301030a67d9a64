#pragma once

#include <armadillo>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/config/json.hpp"
#include "base/error.hpp"
#include "base/machine/clock.hpp"
#include "experiment/records/test_part.hpp"

namespace elmx {

/// What is reported of one algorithm at one network size, after a number of iterations where it iterates.
struct StepRecord {
  arma::uword nodes = 0;
  Status status = Status::ok;
  /// "test_mse", "train_acc", "weight_error", ...; absent = not available
  std::map<std::string, double> metrics;
  std::string method;  ///< which way the step was taken, where the algorithm has several
  Seconds step;        ///< the one growth step that reached this size
  /// training time since the beginning, features excluded; NaN = not measured (an imported method)
  double total_seconds = 0;
  arma::uword iterations = 0;  ///< done so far; 0 = the algorithm does not iterate
  /// "objective", "gradient_norm": one value a major step
  std::map<std::string, std::vector<double>> trace = {};
  /// the point of the algorithm's own grid; empty = it has none
  std::map<std::string, double> parameters = {};
  /// how `parameters` were chosen within the training part; "" = one point of the grid
  std::string chosen = {};
  double test_seconds = 0;  ///< outputs of the test part from its inputs; 0 = not measured
  /// Metric -> why it is not available, or what was taken for something undefined; kWeights (models) -> why
  /// they may be far off.
  std::map<std::string, std::string> notes = {};
  /// c x c counts of the test part, row by row: true by predicted class; empty = not recorded, or no
  /// classification
  std::vector<arma::uword> confusion = {};
};

/// Which samples a trial had: digests that are the same where these are. "" = not recorded (an earlier elmx).
struct SampleDigests {
  std::string data;   ///< content of the data set: of its files, or what it was generated from
  std::string train;  ///< rows of the training part and of the unlabelled one
  std::string test;   ///< rows of the test part and their targets
  bool operator==(const SampleDigests&) const = default;
};

/// The family of records that are predictions of a method of the user's own (elmx import).
inline constexpr const char* kImported = "imported";
/// Where they lie in a results folder: NAME.jsonl.
inline constexpr const char* kImportedFolder = "imported/";

/// One finished trial: algorithm x sweep point x repeat x fold. One line of records.jsonl.
struct Record {
  std::string key;              ///< hash of all that determines the result
  std::string experiment_case;  ///< name of the case; "" where the config has none
  std::string dataset;
  std::string family;
  std::string algorithm;              ///< a name within the family
  std::map<std::string, Json> point;  ///< swept members of this trial: place -> value
  arma::uword repeat = 0;
  arma::uword fold = 0;
  std::string status = "ok";   ///< "ok", or why the trial failed
  double feature_seconds = 0;  ///< random features of the training part, formed once for all algorithms
  std::vector<StepRecord> steps;
  SampleDigests samples = {};
  TestPart test_part = {};
  /// Where its times were measured: "AMD EPYC, kernel Zen, 1 thread"; of a trial that went on elsewhere all
  /// of them in their order, with "; " between. "" = not recorded (an earlier elmx).
  std::string machine = {};
};

/// True if a trial failed by what it computed, as its status says: not for want of memory, by a signal or the
/// like.
bool by_its_numbers(const std::string& status);

/// What the trial is: key, case, dataset, family, algorithm, point, repeat and fold.
Json description_of(const Record& record);

/// Everything that is time stands under "timing", so that two runs with one seed differ in nothing else.
Json to_json(const Record& record);
Record record_from_json(const Json& json);

/// Finished results may be kept packed, as they are published: gzip.
inline constexpr const char* kPackedRecords = "records.jsonl.gz";

/// DIR/records.jsonl, or the packed one where that alone is there.
std::filesystem::path records_file(const std::filesystem::path& folder);

/// The records of records_file(DIR), in file order; a last line that is cut off is left out. Throws
/// DataError.
std::vector<Record> read_records(const std::filesystem::path& folder);

/// The same of any file of records.
std::vector<Record> read_record_file(const std::filesystem::path& path);

}  // namespace elmx
