#pragma once

#include <armadillo>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/measurements.hpp"

namespace elmx {

/// What a metric is computed from. Those of the diagnostics stand ready in the records: they compare a
/// solution with the independent reference solution, or say how far an iterative training has come. So do
/// those of the selection, what the training part says of the error on other samples, and those of the
/// structure: what the trained network is.
enum class MetricKind { regression, classification, diagnostics, selection, structure };

enum class Better { lower, higher };

/// One split of a classification, as the metrics see it.
struct ClassCounts {
  arma::mat C;               ///< c x c confusion matrix
  arma::uword positive = 1;  ///< the positive class of a two-class problem
};

/// The outputs for the samples of one split of a classification.
struct ClassOutputs {
  arma::uvec truth;          ///< N class indices
  arma::mat scores;          ///< N x c, one a class
  arma::mat probabilities;   ///< N x c; empty: the scores have none
  arma::uword positive = 1;  ///< the positive class of a two-class problem
};

struct Metric {
  const char*
      /// in records, after "train_", "unlabelled_" or "test_" (diagnostics, selection, structure: as it is)
      name;
  const char* heading;  ///< in tables
  MetricKind kind;
  Better better;
  const char* doc;
  Measured (*of_outputs)(const arma::mat& T, const arma::mat& P) = nullptr;  ///< regression
  Measured (*of_counts)(const ClassCounts& counts) = nullptr;                ///< classification
  bool shown_of_training = true;    ///< tables have a column for it of the training part too
  const char* spelt_out = nullptr;  ///< the heading without its abbreviation; null: it has none
  /// classification, from more than the classes
  Measured (*of_scores)(const ClassOutputs& outputs) = nullptr;
};

/// Expects a known name.
const Metric& metric_named(std::string_view name);

/// All metrics: the one place where a metric is added. Tables show them in this order.
const std::vector<Metric>& metrics();

const char* to_string(MetricKind kind);
const char* to_string(Better better);

/// The most classes and targets that records say more of than their averages.
inline constexpr arma::uword kMostInDetail = 100;

/// Adds prefix + name -> value of the regression metrics; T, P: N x c. Of several targets that have names
/// also prefix + name + "[target]" of each, unless they are more than kMostInDetail.
void add_regression_metrics(const arma::mat& T, const arma::mat& P, const std::string& prefix, Measurements& measured,
                            const std::vector<std::string>& targets = {});

/// Adds prefix + name -> value of the classification metrics; truth, predicted: N class indices.
void add_classification_metrics(const arma::uvec& truth, const arma::uvec& predicted, arma::uword classes,
                                arma::uword positive, const std::string& prefix, Measurements& measured);

/// Adds prefix + name -> value of the classification metrics that are of scores.
void add_score_metrics(const ClassOutputs& outputs, const std::string& prefix, Measurements& measured);

}  // namespace elmx
