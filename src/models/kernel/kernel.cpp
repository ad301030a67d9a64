#include "models/kernel/kernel.hpp"

#include <algorithm>

#include "base/machine/stage.hpp"
#include "solvers/kernel/kernel_ridge.hpp"

namespace elmx {
namespace {

constexpr uword kScaleRows = 1000;  // samples whose mean distance is the unit of length

constexpr uword kMostKept = 4000000;  // numbers of leave-one-out machines that a model keeps

/// Returns the samples in random order, so that the last samples of each part are a random subset.
arma::uvec random_order(uword n, const Rng& rng) {
  const std::vector<std::uint64_t> order = rng.with(Purpose::validation).permutation(n);
  return arma::conv_to<arma::uvec>::from(order);
}

struct Part {
  uword first, count;
};

/// Returns log10 of the least ridge parameter that rounding does not hide for some ten thousand samples.
double first_decade(KernelArithmetic arithmetic) {
  switch (arithmetic) {
    case KernelArithmetic::in_single:
      return -4;
    case KernelArithmetic::mixed:
      return -6;
    default:
      return -9;
  }
}

class KernelTrainer final : public Trainer {
 public:
  KernelTrainer(std::vector<KernelOptions> models, FoldView fold, const Rng& rng)
      : models_(std::move(models)),
        options_(models_.front()),
        fold_(std::move(fold)),
        order_(random_order(fold_.train.samples(), rng)),
        place_(arma::sort_index(order_)) {}

  void train(const std::string&, Clock& clock, const Observer& observe) override {
    const double begin = clock.now();
    read_samples();
    const double reading = clock.now() - begin;
    for (std::size_t m = 0; m < models_.size(); ++m) {
      report_stage("ridge", m + 1, models_.size());
      observe(checkpoint(m, reading, clock));
    }
  }

 private:
  /// Reads the training samples in random order.
  void read_samples() {
    if (!X_.is_empty()) return;
    const uword n = fold_.train.samples();
    Inputs train = fold_.train;
    train.rows = arma::uvec(fold_.train.rows.elem(order_));
    X_.set_size(n, train.dimension());
    train.block(0, n, X_.memptr());
    train.X.rethrow();
    Y_ = fold_.targets.rows(order_);
    if (!fold_.sample_weights.is_empty()) weights_ = fold_.sample_weights.elem(order_);
    unit_ = typical_scale(kernel(), head(X_, kScaleRows));
  }

  Kernel kernel() const { return kernel_from(options_.kernel); }
  static arma::mat head(const arma::mat& M, uword rows) { return M.head_rows(std::min(rows, M.n_rows)); }

  KernelChoice choice_of(const KernelOptions& model) const {
    KernelWish wish{kernel(),
                    std::nullopt,
                    std::nullopt,
                    model.intercept,
                    model.choose.by != "loo_mse",
                    model.choose.by == "loo_bac",
                    first_decade(model.arithmetic())};
    if (!model.length.automatic) wish.length = model.length.value;
    if (!model.ridge.automatic) wish.lambda = model.ridge.value;
    if (wish.length && wish.lambda) return {*wish.length, *wish.lambda};
    const uword rows = std::min<uword>(model.choose.rows, X_.n_rows);
    const arma::vec weights = weights_.is_empty() ? arma::vec() : arma::vec(weights_.head(rows));
    return choose_kernel(wish, head(X_, rows), head(Y_, rows), weights);
  }

  std::vector<Part> parts() const {
    const uword n = X_.n_rows, p = std::min<uword>(options_.parts, n);
    std::vector<Part> all;
    for (uword i = 0; i < p; ++i) all.push_back({n * i / p, n * (i + 1) / p - n * i / p});
    return all;
  }

  /// Makes one machine of all samples from the mean of the machines of the parts.
  Checkpoint checkpoint(std::size_t m, double reading, Clock& clock) {
    const KernelOptions& model = models_[m];
    Checkpoint point;
    point.point = m;
    const double begin = clock.now();
    const KernelChoice choice = choice_of(model);
    const KernelFunction function{kernel(), choice.length * unit_};
    auto machine = std::make_shared<KernelMachine>(function, X_, arma::mat(X_.n_rows, Y_.n_cols),
                                                   arma::rowvec(Y_.n_cols, arma::fill::zeros),
                                                   model.arithmetic() == KernelArithmetic::in_single);
    const std::vector<Part> all = parts();
    std::vector<KernelFit> fits;
    double products = 0, backward_error = 0;
    for (const Part& part : all) {
      report_stage("part", fits.size() + 1, all.size());
      KernelFit& fit = fits.emplace_back();
      point.status = fitted(part, function, choice.lambda, fit);
      if (point.status != Status::ok) {
        point.notes[kCause] = "use a larger model.ridge, model.precision=mixed or model.precision=double";
        break;
      }
      machine->alpha.rows(part.first, part.first + part.count - 1) = fit.alpha / static_cast<double>(all.size());
      machine->intercept += fit.intercept / static_cast<double>(all.size());
      backward_error = std::max(backward_error, fit.backward_error);
      products += static_cast<double>(fit.products);
    }
    point.total_seconds = reading + clock.now() - begin;
    point.step = {point.total_seconds, 0, 1};
    if (point.status != Status::ok) return point;
    point.diagnostics["backward_error"] = backward_error;
    if (model.arithmetic() == KernelArithmetic::mixed) point.diagnostics["products"] = products;
    if (model.length.automatic) point.diagnostics["chosen_length"] = choice.length;
    if (model.ridge.automatic) point.diagnostics["chosen_ridge"] = choice.lambda;
    const double testing = clock.now();
    point.test_output = machine->outputs(fold_.test);
    point.test_seconds = clock.now() - testing;
    const arma::mat train = machine->outputs_of_centres();
    point.train_output.set_size(arma::size(train));
    point.train_output.rows(order_) = train;
    if (model.leave_one_out.value_or(false)) add_left_out(all, fits, choice.lambda, train, point);
    machine->without = left_out_of(all, fits, choice.lambda, train);
    point.network = [machine] { return machine->network(); };
    return point;
  }

