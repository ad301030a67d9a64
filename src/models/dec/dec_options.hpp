#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/fields.hpp"
#include "nets/perceptron/decomposition.hpp"

namespace elmx {

std::vector<std::string> dec_algorithm_names();

/// The options of single-hidden-layer perceptrons of given sizes, trained by decomposition, by L-BFGS on all
/// weights, or as an ELM.
struct DecOptions {
  struct Armijo {
    double first = 1;
    double decrease = 1e-4;
    double reduction = 0.5;
    std::size_t trials = 60;

    template <class F>
    void fields(F& field) {
      field("first", first, "first step length (the paper's a)", more_than(0));
      field("decrease", decrease, "sufficient decrease (gamma)", between(0, 1));
      field("reduction", reduction, "factor from one trial to the next (delta)", between(0, 1));
      field("trials", trials, "at most; then the unit stays where it is", between(1, 1e4));
    }
  };
  struct Inner {
    std::string method = "lbfgs";
    std::string start = "armijo";
    std::size_t iterations = 100;
    double accuracy = 1e-2;
    bool test_at_start = true;
    std::string first_step = "armijo";

    template <class F>
    void fields(F& field) {
      field("method", method, "minimisation of a unit beyond the Armijo point", one_of({"lbfgs", "none"}));
      field("start", start, "where it begins (the paper does not say)", one_of({"armijo", "current"}));
      field("iterations", iterations, "at most", between(1, 1e9));
      field("accuracy", accuracy, "it ends where ||gradient|| <= accuracy max(1, ||w||)", at_least(0));
      field("test_at_start", test_at_start,
            "whether that test is made before the first iteration too; the published Fortran routine of L-BFGS makes "
            "it only behind an iteration");
      field("first_step", first_step,
            "length of its first trial step: that of the Armijo step, or 1, as in the Fortran routine",
            one_of({"armijo", "unit"}));
    }
  };
  struct Cg {
    double tolerance = 1e-6;
    std::size_t iterations = 0;
    std::string stop = "normal";
    double xi = 0;

    template <class F>
    void fields(F& field) {
      field("tolerance", tolerance, "of the stopping test", more_than(0));
      field("iterations", iterations, "at most, for each output; 0 = ten times the hidden units", between(0, 1e9));
      field("stop", stop,
            "by the residual of the normal equations, or (literal) of the least-squares problem as (38) is printed, "
            "which cannot vanish",
            one_of({"normal", "literal"}));
      field("xi", xi, "where not 0, go on until ||gradient|| <= xi^k as well, k = block steps so far", between(0, 1));
    }
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
    Armijo armijo;
    Inner inner;
    std::string lambda_solver = "cholesky";
    Cg cg;

    template <class F>
    void fields(F& field) {
      field("report", report,
            "values of maxiter that are reported, the largest is the end: [2, 10] gives DEC(2) and DEC(10) of one "
            "training",
            at_least(1));
      field("counts", counts,
            "what maxiter counts: minimisations over all output weights (the paper's text), or steps of one block (its "
            "pseudo-code)",
            one_of({"full_lambda", "inner_pass"}));
      field("scheme", scheme, "the index sets J^k and L^k", one_of(scheme_names()));
      field("order", order,
            "in which a sweep takes the units: as they are (given, the default), to and fro (alternating), in an order "
            "drawn anew for each sweep (random), or the largest gradient first (gradient)",
            one_of(unit_order_names()));
      field("block", block, "output weights in a block of block_lambda", at_least(1));
      field("theta", theta,
            "a unit is left alone where the norm of its gradient is at most theta^k, k = block steps so far",
            between(0, 1));
      field("tau", tau, "of test (26) that an L-BFGS point has to pass", at_least(0));
      field("gradient_tolerance", gradient_tolerance,
            "training ends early where the norm of the whole gradient is at most this; 0 = never", at_least(0));
      field("armijo", armijo, "step along the negative gradient of a unit (Algorithm 2)");
      field("inner", inner, "minimisation of a unit");
      field("lambda_solver", lambda_solver, "of the output weights; cg is the paper's, cholesky and qr are exact",
            one_of({"cholesky", "qr", "cg"}));
      field("cg", cg, "conjugate gradients");
    }
  };
  struct Lbfgs {
    std::vector<std::size_t> report = {500};

    template <class F>
    void fields(F& field) {
      field("report", report, "iterations that are reported, the largest is the end", at_least(1));
    }
  };

  struct Elm {
    std::optional<double> rcond;

    template <class F>
    void fields(F& field) {
      field("rcond", rcond,
            "singular values of the hidden outputs that are at most this part of the largest count as 0; 0, the "
            "default: machine precision times the longer side",
            between(0, 1));
    }
  };

  std::string family = "dec";
  std::vector<std::string> algorithms = {"dec"};
  std::vector<std::size_t> nodes = {20};
  std::vector<double> weights = {-0.5, 0.5};
  double tau_lambda = 1e-3;
  double tau_w = 1e-2;
  std::size_t memory = 5;
  Dec dec;
  Lbfgs lbfgs;
  Elm elm;

  template <class F>
  void fields(F& field) {
    field("family", family, "family of models", one_of({"dec"}));
    field("algorithms", algorithms, "the algorithms compared, from the same random weights",
          among(dec_algorithm_names()));
    field("nodes", nodes, "hidden units; each size is trained anew", at_least(1));
    field("weights", weights, "range of the random weights, thresholds included, uniform");
    field("tau_lambda", tau_lambda, "penalty on the output weights", more_than(0));
    field(
        "tau_w", tau_w,
        "penalty on the input weights times their number: each has tau_w / (n N), n inputs with the threshold, N units",
        at_least(0));
    field("memory", memory, "pairs kept by L-BFGS", between(1, 1000));
    field("dec", dec, "decomposition training");
    field("lbfgs", lbfgs, "L-BFGS on all weights");
    field("elm", elm, "ELM: output weights of minimum norm");
  }

  /// Returns the sizes in increasing order.
  std::vector<std::size_t> sizes() const;

  /// Returns false if "dec" reports output weights that are not the minimum for its hidden units: after some
  /// schemes, after steps of one block, and with conjugate gradients, which stop earlier. Other algorithms
  /// follow DecAlgorithm::ridge_solution.
  bool solves_ridge_problem(std::string_view algorithm) const;

  /// Returns the options of the solver; `rng` draws a random order of the units.
  DecompositionOptions decomposition(const Rng& rng) const;

  /// Checks the relations between members. Throws ConfigError with a place below `place`.
  void check(const std::string& place) const;
};

}  // namespace elmx
