#include "linalg/upper_panels.hpp"

#include <algorithm>

#include "linalg/blas.hpp"
#include "linalg/blas_kernels.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/inverse_cholesky.hpp"
#include "linalg/tall_matrix.hpp"

namespace elmx {
namespace {

// The number of strips of a block row that threads share, and the least columns of a strip.
constexpr uword kStrips = 8, kLeastStrip = 64;
constexpr uword kSerialFlops = 1u << 20;  // below this threads cost more than they gain

// Products of panels with singles (the columns of a new panel) and with doubles (vectors).

void product(Op op, float alpha, View<const float> A, View<const float> X, View<float> Z) {
  gemm(op, Op::none, alpha, A, X, 1.0f, Z);
}
void product(Op op, double alpha, View<const float> A, View<const double> X, View<double> Z) {
  wide_gemm(op, alpha, A, X, 1.0, Z);
}

void triangular_solve(Op op, View<const float> R, View<float> X) { trsm(op, R, X); }
void triangular_solve(Op op, View<const float> R, View<double> X) {
  trsm(op, arma::conv_to<arma::mat>::from(R.copy()), X);
}

void triangular_product(Op op, View<const float> F, View<float> X) { trmm(op, F, X); }
void triangular_product(Op op, View<const float> F, View<double> X) {
  trmm(op, arma::conv_to<arma::mat>::from(F.copy()), X);
}

/// A panel p: R_pp (diagonal) and the part above it.
struct Parts {
  View<const float> above, diagonal;
};
Parts parts_of(const UpperPanels& U, std::size_t p) {
  const View<const float> panel = U.panel(p);
  const uword above = U.begin(p);
  return {panel.block(0, 0, above, panel.cols), panel.block(above, 0, panel.cols, panel.cols)};
}

/// Computes B = R^-T B.
void solve_transposed(const UpperPanels& R, View<double> B) {
  for (std::size_t p = 0; p < R.count(); ++p) {
    const auto [above, diagonal] = parts_of(R, p);
    const View<double> here = B.block(R.begin(p), 0, diagonal.cols, B.cols);
    if (above.rows > 0) product(Op::transpose, -1.0, above, B.block(0, 0, above.rows, B.cols), here);
    triangular_solve(Op::transpose, diagonal, here);
  }
}

/// Computes X = F'X with the first `panels` panels.
template <class X>
void multiply_transposed(const UpperPanels& F, std::size_t panels, View<X> B) {
  for (std::size_t p = panels; p-- > 0;) {
    const auto [above, diagonal] = parts_of(F, p);
    const View<X> here = B.block(F.begin(p), 0, diagonal.cols, B.cols);
    triangular_product(Op::transpose, diagonal, here);
    if (above.rows > 0) product(Op::transpose, X(1), above, B.block(0, 0, above.rows, B.cols), here);
  }
}

/// Computes X = F X with the first `panels` panels.
template <class X>
void multiply(const UpperPanels& F, std::size_t panels, View<X> B) {
  for (std::size_t p = 0; p < panels; ++p) {
    const auto [above, diagonal] = parts_of(F, p);
    const View<X> here = B.block(F.begin(p), 0, diagonal.cols, B.cols);
    if (above.rows > 0) product(Op::none, X(1), above, here, B.block(0, 0, above.rows, B.cols));
    triangular_product(Op::none, diagonal, here);
  }
}

}  // namespace

void UpperPanels::append(uword q) {
  for (uword left = q; left > 0;) {
    const uword b = std::min(left, width_);
    add_panel(b);
    left -= b;
  }
}

void UpperPanels::append_like(const UpperPanels& other, std::size_t p) {
  for (; p < other.count(); ++p) add_panel(other.panels_[p].n_cols);
}

void UpperPanels::add_panel(uword columns) {
  n_ += columns;
  panels_.emplace_back(n_, columns, arma::fill::none);
}

void UpperPanels::clear() {
  panels_.clear();
  n_ = 0;
}

void UpperPanels::forget_before(std::size_t p) {
  for (std::size_t i = 0; i < p; ++i) panels_[i].reset();
}

void UpperPanels::add_gram(std::size_t p, View<const float> B, float beta) {
  expects(B.cols == columns(), "UpperPanels::add_gram: B has all columns");
  struct Tile {
    std::size_t panel;
    uword row, rows;
  };
  std::vector<Tile> tiles;
  for (; p < count(); ++p) {
    for (uword row = 0; row < end(p); row += width_) tiles.push_back({p, row, std::min(width_, end(p) - row)});
  }
  // The cheaper diagonal tiles come last and even out the threads.
  std::stable_partition(tiles.begin(), tiles.end(),
                        [&](const Tile& tile) { return tile.row + tile.rows < end(tile.panel); });
#pragma omp parallel for schedule(dynamic, 1)
  for (const Tile& tile : tiles) {
    const View<float> G = panel(tile.panel);
    const uword first = begin(tile.panel), above = std::min(tile.rows, first > tile.row ? first - tile.row : 0);
    if (above > 0) {
      kernel_gemm(Op::transpose, Op::none, above, G.cols, B.rows, 1.0f, &B(0, tile.row), B.ld, &B(0, first), B.ld, beta,
                  &G(tile.row, 0), G.ld);
    }
    // A tile may begin above the diagonal block and end in it.
    if (tile.row + tile.rows == G.rows) kernel_syrk(G.cols, B.rows, 1.0f, &B(0, first), B.ld, beta, &G(first, 0), G.ld);
  }
}

Status UpperPanels::cholesky(std::size_t first) {
  struct Strip {
    std::size_t panel;
    uword column, columns;  // of the panel
  };
  // R'R = G, block row by block row. In the panels from `first` on, the part above row q is R, and the
  // diagonal blocks are G_pp - R_*p'R_*p.
  for (std::size_t q = 0; q < count(); ++q) {
    const Parts of_q = parts_of(*this, q);
    const View<const float> above = of_q.above, diagonal = of_q.diagonal;
    if (q >= first) {
      const Status status = elmx::cholesky(panel(q).block(begin(q), 0, diagonal.cols, diagonal.cols));
      if (status != Status::ok) return status;
    }
    const std::size_t next = std::max(first, q + 1);
    if (next >= count()) continue;
    // R_qp = R_qq^-T (G_qp - R_*q'R_*p). Strips are narrower if few panels are left, so that all threads have
    // work.
    const uword edge = std::clamp((columns() - begin(next)) / kStrips, std::min(kLeastStrip, width_), width_);
    const bool shared = diagonal.cols * end(q) * (columns() - begin(next)) > kSerialFlops;
    std::vector<Strip> strips;
    for (std::size_t p = next; p < count(); ++p)
      for (uword j = 0; j < end(p) - begin(p); j += edge)
        strips.push_back({p, j, std::min(edge, end(p) - begin(p) - j)});
#pragma omp parallel for schedule(dynamic, 1) if (shared)
    for (const Strip& strip : strips) {
      const View<float> R = panel(strip.panel);
      float* G = &R(begin(q), strip.column);
      if (above.rows > 0)
        kernel_gemm(Op::transpose, Op::none, diagonal.cols, strip.columns, above.rows, -1.0f, above.data, above.ld,
                    &R(0, strip.column), R.ld, 1.0f, G, R.ld);
      kernel_trsm(Op::transpose, diagonal.cols, strip.columns, diagonal.data, diagonal.ld, G, R.ld);
    }
    // G_pp - R_qp'R_qp
#pragma omp parallel for schedule(dynamic, 1) if (shared)
    for (std::size_t p = next; p < count(); ++p) {
      const View<float> R = panel(p);
      kernel_syrk(R.cols, diagonal.cols, -1.0f, &R(begin(q), 0), R.ld, 1.0f, &R(begin(p), 0), R.ld);
    }
  }
  return Status::ok;
}

Status UpperPanels::inverse_cholesky(std::size_t p) {
  for (; p < count(); ++p) {
    const View<float> G = panel(p), above = G.block(0, 0, begin(p), G.cols),
                      diagonal = G.block(begin(p), 0, G.cols, G.cols);
    if (above.rows > 0) {
      multiply_transposed(*this, p, above);  // V = F'P
      syrk(-1.0f, above, 1.0f, diagonal);    // Q - V'V
    }
    if (const Status status = elmx::inverse_cholesky(diagonal); status != Status::ok) return status;
    if (above.rows == 0) continue;
    trmm_right(Op::none, diagonal, above, -1.0f);  // T = -F V G
    elmx::multiply(*this, p, above);
  }
  return Status::ok;
}

void UpperPanels::solve(View<double> X) const {
  expects(X.rows == columns(), "UpperPanels::solve: X has a row for each column");
  solve_transposed(*this, X);
  for (std::size_t p = count(); p-- > 0;) {
    const auto [above, diagonal] = parts_of(*this, p);
    const View<double> here = X.block(begin(p), 0, diagonal.cols, X.cols);
    triangular_solve(Op::none, diagonal, here);
    if (above.rows > 0) product(Op::none, -1.0, above, here, X.block(0, 0, above.rows, X.cols));
  }
}

arma::vec UpperPanels::inverse_diagonal(uword first) const {
  arma::vec diagonal(columns() - first);
  for (std::size_t p = 0; p < count(); ++p) {
    if (end(p) <= first) continue;
    // (R'R)^-1_ii = ||R^-T e_i||^2, and R^-T e_i begins with row i.
    const uword at = begin(p);
    arma::fmat X(columns() - at, end(p) - at, arma::fill::zeros);
    X.diag().ones();
    for (std::size_t q = p; q < count(); ++q) {
      const auto [above, own] = parts_of(*this, q);
      const View<float> here = View<float>(X).block(begin(q) - at, 0, own.cols, X.n_cols);
      if (q > p) {
        const uword rows = begin(q) - at;
        product(Op::transpose, -1.0f, above.block(at, 0, rows, above.cols), View<float>(X).block(0, 0, rows, X.n_cols),
                here);
      }
      triangular_solve(Op::transpose, own, here);
    }
    for (uword i = std::max(first, at); i < end(p); ++i) {
      const float* x = X.colptr(i - at);
      double sum = 0;
      for (uword k = 0; k < X.n_rows; ++k) sum += static_cast<double>(x[k]) * static_cast<double>(x[k]);
      diagonal(i - first) = sum;
    }
  }
  return diagonal;
}

void UpperPanels::multiply(View<double> X) const {
  expects(X.rows == columns(), "UpperPanels::multiply: X has a row for each column");
  multiply_transposed(*this, count(), X);
  elmx::multiply(*this, count(), X);
}

}  // namespace elmx
