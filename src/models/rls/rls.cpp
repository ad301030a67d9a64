#include "models/rls/rls.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

#include "base/config/json.hpp"
#include "base/machine/clock.hpp"
#include "base/machine/stage.hpp"
#include "models/rls/rls_network.hpp"
#include "nets/training.hpp"

namespace elmx {
namespace {

constexpr double kSaveSeconds = 60;  // most time that a killed training loses
constexpr double kWoundUp = 1000;    // growth of the trace of P above which a divergence is called wind-up

/// The position of a training, in addition to the numbers of Training::state.
struct EpochProgress {
  std::size_t epoch = 0;        ///< finished epochs
  std::size_t batches = 0;      ///< finished batches of the current epoch
  double loss = 0;              ///< sum over the samples of these batches
  double seconds = 0;           ///< training time of the current epoch
  double finished_seconds = 0;  ///< sum of epoch_seconds
  std::vector<double> epoch_seconds;
  std::map<std::string, std::vector<double>> trace;

  double all_seconds() const { return finished_seconds + seconds; }

  Json to_json() const {
    return {{"epoch", epoch},
            {"batches", batches},
            {"loss", loss},
            {"seconds", seconds},
            {"finished_seconds", finished_seconds},
            {"epoch_seconds", epoch_seconds},
            {"trace", trace}};
  }
  static EpochProgress from_json(const Json& json) {
    EpochProgress progress{json.at("epoch"),
                           json.at("batches"),
                           json.at("loss"),
                           json.at("seconds"),
                           json.at("finished_seconds"),
                           json.at("epoch_seconds"),
                           {}};
    for (const auto& [name, values] : json.at("trace").items()) {  // null: NaN or infinite
      for (const Json& value : values)
        progress.trace[name].push_back(value.is_null() ? std::nan("") : value.get<double>());
    }
    return progress;
  }
};

/// Returns the EpochProgress on a line, followed by the numbers of all parts as they are in memory.
template <class T>
std::string pack(const EpochProgress& progress, std::size_t steps, const std::vector<std::span<T>>& parts) {
  Json header = progress.to_json();
  header["steps"] = steps;
  std::string state = header.dump() + '\n';
  for (const std::span<T> part : parts) state.append(reinterpret_cast<const char*>(part.data()), part.size_bytes());
  return state;
}

/// Reads the header of a state and checks that it lies within this training. Throws DataError or
/// Json::exception.
std::pair<EpochProgress, std::size_t> read_header(const std::string& text, std::size_t last_epoch,
                                                  std::size_t batches) {
  const Json header = parse_json(text, "header");
  for (const char* count : {"epoch", "batches", "steps"}) {
    if (!header.at(count).is_number_unsigned())
      throw DataError("header", fmt::format("expected a count as \"{}\"", count));
  }
  EpochProgress progress = EpochProgress::from_json(header);
  const std::size_t steps = header.at("steps");
  bool agrees = progress.epoch < last_epoch && progress.batches <= batches &&
                progress.epoch_seconds.size() == progress.epoch && steps == progress.epoch * batches + progress.batches;
  for (const auto& [name, values] : progress.trace) agrees = agrees && values.size() == progress.epoch;
  if (!agrees) throw DataError("header", "describes a position outside this training");
  return {std::move(progress), steps};
}

/// Restores a state. Throws DataError, and leaves the training unchanged, if the state does not fit.
template <class T>
EpochProgress unpack(const std::string& state, std::size_t last_epoch, std::size_t batches, Training<T>& training) {
  std::size_t at = state.find('\n') + 1, bytes = at;
  for (const std::span<T> part : training.state()) bytes += part.size_bytes();
  if (bytes != state.size())
    throw DataError(fmt::format("belongs to another network: expected {} bytes, found {}", bytes, state.size()));
  try {
    auto [progress, steps] = read_header(state.substr(0, at), last_epoch, batches);
    for (const std::span<T> part : training.state()) {
      std::memcpy(part.data(), state.data() + at, part.size_bytes());
      at += part.size_bytes();
    }
    training.set_steps(steps);
    return progress;
  } catch (const Json::exception& error) {
    throw DataError("header", error.what());
  }
}

template <class T>
Samples<T> samples_of(const arma::mat& targets, uword steps) {
  return {arma::conv_to<arma::Mat<T>>::from(targets.t()), steps};
}

/// Throws ConfigError unless every step in each row of the targets (n x (steps c)) has one 1 and zeros.
void check_one_hot(const RlsModelOptions& options, const arma::mat& targets, uword classes) {
  if (options.loss_kind() != LossKind::cross_entropy) return;
  for (uword i = 0; i < targets.n_rows; ++i) {
    for (uword first = 0; first < targets.n_cols; first += classes) {
      const arma::rowvec step = targets.row(i).cols(first, first + classes - 1);
      if (classes > 1 && arma::accu(step == 1) == 1 && arma::accu(step == 0) == classes - 1) continue;
      throw ConfigError("/model/loss",
                        "\"cross_entropy\" needs targets that are one 1 among zeros: classes with "
                        "preprocess.targets.coding=zero_one; use \"mse\" for other targets");
    }
  }
}

/// A set of samples with their targets, and buffers for a batch.
template <class T>
struct PreparedPart {
  Samples<T> inputs, targets;
  arma::Mat<T> X, Z;

