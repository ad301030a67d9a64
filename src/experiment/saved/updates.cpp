#include "experiment/saved/updates.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <set>

#include "base/files/sha256.hpp"
#include "base/printable.hpp"
#include "base/version.hpp"
#include "models/diagnostics.hpp"
#include "models/ridge/updatable_network.hpp"

namespace elmx {
namespace {

/// Appends the bits of a number; all NaN, and both zeros, have the same bits.
void append(double x, std::string& bytes) {
  const double unique = std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x + 0.0;
  const auto bits = std::bit_cast<std::array<char, sizeof(double)>>(unique);
  bytes.append(bits.data(), bits.size());
}

arma::uword digest_of(const std::string& bytes) {
  const std::string digits = sha256(bytes).substr(0, 16);
  arma::uword digest = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), digest, 16);
  return digest;
}

/// A change promises the solution of the resulting samples to eight digits. Sums that have been larger by
/// more than this factor have lost digits that a new training has.
constexpr double kLargestShrinkage = 1e3, kLargestRounding = 1e-8;
constexpr double kOutweighs = 1e6;  // a thousand times as large as typical values

std::string place_of_row(const NewSamples& samples, arma::uword i, const std::string& file) {
  return fmt::format("{}: row {}", file, samples.numbers()(i) + 1);
}

void require_targets(const NewSamples& samples, const std::string& file) {
  const arma::uvec known = samples.with_targets();
  for (arma::uword i = 0; i < samples.rows.n_elem; ++i) {
    if (i < known.n_elem && known(i) == i) continue;
    throw DataError(place_of_row(samples, i, file),
                    "has no target that can be read; give every row a known target, or remove the row");
  }
}

/// Returns the sorted digests without the digests `removed` of the samples. Each of these must be among the
/// sorted ones, as often as the samples contain it.
arma::uvec without(const arma::uvec& sorted, const arma::uvec& removed, const NewSamples& samples,
                   const std::string& file) {
  std::multiset<arma::uword> left(sorted.begin(), sorted.end());
  for (arma::uword i = 0; i < removed.n_elem; ++i) {
    const auto place = left.find(removed(i));
    if (place == left.end())
      throw DataError(place_of_row(samples, i, file),
                      std::binary_search(sorted.begin(), sorted.end(), removed(i))
                          ? "occurs more often than among the training rows of the model; give it once for each time "
                            "that it was trained on"
                          : "is not one of the training rows of the model; give rows that it was trained on, with "
                            "their targets");
    left.erase(place);
  }
  if (left.empty())
    throw DataError(file, "these are all training rows of the model; keep at least one, or delete the model");
  return std::vector<arma::uword>(left.begin(), left.end());
}

void refuse_third_class(const SavedModel& model, const Dataset& data, const std::string& file) {
  const std::string& coding = model.options.preprocess.targets.coding;
  if (data.classes.size() == model.data.classes.size() || !coding.starts_with("single")) return;
  throw DataError(file, fmt::format("a third class, \"{}\", has no output, because the model was trained with coding "
                                    "\"{}\"; train it with preprocess.targets.coding={}",
                                    data.classes.back(), coding, coding == "single" ? "zero_one" : "minus_one_one"));
}

/// Describes a change for SavedModel::trial.
Json describe(const ModelChange& effects, const NewSamples& samples, Change change, const std::string& file) {
  return {{"kind", change == Change::add ? "update" : "forget"},
          {"file", printable(file)},
          {"sha256", samples.data.sha256},
          {"rows", samples.rows.n_elem},
          {"new_classes", effects.new_classes},
          {"samples", effects.samples},
          {"elmx", kVersion}};
}

}  // namespace

arma::uvec row_digests(const Dataset& data, const arma::uvec& rows) {
  arma::uvec digests(rows.n_elem);
  for_each_block(data.input_rows(), rows, [&](arma::uword first, const arma::mat& block) {
#pragma omp parallel for
    for (arma::uword i = 0; i < block.n_rows; ++i) {
      const arma::uword row = rows(first + i);
      std::string bytes;
      for (arma::uword j = 0; j < block.n_cols; ++j) append(block(i, j), bytes);
      if (data.task == Task::classification) append(static_cast<double>(data.labels(row)), bytes);
      for (arma::uword j = 0; j < data.Y.n_cols; ++j) append(data.Y(row, j), bytes);
      digests(first + i) = digest_of(bytes);
    }
  });
  return digests;
}

