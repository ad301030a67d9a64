#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.hpp"
#include "models/model.hpp"
#include "models/trainer.hpp"
#include "nets/perceptron/decomposition.hpp"

namespace elmx {

/// The options of single-hidden-layer perceptrons of given sizes, trained by decomposition, by L-BFGS on all
/// weights, or as an ELM.
struct DecOptions : Model {
  struct Inner {
    std::string method = "lbfgs";
    std::string start = "armijo";
    std::size_t iterations = 100;
    double accuracy = 1e-2;
    bool test_at_start = true;
    std::string first_step = "armijo";

    void fields(FieldVisitor& field);
  };
  struct Cg {
    double tolerance = 1e-6;
    std::size_t iterations = 0;
    std::string stop = "normal";
    double xi = 0;

    void fields(FieldVisitor& field);
  };
  struct Dec {
    std::vector<std::size_t> report = {2, 10};
    std::string counts = "full_lambda";
    std::string scheme = "dec";
    std::optional<std::string> order;
    std::size_t block = 10;
    double theta = 1e-3;
    double tau = 1e-6;
    double gradient_tolerance = 0;
    ArmijoOptions armijo;
    Inner inner;
    std::string lambda_solver = "cholesky";
    Cg cg;

    void fields(FieldVisitor& field);
  };
  struct Lbfgs {
    std::vector<std::size_t> report = {500};

    void fields(FieldVisitor& field) {
      field("report", report, "iterations at which results are reported; training ends at the largest", at_least(1));
    }
  };

  struct Elm {
    std::optional<double> rcond;

    void fields(FieldVisitor& field) {
      field("rcond", rcond,
            "singular values of the hidden outputs count as 0 up to this fraction of the largest; 0, the default: "
            "machine precision times the longer side",
            between(0, 1));
    }
  };

  std::vector<std::size_t> nodes = {20};
  std::vector<double> weights = {-0.5, 0.5};
  double tau_lambda = 1e-3;
  double tau_w = 1e-2;
  std::size_t memory = 5;
  Dec dec;
  Lbfgs lbfgs;
  Elm elm;

  DecOptions() : Model("dec", {"dec"}) {}

  /// Returns the options of the solver; `rng` draws a random order of the units.
  DecompositionOptions decomposition(const Rng& rng) const;

  std::vector<AlgorithmInfo> known_algorithms() const override;
  void fields(FieldVisitor& field) override;
  void check(const std::string& place) const override;
  std::vector<std::size_t> sizes() const override;
  /// Returns false if "dec" reports output weights that are not the minimum for its hidden units: after some
  /// schemes, after steps of one block, and with conjugate gradients, which stop earlier. Other algorithms
  /// follow AlgorithmInfo::ridge_solution.
  bool solves_ridge_problem(std::string_view algorithm) const override;
  Cost cost(std::size_t models, const Sizes& sizes) const override;
  std::unique_ptr<Predictor> restore(const TrainedNetwork& network, const NetworkShape& shape) const override;
};

/// Trains perceptrons with one hidden layer, each algorithm and each size from the same random weights. Takes
/// one model, since models share nothing. Memory: P x n numbers for the inputs, P (N + 2 C) for the running
/// algorithm.
std::unique_ptr<Trainer> make_dec(const std::vector<DecOptions>& models, FoldView fold, const Rng& rng);

}  // namespace elmx