  PreparedPart(const Inputs& given, const arma::mat& wanted, const Shape& input, const Shape& output)
      : inputs(samples_of<T>(given, input.steps)), targets(samples_of<T>(wanted, output.steps)) {}

  void gather(std::span<const std::uint64_t> batch) {
    inputs.gather(batch, signal(X, inputs.steps() * batch.size(), inputs.features()));
    Z.set_size(targets.steps() * batch.size(), targets.features());
    targets.gather(batch, View<T>(Z));
  }
};

template <class T>
class DeepNetworks final : public Trainer {
 public:
  DeepNetworks(const RlsModelOptions& options, FoldView fold, const Rng& rng)
      : options_(options),
        fold_(std::move(fold)),
        rng_(rng),
        plan_(plan_network(options_, fold_.train.dimension(), fold_.targets.n_cols, "/model")),
        train_(fold_.train, fold_.targets, plan_.front().input, plan_.back().output),
        test_(fold_.test, known_targets(), plan_.front().input, plan_.back().output) {
    check_words(plan_, fold_.train);
    check_words(plan_, fold_.test);
    check_one_hot(options_, fold_.targets, plan_.back().output.features());
  }

  void train(const std::string& algorithm, Clock& clock, const Observer& observe) override {
    if (!warm_) warm_up();
    const RlsAlgorithm& row = rls_algorithm(algorithm);
    Training<T> training = build_training<T>(options_, row, plan_, rng_);
    const std::vector<std::size_t> reported = options_.reported();
    EpochProgress progress = last_state(reported.back(), training);
    double saved = progress.all_seconds();
    while (progress.epoch < reported.back()) {
      const StepSummary last = train_epoch(reported.back(), training, progress, saved, clock);
      if (!last.finite) return observe(diverged(row, training, progress));
      arma::mat test_outputs;
      const double begin = clock.now();
      const double test_loss = outputs(training, test_, test_outputs);
      const double test_seconds = clock.now() - begin;
      if (!fold_.test_targets.is_empty()) progress.trace["test_loss"].push_back(test_loss);
      if (fold_.test_metrics) {
        for (const auto& [name, value] : fold_.test_metrics(test_outputs)) {
          if (name == "test_acc") progress.trace[name].push_back(value);
        }
      }
      if (std::binary_search(reported.begin(), reported.end(), progress.epoch)) {
        report(row, training, progress, std::move(test_outputs), test_seconds, observe);
      }
    }
  }

 private:
  /// Returns zeros if the targets of the test part are unknown: its loss is then meaningless and not
  /// reported.
  arma::mat known_targets() const {
    return fold_.test_targets.is_empty() ? arma::mat(fold_.test.samples(), fold_.targets.n_cols, arma::fill::zeros)
                                         : fold_.test_targets;
  }

