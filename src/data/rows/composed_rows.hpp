#pragma once

#include <memory>
#include <vector>

#include "data/rows/row_source.hpp"

namespace elmx {

using SharedRows = std::shared_ptr<const RowSource>;

/// The rows of several sources, one after the other: a training file and a test file.
class JoinedRows final : public RowSource {
 public:
  /// Requires at least one, all as wide.
  explicit JoinedRows(std::vector<SharedRows> parts);

  arma::uword rows() const override { return ends_.back(); }
  arma::uword cols() const override { return parts_.front()->cols(); }
  void read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const override;
  double working_bytes() const override;

 private:
  std::vector<SharedRows> parts_;
  std::vector<arma::uword> ends_;
};

/// Some rows of a source.
class ChosenRows final : public RowSource {
 public:
  ChosenRows(SharedRows all, arma::uvec chosen) : all_(std::move(all)), chosen_(std::move(chosen)) {}

  arma::uword rows() const override { return chosen_.n_elem; }
  arma::uword cols() const override { return all_->cols(); }
  void read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const override;
  double working_bytes() const override { return all_->working_bytes(); }

 private:
  SharedRows all_;
  arma::uvec chosen_;
};

}  // namespace elmx
