#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/auto_growth.hpp"
#include "solvers/direct_ridge.hpp"
#include "solvers/factor_growth.hpp"
#include "solvers/pseudo_inverse_growth.hpp"

namespace elmx {

/// The broad algorithms whose answer is the ridge solution.
inline const std::vector<std::string>& broad_ridge_names() {
  static const std::vector<std::string> names = {"chol-1", "chol-2", "chol-2 gram", "r-inv", "d-rdg", "auto"};
  return names;
}

/// A broad network on its way, with what its solver needs.
template <class T>
class BroadRun {
 public:
  BroadRun(const std::string& name, const TallMatrix<T>& A, View<const T> targets, double lambda)
      : products_(A, targets, needed_by(name)), gram_(A.cols()) {
    if (name == "orig") solver_ = std::make_unique<PseudoInverseGrowth<T>>(lambda, A.rows(), A.cols(), generalised_inverse<T>);
    if (name == "exg-e") solver_ = std::make_unique<ExgE<T>>(lambda, A.cols());
    if (name == "chol-1") solver_ = std::make_unique<Chol1<T>>(lambda, A.cols());
    if (name == "chol-2") solver_ = std::make_unique<Chol2<T>>(lambda, A.cols());
    if (name == "chol-2 gram") solver_ = std::make_unique<Chol2Gram<T>>(lambda, A.cols());
    if (name == "r-inv") solver_ = std::make_unique<PseudoInverseGrowth<T>>(lambda, A.rows(), A.cols(), ridge_inverse<T>);
    if (name == "d-rdg") solver_ = std::make_unique<DirectRidge<T>>(lambda, gram_);
    if (name == "auto") solver_ = std::make_unique<AutoGrowth<T>>(lambda, A.cols(), gram_);
    if (!solver_) throw std::logic_error("BroadRun: unknown name");
    keeps_gram_ = name == "d-rdg" || name == "auto";
  }

  [[nodiscard]] Status add(uword q) {
    products_.advance(q);
    if (keeps_gram_) gram_.extend(products_);
    return solver_->grow(products_);
  }

  const arma::Mat<T>& weights() const { return solver_->weights(); }
  const BroadGrowth<T>& solver() const { return *solver_; }
  std::string method() const { return std::string(solver_->method()); }

 private:
  static Products needed_by(const std::string& name) {
    if (name == "orig" || name == "r-inv") return Products::none;
    return name == "exg-e" || name == "chol-2" ? Products::border : Products::gram;
  }

  RidgeProducts<T> products_;
  GramMatrix<T> gram_;
  bool keeps_gram_ = false;
  std::unique_ptr<BroadGrowth<T>> solver_;
};

/// A stored matrix that shows itself in blocks of a few rows, the last one smaller where they do not divide.
template <class T>
class InBlocks final : public TallMatrix<T> {
 public:
  InBlocks(View<const T> A, uword rows) : A_(A), block_(rows) {}

  uword rows() const override { return A_.rows; }
  uword cols() const override { return A_.cols; }
  void for_each_block(uword k, const typename TallMatrix<T>::Visit& visit) const override {
    for (uword first = 0; first < A_.rows; first += block_) {
      const arma::Mat<T> rows = A_.block(first, 0, std::min(block_, A_.rows - first), k).copy();
      visit(first, View<const T>(rows));
    }
  }

 private:
  View<const T> A_;
  uword block_;
};

}  // namespace elmx
