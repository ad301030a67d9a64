#pragma once

#include <compare>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/config/json.hpp"
#include "base/error.hpp"
#include "base/machine/clock.hpp"
#include "experiment/config/spec.hpp"

namespace elmx {

/// The facts about a test part, besides the metrics, that are needed to pool several test parts.
struct TestPart {
  struct Target {
    std::string name;
    double mean = 0;
    double squares = 0;  ///< sum of (t - mean)^2
  };
  std::size_t samples = 0;   ///< 0 = not recorded (an earlier elmx)
  std::size_t positive = 1;  ///< classification with two classes: index of the positive class
  /// Regression: targets in the units of the metrics; empty for more than kMostInDetail.
  std::vector<Target> targets = {};
};

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

/// The end of a trial: success, or the reason of a failure.
struct TrialStatus {
  enum class Kind { ok, numeric, other };

  std::string why = {};  ///< "not_finite chol-2", "out of memory", "crashed (SIGSEGV)"; "" if the trial is ok
  Kind kind = Kind::ok;

  /// A failure of the computation.
  static TrialStatus numeric(std::string why) { return {std::move(why), Kind::numeric}; }
  /// A failure by lack of memory, a signal or similar.
  static TrialStatus other(std::string why) { return {std::move(why), Kind::other}; }

  bool ok() const { return kind == Kind::ok; }
  /// Returns the form of records.jsonl: "ok", or the reason of the failure.
  std::string text() const { return ok() ? "ok" : why; }

  auto operator<=>(const TrialStatus&) const = default;
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
  TrialStatus status = {};
  double feature_seconds = 0;  ///< time for the random features of the training part, once for all algorithms
  std::vector<StepRecord> steps = {};
  SampleDigests samples = {};
  TestPart test_part = {};
  /// The machine on which times were measured: "AMD EPYC, kernel Zen, 1 thread". For a trial that was resumed
  /// on another machine, all machines in order, joined by "; ". "" = not recorded (an earlier elmx).
  std::string machine = {};
};

/// The version of the computation of a trial. Increase it with every change of the source that changes a
/// number of a record. It is part of every key, so that trials of different versions are never mixed, and
/// programs of the same version can resume each other's results.
inline constexpr int kComputedVersion = 2;

/// The keys of the trials of a case and sweep point. A key is a hash of everything that determines the
/// result.
class TrialKeys {
 public:
  TrialKeys(const CaseSpec& spec, const Dataset& data);

  std::string of(const std::string& algorithm, std::size_t repeat, std::size_t fold);

 private:
  Json determined_;
};

/// Records by key.
using RecordsByKey = std::unordered_map<std::string, const Record*>;

/// Returns the last record of each key. The records must outlive the result.
template <class Records>
RecordsByKey by_key(const Records& records) {
  RecordsByKey last;
  for (const Record& record : records) last[record.key] = &record;
  return last;
}

/// The rank of a step in the choice of a trial: larger is better.
using StepMerit = std::tuple<double, double, double>;

/// Ranks a step by the value of a metric, then by fewer nodes, then by the larger /model/ridge. Returns none
/// if the step lacks the metric.
std::optional<StepMerit> merit_of(const Record& record, const StepRecord& step, const std::string& metric);

/// Describes the trial: key, case, dataset, family, algorithm, point, repeat and fold.
Json description_of(const Record& record);

/// Converts a record to JSON. All times are below "timing", so that runs with equal seeds differ in nothing
/// else.
Json to_json(const Record& record);
Record record_from_json(const Json& json);

/// Describes n rows of the data as a test part.
TestPart test_part_of(const Dataset& data, const Targets& targets, const arma::uvec& rows);

/// Returns the confusion matrix of predicted classes, row by row; empty for more than kMostInDetail classes.
std::vector<std::size_t> confusion_of(const Dataset& data, const arma::uvec& rows, const arma::uvec& predicted);

/// Computes the digests of a fold of the data set that `options` name. Two folds have equal `test` digests if
/// their test parts are the same rows of the files with the same targets, regardless of model, seed and file
/// name.
SampleDigests sample_digests(const Dataset& data, const ExperimentOptions& options, const Fold& fold);

/// The gzip-packed form of finished records, as used for publication.
inline constexpr const char* kPackedRecords = "records.jsonl.gz";

/// Returns DIR/records.jsonl, or the packed file if only this one exists.
std::filesystem::path records_file(const std::filesystem::path& folder);

/// Splits the content of such a file into lines, without a last line that lacks its '\n' because a run was
/// killed.
std::vector<std::string_view> whole_lines(std::string_view content);

/// Reads the records of records_file(DIR) in file order, without an incomplete last line. Throws DataError.
std::vector<Record> read_records(const std::filesystem::path& folder);

/// Reads any file of records in the same way.
std::vector<Record> read_record_file(const std::filesystem::path& path);

/// The number of solutions of ridge problems by backward error, and of steps without a solution.
struct SolutionErrors {
  std::size_t solutions = 0;  ///< solutions with a known backward error
  /// Solutions with errors above the square root of the working precision: half the digits are lost.
  std::size_t too_large = 0;
  std::size_t unknown = 0;  ///< the backward error was not computed
  std::size_t failed = 0;
  double largest = 0;

  std::size_t inaccurate() const { return too_large + unknown + failed; }
};

/// Judges the steps of algorithms that solve a ridge problem. specs: the cases and sweep points of the
/// records.
SolutionErrors solution_errors(const std::vector<Record>& records, const std::vector<CaseSpec>& specs);

}  // namespace elmx
