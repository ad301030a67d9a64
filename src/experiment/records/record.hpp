#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/config/json.hpp"
#include "base/error.hpp"
#include "base/machine/clock.hpp"
#include "experiment/records/test_part.hpp"

namespace elmx {

/// The results of one algorithm at one network size, and for an iterative algorithm after a number of
/// iterations.
struct StepRecord {
  std::size_t nodes = 0;
  Status status = Status::ok;
  /// "test_mse", "train_acc", "weight_error", ...; absent = not available
  std::map<std::string, double> metrics;
  std::string method;  ///< the variant of the step, if the algorithm has several
  Seconds step;        ///< time of the single growth step that reached this size
  /// Training time since the start, without features; NaN = not measured (an imported method).
  double total_seconds = 0;
  std::size_t iterations = 0;  ///< iterations so far; 0 = the algorithm does not iterate
  /// "objective", "gradient_norm": one value per major step
  std::map<std::string, std::vector<double>> trace = {};
  /// The point of the algorithm's own grid; empty = no grid.
  std::map<std::string, double> parameters = {};
  /// The rule by which `parameters` were chosen within the training part; "" = one point of the grid.
  std::string chosen = {};
  double test_seconds = 0;  ///< time to compute the outputs of the test part; 0 = not measured
  /// Metric -> the reason why it is not available, or the replacement of an undefined value; kWeights
  /// (models) -> the reason why the weights may be far off.
  std::map<std::string, std::string> notes = {};
  /// c x c counts of the test part, row by row: true by predicted class; empty = not recorded, or not a
  /// classification.
  std::vector<std::size_t> confusion = {};
};

/// Digests of the samples of a trial, equal for equal samples. "" = not recorded (an earlier elmx).
struct SampleDigests {
  std::string data;   ///< content of the data set: of its files, or of its generator options
  std::string train;  ///< rows of the training part and of the unlabelled one
  std::string test;   ///< rows of the test part and their targets
  bool operator==(const SampleDigests&) const = default;
};

/// The family of records that hold predictions of an external method (elmx import).
inline constexpr const char* kImported = "imported";
/// The folder of imported records, NAME.jsonl, in a results folder.
inline constexpr const char* kImportedFolder = "imported/";

/// One finished trial: algorithm x sweep point x repeat x fold. One line of records.jsonl.
struct Record {
  std::string key;              ///< hash of everything that determines the result
  std::string experiment_case;  ///< name of the case; "" if the config has none
  std::string dataset;
  std::string family;
  std::string algorithm;              ///< a name within the family
  std::map<std::string, Json> point;  ///< swept members of this trial: place -> value
  std::size_t repeat = 0;
  std::size_t fold = 0;
  std::string status = "ok";   ///< "ok", or the reason why the trial failed
  double feature_seconds = 0;  ///< time for the random features of the training part, once for all algorithms
  std::vector<StepRecord> steps;
  SampleDigests samples = {};
  TestPart test_part = {};
  /// The machine on which times were measured: "AMD EPYC, kernel Zen, 1 thread". For a trial that was resumed
  /// on another machine, all machines in order, joined by "; ". "" = not recorded (an earlier elmx).
  std::string machine = {};
};

/// Returns true if the status says that a trial failed numerically, and not by lack of memory, a signal or
/// similar.
bool by_its_numbers(const std::string& status);

/// Describes the trial: key, case, dataset, family, algorithm, point, repeat and fold.
Json description_of(const Record& record);

/// Converts a record to JSON. All times are below "timing", so that runs with equal seeds differ in nothing
/// else.
Json to_json(const Record& record);
Record record_from_json(const Json& json);

/// The gzip-packed form of finished records, as used for publication.
inline constexpr const char* kPackedRecords = "records.jsonl.gz";

/// Returns DIR/records.jsonl, or the packed file if only this one exists.
std::filesystem::path records_file(const std::filesystem::path& folder);

/// Reads the records of records_file(DIR) in file order, without an incomplete last line. Throws DataError.
std::vector<Record> read_records(const std::filesystem::path& folder);

/// Reads any file of records in the same way.
std::vector<Record> read_record_file(const std::filesystem::path& path);

}  // namespace elmx
