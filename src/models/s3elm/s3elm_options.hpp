#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "features/hidden_nodes.hpp"
#include "solvers/sparse/op_elm.hpp"
#include "solvers/sparse/s3elm.hpp"

namespace elmx {

std::vector<std::string> s3elm_algorithm_names();

/// The options of ELMs with one set of random nodes, trained from labelled samples alone (elm, op-elm) or
/// with a graph of all samples (selm, s3elm). Members that are lists are grids: all points are trained and
/// reported, and cross validation on the labelled samples chooses one point.
struct S3elmModelOptions {
  struct Graph {
    std::string kind = "heat";
    std::vector<double> sigma = {0x1p-10, 0x1p-8, 0x1p-6, 0x1p-4, 0x1p-2, 1, 4, 16, 64, 256, 1024};
    std::size_t neighbours = 10;
    bool normalised = false;
    std::optional<bool> unit_norm;

    template <class F>
    void fields(F& field) {
      field("kind", kind,
            "affinities of the samples: exp(-sigma ||x_i - x_j||^2) of all pairs (heat), of nearest neighbours (knn), "
            "or the coefficients of "
            "each sample as a sparse combination of the others (sparse_coding)",
            one_of({"heat", "knn", "sparse_coding"}));
      field("sigma", sigma, "grid of the heat kernel's sigma, it multiplies the squared distance; not of sparse_coding",
            at_least(0));
      field("neighbours", neighbours,
            "knn: a pair is joined where one is among so many nearest neighbours of the other", at_least(1));
      field("normalised", normalised,
            "the normalised Laplacian I - D^-1/2 A D^-1/2, with a zero row for a sample without neighbours, in place "
            "of D - A");
      field("unit_norm", unit_norm,
            "sparse_coding: each sample is divided by its Euclidean norm for the graph, as is usual in sparse "
            "representation; else short samples are left to the columns of the identity, which have norm 1, and long "
            "ones are joined to nearly all others (false)");
    }
  };
  struct Elm {
    std::vector<double> gamma = {0x1p-20, 0x1p-18, 0x1p-16, 0x1p-14, 0x1p-12, 0x1p-10, 0x1p-8,
                                 0x1p-6,  0x1p-4,  0x1p-2,  1,       4,       16,      64,
                                 256,     1024,    0x1p12,  0x1p14,  0x1p16,  0x1p18,  0x1p20};

    template <class F>
    void fields(F& field) {
      field("gamma", gamma, "grid of gamma: the ridge penalty is 1 / gamma", more_than(0));
    }
  };
  struct OpElm {
    std::string ranking = "greedy";
    std::optional<bool> standardise;
    std::string size = "global_min";
    bool bias = false;

    template <class F>
    void fields(F& field) {
      field("ranking", ranking,
            "of the nodes: greedy search by correlation with the residual (11), or least-angle regression (mrsr)",
            one_of({"greedy", "mrsr"}));
      field("standardise", standardise,
            "whether columns and targets are standardised for the ranking; the default is that of mrsr: yes, of "
            "greedy: no");
      field("size", size,
            "number of nodes: least leave-one-out error of all sizes, or down from the largest until it would rise",
            one_of({"global_min", "first_increase"}));
      field("bias", bias, "a column of ones beside the nodes");
    }
  };
  struct Selm {
    std::vector<double> lambda = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
    std::string form = "approximate";

    template <class F>
    void fields(F& field) {
      field("lambda", lambda, "grid of the weight of the graph", more_than(0));
      field("form", form,
            "[(J + lambda L) H]^+ J Y~ as published (approximate), or the minimiser [H'(J + lambda L) H]^+ H'J Y~ "
            "(exact)",
            one_of({"approximate", "exact"}));
    }
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

    template <class F>
    void fields(F& field) {
      field("mu", mu, "grid of mu: weight of the labels against the graph", between(0, 1));
      field("lambda", lambda, "weight of the joint sparse regularisation ||W||_{2,1}", more_than(0));
      field("tau", tau, "weight of labels and graph together", more_than(0));
      field("epsilon", epsilon, "training ends where ||W_new - W||_F^2 is not more", at_least(0));
      field("iterations", iterations, "at most", between(1, 1e9));
      field("prune", prune,
            "nodes whose weights are below prune_below go after each step (threshold), all but the `keep` largest at "
            "the end (topk), or none",
            one_of({"threshold", "topk", "none"}));
      field("prune_below", prune_below, "threshold of ||w_i||", more_than(0));
      field("keep", keep, "topk: where more nodes than these are left, the weights of those kept are fitted to Y again",
            at_least(1));
      field("start", start,
            "W_0: least squares of the labelled samples, of all samples with zeros for labels (padded), or ridge "
            "regression of the labelled ones",
            one_of({"labelled", "padded", "ridge"}));
      field("start_gamma", start_gamma, "ridge: the penalty is 1 / start_gamma", more_than(0));
      field("weight_solver", weight_solver,
            "of a W step: s x s (gram), r x r with r the rank of H (dual), or whichever has fewer flops",
            one_of({"auto", "gram", "dual"}));
      field("variant", variant, "labels Y as unknowns of their own (19), or Y = HW (29)",
            one_of({"free_labels", "hw_equals_y"}));
    }
  };

  std::string family = "s3elm";
  std::vector<std::string> algorithms = {"s3elm"};
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

  template <class F>
  void fields(F& field) {
    field("family", family, "family of models", one_of({"s3elm"}));
    field("algorithms", algorithms, "the algorithms compared, on the same random nodes",
          among(s3elm_algorithm_names()));
    field("activation", activation, "hidden nodes: \"rbf\", exp(-b ||a - x||^2), or an activation of a'x + b",
          among(hidden_node_names()));
    field("weights", weights, "range of the random weights or centres a, uniform");
    field("biases", biases, "range of the random biases or widths b, uniform");
    field("nodes", nodes, "random nodes that are drawn", at_least(1));
    field("graph", graph, "graph of the labelled and unlabelled samples");
    field("elm", elm, "ELM: ridge regression on the labelled samples");
    field("op_elm", op_elm, "OP-ELM: nodes ranked and chosen by leave-one-out on the labelled samples");
    field("selm", selm, "SELM: least squares with the graph");
    field("s3elm", s3elm, "S3ELM: the graph and joint sparse regularisation, which prunes nodes");
    field("cross_validation", cross_validation,
          "parts of the labelled samples (no more than a class has samples) on which the points of a grid are "
          "compared; 0: no point is chosen. "
          "Accuracy decides, between equals the squared error",
          between(0, 1000));
  }

  OpElmOptions op_elm_options() const;
  S3elmOptions s3elm_options() const;

  /// Checks the relations between members. Throws ConfigError with a place below `place`.
  void check(const std::string& place) const;
};

}  // namespace elmx