  std::size_t batches() const { return (train_.inputs.size() + options_.batch - 1) / options_.batch; }

  /// Loads the saved state of this training. Returns the start if there is none or it does not fit.
  EpochProgress last_state(std::size_t last_epoch, Training<T>& training) const {
    const std::optional<std::string> state = fold_.states ? fold_.states->load() : std::nullopt;
    try {
      if (state) return unpack(*state, last_epoch, batches(), training);
    } catch (const UserError& error) {
      fold_.states->refuse(error.what());
    }
    return {};
  }

  /// Runs a step of every algorithm, untimed, so that code, pages, threads and buffers are ready for timed
  /// runs.
  void warm_up() {
    std::vector<std::uint64_t> batch(std::min<std::size_t>(options_.batch, train_.inputs.size()));
    std::iota(batch.begin(), batch.end(), 0);
    for (const std::string& name : options_.algorithms) {
      Training<T> training = build_training<T>(options_, rls_algorithm(name), plan_, rng_);
      train_.gather(batch);
      static_cast<void>(training.step(train_.X, train_.Z, batch.size()));
    }
    warm_ = true;
  }

  /// Runs the remaining batches of the current epoch. saved: EpochProgress::all_seconds at the last save.
  StepSummary train_epoch(std::size_t last_epoch, Training<T>& training, EpochProgress& progress, double& saved,
                          Clock& clock) {
    const uword n = train_.inputs.size();
    const std::vector<std::uint64_t> order = rng_.with(Purpose::order).permutation(n, progress.epoch * n);
    Stopwatch watch(clock, progress.seconds);
    StepSummary summary;
    while (progress.batches < batches()) {
      const std::size_t first = progress.batches * options_.batch,
                        count = std::min<std::size_t>(options_.batch, n - first);
      train_.gather({order.data() + first, count});
      summary = training.step(train_.X, train_.Z, count);
      if (!summary.finite) return summary;
      progress.loss += summary.loss * static_cast<double>(count);
      ++progress.batches;
      report_stage("epoch", progress.epoch + 1, last_epoch,
                   static_cast<double>(progress.batches) / static_cast<double>(batches()));
      if (fold_.states) {
        progress.seconds = watch.stop();
        const bool stopped = fold_.states->stopped();
        if (stopped || progress.all_seconds() - saved > kSaveSeconds) {
          fold_.states->save(pack(progress, training.steps(), training.state()));
          saved = progress.all_seconds();
        }
        if (stopped) throw Interrupted{};
        watch.go();
      }
    }
    progress.epoch_seconds.push_back(watch.stop());
    progress.finished_seconds += progress.epoch_seconds.back();
    progress.trace["train_loss"].push_back(progress.loss / static_cast<double>(n));
    progress.epoch += 1;
    progress.batches = 0;
    progress.loss = progress.seconds = 0;
    return summary;
  }

  Checkpoint checkpoint(const RlsAlgorithm& algorithm, const EpochProgress& progress) const {
    Checkpoint point;
    if (algorithm.hidden == OptimiserKind::rls)
      point.diagnostics = rls_ratios(plan_, static_cast<double>(options_.batch));
    for (const PlannedLayer& layer : plan_) {
      const bool has_nodes =
          layer.kind == "dense" || layer.kind == "recurrent" || layer.kind == "lstm" || layer.kind == "convolution";
      if (has_nodes) point.nodes += *layer.options.nodes;
    }
    point.iterations = progress.epoch;
    point.trace = progress.trace;
    point.step = seconds_of(progress.epoch_seconds);
    point.total_seconds = progress.all_seconds();
    return point;
  }

  Checkpoint diverged(const RlsAlgorithm& algorithm, const Training<T>& training, const EpochProgress& progress) const {
    Checkpoint point = checkpoint(algorithm, progress);
    point.diagnostics.clear();
    point.iterations = progress.epoch + 1;
    point.status = Status::not_finite;
    point.method = "at step " + std::to_string(training.steps());
    point.notes[kCause] = cause_of_divergence(algorithm, training);
    return point;
  }

