#include "solvers/kernel/kernel_matrix.hpp"

#include <algorithm>
#include <vector>

#include "linalg/tall_matrix.hpp"

namespace elmx {
namespace {

constexpr uword kTile = 512;  // rows and columns of a tile; a multiple of the tile of kernel_entries

struct TilePlace {
  uword row, rows, col, cols;
};

/// Returns the tiles of the upper triangle of n columns, which start at the diagonal or above.
std::vector<TilePlace> upper_tiles(uword n) {
  std::vector<TilePlace> tiles;
  for (uword col = 0; col < n; col += kTile) {
    const uword cols = std::min(kTile, n - col);
    for (uword row = 0; row < col + cols; row += kTile)
      tiles.push_back({row, std::min(kTile, col + cols - row), col, cols});
  }
  return tiles;
}

}  // namespace

template <class T>
KernelMatrix<T>::KernelMatrix(Kernel kernel, KernelPoints<T> points, const arma::vec& scale)
    : kernel_(kernel), points_(std::move(points)), scale_(arma::conv_to<arma::Col<T>>::from(scale)) {
  expects(scale.is_empty() || scale.n_elem == points_.count(), "KernelMatrix: a scale for each sample");
}

template <class T>
void KernelMatrix<T>::tile(uword row, uword col, View<T> K) const {
  kernel_entries(kernel_, points_, row, points_, col, K);
  if (scale_.is_empty()) return;
  for (uword j = 0; j < K.cols; ++j) {
    const T of_column = scale_(col + j);
    for (uword i = 0; i < K.rows; ++i) K(i, j) *= scale_(row + i) * of_column;
  }
}

template <class T>
void KernelMatrix<T>::form(View<T> K) const {
  expects(K.rows == size() && K.cols == size(), "KernelMatrix::form: K is n x n");
  const std::vector<TilePlace> tiles = upper_tiles(size());
#pragma omp parallel for schedule(dynamic, 1)
  for (const TilePlace& at : tiles) {
    // A diagonal tile would overwrite the strict lower triangle, which belongs to the caller.
    if (at.row + at.rows <= at.col) {
      tile(at.row, at.col, K.block(at.row, at.col, at.rows, at.cols));
      continue;
    }
    arma::Mat<T> entries(at.rows, at.cols, arma::fill::none);
    tile(at.row, at.col, View<T>(entries));
    for (uword j = 0; j < at.cols; ++j) {
      const uword rows = std::min(at.rows, at.col + j + 1 - std::min(at.row, at.col + j + 1));
      std::copy_n(entries.colptr(j), rows, &K(at.row, at.col + j));
    }
  }
}

template <class T>
void KernelMatrix<T>::form(UpperPanels& K) const {
  expects(K.columns() == size(), "KernelMatrix::form: the panels have n columns");
  struct Place {
    std::size_t panel;
    uword row;
  };
  std::vector<Place> places;
  for (std::size_t p = 0; p < K.count(); ++p)
    for (uword row = 0; row < K.end(p); row += kTile) places.push_back({p, row});
  if constexpr (std::same_as<T, float>) {
#pragma omp parallel for schedule(dynamic, 1)
    for (const Place& place : places) {
      const View<float> panel = K.panel(place.panel);
      tile(place.row, K.begin(place.panel),
           panel.block(place.row, 0, std::min(kTile, panel.rows - place.row), panel.cols));
    }
  }
}

template <class T>
arma::mat KernelMatrix<T>::times(const arma::mat& B) const {
  // A tile K_ij adds K_ij B_j to the rows of block i and K_ij'B_i to the rows of block j = (i + wave) mod
  // blocks. In a wave every block is the i of one tile and the j of one tile: no two threads add to the same
  // rows, and the sums are in the order of the waves.
  const uword n = size(), blocks = (n + kTile - 1) / kTile;
  const View<const double> in(B);
  arma::mat first(n, B.n_cols), second(n, B.n_cols);
  const auto of_block = [n](auto M, uword block) {
    const uword row = block * kTile;
    return M.block(row, 0, std::min(kTile, n - row), M.cols);
  };
  for (uword wave = 0; wave <= blocks / 2; ++wave) {
    const uword tiles = 2 * wave == blocks ? wave : blocks;
#pragma omp parallel
    {
      arma::Mat<T> K(kTile, kTile, arma::fill::none);
#pragma omp for schedule(dynamic, 1)
      for (uword i = 0; i < tiles; ++i) {
        const uword j = (i + wave) % blocks;
        const View<const double> Bi = of_block(in, i), Bj = of_block(in, j);
        const View<T> Kij = View<T>(K).block(0, 0, Bi.rows, Bj.rows);
        tile(i * kTile, j * kTile, Kij);
        wide_gemm(Op::none, 1.0, Kij, Bj, 1.0, of_block(View<double>(first), i));
        if (wave > 0) wide_gemm(Op::transpose, 1.0, Kij, Bi, 1.0, of_block(View<double>(second), j));
      }
    }
  }
  return first + second;
}

template <class T, class W>
arma::mat kernel_outputs(Kernel kernel, const KernelPoints<T>& X, const KernelPoints<T>& centres,
                         const arma::Mat<W>& A) {
  const uword m = X.count(), n = centres.count();
  arma::Mat<W> Z(m, A.n_cols);
  const auto blocks = static_cast<long>((m + kTile - 1) / kTile);
#pragma omp parallel for schedule(dynamic, 1)
  for (long block = 0; block < blocks; ++block) {
    const uword row = static_cast<uword>(block) * kTile, rows = std::min(kTile, m - row);
    arma::Mat<T> K(rows, kTile, arma::fill::none);
    for (uword col = 0; col < n; col += kTile) {
      const View<T> entries = View<T>(K).block(0, 0, rows, std::min(kTile, n - col));
      kernel_entries(kernel, X, row, centres, col, entries);
      const View<const W> of_centres = View<const W>(A).block(col, 0, entries.cols, A.n_cols);
      const View<W> out = View<W>(Z).block(row, 0, rows, A.n_cols);
      if constexpr (std::same_as<T, W>) {
        gemm(Op::none, Op::none, W(1), entries, of_centres, W(1), out);
      } else {
        wide_gemm(Op::none, 1.0, View<const T>(entries), of_centres, 1.0, out);
      }
    }
  }
  return arma::conv_to<arma::mat>::from(Z);
}

template class KernelMatrix<double>;
template class KernelMatrix<float>;
template arma::mat kernel_outputs(Kernel, const KernelPoints<double>&, const KernelPoints<double>&, const arma::mat&);
template arma::mat kernel_outputs(Kernel, const KernelPoints<float>&, const KernelPoints<float>&, const arma::fmat&);
template arma::mat kernel_outputs(Kernel, const KernelPoints<float>&, const KernelPoints<float>&, const arma::mat&);

}  // namespace elmx
