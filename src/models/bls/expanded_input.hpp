#pragma once

#include "features/broad_features.hpp"
#include "linalg/tall_matrix.hpp"

namespace elmx {

/// The expanded input of a broad network, formed anew from the feature nodes Z (l x f) wherever it is needed: kSamples x k
/// numbers of memory in place of l x k.
template <class T>
class StreamedExpansion final : public TallMatrix<T> {
 public:
  static constexpr uword kSamples = 2048;

  /// Both must outlive the object.
  StreamedExpansion(const BroadFeatures<T>& features, View<const T> Z) : features_(features), Z_(Z) {}

  uword rows() const override { return Z_.rows; }
  uword cols() const override { return features_.sizes().back(); }

  void for_each_block(uword k, const typename TallMatrix<T>::Visit& visit) const override {
    arma::Mat<T> A(std::min(kSamples, Z_.rows), k, arma::fill::none);
    for (uword first = 0; first < Z_.rows; first += kSamples) {
      const uword count = std::min(kSamples, Z_.rows - first);
      const View<T> block = View<T>(A).block(0, 0, count, k);
      features_.expand(Z_.block(first, 0, count, Z_.cols), block);
      visit(first, block);
    }
  }

 private:
  const BroadFeatures<T>& features_;
  View<const T> Z_;
};

}  // namespace elmx
