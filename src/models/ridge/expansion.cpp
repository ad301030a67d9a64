#include "models/ridge/expansion.hpp"

#include <algorithm>

namespace elmx {
namespace {

/// Columns that are formed anew, in blocks of rows, on each use.
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

template <class T>
std::unique_ptr<TallMatrix<T>> with_scale(std::unique_ptr<TallMatrix<T>> A, const RowScale<T>& scale) {
  if (scale.none()) return A;
  return std::make_unique<ScaledRows<T>>(std::move(A), scale);
}

}  // namespace

template <class T>
std::unique_ptr<TallMatrix<T>> Expansion<T>::form(const Inputs& train, Part rows, const RowScale<T>& scale) {
  if (!fitted_) fitted_ = make_(train);
  FormColumns<T> form = [this, &train, rows](uword first, View<T> A) {
    if (fitted_->training) return fitted_->training(rows.begin + first, A);
    fitted_->map.outputs(train, rows.begin + first, A);
    train.X.rethrow();
  };
  const uword columns = fitted_->map.columns();
  if (stored_) {
    A_.set_size(rows.size(), columns);
    form(0, View<T>(A_));
    scale.apply(View<T>(A_));
    return std::make_unique<StoredMatrix<T>>(A_);
  }
  return with_scale<T>(std::make_unique<StreamedMatrix<T>>(std::move(form), rows.size(), columns), scale);
}

template <class T>
std::unique_ptr<TallMatrix<T>> Expansion<T>::form_only(const arma::uvec& columns, const Inputs& train,
                                                       const RowScale<T>& scale) const {
  FormColumns<T> form = [this, columns, &train](uword first, View<T> A) {
    expects(A.cols == columns.n_elem, "Expansion: all columns named");
    if (fitted_->training) {
      elmx::form_only<T>(columns, fitted_->training, first, A);
    } else {
      fitted_->map.outputs_of(columns, train, first, A);
      train.X.rethrow();
    }
  };
  return with_scale<T>(std::make_unique<StreamedMatrix<T>>(std::move(form), train.samples(), columns.n_elem), scale);
}

template class Expansion<double>;
template class Expansion<float>;

}  // namespace elmx
