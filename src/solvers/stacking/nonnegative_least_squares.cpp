#include "solvers/stacking/nonnegative_least_squares.hpp"

#include <cmath>
#include <vector>

namespace elmx {
namespace {

constexpr double kGradient = 1e-13;  // a gradient below this part of the largest b_j is rounding
// A column of length 1 depends on others if its squared pivot is below this.
constexpr double kDependent = 1e-13;
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
    if (arma::square(R.diag()).min() < kDependent) return false;
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

}  // namespace elmx
