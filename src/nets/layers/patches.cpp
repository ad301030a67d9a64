#include <algorithm>

#include "nets/layers/convolution.hpp"

namespace elmx {
namespace {

/// Returns the index of the input of position p along one axis, with `shift` = h - padding for a kernel entry
/// h; -1 if there is none.
long input_index(const PatchGeometry& g, long p, long shift, long size) {
  const long spread = p * g.stride + shift;
  if (spread < 0 || spread % g.dilation != 0 || spread / g.dilation >= size) return -1;
  return spread / g.dilation;
}

/// Positions [first, last) with an input, for stride and dilation 1, where neighbours have neighbouring
/// inputs.
struct Overlap {
  long first, last;
};
Overlap run_of(long shift, long positions, long size) {
  const long first = std::clamp(-shift, 0L, positions);
  return {first, std::clamp(size - shift, first, positions)};
}

}  // namespace

template <class T>
void gather_patches(const PatchGeometry& g, const T* X, uword samples, uword first, uword count, T* out) {
  const long U = static_cast<long>(g.input.rows), V = static_cast<long>(g.input.cols),
             width = static_cast<long>(g.output.cols);
  const long M = static_cast<long>(samples), begin = static_cast<long>(first), end = static_cast<long>(first + count);
  const bool contiguous = g.stride == 1 && g.dilation == 1;
  for (long c = 0; c < static_cast<long>(g.input.channels); ++c) {
    const T* plane = X + c * U * V * M;
    for (long h = 0; h < g.kernel_rows; ++h) {
      for (long w = 0; w < g.kernel_cols; ++w) {
        const long down = h - g.padding_rows, right = w - g.padding_cols;
        for (long p = begin; p < end;) {  // one output row at a time
          const long u = p / width, last = std::min(end, (u + 1) * width), row = input_index(g, u, down, U);
          T* to = out + (p - begin) * M;
          if (row < 0) {
            std::fill_n(to, (last - p) * M, T(0));
          } else if (contiguous) {
            const Overlap run = run_of(right, width, V);
            const long v = p - u * width, stop = last - u * width;
            const long v0 = std::clamp(run.first, v, stop), v1 = std::clamp(run.last, v0, stop);
            std::fill_n(to, (v0 - v) * M, T(0));
            std::copy_n(plane + (row * V + v0 + right) * M, (v1 - v0) * M, to + (v0 - v) * M);
            std::fill_n(to + (v1 - v) * M, (stop - v1) * M, T(0));
          } else {
            for (long q = p; q < last; ++q, to += M) {
              const long col = input_index(g, q - u * width, right, V);
              col < 0 ? std::fill_n(to, M, T(0)) : std::copy_n(plane + (row * V + col) * M, M, to);
            }
          }
          p = last;
        }
        out += (end - begin) * M;
      }
    }
  }
}

template <class T>
void average_patch(const PatchGeometry& g, const T* X, uword samples, T* out) {
  const long U = static_cast<long>(g.input.rows), V = static_cast<long>(g.input.cols);
  const auto channels = static_cast<long>(g.input.channels);
  const auto output_rows = static_cast<long>(g.output.rows), output_cols = static_cast<long>(g.output.cols);
  const double weight = 1 / (static_cast<double>(samples) * static_cast<double>(g.positions()));
  const bool contiguous = g.stride == 1 && g.dilation == 1;
#pragma omp parallel for schedule(static)
  for (long c = 0; c < channels; ++c) {
    // S(i, j): sum of the entries above and left of (i, j), in the sum of the images over the samples.
    arma::mat S(U + 1, V + 1, arma::fill::zeros);
    for (long i = 0; i < U; ++i) {
      for (long j = 0; j < V; ++j) {
        const T* entry = X + ((c * U + i) * V + j) * static_cast<long>(samples);
        T sum = 0;
        for (uword m = 0; m < samples; ++m) sum += entry[m];
        S(i + 1, j + 1) = static_cast<double>(sum);
      }
    }
    const auto window = [&](long i0, long i1, long j0, long j1) {
      return S(i1, j1) - S(i0, j1) - S(i1, j0) + S(i0, j0);
    };
    const arma::mat image = S;
    if (contiguous) S = arma::cumsum(arma::cumsum(S, 0), 1);
    for (long h = 0; h < g.kernel_rows; ++h) {
      for (long w = 0; w < g.kernel_cols; ++w) {
        const long down = h - g.padding_rows, right = w - g.padding_cols;
        double sum = 0;
        if (contiguous) {
          const Overlap rows = run_of(down, output_rows, U), cols = run_of(right, output_cols, V);
          if (rows.first < rows.last && cols.first < cols.last) {
            sum = window(rows.first + down, rows.last + down, cols.first + right, cols.last + right);
          }
        } else {
          for (long u = 0; u < output_rows; ++u) {
            const long i = input_index(g, u, down, U);
            for (long v = 0; i >= 0 && v < output_cols; ++v) {
              const long j = input_index(g, v, right, V);
              if (j >= 0) sum += image(i + 1, j + 1);
            }
          }
        }
        out[(c * g.kernel_rows + h) * g.kernel_cols + w] = static_cast<T>(weight * sum);
      }
    }
  }
}

template void gather_patches(const PatchGeometry&, const float*, uword, uword, uword, float*);
template void gather_patches(const PatchGeometry&, const double*, uword, uword, uword, double*);
template void average_patch(const PatchGeometry&, const float*, uword, float*);
template void average_patch(const PatchGeometry&, const double*, uword, double*);

}  // namespace elmx