  std::string cause_of_divergence(const RlsAlgorithm& algorithm, const Training<T>& training) const {
    const bool has_rls = algorithm.hidden == OptimiserKind::rls || algorithm.output == OptimiserKind::rls;
    if (!has_rls)
      return "the training diverges; use a smaller rate of the optimiser (model.adam.rate, model.sgd.rate), or scale "
             "the inputs (preprocess.inputs=standard)";
    double forgetting = 1;
    for (const PlannedLayer& layer : plan_) {
      for (const PlannedParameter& parameter : layer.parameters)
        forgetting = std::min(forgetting, parameter.forgetting);
    }
    if (forgetting == 1 || !training.has_wound_up(kWoundUp))
      return "the training diverges; use a smaller model.eta, or scale the inputs (preprocess.inputs=standard)";
    return fmt::format(
        "the forgetting factor {} lets the matrix P of RLS grow without bound (wind-up); use a value of "
        "model.forgetting closer to 1, a bound model.p_trace_max, or scaled inputs (preprocess.inputs=standard)",
        forgetting);
  }

  void report(const RlsAlgorithm& algorithm, Training<T>& training, const EpochProgress& progress,
              arma::mat test_outputs, double test_seconds, const Observer& observe) {
    Checkpoint point = checkpoint(algorithm, progress);
    point.diagnostics["train_loss"] = outputs(training, train_, point.train_output);
    if (const auto losses = progress.trace.find("test_loss"); losses != progress.trace.end())
      point.diagnostics["test_loss"] = losses->second.back();
    point.test_output = std::move(test_outputs);
    point.test_seconds = test_seconds;
    point.outputs_are_probabilities = options_.loss_kind() == LossKind::cross_entropy;
    point.network = [&] { return deep_network(plan_, training.network(), rng_); };
    observe(point);
  }

  /// Returns the loss of a part and writes its outputs (n x (steps c)) to `Z`.
  double outputs(Training<T>& training, PreparedPart<T>& part, arma::mat& Z) const {
    const Loss<T> of(options_.loss_kind());
    const uword n = part.inputs.size();
    Z.set_size(n, part.targets.steps() * part.targets.features());
    double loss = 0;
    arma::Mat<T> gradient;
    for_each_output(
        training.network(), part.inputs, [&](std::span<const std::uint64_t> samples, arma::Mat<T>& outputs) {
          part.Z.set_size(outputs.n_rows, outputs.n_cols);
          part.targets.gather(samples, View<T>(part.Z));
          gradient.set_size(outputs.n_rows, outputs.n_cols);
          loss += of.evaluate(outputs, part.Z, samples.size(), View<T>(gradient)) * static_cast<double>(samples.size());
          of.to_outputs(View<T>(outputs));
          put_outputs(outputs, samples, Z);
        });
    return loss / static_cast<double>(n);
  }

  RlsModelOptions options_;
  FoldView fold_;
  Rng rng_;
  std::vector<PlannedLayer> plan_;
  PreparedPart<T> train_, test_;
  bool warm_ = false;
};

}  // namespace

std::unique_ptr<Trainer> make_rls(const std::vector<RlsModelOptions>& models, FoldView fold, const Rng& rng) {
  expects(models.size() == 1, "make_rls: one model");
  if (models.front().precision == "double")
    return std::make_unique<DeepNetworks<double>>(models.front(), std::move(fold), rng);
  return std::make_unique<DeepNetworks<float>>(models.front(), std::move(fold), rng);
}

std::unique_ptr<Predictor> RlsModelOptions::restore(const TrainedNetwork& network, const NetworkShape& shape) const {
  return precision == "double" ? restore_deep_network<double>(*this, network, shape)
                               : restore_deep_network<float>(*this, network, shape);
}

}  // namespace elmx
