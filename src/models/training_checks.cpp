#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "features/activation.hpp"
#include "models/rls/rls_network.hpp"
#include "models/solver_checks.hpp"
#include "nets/optimisers/lbfgs.hpp"
#include "nets/perceptron/decomposition.hpp"
#include "solvers/sparse/joint_sparse.hpp"

namespace elmx {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// Returns ||found - exact|| in units of eps ||scale||.
double distance(const arma::mat& found, const arma::mat& exact, const arma::mat& scale, double eps = kEps) {
  return plain_norm(found - exact) / (eps * plain_norm(scale));
}

// Activations

long double exact_activation(Activation activation, long double v) {
  switch (activation) {
    case Activation::gaussian:
      return std::exp(-v * v);
    case Activation::sigmoid:
      return 1 / (1 + std::exp(-v));
    case Activation::hardlim:
      return v >= 0 ? 1 : 0;
    case Activation::triangular:
      return std::max(0.0L, 1 - std::abs(v));
    case Activation::sine:
      return std::sin(v);
    case Activation::linear:
      return v;
    case Activation::tanh:
      return std::tanh(v);
    case Activation::relu:
      return std::max(0.0L, v);
  }
  return std::numeric_limits<long double>::quiet_NaN();
}

/// Checks f(v + bias) at 1003 points. The limit allows for a v + bias that is rounded.
template <class T>
void check_activation(const ActivationInfo& row, const std::string& precision, CheckGroup& group) {
  constexpr long double eps = std::numeric_limits<T>::epsilon();
  constexpr std::size_t n = 1003;  // no multiple of the length of a vector
  const T bias = T(0.375);
  std::vector<T> v(n), found(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<T>(6 * std::sin(static_cast<double>(i)));
  found = v;
  activate(row.activation, found.data(), n, bias);
  long double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const long double t = v[i] + bias, exact = exact_activation(row.activation, t),
                      moved = std::abs(exact_activation(row.activation, t * (1 + eps)) - exact);
    const long double error = std::abs(static_cast<long double>(found[i]) - exact);
    largest = std::max(largest, error == 0 ? 0 : error / (eps * std::abs(exact) + moved));
  }
  group.add(fmt::format("{}, {}", row.name, precision), fmt::format("{} values", n), static_cast<double>(largest));
}

CheckGroup check_activations() {
  CheckGroup group{.name = "activations"};
  for (const ActivationInfo& row : activations()) {
    check_activation<double>(row, "double", group);
    check_activation<float>(row, "single", group);
  }
  return group;
}

// Networks with one hidden layer

struct SmallPerceptron {
  arma::mat X = random_entries(60, 4, 50), Y = random_entries(60, 2, 51);
  PerceptronProblem problem{View<const double>(X), View<const double>(Y), 0.02, 0.03};
  arma::mat W = random_entries(4, 5, 52), Lambda = random_entries(5, 2, 53);

