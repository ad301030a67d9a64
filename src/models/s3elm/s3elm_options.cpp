#include <fmt/core.h>

#include <algorithm>

#include "models/ridge/node_draw_options.hpp"
#include "models/s3elm/s3elm.hpp"

namespace elmx {
namespace {

void check_grid(const std::vector<double>& values, const std::string& place) {
  if (values.empty()) throw ConfigError(place, "expected at least one number, found []");
  for (const double value : values) {
    if (std::count(values.begin(), values.end(), value) > 1)
      throw ConfigError(place, fmt::format("duplicate value {}; list each value once", Json(value).dump()));
  }
}

}  // namespace

std::vector<AlgorithmInfo> s3elm_algorithms() {
  std::vector<AlgorithmInfo> rows{
      {.name = "elm",
       .summary = "ridge regression on the labelled samples: the original ELM",
       .intermediate_flops = "n L min(n, L)"},
      {.name = "op-elm",
       .summary = "nodes ranked and chosen by leave-one-out on the labelled samples: optimally pruned ELM",
       .intermediate_flops = "2 n^2 L C",
       .ridge_solution = false},
      {.name = "selm",
       .summary = "least squares on the labelled samples, smooth on the graph: semi-supervised ELM",
       .intermediate_flops = "2 N^2 r + 2 N r^2",
       .ridge_solution = false},
      {.name = "s3elm",
       .summary = "labels of all samples and weights in turn, joint sparse regularisation prunes nodes: sparse "
                  "semi-supervised ELM",
       .intermediate_flops = "9 N^3 + 2 N^2 r + N r^2 + I min(s^3 / 3, r^2 s + r^3 / 3)",
       .ridge_solution = false},
  };
  for (AlgorithmInfo& row : rows) {
    row.symbols = "n labelled of N samples, L nodes of which s are left, r rank of H, C outputs, I iterations";
    row.step = "trains the whole network";
  }
  return rows;
}

void S3elmModelOptions::Graph::fields(FieldVisitor& field) {
  field("kind", kind,
        "affinities of the samples: exp(-sigma ||x_i - x_j||^2) of all pairs (heat), of nearest neighbours (knn), or "
        "the coefficients of each sample as a sparse combination of the others (sparse_coding)",
        one_of({"heat", "knn", "sparse_coding"}));
  field("sigma", sigma, "grid of the heat kernel's sigma, it multiplies the squared distance; not of sparse_coding",
        at_least(0));
  field("neighbours", neighbours, "knn: a pair is joined where one is among so many nearest neighbours of the other",
        at_least(1));
  field("normalised", normalised,
        "the normalised Laplacian I - D^-1/2 A D^-1/2, with a zero row for a sample without neighbours, in place of D "
        "- A");
  field("unit_norm", unit_norm,
        "sparse_coding: each sample is divided by its Euclidean norm for the graph, as is usual in sparse "
        "representation; else short samples are left to the columns of the identity, which have norm 1, and long ones "
        "are joined to nearly all others (false)");
}

void S3elmModelOptions::OpElm::fields(FieldVisitor& field) {
  field("ranking", ranking,
        "of the nodes: greedy search by correlation with the residual (11), or least-angle regression (mrsr)",
        one_of({"greedy", "mrsr"}));
  field(
      "standardise", standardise,
      "whether columns and targets are standardised for the ranking; the default is that of mrsr: yes, of greedy: no");
  field("size", size,
        "number of nodes: least leave-one-out error of all sizes, or down from the largest until it would rise",
        one_of({"global_min", "first_increase"}));
  field("bias", bias, "a column of ones beside the nodes");
}

void S3elmModelOptions::Selm::fields(FieldVisitor& field) {
  field("lambda", lambda, "grid of the weight of the graph", more_than(0));
  field("form", form,
        "[(J + lambda L) H]^+ J Y~ as published (approximate), or the minimiser [H'(J + lambda L) H]^+ H'J Y~ (exact)",
        one_of({"approximate", "exact"}));
}

void S3elmModelOptions::S3elm::fields(FieldVisitor& field) {
  field("mu", mu, "grid of mu: weight of the labels against the graph", between(0, 1));
  field("lambda", lambda, "weight of the joint sparse regularisation ||W||_{2,1}", more_than(0));
  field("tau", tau, "weight of labels and graph together", more_than(0));
  field("epsilon", epsilon, "training ends where ||W_new - W||_F^2 is not more", at_least(0));
  field("iterations", iterations, "at most", between(1, 1e9));
  field("prune", prune,
        "nodes whose weights are below prune_below go after each step (threshold), all but the `keep` largest at the "
        "end (topk), or none",
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

void S3elmModelOptions::fields(FieldVisitor& field) {
  first_fields(field, "the algorithms compared, on the same random nodes", names_of(s3elm_algorithms()));
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
        "parts of the labelled samples (no more than a class has samples) on which the points of a grid are compared; "
        "0: no point is chosen. Accuracy decides, between equals the squared error",
        between(0, 1000));
}

OpElmOptions S3elmModelOptions::op_elm_options() const {
  const bool mrsr = op_elm.ranking == "mrsr";
  return {mrsr, op_elm.standardise.value_or(mrsr), op_elm.bias,
          op_elm.size == "global_min" ? SizeRule::global_minimum : SizeRule::first_increase};
}

S3elmOptions S3elmModelOptions::s3elm_options() const {
  S3elmOptions options;
  options.lambda = s3elm.lambda;
  options.epsilon = s3elm.epsilon;
  options.iterations = s3elm.iterations;
  options.prune_below = s3elm.prune == "threshold" ? s3elm.prune_below : 0;
  options.keep = s3elm.prune == "topk" ? s3elm.keep : 0;
  options.solver = s3elm.weight_solver == "auto"   ? WeightSolver::automatic
                   : s3elm.weight_solver == "gram" ? WeightSolver::gram
                                                   : WeightSolver::dual;
  return options;
}

void S3elmModelOptions::check(const std::string& place) const {
  check_algorithms(names_of(s3elm_algorithms()), place);
  check_hidden_nodes(activation, hidden_node_names(), biases, false, place);
  check_range(weights, place + "/weights");
  check_range(biases, place + "/biases");
  refuse_options_of_others({{"unit_norm", graph.unit_norm.has_value(), {"sparse_coding"}}}, graph.kind,
                           place + "/graph", "has no effect with kind");
  check_grid(graph.sigma, place + "/graph/sigma");
  check_grid(elm.gamma, place + "/elm/gamma");
  check_grid(selm.lambda, place + "/selm/lambda");
  check_grid(s3elm.mu, place + "/s3elm/mu");
  if (std::ranges::count(s3elm.mu, 0) > 0)
    throw ConfigError(place + "/s3elm/mu", "expected numbers > 0 and <= 1, found 0, which gives the labels no weight");
  if (cross_validation == 1)
    throw ConfigError(place + "/cross_validation", "expected 0 (none) or a number of parts >= 2, found 1");
}

}  // namespace elmx