  Status fitted(const Part& part, const KernelFunction& function, double lambda, KernelFit& fit) const {
    const uword last = part.first + part.count - 1;
    const arma::vec scale =
        weights_.is_empty() ? arma::vec() : arma::vec(arma::sqrt(weights_.subvec(part.first, last)));
    const KernelMatrix<double> K(function.kernel, kernel_points<double>(function, X_.rows(part.first, last)), scale);
    return solve_kernel_ridge(
        K, Y_.rows(part.first, last),
        {lambda, options_.intercept, options_.arithmetic(), part.count - known_of(part), left_out_of(part)}, fit);
  }

  /// Returns the samples of a part, by their positions in the part, whose leave-one-out machines are kept in
  /// at most kMostKept numbers.
  arma::uvec left_out_of(const Part& part) const {
    std::vector<uword> places;
    const uword every = 1 + fold_.left_out.n_elem * X_.n_rows / kMostKept;
    for (uword j = 0; j < fold_.left_out.n_elem; j += every) {
      const uword place = place_(fold_.left_out(j));
      if (place >= part.first && place < part.first + part.count) places.push_back(place - part.first);
    }
    return arma::uvec(places);
  }

  /// Returns the leave-one-out machines of the mean of p machines. If part q contains sample i, omitting i
  /// changes the mean by 1 / p of the change of f_q, and its error at i is r = y - f + (r_q - e_q) / p,
  /// e_q = lambda alpha_i / w_i.
  LeftOut left_out_of(const std::vector<Part>& all, const std::vector<KernelFit>& fits, double lambda,
                      const arma::mat& train) const {
    const uword n = X_.n_rows, c = Y_.n_cols;
    if (all.size() == 1) return fits.front().left_out;
    if (c > 1) return {};  // outputs with different errors need different directions
    const auto p = static_cast<double>(all.size());
    LeftOut mean;
    for (std::size_t q = 0; q < all.size(); ++q) {
      const auto& [first, count] = all[q];
      const arma::uvec samples = left_out_of(all[q]);
      arma::mat directions(n + 1, samples.n_elem, arma::fill::zeros), residuals(samples.n_elem, 1);
      if (samples.is_empty()) continue;
      directions.rows(first, first + count - 1) = fits[q].left_out.directions.head_rows(count) / p;
      directions.row(n) = fits[q].left_out.directions.row(count) / p;
      for (uword j = 0; j < samples.n_elem; ++j) {
        const uword place = first + samples(j);
        const double of_part = fits[q].left_out.residuals(j), weight = weights_.is_empty() ? 1 : weights_(place);
        const double kept = lambda / weight * fits[q].alpha(samples(j));
        residuals(j) = Y_(place) - train(place) + (of_part - kept) / p;
        if (residuals(j) != 0) directions.col(j) *= of_part / residuals(j);
      }
      mean.directions = arma::join_rows(mean.directions, directions);
      mean.residuals = arma::join_cols(mean.residuals, residuals);
    }
    return mean;
  }

  /// Returns how many samples of a part, at its end, get leave-one-out errors.
  uword known_of(const Part& part) const {
    if (!options_.leave_one_out.value_or(false)) return 0;
    return std::min<uword>(part.count, (options_.leave_one_out_rows * part.count + X_.n_rows - 1) / X_.n_rows);
  }

  /// Adds leave-one-out outputs of the mean f of p machines. If machine q was trained with sample i, omitting
  /// i changes f to f - (f_q - f_q^(-i)) / p, where y_i - f_q(x_i) = lambda alpha_i / w_i holds for machine
  /// q.
  void add_left_out(const std::vector<Part>& all, const std::vector<KernelFit>& fits, double lambda,
                    const arma::mat& train, Checkpoint& point) const {
    LeaveOneOut& loo = point.leave_one_out;
    loo.outputs.set_size(arma::size(train));
    loo.outputs.fill(arma::datum::nan);
    const auto p = static_cast<double>(all.size());
    double freedom = 0;
    bool all_known = true;
    for (std::size_t q = 0; q < all.size(); ++q) {
      const KernelFit& fit = fits[q];
      const uword known = fit.left.n_elem, first = all[q].count - known;
      loo.error = std::max(loo.error, fit.left_error);
      all_known = all_known && first == 0;
      for (uword i = 0; i < known; ++i) {
        const uword place = all[q].first + first + i;
        const double weight = weights_.is_empty() ? 1 : weights_(place), left = fit.left(i);
        const arma::rowvec residual = lambda / weight * fit.alpha.row(first + i);
        loo.outputs.row(order_(place)) = train.row(place) - residual * ((1 / left - 1) / p);
        freedom += (1 - left) / p;
      }
    }
    if (all_known) loo.freedom = freedom;
  }

  std::vector<KernelOptions> models_;
  const KernelOptions& options_;
  FoldView fold_;
  arma::uvec order_, place_;  // random order of the training samples, and its inverse
  arma::mat X_, Y_;           // n x d and n x c, in that order
  arma::vec weights_;         // n, or empty
  double unit_ = 1;           // unit of length
};

}  // namespace

std::unique_ptr<Trainer> make_kernel(const std::vector<KernelOptions>& models, FoldView fold, const Rng& rng) {
  return std::make_unique<KernelTrainer>(models, std::move(fold), rng);
}

}  // namespace elmx