  /// Returns E by its definition (5), and its gradients (9), (11).
  double error(arma::mat& of_W, arma::mat& of_Lambda) const {
    arma::mat H = plain_product(X, W);
    H.transform([](double t) { return 1 / (1 + std::exp(-t)); });
    const arma::mat R = plain_product(H, Lambda) - Y;
    of_Lambda = plain_product(H.t(), R) + problem.tau_lambda * Lambda;
    of_W = plain_product(X.t(), plain_product(R, Lambda.t()) % H % (1 - H)) + problem.tau_w * W;
    return (std::pow(plain_norm(R), 2) + problem.tau_lambda * std::pow(plain_norm(Lambda), 2) +
            problem.tau_w * std::pow(plain_norm(W), 2)) /
           2;
  }
};

void check_perceptron(CheckGroup& group) {
  SmallPerceptron net;
  arma::mat of_W, of_Lambda, found_W(4, 5), found_Lambda(5, 2);
  const double start = net.error(of_W, of_Lambda);
  const double found = error_and_gradient(net.problem, View<const double>(net.W), View<const double>(net.Lambda),
                                          View<double>(found_W), View<double>(found_Lambda));
  group.add("error of a perceptron", "60 samples", std::abs(found - start) / (kEps * start));
  group.add("gradient of a perceptron", "60 samples",
            std::max(distance(found_W, of_W, net.Y), distance(found_Lambda, of_Lambda, net.Y)));

  constexpr double kAccuracy = 1e-6;
  const Objective objective = [&](const double* x, double* gradient) {
    return error_and_gradient(net.problem, View<const double>(x, 4, 5, 4), View<const double>(x + 20, 5, 2, 5),
                              View<double>(gradient, 4, 5, 4), View<double>(gradient + 20, 5, 2, 5));
  };
  arma::vec x = arma::join_cols(arma::vectorise(net.W), arma::vectorise(net.Lambda));
  const LbfgsSummary end = minimise_lbfgs(objective, x, {.iterations = 2000, .accuracy = kAccuracy});
  SmallPerceptron trained;
  trained.W = arma::reshape(x.head(20), 4, 5);
  trained.Lambda = arma::reshape(x.tail(10), 5, 2);
  const double least = trained.error(of_W, of_Lambda);
  group.add("L-BFGS", "its last gradient",
            end.stop == LbfgsStop::converged && least < start &&
                std::hypot(plain_norm(of_W), plain_norm(of_Lambda)) <= 1.01 * kAccuracy * std::max(1.0, plain_norm(x)));

  Decomposition dec(net.problem, net.W, net.Lambda, scheme_from("dec", 5, 5), {});
  double before = start;
  for (int step = 0; step < 20; ++step) {
    const bool ok = dec.major_step() == Status::ok;
    trained.W = dec.W();
    trained.Lambda = dec.Lambda();
    const double now = trained.error(of_W, of_Lambda);
    group.add("decomposition", fmt::format("error after major step {}", step + 1),
              ok && now <= before * (1 + 10 * kEps) && std::abs(dec.error() - now) <= 100 * kEps * now);
    before = now;
  }
}

// Deep networks

/// Checks three updates of Theta against the formula for each entry. Formula: T(gradient, step), which keeps
/// its own state for each entry.
template <class T, class Update>
void check_optimiser(const std::string& name, Optimiser<T>& optimiser, Parameter<T>& parameter, Update update,
                     CheckGroup& group) {
  constexpr double eps = std::numeric_limits<T>::epsilon();
  arma::mat expected = arma::conv_to<arma::mat>::from(parameter.Theta);
  for (std::size_t step = 1; step <= 3; ++step) {
    parameter.D = arma::conv_to<arma::Mat<T>>::from(random_entries(7, 5, static_cast<std::uint32_t>(60 + step)));
    for (uword i = 0; i < expected.n_elem; ++i)
      expected(i) += update(i, static_cast<double>(parameter.D(i)), static_cast<double>(step));
    optimiser.update(parameter, T(1), step);
  }
  group.add(fmt::format("{}, {}", name, sizeof(T) == 8 ? "double" : "single"), "three steps",
            distance(arma::conv_to<arma::mat>::from(parameter.Theta), expected, expected, eps));
}

template <class T>
void check_optimisers(CheckGroup& group) {
  Parameter<T> parameter;
  parameter.Theta = arma::conv_to<arma::Mat<T>>::from(random_entries(7, 5, 60));
  const SgdOptions sgd;
  Sgd<T> by_sgd(sgd, parameter);
  std::array<double, 35> omega{}, m{}, v{};
  check_optimiser<T>(
      "SGD", by_sgd, parameter,
      [&](uword i, double g, double) { return omega[i] = sgd.momentum * omega[i] - sgd.rate * g; }, group);
  const AdamOptions adam;
  Adam<T> by_adam(adam, parameter);
  check_optimiser<T>(
      "Adam", by_adam, parameter,
      [&](uword i, double g, double s) {
        m[i] = adam.beta1 * m[i] + (1 - adam.beta1) * g;
        v[i] = adam.beta2 * v[i] + (1 - adam.beta2) * g * g;
        return -adam.rate / (1 - std::pow(adam.beta1, s)) * m[i] /
               (std::sqrt(v[i] / (1 - std::pow(adam.beta2, s))) + adam.epsilon);
      },
      group);
}

/// Compares <D, E> with (J(Theta + h E) - J(Theta - h E)) / 2h for a random E: the error is O(h^2).
void check_gradient(const std::string& name, const RlsModelOptions& options, const arma::mat& X,
                    const arma::mat& targets, CheckGroup& group) {
  constexpr double h = 1e-5, kMost = 1e-6;
  const uword samples = targets.n_rows, steps = options.input.steps;
  Rng rng(5, Purpose::layer);
  const auto plan = plan_network(options, X.n_cols * steps, targets.n_cols, "");
  Network<double> network = build_network(plan, draw_parameters<double>(plan, rng));
  const Loss<double> loss(options.loss_kind());
  const arma::mat input = arma::join_rows(X, arma::vec(X.n_rows, arma::fill::ones));
  arma::mat dZ(targets.n_rows, targets.n_cols);
  const auto value = [&] {
    const View<const double> Z = network.forward(View<const double>(input), samples);
    return loss.evaluate(Z.block(0, 0, targets.n_rows, targets.n_cols), View<const double>(targets), samples,
                         View<double>(dZ));
  };
  value();
  network.backward(View<double>(dZ));
  std::uint32_t stream = 70;
  for (Parameter<double>* parameter : network.parameters()) {
    const arma::mat Theta = parameter->Theta, D = parameter->D;
    const arma::mat E = random_entries(Theta.n_rows, Theta.n_cols, stream++);
    parameter->Theta = Theta + h * E;
    const double above = value();
    parameter->Theta = Theta - h * E;
    const double below = value();
    parameter->Theta = Theta;
    const double slope = (above - below) / (2 * h);
    group.add(name, "parameter " + parameter->name,
              std::abs(arma::accu(D % E) - slope) <= kMost * plain_norm(D) * plain_norm(E));
  }
}

void check_deep_networks(CheckGroup& group) {
  RlsModelOptions images;
  images.precision = "double";
  images.input = {.channels = 2, .rows = 6, .cols = 6};
  images.layers = {
      {.kind = "convolution", .nodes = 3, .activation = "tanh", .kernel = std::vector<std::size_t>{3, 3}, .padding = 1},
      {.kind = "max_pool", .kernel = std::vector<std::size_t>{2, 2}},
      {.kind = "dense", .nodes = 6, .activation = "tanh"}};
  check_gradient("convolution, pooling and dense layers", images, random_entries(8, 72, 80), random_entries(8, 3, 81),
                 group);
  for (const char* kind : {"recurrent", "lstm"}) {
    RlsModelOptions sequences;
    sequences.precision = "double";
    sequences.input = {.steps = 4};
    sequences.layers = {{.kind = kind, .nodes = 5}};
    check_gradient(fmt::format("{} layer", kind), sequences, random_entries(4 * 8, 3, 82), random_entries(8, 2, 83),
                   group);
  }
}

// Sparse nodes

/// Checks one reweighted step (27), (28): (B'B + lambda U) W = B'Z, with U of the W before.
void check_sparse_nodes(CheckGroup& group) {
  const arma::mat B = random_entries(12, 9, 90), W = random_entries(9, 2, 91), Z = random_entries(12, 2, 92);
  constexpr double lambda = 0.1;
  arma::mat U(9, 9, arma::fill::zeros);
  for (uword i = 0; i < 9; ++i) U(i, i) = 1 / (2 * plain_norm(W.row(i)));
  for (const WeightSolver solver : {WeightSolver::gram, WeightSolver::dual}) {
    JointSparse sparse(B.t(), W, lambda, solver);
    const bool ok = sparse.step(Z) == Status::ok;
    const arma::mat left =
        plain_product(B.t(), plain_product(B, sparse.W()) - Z) + lambda * plain_product(U, sparse.W());
    group.add(solver == WeightSolver::gram ? "sparse nodes, gram" : "sparse nodes, dual", "one step",
              ok ? plain_norm(left) / (kEps * plain_norm(B) * plain_norm(Z)) : arma::datum::inf);
  }
}

}  // namespace

std::vector<CheckGroup> check_training() {
  CheckGroup training{.name = "training in steps"};
  check_perceptron(training);
  check_optimisers<double>(training);
  check_optimisers<float>(training);
  check_deep_networks(training);
  check_sparse_nodes(training);
  return {check_activations(), training};
}

}  // namespace elmx
