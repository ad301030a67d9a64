#include "nets/layers/convolution.hpp"

#include <algorithm>

#include "nets/layers/elementwise.hpp"

namespace elmx {
namespace {

constexpr uword kTileRows = 512;  // rows of X in the cache at once
constexpr uword kParts = 8;       // parts of the sum D over all rows of X

/// Returns how many positions have their rows gathered at once.
uword tile_positions(uword samples) { return std::max<uword>(1, kTileRows / samples); }

/// Computes Y = X Theta, or Y = f(X Theta) if f is given. X holds the patches of the images, with a column of
/// ones if Theta has a bias row.
template <class T>
void correlate(const PatchGeometry& g, const T* images, uword samples, View<const T> Theta,
               const std::optional<Activation>& f, T* Y) {
  const uword tile = tile_positions(samples), positions = g.positions(), q = g.patch(), rows = positions * samples;
  const auto tiles = static_cast<long>((positions + tile - 1) / tile);
#pragma omp parallel
  {
    arma::Mat<T> X(tile * samples, Theta.rows, arma::fill::ones);
#pragma omp for schedule(dynamic, 1)
    for (long t = 0; t < tiles; ++t) {
      const uword first = static_cast<uword>(t) * tile, count = std::min(tile, positions - first), n = count * samples;
      gather_patches(g, images, samples, first, count, X.memptr());
      if (Theta.rows > q) std::fill_n(X.memptr() + n * q, n, T(1));
      const View<T> part(Y + first * samples, n, Theta.cols, rows);
      gemm(Op::none, Op::none, T(1), View<const T>(X.memptr(), n, Theta.rows, n), Theta, T(0), part);
      if (f) {
        for (uword o = 0; o < Theta.cols; ++o) activate_signal(*f, part.data + o * part.ld, n);
      }
    }
  }
}

}  // namespace

template <class T>
Convolution<T>::Convolution(const Shape& input, const ConvolutionOptions& options, Parameter<T> parameter,
                            Activation activation)
    : parameter_(std::move(parameter)), activation_(activation) {
  const auto H = static_cast<long>(options.kernel_rows), W = static_cast<long>(options.kernel_cols);
  const auto D = static_cast<long>(options.stride), P = static_cast<long>(options.padding);
  expects(input.steps == 1 && options.stride > 0, "Convolution: of images, not of sequences, by a stride");
  expects(input.rows + 2 * options.padding >= options.kernel_rows &&
              input.cols + 2 * options.padding >= options.kernel_cols,
          "Convolution: the kernel fits the padded image");
  const Shape output{1, options.channels, (input.rows + 2 * options.padding - options.kernel_rows) / options.stride + 1,
                     (input.cols + 2 * options.padding - options.kernel_cols) / options.stride + 1};
  geometry_ = {input, output, H, W, D, P, P, 1};
  // input (i, j) meets output ((i + P - h) / D, (j + P - w) / D)
  turned_ = {output, input, H, W, 1, H - 1 - P, W - 1 - P, D};
  expects(parameter_.inputs() == geometry_.patch() + 1 && parameter_.outputs() == options.channels,
          "Convolution: Theta is (C H W + 1) x channels");
}

template <class T>
View<const T> Convolution<T>::forward(View<const T> X, uword samples) {
  expects(X.ld == samples, "Convolution::forward: X is one block");
  X_ = X;
  samples_ = samples;
  const View<T> Y = signal(Y_, samples, geometry_.output.features());
  correlate<T>(geometry_, X.data, samples, parameter_.Theta, activation_, Y.data);
  return Y;
}

template <class T>
void Convolution<T>::backward(View<T> dY, View<T>* dX) {
  expects(dY.ld == samples_, "Convolution::backward: dY is one block");
  times_slope(activation_, Y_.memptr(), dY.data, dY.rows * dY.cols);
  gradient(X_->data, dY.data);
  if (parameter_.needs.average) {
    parameter_.x.ones(parameter_.inputs());
    average_patch(geometry_, X_->data, samples_, parameter_.x.memptr());
  }
  if (dX) {
    const uword C = geometry_.input.channels, O = geometry_.output.channels, area = geometry_.patch() / C;
    arma::Mat<T> turned(O * area, C);  // row (o H + H - 1 - h) W + W - 1 - w, column c
    for (uword c = 0; c < C; ++c) {
      for (uword o = 0; o < O; ++o) {
        for (uword a = 0; a < area; ++a) turned(o * area + area - 1 - a, c) = parameter_.Theta(c * area + a, o);
      }
    }
    correlate<T>(turned_, dY.data, samples_, turned, std::nullopt, dX->data);
  }
}

/// Computes D = X'dZ, by parts of the positions.
template <class T>
void Convolution<T>::gradient(const T* images, const T* dZ) {
  const uword positions = geometry_.positions(), q = parameter_.inputs(), O = parameter_.outputs(),
              rows = positions * samples_;
  const uword tile = tile_positions(samples_);
  std::vector<arma::Mat<T>> parts(kParts, arma::Mat<T>(q, O, arma::fill::zeros));
#pragma omp parallel
  {
    arma::Mat<T> X(tile * samples_, q);
#pragma omp for schedule(dynamic, 1)
    for (uword part = 0; part < kParts; ++part) {
      const uword end = (part + 1) * positions / kParts;
      for (uword first = part * positions / kParts; first < end; first += tile) {
        const uword count = std::min(tile, end - first), n = count * samples_;
        gather_patches(geometry_, images, samples_, first, count, X.memptr());
        std::fill_n(X.memptr() + n * (q - 1), n, T(1));
        gemm(Op::transpose, Op::none, T(1), View<const T>(X.memptr(), n, q, n),
             View<const T>(dZ + first * samples_, n, O, rows), T(1), View<T>(parts[part]));
      }
    }
  }
  parameter_.D = parts[0];
  for (uword part = 1; part < kParts; ++part) parameter_.D += parts[part];
}

template class Convolution<float>;
template class Convolution<double>;

template <class T>
MaxPool<T>::MaxPool(const Shape& input, const MaxPoolOptions& options) : input_(input), options_(options) {
  expects(input.steps == 1 && options.rows <= input.rows && options.cols <= input.cols,
          "MaxPool: the window fits the image");
  expects(options.stride > 0 && options.rows * options.cols <= 1u << 16,
          "MaxPool: a stride, and a window of which 16 bits number the entries");
  output_ = {1, input.channels, (input.rows - options.rows) / options.stride + 1,
             (input.cols - options.cols) / options.stride + 1};
}

template <class T>
uword MaxPool<T>::entry(uword c, uword u, uword v, uword k) const {
  const uword row = u * options_.stride + k / options_.cols, col = v * options_.stride + k % options_.cols;
  return ((c * input_.rows + row) * input_.cols + col) * samples_;
}

template <class T>
View<const T> MaxPool<T>::forward(View<const T> X, uword samples) {
  expects(X.ld == samples, "MaxPool::forward: X is one block");
  samples_ = samples;
  const View<T> Y = signal(Y_, samples, output_.features());
  largest_.resize(samples * output_.features());
  const uword window = options_.rows * options_.cols;
#pragma omp parallel for collapse(2) schedule(static)
  for (uword c = 0; c < output_.channels; ++c) {
    for (uword u = 0; u < output_.rows; ++u) {
      for (uword v = 0; v < output_.cols; ++v) {
        const uword at = ((c * output_.rows + u) * output_.cols + v) * samples;
        T* y = Y.data + at;
        std::uint16_t* k_of = largest_.data() + at;
        std::copy_n(X.data + entry(c, u, v, 0), samples, y);
        std::fill_n(k_of, samples, std::uint16_t(0));
        for (uword k = 1; k < window; ++k) {
          const T* x = X.data + entry(c, u, v, k);
          for (uword m = 0; m < samples; ++m) {
            const bool larger = x[m] > y[m] || x[m] != x[m];  // NaN stays
            y[m] = larger ? x[m] : y[m];
            k_of[m] = larger ? static_cast<std::uint16_t>(k) : k_of[m];
          }
        }
      }
    }
  }
  return Y;
}

template <class T>
void MaxPool<T>::backward(View<T> dY, View<T>* dX) {
  if (!dX) return;
  expects(dY.ld == samples_ && dX->ld == samples_, "MaxPool::backward: dY and dX are one block each");
  const uword plane = input_.rows * input_.cols * samples_;
#pragma omp parallel for schedule(static)
  for (uword c = 0; c < output_.channels; ++c) {
    std::fill_n(dX->data + c * plane, plane, T(0));
    for (uword u = 0; u < output_.rows; ++u) {
      for (uword v = 0; v < output_.cols; ++v) {
        const uword at = ((c * output_.rows + u) * output_.cols + v) * samples_;
        for (uword m = 0; m < samples_; ++m) dX->data[entry(c, u, v, largest_[at + m]) + m] += dY.data[at + m];
      }
    }
  }
}

template class MaxPool<float>;
template class MaxPool<double>;

}  // namespace elmx