bool are_training_rows(const SavedModel& model, const NewSamples& samples) {
  if (model.training_rows) {
    const arma::uvec &trained = model.training_rows->digests, digests = row_digests(samples.data, samples.rows);
    return std::ranges::any_of(
        digests, [&](arma::uword one) { return std::binary_search(trained.begin(), trained.end(), one); });
  }
  const std::vector<std::string>&own = model.data.sha256, &other = samples.data.sha256;
  if (other.empty()) return own.empty() && samples.data.name == model.data.name;  // a generated set
  const bool is_test_file = !own.empty() && own.front() != other.front();
  return std::ranges::count(own, other.front()) > 0 && (!is_test_file || model.rows.test.is_empty());
}

std::size_t leave_out_incomplete(const SavedModel& model, NewSamples& samples) {
  const std::vector<char>& imputed = samples.data.imputed;
  if (model.options.data.missing != "drop_rows" || imputed.empty()) return 0;
  const arma::uword before = samples.rows.n_elem;
  std::vector<arma::uword> complete;
  for (const arma::uword row : samples.rows) {
    if (imputed[row] == 0) complete.push_back(row);
  }
  samples.rows = complete;
  return before - samples.rows.n_elem;
}

ModelChange change_samples(SavedModel& model, const NewSamples& samples, Change change, const std::string& origin,
                           const std::string& file) {
  if (!model.training_rows)
    throw DataError(origin, model.trial.contains("fold")
                                ? "the network of a fold cannot be changed; use the final model of the run"
                                : "the model cannot be changed; train it with save_model=updatable");
  require_targets(samples, file);
  const Dataset& data = samples.data;
  refuse_names_beyond_utf8(data, file);
  const arma::uvec digests = row_digests(data, samples.rows);
  SavedModel changed = model;
  arma::uvec& kept = changed.training_rows->digests;
  kept = change == Change::add ? arma::uvec(arma::sort(arma::join_cols(kept, digests)))
                               : without(kept, digests, samples, file);
  refuse_third_class(model, data, file);

  ModelChange effects;
  effects.samples = kept.n_elem;
  const std::size_t before = model.data.classes.size(), count = data.classes.size() - before;
  effects.new_classes.assign(data.classes.begin() + static_cast<long>(before), data.classes.end());
  arma::rowvec& class_weights = changed.training_rows->class_weights;
  effects.new_class_weights = count > 0 && !class_weights.is_empty();
  if (effects.new_class_weights) class_weights = arma::join_rows(class_weights, arma::rowvec(count, arma::fill::ones));
  const arma::vec weights =
      class_weights.is_empty() ? arma::vec() : arma::vec(class_weights.elem(data.labels.elem(samples.rows)));

  const Targets targets = targets_of(model, data);
  Status status = Status::ok;
  double rounding = 0, shrinkage = 1;
  of_model_file(origin, [&] {
    UpdatableNetwork network(model.network, {model.preprocessing.inputs.offset.n_elem, model.data.outputs});
    network.add_outputs(count, targets.off());
    with_inputs(model.preprocessing, data.input_rows(), samples.rows,
                [&](const Inputs& inputs) { network.change(inputs, targets.encode(samples.rows), weights, change); });
    effects.outweighs = network.enlargement() > kOutweighs;
    shrinkage = network.shrinkage();
    status = network.solve(changed.network, rounding);
  });
  if (shrinkage > kLargestShrinkage && (status != Status::ok || rounding > kLargestRounding))
    throw DataError(origin,
                    "the removed values are so large that the other rows have lost their digits in the sums of the "
                    "model; train a model on the resulting rows");
  if (status != Status::ok)
    throw DataError(origin,
                    fmt::format("the ridge problem of the resulting rows has no solution ({}); train a model on "
                                "them with a larger model.ridge",
                                to_string(status)));
  effects.doubtful = rounding > kMostAmplified;
  changed.data.classes = data.classes;
  changed.data.columns = data.columns;
  changed.data.outputs = targets.outputs();
  if (std::exchange(changed.calibration, std::nullopt)) effects.dropped.emplace_back("probabilities");
  if (changed.network.matrices.size() < model.network.matrices.size()) effects.dropped.emplace_back("intervals");
  if (model.data.task == "classification")
    changed.trial[kNoCalibration] =
        "the model was updated, and a calibration belongs to the first training; train a "
        "model on all of its rows";
  of_model_file(origin, [&] {
    const auto updates = changed.trial.emplace(kUpdates, Json::array()).first;
    updates->push_back(describe(effects, samples, change, file));
  });
  model = std::move(changed);
  return effects;
}

}  // namespace elmx
