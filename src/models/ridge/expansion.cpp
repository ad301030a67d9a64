#include "models/ridge/expansion.hpp"

#include <algorithm>

namespace elmx {
namespace {

/// Columns that are formed anew in blocks of rows wherever they are needed.
template <class T>
class StreamedMatrix final : public TallMatrix<T> {
 public:
  StreamedMatrix(FormColumns<T> form, uword rows, uword cols) : form_(std::move(form)), rows_(rows), cols_(cols) {}

  uword rows() const override { return rows_; }
  uword cols() const override { return cols_; }
  std::unique_ptr<TallMatrix<T>> leading(uword rows, uword cols) const override {
    return std::make_unique<StreamedMatrix>(form_, rows, cols);
  }

  void for_each_block(uword k, const typename TallMatrix<T>::Visit& visit) const override {
    arma::Mat<T> A(std::min(Expansion<T>::kStreamedRows, rows_), k, arma::fill::none);
    for (uword first = 0; first < rows_; first += A.n_rows) {
      const View<T> block = View<T>(A).block(0, 0, std::min(A.n_rows, rows_ - first), k);
      form_(first, block);
      visit(first, block);
    }
  }

 private:
  FormColumns<T> form_;
  uword rows_, cols_;
};

}  // namespace

template <class T>
std::unique_ptr<TallMatrix<T>> Expansion<T>::form(const Inputs& train, const RowScale<T>& scale) {
  if (!fitted_) fitted_ = make_(train);
  const FeatureMap<T>& map = fitted_->map;
  FormColumns<T> columns = fitted_->training;
  if (!columns) {
    columns = [&](uword first, View<T> A) {
      map.outputs(train, first, A);
      train.X.rethrow();
    };
  }
  if (stored_) {
    A_.set_size(train.samples(), map.columns());
    columns(0, View<T>(A_));
    scale.apply(View<T>(A_));
    return std::make_unique<StoredMatrix<T>>(A_);
  }
  auto streamed = std::make_unique<StreamedMatrix<T>>(std::move(columns), train.samples(), map.columns());
  if (scale.none()) return streamed;
  return std::make_unique<ScaledRows<T>>(std::move(streamed), scale);
}

template class Expansion<double>;
template class Expansion<float>;

}  // namespace elmx
