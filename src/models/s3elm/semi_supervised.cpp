#include "models/s3elm/semi_supervised.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/files/sha256.hpp"
#include "linalg/blas.hpp"
#include "models/s3elm/affinity.hpp"
#include "models/s3elm/laplacian.hpp"

namespace elmx {
namespace {

constexpr double kRounding = 1e-15;     // tolerance of the rank of H: the rest is only rounding
constexpr double kCgTolerance = 1e-13;  // tolerance of the residuals with a sparse graph

std::string_view bytes_of(const arma::mat& M) {
  return {reinterpret_cast<const char*>(M.memptr()), M.n_elem * sizeof(double)};
}

arma::mat matrix_of(const Inputs& inputs) {
  arma::mat X(inputs.samples(), inputs.dimension());
  inputs.block(0, X.n_rows, X.memptr());
  return X;
}

std::string text(double value) { return Json(value).dump(); }

/// Returns true if the scores name the class of the targets: by the largest entry, or for one column by the
/// side of the middle of its codes.
bool names_the_class(const arma::rowvec& scores, const arma::rowvec& target, double middle) {
  if (target.n_elem > 1) return scores.index_max() == target.index_max();
  return (scores(0) > middle) == (target(0) > middle);
}

}  // namespace

arma::mat GraphPiece::times(const arma::mat& Z) const {
  return dense.is_empty() ? arma::mat(sparse * Z) : gemm(Op::none, Op::none, 1.0, dense, Z);
}

SemiSupervised::SemiSupervised(const S3elmModelOptions& options, const FoldView& fold, HiddenNodes nodes)
    : options_(options),
      nodes_(std::move(nodes)),
      all_{fold.train.X, arma::unique(arma::join_cols(fold.train.rows, fold.unlabelled.rows)), fold.train.scaler},
      labelled_(fold.train.samples()),
      shared_(fold.shared) {
  for (uword i = 0; i < labelled_.n_elem; ++i) {
    labelled_(i) = static_cast<uword>(std::lower_bound(all_.rows.begin(), all_.rows.end(), fold.train.rows(i)) -
                                      all_.rows.begin());
  }
  key_ = sha256(bytes_of(matrix_of(all_)));
}

template <class T>
std::shared_ptr<const T> SemiSupervised::piece(const std::string& key, const std::function<T()>& make) const {
  return shared_ != nullptr ? shared_->get<T>(key_ + key, make) : std::make_shared<const T>(make());
}

std::shared_ptr<const HiddenPiece> SemiSupervised::hidden(Clock& clock) const {
  const std::string key = fmt::format("hidden {}{}", options_.activation, sha256(bytes_of(nodes_.weights())));
  return piece<HiddenPiece>(key, [&] {
    HiddenPiece made;
    const double begin = clock.now();
    arma::mat H(all_.samples(), nodes_.count());
    nodes_.outputs(all_, 0, H);
    const double formed = clock.now();
    made.feature_seconds = formed - begin;
    made.status = range_basis(H, kRounding, made.basis);
    if (made.status == Status::ok && made.basis.rank() == 0) made.status = Status::all_pruned;
    if (made.status != Status::ok) {
      made.basis = {};
      return made;
    }
    made.gram.set_size(nodes_.count(), nodes_.count());
    syrk(1.0, H, 0.0, View<double>(made.gram));
    made.gram = arma::symmatu(made.gram);
    made.basis_seconds = clock.now() - formed;
    return made;
  });
}

std::string SemiSupervised::graph_key(double sigma) const {
  const auto& graph = options_.graph;
  std::string kind = graph.kind == "knn" ? std::to_string(graph.neighbours) + " neighbours" : graph.kind;
  if (graph.unit_norm.value_or(false)) kind += " of unit norm";
  return kind + (graph.normalised ? " normalised " : " ") + text(sigma);
}

std::shared_ptr<const GraphPiece> SemiSupervised::graph(double sigma, Clock& clock) const {
  return piece<GraphPiece>(graph_key(sigma), [&] {
    GraphPiece made;
    const double begin = clock.now();
    const arma::mat X = matrix_of(all_);
    const bool normalised = options_.graph.normalised;
    if (options_.graph.kind == "knn") {
      const uword k = std::min<uword>(options_.graph.neighbours, X.n_rows - 1);
      made.sparse = laplacian(k == 0 ? arma::sp_mat(1, 1) : nearest_neighbour_affinity(X, k, sigma), normalised);
    } else {
      const bool unit_norm = options_.graph.unit_norm.value_or(false);
      made.dense = laplacian(
          options_.graph.kind == "heat" ? heat_affinity(squared_distances(X), sigma) : sparse_affinity(X, unit_norm),
          normalised);
    }
    made.seconds = clock.now() - begin;
    const arma::vec degrees = made.dense.is_empty() ? arma::vec(made.sparse.diag()) : arma::vec(made.dense.diag());
    made.isolated = arma::accu(degrees == 0);
    return made;
  });
}

std::shared_ptr<const SpectrumPiece> SemiSupervised::spectrum(double sigma, Clock& clock) const {
  return piece<SpectrumPiece>("spectrum " + graph_key(sigma), [&] {
    SpectrumPiece made;
    const auto L = graph(sigma, clock);
    const double begin = clock.now();
    made.status = spectrum_of(L->dense, made.of);
    made.seconds = clock.now() - begin;
    return made;
  });
}

std::shared_ptr<const FactorPiece> SemiSupervised::factor(double sigma, double c, Clock& clock) const {
  return piece<FactorPiece>(fmt::format("factor {}{}", text(c), graph_key(sigma)), [&] {
    FactorPiece made;
    const auto L = graph(sigma, clock);
    const double begin = clock.now();
    made.status = factorise_resolvent(L->dense, c, made.of);
    made.seconds = clock.now() - begin;
    return made;
  });
}

SemiSupervised::Forms::Forms(const SemiSupervised& samples, double sigma, const arma::mat& Q, Clock& clock)
    : samples_(samples), sigma_(sigma), graph_(samples.graph(sigma, clock)) {
  seconds_ = graph_->seconds;
  const uword n = samples.labelled_.n_elem, r = Q.n_cols;
  if (!graph_->dense.is_empty() && samples.options_.s3elm.mu.size() >= kSpectralFrom) {
    spectrum_ = samples.spectrum(sigma, clock);
    seconds_ += spectrum_->seconds;
  }
  const double begin = clock.now();
  Z_.zeros(Q.n_rows, r + n);
  if (spectrum_) {
    const arma::mat& V = spectrum_->of.V;
    if (spectrum_->status == Status::ok) {
      gemm(Op::transpose, Op::none, 1.0, V, Q, 0.0, View<double>(Z_).head_cols(r));
      Z_.tail_cols(n) = V.rows(samples.labelled_).t();
    }
  } else {
    Z_.head_cols(r) = Q;
    for (uword i = 0; i < n; ++i) Z_(samples.labelled_(i), r + i) = 1;
  }
  seconds_ += clock.now() - begin;
}

Status SemiSupervised::Forms::at(double c, Clock& clock, arma::mat& form) {
  std::shared_ptr<const FactorPiece> factorised;
  if (!spectrum_ && !graph_->dense.is_empty()) {
    factorised = samples_.factor(sigma_, c, clock);
    seconds_ += factorised->seconds;
  }
  const Status status = factorised ? factorised->status : spectrum_ ? spectrum_->status : Status::ok;
  if (status != Status::ok) return status;
  const double begin = clock.now();
  if (spectrum_) form = resolvent_form(spectrum_->of, c, Z_);
  if (factorised) form = resolvent_form(factorised->of, Z_);
  const bool sparse = !spectrum_ && !factorised;
  const Status solved = sparse ? resolvent_form(graph_->sparse, c, Z_, kCgTolerance, form) : Status::ok;
  seconds_ += clock.now() - begin;
  return solved;
}

std::vector<LabelledPart> labelled_parts(const arma::mat& targets, std::size_t wanted, const Rng& rng) {
  const uword n = targets.n_rows;
  std::vector<LabelledPart> parts{{arma::regspace<arma::uvec>(0, 1, n - 1), {}}};
  const auto class_of = [&](uword i) {
    return targets.n_cols > 1 ? targets.row(i).index_max() : targets(i, 0) > arma::mean(targets.col(0));
  };
  std::map<uword, std::vector<uword>> classes;
  for (const std::uint64_t i : rng.permutation(n)) classes[class_of(i)].push_back(i);
  std::size_t folds = wanted;
  for (const auto& [label, members] : classes) folds = std::min(folds, members.size());
  if (folds < 2) return parts;
  std::vector<std::vector<uword>> held_out(folds);
  for (const auto& [label, members] : classes) {
    for (std::size_t m = 0; m < members.size(); ++m) held_out[m % folds].push_back(members[m]);
  }
  for (auto& held : held_out) {
    std::sort(held.begin(), held.end());
    LabelledPart part{parts.front().train, arma::uvec(held)};
    part.train.shed_rows(part.held_out);
    parts.push_back(std::move(part));
  }
  return parts;
}

void HeldOutScore::add(const arma::mat& Z, const arma::mat& targets, double middle) {
  for (uword i = 0; i < Z.n_rows; ++i) right += names_the_class(Z.row(i), targets.row(i), middle);
  squared_error += arma::accu(arma::square(Z - targets));
}

bool HeldOutScore::better_than(const HeldOutScore& other) const {
  if (failed != other.failed) return other.failed;
  return right != other.right ? right > other.right : squared_error < other.squared_error;
}

}  // namespace elmx
