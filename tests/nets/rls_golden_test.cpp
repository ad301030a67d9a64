#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/training.hpp"

namespace elmx {
namespace {

struct NetGolden : StoredValues {
  explicit NetGolden(const std::string& name) : StoredValues("nets", name) {}

  double option(const char* key, double otherwise) const {
    return input.contains(key) ? input[key].get<double>() : otherwise;
  }

  /// eta is that of the hidden layers; the output layer has 1.
  RlsOptions rls(bool output) const {
    RlsOptions options;
    options.forgetting = option("lambda", 1);
    options.k = option("k", 0.1);
    options.eta = output ? 1 : option("eta", 1);
    options.momentum = option("alpha", 0);
    options.l1 = option("gamma", 0);
    return options;
  }
  ClipOptions clip() const { return {option("clip", 0), false}; }

  /// A stored value where there is one of this name.
  void expect(const Json& step, const std::string& name, const arma::mat& found) const {
    if (!step.contains(name)) return;
    EXPECT_TRUE(agrees(found, step[name][0].is_array() ? matrix_from(step[name]) : vector_from(step[name]))) << name;
  }
  void expect(const Json& step, const std::string& name, double found) const {
    if (!step.contains(name)) return;
    EXPECT_TRUE(agrees(found, step[name])) << name;
  }
};

/// What the golden files store of a parameter matrix and its optimiser after a step, under "<what>_<name>".
void expect_state(const NetGolden& golden, const Json& step, OpenTraining<>& open, std::size_t i,
                  const std::string& name) {
  const Parameter<double>& parameter = open.parameter(i);
  golden.expect(step, "Theta_" + name, parameter.Theta);
  golden.expect(step, "grad_" + name, parameter.D);
  if (Rls<double>* rls = open.rls[i]) {
    ASSERT_TRUE(step.contains("P_" + name));
    golden.expect(step, "xbar_" + name, parameter.x);
    golden.expect(step, "P_" + name, rls->P());
    const auto state = rls->state();
    if (state.size() > 1)
      golden.expect(step, "Omega_" + name, arma::mat(state[1].data(), parameter.inputs(), parameter.outputs()));
  }
  if (Adam<double>* adam = open.adam[i]) {
    const auto state = adam->state();
    golden.expect(step, "adam_m_" + name, arma::mat(state[0].data(), parameter.inputs(), parameter.outputs()));
    golden.expect(step, "adam_v_" + name, arma::mat(state[1].data(), parameter.inputs(), parameter.outputs()));
  }
}

class FnnGolden : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Each, FnnGolden,
                         testing::Values("rls_fnn", "rls_fnn_lambda", "rls_fnn_momentum", "rls_fnn_l1",
                                         "rls_fnn_momentum_l1_clip", "rls_fnn_hrls", "rls_fnn_adam_mse",
                                         "rls_fnn_adam_ce"));

TEST_P(FnnGolden, ThreeSteps) {
  const NetGolden golden(GetParam());
  const std::string name = GetParam();
  const auto sizes = golden.input["layer_sizes"].get<std::vector<uword>>();
  Network<double> network({1, sizes[0]});
  network.add(std::make_unique<Dense<double>>(network.output(), parameter_of(matrix_from(golden.input["Theta_1_0"]), 1),
                                              Activation::relu));
  network.add(std::make_unique<Dense<double>>(network.output(), parameter_of(matrix_from(golden.input["Theta_2_0"]), 2),
                                              Activation::linear));
  const bool all_adam = name.find("adam") != std::string::npos, output_adam = all_adam || name == "rls_fnn_hrls";
  const bool entropy = golden.input.contains("labels");
  OpenTraining<> open(std::move(network), entropy ? LossKind::cross_entropy : LossKind::mse, golden.clip(),
                      [&](std::size_t i, Parameter<double>& parameter) -> std::unique_ptr<Optimiser<double>> {
                        if (all_adam || (i == 1 && output_adam))
                          return std::make_unique<Adam<double>>(AdamOptions{}, parameter);
                        return std::make_unique<Rls<double>>(golden.rls(i == 1), parameter, 5);
                      });

  for (std::size_t s = 0; s < golden.expected["steps"].size(); ++s) {
    const Json& step = golden.expected["steps"][s];
    const arma::mat X = with_ones(matrix_from(golden.input["inputs"][s]));
    arma::mat targets;
    if (entropy) {
      targets.zeros(X.n_rows, sizes[2]);
      for (uword m = 0; m < X.n_rows; ++m) targets(m, golden.input["labels"][s][m].get<uword>()) = 1;
    } else {
      targets = matrix_from(golden.input["targets_Z"][s]);
    }

    const StepSummary summary = open.training->step(X, targets, X.n_rows);

    EXPECT_TRUE(summary.finite);
    EXPECT_TRUE(golden.agrees(summary.loss, step["loss"]));
    golden.expect(step, "grad_total_norm", summary.norm);
    for (const std::size_t i : {0, 1}) expect_state(golden, step, open, i, std::to_string(i + 1));
  }
}

/// [sample][channel][row][column] as M x (C U V).
arma::mat images_from(const Json& samples) {
  arma::mat X;
  for (const Json& sample : samples) {
    std::vector<double> features;
    for (const Json& channel : sample) {
      for (const Json& row : channel) {
        for (const Json& value : row) features.push_back(value.get<double>());
      }
    }
    X = arma::join_cols(X, arma::rowvec(features));
  }
  return X;
}

class ConvolutionGolden : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Each, ConvolutionGolden, testing::Values("rls_conv_3x3_pad1_pool", "rls_conv_2x3_stride2"));

