#pragma once

#include <ostream>

#include "nets/layers.hpp"
#include "nets/layers/convolution.hpp"

namespace elmx {

/// A convolution of M images of C channels of U x V.
struct ConvolutionCase {
  uword C, U, V, O, H, W, stride, padding, M;

  Shape input() const { return {1, C, U, V}; }
  ConvolutionOptions options() const { return {O, H, W, stride, padding}; }
  uword rows() const { return (U + 2 * padding - H) / stride + 1; }
  uword cols() const { return (V + 2 * padding - W) / stride + 1; }
  PatchGeometry geometry() const {
    const auto pad = static_cast<long>(padding);
    return {input(),
            {1, O, rows(), cols()},
            static_cast<long>(H),
            static_cast<long>(W),
            static_cast<long>(stride),
            pad,
            pad,
            1};
  }
};
inline void PrintTo(const ConvolutionCase& c, std::ostream* out) {
  *out << c.C << "x" << c.U << "x" << c.V << "_to_" << c.O << "_by_" << c.H << "x" << c.W << "_s" << c.stride << "_p"
       << c.padding << "_M" << c.M;
}

inline std::vector<ConvolutionCase> convolution_cases() {
  return {
      {1, 5, 5, 2, 3, 3, 1, 0, 7},
      {3, 6, 4, 2, 3, 2, 2, 1, 7},
      {1, 5, 5, 1, 3, 3, 1, 1, 1},
      // one position: the whole image
      {2, 7, 5, 3, 2, 3, 3, 2, 7},
      {2, 4, 4, 2, 4, 4, 1, 0, 7},
      // the whole padded image
      {2, 3, 2, 2, 5, 4, 1, 1, 7},
      {3, 4, 5, 4, 1, 1, 1, 0, 7},
      {2, 4, 5, 2, 1, 1, 2, 0, 3},
      {2, 3, 4, 2, 1, 1, 3, 2, 3},  // of one entry
      // padding as wide as the kernel and wider
      {2, 3, 3, 2, 2, 2, 1, 2, 7},
      {2, 3, 3, 2, 2, 2, 1, 4, 3},
      {1, 3, 4, 2, 2, 3, 2, 5, 1},
      // entries beyond the last whole window
      {1, 4, 3, 2, 3, 2, 3, 4, 2},
      {2, 8, 8, 2, 3, 3, 2, 0, 7},
      {2, 7, 8, 1, 2, 2, 3, 1, 1},
      // and between the windows
      {2, 9, 9, 2, 3, 3, 3, 0, 2},
      {1, 9, 6, 2, 2, 2, 3, 0, 2},
      // windows in the padding alone
      {2, 4, 1, 2, 1, 6, 1, 3, 2},
      {2, 1, 4, 2, 6, 1, 1, 3, 2},
      {1, 1, 1, 2, 6, 6, 1, 3, 2},
      {1, 1, 1, 3, 1, 1, 1, 0, 7},
      {2, 2, 9, 2, 1, 3, 1, 1, 7},
      {2, 9, 2, 2, 3, 1, 1, 0, 1},
      {1, 4, 4, 2, 3, 3, 1, 1, 600},  // more samples than rows in a tile
      {3, 9, 9, 4, 3, 3, 1, 1, 100},
      {2, 9, 8, 4, 3, 2, 2, 1, 100},  // several tiles, the last one smaller
  };
}

/// The input matrix of (3), row (u V + v) M + m, with its column of ones.
inline arma::mat rows_by_definition(const ConvolutionCase& c, const arma::mat& images) {
  arma::mat X(c.rows() * c.cols() * c.M, c.C * c.H * c.W + 1, arma::fill::zeros);
  for (uword m = 0; m < c.M; ++m) {
    for (uword u = 0; u < c.rows(); ++u) {
      for (uword v = 0; v < c.cols(); ++v) {
        const uword row = (u * c.cols() + v) * c.M + m;
        X(row, X.n_cols - 1) = 1;
        for (uword channel = 0; channel < c.C; ++channel) {
          for (uword h = 0; h < c.H; ++h) {
            for (uword w = 0; w < c.W; ++w) {
              const long i = static_cast<long>(u * c.stride + h) - static_cast<long>(c.padding);
              const long j = static_cast<long>(v * c.stride + w) - static_cast<long>(c.padding);
              if (i < 0 || j < 0 || i >= static_cast<long>(c.U) || j >= static_cast<long>(c.V)) continue;
              X(row, (channel * c.H + h) * c.W + w) =
                  images(m, (channel * c.U + static_cast<uword>(i)) * c.V + static_cast<uword>(j));
            }
          }
        }
      }
    }
  }
  return X;
}

}  // namespace elmx
