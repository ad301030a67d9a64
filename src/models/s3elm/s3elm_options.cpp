#include <fmt/core.h>

#include <algorithm>

#include "features/network_output.hpp"
#include "models/ridge/node_draw_options.hpp"
#include "models/s3elm/s3elm.hpp"
#include "models/s3elm/semi_supervised.hpp"

namespace elmx {
namespace {

void check_grid(const std::vector<double>& values, const std::string& place) {
  if (values.empty()) throw ConfigError(place, "expected at least one number, found []");
  for (const double value : values) {
    if (std::count(values.begin(), values.end(), value) > 1)
      throw ConfigError(place, fmt::format("duplicate value {}; list each value once", Json(value).dump()));
  }
}

/// The sizes of a training.
struct S3elmSizes {
  double n, N, L, C;            // labelled samples, all samples, nodes, outputs
  double r, m;                  // bounds of the ranks of H of all and of the labelled samples
  double sigmas, lambdas, mus;  // values in the grids
  double parts;                 // trainings of each point: on all labelled samples and for cross validation
  double iterations;
  bool dense, spectra;  // the graph joins all pairs; each graph is decomposed once for all values of mu
};

/// In memory: a copy of H and its transpose, the Gram matrix and its factor.
Cost cost_of_ridge(const S3elmSizes& s) {
  return {{s.parts * s.n * s.L * s.m},
          8 * (s.n * s.L + std::max(s.m < s.L ? s.n * s.L + s.m * s.m : 0, 2 * s.m * s.m))};
}

/// Memory: a copy of H, the ranked columns twice, and their basis twice.
Cost cost_of_ranking(const S3elmSizes& s) { return {{2 * s.n * s.n * s.L * s.C}, 8 * (s.n * s.L + 4 * s.n * s.m)}; }

/// In memory: L Q, the basis, and L Q without the labelled samples, twice; B' three times; triangles.
Cost cost_of_selm(const S3elmSizes& s) {
  const double points = s.lambdas * s.r * s.r * (2 * s.n + s.C);
  return {{s.sigmas * (2 * s.N * s.N * s.r + s.parts * (2 * s.N * s.r * s.r + points))},
          8 * (4 * s.N * s.r + 3 * s.L * s.r + 3 * s.r * s.r)};
}

/// Half of the nodes are left on average. Half of the reduction of a graph to tridiagonal form reads the
/// matrix for each column. In memory: the workspace of the eigenvalues; or [Q E] with a copy and its form,
/// twice; or [Q E] and its form, with the columns of the labelled samples, or the system twice, B' and a
/// step.
Cost cost_of_s3elm(const S3elmSizes& s) {
  const double N3 = s.N * s.N * s.N, r2 = s.r * s.r, left = s.L / 2, columns = s.r + s.n;
  const auto step = [&](double nodes) { return std::min(nodes * nodes * nodes / 3, r2 * nodes + r2 * s.r / 3); };
  const double training = r2 * columns + s.iterations * (step(left) + 4 * s.r * left * s.C + 2 * r2 * s.C);
  Cost cost;
  cost += s.sigmas * (s.spectra ? Work{9 * N3, 4 * N3 / 3} : Work{s.dense ? s.mus * N3 / 3 : 0});
  cost.flops += s.sigmas * (2 * s.N * s.N * s.r + s.mus * (s.N * r2 + s.parts * training));
  const double matrix = step(s.L) < s.L * s.L * s.L / 3 ? r2 : s.L * s.L;
  const double system = std::max(r2 + 3 * s.r * s.n + 2 * s.n * s.n, 2 * r2 + s.L * s.r + matrix);
  cost.bytes = 8 * std::max({s.spectra ? 2 * s.N * s.N : 0, (s.spectra ? 1 : 2) * s.N * columns + 2 * columns * columns,
                             (s.N + columns) * columns + system});
  return cost;
}

/// Estimates the numerical rank of smooth functions of d inputs: the number of monomials up to degree 14.
/// Higher degrees are below rounding.
double rank_of_smooth(arma::uword d) {
  double rank = 1;
  for (int i = 1; i <= 14; ++i) rank *= static_cast<double>(d) / i + 1;
  return rank;
}

/// Returns the cost of training on the grid, beside H.
Cost cost_of_grid(const std::string& algorithm, const S3elmSizes& s) {
  if (algorithm == "elm") return cost_of_ridge(s);
  if (algorithm == "op-elm") return cost_of_ranking(s);
  return algorithm == "selm" ? cost_of_selm(s) : cost_of_s3elm(s);
}

}  // namespace

std::vector<AlgorithmInfo> S3elmModelOptions::known_algorithms() const {
  std::vector<AlgorithmInfo> infos{
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
  for (AlgorithmInfo& info : infos) {
    info.symbols = "n labelled of N samples, L nodes of which s are left, r rank of H, C outputs, I iterations";
    info.step = "trains the whole network";
  }
  return infos;
}

void S3elmModelOptions::Graph::fields(FieldVisitor& field) {
  field("kind", kind,
        "affinities of the samples: exp(-sigma ||x_i - x_j||^2) of all pairs (heat), of nearest neighbours (knn), or "
        "the coefficients of each sample as a sparse combination of the others (sparse_coding)",
        one_of({"heat", "knn", "sparse_coding"}));
  field("sigma", sigma, "grid of sigma of the heat kernel, a factor of the squared distance; sparse_coding has none",
        at_least(0));
  field("neighbours", neighbours,
        "knn: number of nearest neighbours; two samples are joined if one is among the neighbours of the other",
        at_least(1));
  field("normalised", normalised,
        "whether the Laplacian is normalised, I - D^-1/2 A D^-1/2 with a zero row for a sample without neighbours, in "
        "place of D - A");
  field("unit_norm", unit_norm,
        "sparse_coding: whether each sample is divided by its Euclidean norm for the graph, as is usual in sparse "
        "representation; otherwise short samples are represented by the columns of the identity, which have norm 1, "
        "and long samples are joined to nearly all others (false)");
}

void S3elmModelOptions::OpElm::fields(FieldVisitor& field) {
  field("ranking", ranking,
        "ranking of the nodes: greedy search by correlation with the residual (11), or least-angle regression (mrsr)",
        one_of({"greedy", "mrsr"}));
  field("standardise", standardise,
        "whether columns and targets are standardised for the ranking; by default true for mrsr and false for greedy");
  field("size", size,
        "choice of the number of nodes: the least leave-one-out error of all sizes (global_min), or the last size "
        "before this error rises, from the largest size down (first_increase)",
        one_of({"global_min", "first_increase"}));
  field("bias", bias, "whether a column of ones stands beside the nodes");
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
  field("tau", tau, "common weight of labels and graph", more_than(0));
  field("epsilon", epsilon, "training ends if ||W_new - W||_F^2 is at most this number", at_least(0));
  field("iterations", iterations, "largest number of iterations", between(1, 1e9));
  field("prune", prune,
        "nodes to remove: those whose weights are below prune_below, after each step (threshold), all but the `keep` "
        "largest at the end (topk), or none",
        one_of({"threshold", "topk", "none"}));
  field("prune_below", prune_below, "threshold of ||w_i|| below which a node is removed", more_than(0));
  field("keep", keep,
        "topk: number of nodes to keep; if more nodes are left, the weights of the kept nodes are fitted to Y again",
        at_least(1));
  field("start", start,
        "W_0: least squares of the labelled samples, of all samples with zeros for labels (padded), or ridge "
        "regression of the labelled ones",
        one_of({"labelled", "padded", "ridge"}));
  field("start_gamma", start_gamma, "ridge: the penalty is 1 / start_gamma", more_than(0));
  field("weight_solver", weight_solver,
        "system of a W step: s x s (gram), r x r with the rank r of H (dual), or the one with fewer flops (auto)",
        one_of({"auto", "gram", "dual"}));
  field("variant", variant, "whether the labels Y are separate unknowns, (19), or Y = HW, (29)",
        one_of({"free_labels", "hw_equals_y"}));
}

void S3elmModelOptions::fields(FieldVisitor& field) {
  first_fields(field, "algorithms to compare, which use the same random nodes");
  field("activation", activation, "hidden nodes: \"rbf\", exp(-b ||a - x||^2), or an activation of a'x + b",
        among(hidden_node_names()));
  field("weights", weights, "range of the random weights or centres a, which are uniform");
  field("biases", biases, "range of the random biases or widths b, which are uniform");
  field("nodes", nodes, "number of random nodes to draw", at_least(1));
  field("graph", graph, "graph of the labelled and unlabelled samples");
  field("elm", elm, "ELM: ridge regression on the labelled samples");
  field("op_elm", op_elm, "OP-ELM: nodes ranked and chosen by leave-one-out on the labelled samples");
  field("selm", selm, "SELM: least squares with the graph");
  field("s3elm", s3elm, "S3ELM: the graph and joint sparse regularisation, which prunes nodes");
  field("cross_validation", cross_validation,
        "number of parts of the labelled samples (at most the samples of a class) for the cross validation that "
        "chooses a point of a grid by accuracy, then by squared error; 0: no point is chosen",
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
  check_algorithms(place);
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

Cost S3elmModelOptions::cost(std::size_t, const Sizes& sizes) const {
  const auto real = [](std::size_t count) { return static_cast<double>(count); };
  const double n = real(sizes.train), N = n + real(sizes.unlabelled), L = real(nodes), C = real(sizes.outputs),
               r = std::min(N, L), smallest_class = n / std::max(C, 2.0);  // bounds the parts
  const bool coded = graph.kind == "sparse_coding", dense = graph.kind != "knn";
  const S3elmSizes s{.n = n,
                     .N = N,
                     .L = L,
                     .C = C,
                     .r = r,
                     .m = std::min(n, L),
                     .sigmas = coded ? 1 : real(graph.sigma.size()),
                     .lambdas = real(selm.lambda.size()),
                     .mus = real(s3elm.mu.size()),
                     .parts = 1 + std::min(real(cross_validation), smallest_class),
                     .iterations = 0.5 * real(s3elm.iterations),  // as a rule; only the data decide it
                     .dense = dense,
                     .spectra = dense && s3elm.mu.size() >= kSpectralFrom};
  S3elmSizes smooth = s;  // the rank for time; memory must suffice for every rank
  smooth.r = std::min(r, rank_of_smooth(sizes.inputs));
  Cost cost;
  double work = 8 * (n * L + numbers_at_once(std::max({sizes.train, sizes.test, sizes.unlabelled}), L));
  double graphs = 0;  // matrices of N x N that are kept for each sigma
  for (const std::string& algorithm : algorithms) {
    const bool uses_graph = algorithm == "selm" || algorithm == "s3elm";
    Cost one = cost_of_grid(algorithm, s);
    static_cast<Work&>(one) = cost_of_grid(algorithm, smooth);
    cost += one;
    const double points = uses_graph ? s.sigmas * std::max(s.lambdas, s.mus) : real(elm.gamma.size());
    work = std::max(work, one.bytes + 8 * points * L * C);  // the weights of all points are kept
    // the Laplacian, and for S3ELM its spectrum or a factor for each value of mu
    if (uses_graph) graphs = std::max(graphs, algorithm != "s3elm" ? 1 : s.spectra ? 2 : 1 + s.mus);
  }
  if (graphs > 0) {
    cost.flops += 4 * N * L * r;
    cost.drawn_bytes = 8 * (L * L + (N + L) * r);                    // H'H and the basis of H
    const double sparse = 2 * (2 * real(graph.neighbours) + 1) * N;  // numbers and their rows
    cost.shared_bytes = cost.drawn_bytes + 8 * s.sigmas * (dense ? graphs * N * N : sparse);
    // H, its factorisation and a copy of Q; distances or coefficients beside the Laplacian
    work = std::max({work, 8 * (2 * N * L + N * r), dense ? 8 * (coded ? 2 : 1) * N * N : 0});
  }
  cost.bytes = 8 * n * L + work;
  return cost;
}

}  // namespace elmx
