#pragma once

#include "features/broad_features.hpp"
#include "linalg/tall_matrix.hpp"

namespace elmx {

/// The expanded input of a broad network, formed anew from the feature nodes Z (l x f) wherever it is needed: kSamples
/// x k numbers of memory in place of l x k.
template <class T>
class StreamedExpansion final : public TallMatrix<T> {
 public:
  static constexpr uword kSamples = 2048;

  /// Of the first `cols` columns. Both must outlive the object.
  StreamedExpansion(const BroadFeatures<T>& features, View<const T> Z, uword cols)
      : features_(features), Z_(Z), cols_(cols) {}

  uword rows() const override { return Z_.rows; }
  uword cols() const override { return cols_; }
  std::unique_ptr<TallMatrix<T>> leading(uword rows, uword cols) const override {
    return std::make_unique<StreamedExpansion>(features_, Z_.block(0, 0, rows, Z_.cols), cols);
  }

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
  uword cols_;
};

}  // namespace elmx
