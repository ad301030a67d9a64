#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "features/hidden_nodes.hpp"
#include "models/model.hpp"
#include "models/trainer.hpp"
#include "solvers/sparse/op_elm.hpp"
#include "solvers/sparse/s3elm.hpp"

namespace elmx {

/// The options of ELMs with one set of random nodes, trained from labelled samples alone (elm, op-elm) or
/// with a graph of all samples (selm, s3elm). Members that are lists are grids: all points are trained and
/// reported, and cross validation on the labelled samples chooses one point.
struct S3elmModelOptions : Model {
  struct Graph {
    std::string kind = "heat";
    std::vector<double> sigma = {0x1p-10, 0x1p-8, 0x1p-6, 0x1p-4, 0x1p-2, 1, 4, 16, 64, 256, 1024};
    std::size_t neighbours = 10;
    bool normalised = false;
    std::optional<bool> unit_norm;

    void fields(FieldVisitor& field);
  };
  struct Elm {
    std::vector<double> gamma = {0x1p-20, 0x1p-18, 0x1p-16, 0x1p-14, 0x1p-12, 0x1p-10, 0x1p-8,
                                 0x1p-6,  0x1p-4,  0x1p-2,  1,       4,       16,      64,
                                 256,     1024,    0x1p12,  0x1p14,  0x1p16,  0x1p18,  0x1p20};

    void fields(FieldVisitor& field) {
      field("gamma", gamma, "grid of gamma: the ridge penalty is 1 / gamma", more_than(0));
    }
  };
  struct OpElm {
    std::string ranking = "greedy";
    std::optional<bool> standardise;
    std::string size = "global_min";
    bool bias = false;

    void fields(FieldVisitor& field);
  };
  struct Selm {
    std::vector<double> lambda = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
    std::string form = "approximate";

    void fields(FieldVisitor& field);
  };
  struct S3elm {
    std::vector<double> mu = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
    double lambda = 1e-4;
    double tau = 200;
    double epsilon = 1e-5;
    std::size_t iterations = 200;
    std::string prune = "threshold";
    double prune_below = 1e-5;
    std::size_t keep = 50;
    std::string start = "labelled";
    double start_gamma = 1;
    std::string weight_solver = "auto";
    std::string variant = "free_labels";

    void fields(FieldVisitor& field);
  };

  std::string activation = "sigmoid";
  std::vector<double> weights = {0, 1};
  std::vector<double> biases = {0, 1};
  std::size_t nodes = 1000;
  Graph graph;
  Elm elm;
  OpElm op_elm;
  Selm selm;
  S3elm s3elm;
  std::size_t cross_validation = 2;

  S3elmModelOptions() : Model("s3elm", {"s3elm"}) {}

  OpElmOptions op_elm_options() const;
  S3elmOptions s3elm_options() const;

  std::vector<AlgorithmInfo> known_algorithms() const override;
  void fields(FieldVisitor& field) override;
  void check(const std::string& place) const override;
  Cost cost(std::size_t models, const Sizes& sizes) const override;
  std::unique_ptr<Predictor> restore(const TrainedNetwork& network, const NetworkShape& shape) const override;
};

/// Trains ELM, OP-ELM, SELM and S3ELM on the same random nodes. Every point of the grid of an algorithm is a
/// checkpoint, and the point that cross validation on the labelled samples prefers is a further checkpoint,
/// with `chosen`. Data of the samples (graphs and their spectra) and of samples and nodes (H and a basis of
/// its range) are kept in FoldView::shared, and count in full in the times of every trial. Takes one model,
/// since models share nothing else.
std::unique_ptr<Trainer> make_s3elm(const std::vector<S3elmModelOptions>& models, FoldView fold, const Rng& rng);

}  // namespace elmx
