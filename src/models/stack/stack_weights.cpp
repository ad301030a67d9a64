#include "models/stack/stack_weights.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace elmx {
namespace {

constexpr double kGradient = 1e-13;  // a gradient below this part of the largest b_j is rounding
// A column of length 1 depends on others if its squared pivot is below this.
constexpr double kLeastPivot = 1e-13;
constexpr arma::uword kStepsPerColumn = 20;  // per column; far more than are ever needed

/// The problem with its columns scaled to length 1.
class ActiveSet {
 public:
  ActiveSet(const arma::mat& G, const arma::vec& b)
      : m_(b.n_elem), length_(arma::sqrt(G.diag())), G_(G), b_(b), x_(m_, arma::fill::zeros), free_(m_, 0) {
    for (arma::uword j = 0; j < m_; ++j) length_(j) = length_(j) > 0 ? length_(j) : 1;
    G_ /= length_ * length_.t();
    b_ /= length_;
  }

  /// Starts from the solution over these columns where it is positive.
  void begin(const arma::vec& start) {
    for (arma::uword j = 0; j < start.n_elem; ++j) free_[j] = start(j) != 0;
    arma::vec z;
    if (solution(z) && positive(z)) {
      x_ = z;
    } else {
      free_.assign(m_, 0);
    }
  }

  arma::vec solve() {
    std::vector<char> refused(m_, 0);  // columns that depend on the free columns
    for (arma::uword step = 0; step < kStepsPerColumn * (m_ + 1); ++step) {
      const arma::uword entering = steepest(refused);
      if (entering == m_) break;
      free_[entering] = 1;
      arma::vec z;
      if (!solution(z) || !(z(entering) > 0)) {
        free_[entering] = 0;
        refused[entering] = 1;
        continue;
      }
      while (!positive(z)) {
        step_towards(z);
        if (!solution(z)) break;
      }
      x_ = z;
      refused.assign(m_, 0);
    }
    return x_ / length_;
  }

 private:
  /// Returns the column at 0 whose increase lowers the error most; m if there is none.
  arma::uword steepest(const std::vector<char>& refused) const {
    const arma::vec gradient = b_ - G_ * x_;
    double most = kGradient * arma::abs(b_).max();
    arma::uword best = m_;
    for (arma::uword j = 0; j < m_; ++j) {
      if (free_[j] || refused[j] || !(gradient(j) > most)) continue;
      most = gradient(j);
      best = j;
    }
    return best;
  }

  arma::uvec free_columns() const {
    arma::uvec columns(m_);
    arma::uword count = 0;
    for (arma::uword j = 0; j < m_; ++j) {
      if (free_[j]) columns(count++) = j;
    }
    return columns.head(count);
  }

  /// Computes z (m): least squares over the free columns, 0 elsewhere. Returns false if these are dependent.
  bool solution(arma::vec& z) const {
    const arma::uvec P = free_columns();
    z.zeros(m_);
    if (P.is_empty()) return true;
    arma::mat R;
    if (!arma::chol(R, G_.submat(P, P))) return false;
    if (arma::square(R.diag()).min() < kLeastPivot) return false;
    arma::vec y = b_.elem(P);
    y = arma::solve(arma::trimatl(R.t()), y, arma::solve_opts::fast);
    z.elem(P) = arma::solve(arma::trimatu(R), y, arma::solve_opts::fast);
    return z.is_finite();
  }

  bool positive(const arma::vec& z) const {
    for (arma::uword j = 0; j < m_; ++j) {
      if (free_[j] && !(z(j) > 0)) return false;
    }
    return true;
  }

  /// Moves x towards z until a free weight becomes 0, and fixes this weight.
  void step_towards(const arma::vec& z) {
    double length = 1;
    arma::uword first = m_;
    for (arma::uword j = 0; j < m_; ++j) {
      if (!free_[j] || z(j) > 0) continue;
      const double reach = x_(j) / (x_(j) - z(j));
      if (first == m_ || reach < length) {
        length = reach;
        first = j;
      }
    }
    x_ += length * (z - x_);
    x_(first) = 0;
    for (arma::uword j = 0; j < m_; ++j) {
      if (free_[j] && !(x_(j) > 0)) free_[j] = 0;
      if (!free_[j]) x_(j) = 0;
    }
  }

  arma::uword m_;
  arma::vec length_;        // m: lengths of the given columns
  arma::mat G_;             // m x m, its diagonal 1
  arma::vec b_, x_;         // m
  std::vector<char> free_;  // m: true if x_j may be positive
};

}  // namespace

arma::vec nonnegative_least_squares(const arma::mat& G, const arma::vec& b, const arma::vec& start) {
  ActiveSet set(G, b);
  if (!start.is_empty()) set.begin(start);
  return set.solve();
}

namespace {

/// The products of the least-squares problem for the weights.
struct StackProducts {
  arma::mat G;  // m x m: sum_i s_i z_i z_i'
  arma::vec b;  // m: sum_i s_i z_i t_i

  /// Adds `factor` times the contribution of sample i.
  void add(const std::vector<arma::mat>& Z, const arma::mat& T, arma::uword i, double factor) {
    const arma::uword m = b.n_elem;
    for (arma::uword k = 0; k < T.n_cols; ++k) {
      for (arma::uword j = 0; j < m; ++j) {
        const double z = factor * Z[j](i, k);
        b(j) += z * T(i, k);
        for (arma::uword l = 0; l <= j; ++l) G(j, l) += z * Z[l](i, k);
      }
    }
  }

  arma::vec solved(const arma::vec& start = {}) const { return nonnegative_least_squares(arma::symmatl(G), b, start); }
};

arma::uvec known_samples(const std::vector<arma::mat>& Z, const arma::mat& T) {
  arma::uvec known(T.n_rows);
  arma::uword count = 0;
  for (arma::uword i = 0; i < T.n_rows; ++i) {
    if (std::ranges::all_of(Z, [&](const arma::mat& one) { return one.row(i).is_finite(); })) known(count++) = i;
  }
  return known.head(count);
}

}  // namespace

StackWeights stack_weights(const std::vector<arma::mat>& Z, const arma::mat& T, const arma::vec& s) {
  const arma::uword m = Z.size();
  const arma::uvec known = known_samples(Z, T);
  const auto share = [&](arma::uword i) { return s.is_empty() ? 1 : s(i); };
  StackProducts all{arma::mat(m, m, arma::fill::zeros), arma::vec(m, arma::fill::zeros)};
  for (const arma::uword i : known) all.add(Z, T, i, share(i));
  StackWeights found{all.solved(), arma::mat(m, T.n_rows, arma::fill::value(arma::datum::nan))};
  for (const arma::uword i : known) {
    StackProducts others = all;
    others.add(Z, T, i, -share(i));
    found.without_each.col(i) = others.solved(found.weights);
  }
  return found;
}

arma::mat weighted_sum(const std::vector<arma::mat>& Z, const arma::vec& weights) {
  arma::mat sum(arma::size(Z.front()), arma::fill::zeros);
  for (arma::uword j = 0; j < weights.n_elem; ++j) {
    if (weights(j) != 0) sum += weights(j) * Z[j];
  }
  return sum;
}

}  // namespace elmx
