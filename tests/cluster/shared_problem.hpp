#pragma once

#include "base/communicator.hpp"
#include "cluster/distributed_sweep.hpp"
#include "support/growing.hpp"

namespace elmx {

/// Some columns of a matrix, in blocks of a few rows.
template <class T>
class ColumnsInBlocks final : public TallMatrix<T> {
 public:
  ColumnsInBlocks(arma::Mat<T> A, uword rows) : A_(std::move(A)), blocks_(View<const T>(A_), rows) {}

  uword rows() const override { return blocks_.rows(); }
  uword cols() const override { return blocks_.cols(); }
  std::unique_ptr<TallMatrix<T>> leading(uword rows, uword cols) const override { return blocks_.leading(rows, cols); }
  void for_each_block(uword k, const typename TallMatrix<T>::Visit& visit) const override {
    blocks_.for_each_block(k, visit);
  }

 private:
  arma::Mat<T> A_;
  InBlocks<T> blocks_;
};

/// A problem of which every rank has its part of the samples.
template <class T>
class SharedProblem {
 public:
  static constexpr uword kBlock = 16;  // samples that are seen at once

  SharedProblem(const Problem<T>& problem, GramOver over)
      : whole_(problem),
        part_(part_of(problem.H.n_rows, ranks().rank(), ranks().count())),
        own_(part_of_rows(whole_.H), kBlock),
        samples_{own_,
                 part_of_rows(whole_.T),
                 whole_.H.n_rows,
                 [this](const arma::uvec& nodes) {
                   return std::make_unique<ColumnsInBlocks<T>>(whole_.H.cols(nodes), kBlock);
                 },
                 View<const T>(whole_.T),
                 over} {}

  SharedProblem(const SharedProblem&) = delete;
  SharedProblem& operator=(const SharedProblem&) = delete;

  const SharedSamples<T>& samples() const { return samples_; }

 private:
  View<const T> part_of_rows(const arma::Mat<T>& M) const {
    return View<const T>(M).block(part_.begin, 0, part_.size(), M.n_cols);
  }

  Problem<T> whole_;
  Part part_;
  InBlocks<T> own_;
  SharedSamples<T> samples_;
};

}  // namespace elmx
