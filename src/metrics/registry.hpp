#pragma once

#include <armadillo>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace elmx {

/// The note on a value that exceeds the range of double.
inline constexpr const char* kNotFinite = "larger than any number that a double can hold";

/// The note on an average over classes if some classes have no sample. Such an average is not comparable with
/// those over all classes: if the rare class is left out, predicting the other one is always right.
inline constexpr const char* kClassLeftOut = "classes without samples are left out of the average";

/// A value and the note on it.
struct Measured {
  double value = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not available
  /// the reason why the value is not available, or how an undefined ratio was resolved; "" = no note
  std::string note = {};
};

/// The metrics of one network. A name with a note but no value is NA for that reason. A name with neither
/// does not apply.
struct Measurements {
  std::map<std::string, double> values;
  std::map<std::string, std::string> notes;

  /// Adds a value and its note; a value that is not finite becomes a note.
  void add(const std::string& name, const Measured& measured);
};

/// The input of a metric. Metrics of the last three kinds are read from the records. Diagnostics compare a
/// solution with the independent reference solution, or measure the convergence of an iterative training.
/// Selection metrics estimate the error on other samples from the training part. Structure metrics describe
/// the trained network.
enum class MetricKind { regression, classification, diagnostics, selection, structure };

enum class Better { lower, higher };

/// The predictions for one split of a classification, as the metrics use them.
struct ClassCounts {
  arma::mat C;               ///< c x c confusion matrix
  arma::uword positive = 1;  ///< the positive class of a two-class problem
};

/// The outputs for the samples of one split of a classification.
struct ClassOutputs {
  arma::uvec truth;          ///< N class indices
  arma::mat scores;          ///< N x c, one column per class
  arma::mat probabilities;   ///< N x c; empty if the scores have no probabilities
  arma::uword positive = 1;  ///< the positive class of a two-class problem
};

struct Metric {
  const char*
      /// name in records; after "train_", "unlabelled_" or "test_" for regression and classification
      name;
  const char* heading;  ///< column heading in tables
  MetricKind kind;
  Better better;
  const char* doc;
  Measured (*of_outputs)(const arma::mat& T, const arma::mat& P) = nullptr;  ///< regression
  Measured (*of_counts)(const ClassCounts& counts) = nullptr;                ///< classification
  bool shown_of_training = true;    ///< tables have a column for the training part too
  const char* spelt_out = nullptr;  ///< the heading without its abbreviation; null if it has none
  /// classification; needs scores, not only classes
  Measured (*of_scores)(const ClassOutputs& outputs) = nullptr;
};

/// Returns the metric of that name, which must be known.
const Metric& metric_named(std::string_view name);

/// Returns all metrics in the order in which tables show them. A new metric is added here only.
const std::vector<Metric>& metrics();

const char* to_string(MetricKind kind);
const char* to_string(Better better);

/// The largest number of classes or targets that records list individually, not only as averages.
inline constexpr arma::uword kMostInDetail = 100;

/// Adds prefix + name -> value of the regression metrics; T, P: N x c. If there are several named targets,
/// but no more than kMostInDetail, also adds prefix + name + "[target]" for each target.
void add_regression_metrics(const arma::mat& T, const arma::mat& P, const std::string& prefix, Measurements& measured,
                            const std::vector<std::string>& targets = {});

/// Adds prefix + name -> value of the classification metrics; truth, predicted: N class indices.
void add_classification_metrics(const arma::uvec& truth, const arma::uvec& predicted, arma::uword classes,
                                arma::uword positive, const std::string& prefix, Measurements& measured);

/// Adds prefix + name -> value of the classification metrics that need scores.
void add_score_metrics(const ClassOutputs& outputs, const std::string& prefix, Measurements& measured);

}  // namespace elmx
