#include "models/s3elm/labelled_parts.hpp"

#include <algorithm>
#include <map>

namespace elmx {
namespace {

/// Returns true if the scores name the class of the targets: by the largest entry, or for one column by the
/// side of the middle of its codes.
bool names_the_class(const arma::rowvec& scores, const arma::rowvec& target, double middle) {
  if (target.n_elem > 1) return scores.index_max() == target.index_max();
  return (scores(0) > middle) == (target(0) > middle);
}

}  // namespace

std::vector<LabelledPart> labelled_parts(const arma::mat& targets, std::size_t wanted, const Rng& rng) {
  const arma::uword n = targets.n_rows;
  std::vector<LabelledPart> parts{{arma::regspace<arma::uvec>(0, 1, n - 1), {}}};
  const auto class_of = [&](arma::uword i) {
    return targets.n_cols > 1 ? targets.row(i).index_max() : targets(i, 0) > arma::mean(targets.col(0));
  };
  std::map<arma::uword, std::vector<arma::uword>> classes;
  for (const std::uint64_t i : rng.permutation(n)) classes[class_of(i)].push_back(i);
  std::size_t folds = wanted;
  for (const auto& [label, members] : classes) folds = std::min(folds, members.size());
  if (folds < 2) return parts;
  std::vector<std::vector<arma::uword>> held_out(folds);
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
  for (arma::uword i = 0; i < Z.n_rows; ++i) right += names_the_class(Z.row(i), targets.row(i), middle);
  squared_error += arma::accu(arma::square(Z - targets));
}

bool HeldOutScore::better_than(const HeldOutScore& other) const {
  if (failed != other.failed) return other.failed;
  return right != other.right ? right > other.right : squared_error < other.squared_error;
}

}  // namespace elmx
