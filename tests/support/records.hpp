#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"

namespace elmx {

/// Returns a trial with one step; all its numbers can be changed afterwards.
inline Record one_step_record(const std::string& experiment_case, const std::string& algorithm, arma::uword fold,
                              arma::uword nodes, std::map<std::string, double> metrics) {
  Record record;
  record.key = experiment_case + algorithm + std::to_string(fold);
  record.experiment_case = experiment_case;
  record.dataset = "airfoil";
  record.algorithm = algorithm;
  record.fold = fold;
  record.steps.push_back({nodes, Status::ok, std::move(metrics), "", {1e-3, 1e-4, 10}, 0.5});
  return record;
}

inline std::vector<Record> shuffled(std::vector<Record> records, unsigned seed) {
  std::shuffle(records.begin(), records.end(), std::mt19937(seed));
  return records;
}

/// Two algorithms at 3 and 100 nodes over two folds; alg2 breaks down at 100 nodes in fold 1.
inline std::vector<Record> small_run() {
  std::vector<Record> records;
  for (const std::string algorithm : {"existing", "alg2", "alg10"}) {
    const bool slow = algorithm == "existing";
    for (const arma::uword fold : {0u, 1u}) {
      const double f = static_cast<double>(fold);
      Record record =
          one_step_record("Airfoil", algorithm, fold, 3,
                          {{"test_mse", 0.04 + 0.01 * f}, {"train_mse", 0.03}, {"weight_error", 1e-15 * (1 + 2 * f)}});
      record.steps[0].step = {slow ? 8e-3 : 2e-3, slow ? 8e-4 : 2e-4, 5};
      StepRecord later = record.steps[0];
      later.nodes = 100;
      later.metrics["test_mse"] = 0.01;
      if (algorithm == "alg2" && fold == 1) {
        later.status = Status::not_positive_definite;
        later.metrics.clear();
      }
      record.steps.push_back(later);
      records.push_back(record);
    }
  }
  return records;
}

/// Returns one training of each algorithm at 20 nodes over two folds: dec after 2 and 10 iterations, lbfgs
/// after 500 and 1000, and elm, which does not iterate. total_seconds is the number of iterations (elm: 1);
/// all steps have the given `metrics`.
inline std::vector<Record> iterating_run(const std::map<std::string, double>& metrics = {{"test_rmse", 0.5}}) {
  std::vector<Record> records;
  for (const auto& [algorithm, moments] : std::vector<std::pair<std::string, std::vector<arma::uword>>>{
           {"lbfgs", {500, 1000}}, {"elm", {0}}, {"dec", {2, 10}}}) {
    for (const arma::uword fold : {0u, 1u}) {
      Record record = one_step_record("", algorithm, fold, 20, metrics);
      record.steps.resize(moments.size(), record.steps[0]);
      for (std::size_t i = 0; i < moments.size(); ++i) {
        record.steps[i].iterations = moments[i];
        record.steps[i].total_seconds = std::max(1.0, static_cast<double>(moments[i]));
        record.steps[i].step = {record.steps[i].total_seconds, 0, 1};
      }
      records.push_back(record);
    }
  }
  return records;
}

/// Returns a trial at 20 nodes that reports grid points, each with parameters and test_acc.
inline Record grid_record(const std::string& algorithm, arma::uword fold,
                          const std::vector<std::pair<std::map<std::string, double>, double>>& points) {
  Record record = one_step_record("", algorithm, fold, 20, {});
  record.steps.resize(points.size(), record.steps[0]);
  for (std::size_t i = 0; i < points.size(); ++i) {
    record.steps[i].parameters = points[i].first;
    record.steps[i].metrics["test_acc"] = points[i].second;
  }
  return record;
}

/// Returns two folds of s3elm with three points of mu; each fold chose another point by cross
/// validation; elm with two points of gamma and no choice; op-elm with neither. For s3elm, mu = 1 and 10 have
/// the same mean.
inline std::vector<Record> grid_run() {
  std::vector<Record> records = {
      grid_record("s3elm", 0, {{{{"mu", 10}}, 0.5}, {{{"mu", 1}}, 0.75}, {{{"mu", 0.1}}, 0.5}}),
      grid_record("s3elm", 1, {{{{"mu", 10}}, 0.75}, {{{"mu", 1}}, 0.5}, {{{"mu", 0.1}}, 0.5}}),
      grid_record("elm", 0, {{{{"gamma", 4}}, 0.25}, {{{"gamma", 16}}, 0.375}}),
      grid_record("elm", 1, {{{{"gamma", 4}}, 0.25}, {{{"gamma", 16}}, 0.25}}),
      grid_record("op-elm", 0, {{{}, 0.5}}),
      grid_record("op-elm", 1, {{{}, 0.5}}),
  };
  for (const std::size_t fold : {0u, 1u}) {
    std::vector<StepRecord>& steps = records[fold].steps;
    steps.push_back(steps[2 - fold]);
    steps.back().chosen = "cross validation";
  }
  return records;
}

/// Returns a traced training: one step after the last epoch, at 522 hidden units.
inline Record traced_record(const std::string& algorithm, arma::uword repeat, const std::vector<double>& train_loss,
                            const std::map<std::string, Json>& point = {}) {
  Record record = one_step_record("FNN", algorithm, 0, 522, {});
  record.key += Json(point).dump() + std::to_string(repeat);
  record.dataset = "mnist";
  record.repeat = repeat;
  record.point = point;
  record.steps[0].iterations = train_loss.size();
  record.steps[0].trace["train_loss"] = train_loss;
  if (!train_loss.empty()) record.steps[0].metrics["train_loss"] = train_loss.back();
  return record;
}

/// Returns the same trial, ended at the last value of its trace because that was not finite.
inline Record diverged(Record record) {
  record.status = TrialStatus::numeric("not_finite");
  record.steps.back().status = Status::not_finite;
  record.steps.back().metrics.clear();
  return record;
}

}  // namespace elmx
