#include "nets/layers/max_pool.hpp"

#include <algorithm>

namespace elmx {

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
