#include "nets/samples.hpp"

#include <algorithm>

namespace elmx {

template <class T>
void Samples<T>::gather(std::span<const std::uint64_t> chosen, View<T> out) const {
  const uword M = chosen.size(), F = features();
  expects(out.rows == steps_ * M && out.cols >= F, "Samples::gather: out is (S M) x F");
  constexpr uword kBlock = 16;  // samples read side by side: one cache line of `out` at a time
#pragma omp parallel for schedule(static) if (M * columns_.n_rows > 32768)
  for (uword m = 0; m < M; m += kBlock) {
    const uword count = std::min(kBlock, M - m);
    for (uword t = 0; t < steps_; ++t) {
      for (uword f = 0; f < F; ++f) {
        T* to = &out(t * M + m, f);
        for (uword i = 0; i < count; ++i) to[i] = columns_(t * F + f, chosen[m + i]);
      }
    }
  }
}

template class Samples<float>;
template class Samples<double>;

}  // namespace elmx