TEST_P(ConvolutionGolden, EveryStep) {
  const NetGolden golden(GetParam());
  const Json& images = golden.input["inputs"][0][0];
  const Shape input{1, images.size(), images[0].size(), images[0][0].size()};
  const arma::mat Theta = matrix_from(golden.input["Theta_conv_0"]);
  ConvolutionOptions options{Theta.n_cols, golden.input["kernel"][0], golden.input["kernel"][1], golden.input["stride"],
                             golden.input["padding"]};
  Network<double> network(input);
  network.add(std::make_unique<Convolution<double>>(input, options, parameter_of(Theta, 1), Activation::relu));
  if (golden.input["maxpool_2x2"]) network.add(std::make_unique<MaxPool<double>>(network.output(), MaxPoolOptions{}));
  network.add(std::make_unique<Dense<double>>(
      network.output(), parameter_of(matrix_from(golden.input["Theta_fc_0"]), 2), Activation::linear));
  OpenTraining<> open(std::move(network), LossKind::mse, golden.clip(),
                      [&](std::size_t i, Parameter<double>& parameter) {
                        return std::make_unique<Rls<double>>(golden.rls(i == 1), parameter, 5);
                      });

  for (std::size_t s = 0; s < golden.expected["steps"].size(); ++s) {
    const Json& step = golden.expected["steps"][s];
    const arma::mat X = with_ones(images_from(golden.input["inputs"][s]));

    const StepSummary summary = open.training->step(X, matrix_from(golden.input["targets_Z"][s]), X.n_rows);

    EXPECT_TRUE(golden.agrees(summary.loss, step["loss"]));
    expect_state(golden, step, open, 0, "conv");
    expect_state(golden, step, open, 1, "fc");
  }
}

/// [t][sample][feature] as (T M) x features.
arma::mat sequence_from(const Json& steps) {
  arma::mat X;
  for (const Json& step : steps) X = arma::join_cols(X, matrix_from(step));
  return X;
}

class RecurrentGolden : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Each, RecurrentGolden,
                         testing::Values("rls_lstm_t0_T", "rls_lstm_t0_T_mr_clip", "rls_rnn_t0_1"));

TEST_P(RecurrentGolden, TwoSteps) {
  const NetGolden golden(GetParam());
  const auto steps = golden.input["T"].get<uword>(), M = golden.input["M"].get<uword>();
  Network<double> network({steps, golden.input["inputs"][0][0][0].size()});
  std::size_t layer = 0;
  for (const Json& given : golden.input["layers"]) {
    ++layer;
    const auto w = parameter_of(matrix_from(given["Theta_w_0"]), layer),
               v = parameter_of(matrix_from(given["Theta_v_0"]), layer);
    if (golden.input["kind"] == "lstm") {
      network.add(std::make_unique<Lstm<double>>(network.output(), w, v));
    } else {
      network.add(std::make_unique<Recurrent<double>>(network.output(), w, v, Activation::tanh));
    }
  }
  if (golden.input["t0"].get<uword>() == steps) network.add(std::make_unique<LastStep<double>>(network.output()));
  network.add(std::make_unique<Dense<double>>(
      network.output(), parameter_of(matrix_from(golden.input["Theta_out_0"]), layer + 1), Activation::linear));
  OpenTraining<> open(std::move(network), LossKind::mse, golden.clip(),
                      [&](std::size_t i, Parameter<double>& parameter) {
                        return std::make_unique<Rls<double>>(golden.rls(i == 4), parameter, 6);
                      });

  const char* names[] = {"1_w", "1_v", "2_w", "2_v", "out"};
  for (std::size_t s = 0; s < golden.expected["steps"].size(); ++s) {
    const Json& step = golden.expected["steps"][s];
    const arma::mat X = with_ones(sequence_from(golden.input["inputs"][s]));

    const StepSummary summary = open.training->step(X, sequence_from(golden.input["targets_Z"][s]), M);

    EXPECT_TRUE(golden.agrees(summary.loss, step["loss"]));
    golden.expect(step, "grad_total_norm", summary.norm);
    for (std::size_t i = 0; i < 5; ++i) expect_state(golden, step, open, i, names[i]);
  }
}

TEST(ClassicalRls, OneLayerAndOneSampleAStepIsRecursiveLeastSquares) {
  const NetGolden golden("rls_classical");
  const arma::mat X = with_ones(matrix_from(golden.input["X"])), Z = matrix_from(golden.input["Z"]);
  for (const char* lambda : {"1", "0.95"}) {
    const Json& expected = golden.expected[std::string("lambda_") + lambda];
    Network<double> network({1, X.n_cols - 1});
    network.add(std::make_unique<Dense<double>>(network.output(), parameter_of(matrix_from(golden.input["Theta_0"]), 1),
                                                Activation::linear));
    RlsOptions options;
    options.k = 1;
    options.forgetting = std::stod(lambda);
    OpenTraining<> open(std::move(network), LossKind::mse, {}, [&](std::size_t, Parameter<double>& parameter) {
      return std::make_unique<Rls<double>>(options, parameter, 1);
    });

    for (uword i = 0; i < X.n_rows; ++i) open.training->step(arma::mat(X.row(i)), arma::mat(Z.row(i)), 1);

    EXPECT_TRUE(golden.agrees(open.parameter(0).Theta, matrix_from(expected["batch_solution"]))) << lambda;
    EXPECT_TRUE(golden.agrees(open.rls[0]->P(), matrix_from(expected["P"]))) << lambda;
  }
}

}  // namespace
}  // namespace elmx
