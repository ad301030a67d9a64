#pragma once

#include <memory>
#include <vector>

#include "data/on_disk/row_source.hpp"

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

/// How a column of a table becomes inputs.
struct PlacedColumn {
  arma::uword first = 0;                   ///< of X
  std::vector<double> code_of = {};        ///< of a category: the number that stands for it; empty: the value itself
  std::vector<arma::uword> place_of = {};  ///< of a category: the column of X that is 1; empty: one column of numbers
};

/// The inputs of a table whose columns are numbers and categories; a category that is missing is the last one.
class EncodedRows final : public RowSource {
 public:
  /// placed: one for each column of `table`; d: columns of X.
  EncodedRows(SharedRows table, std::vector<PlacedColumn> placed, arma::uword d)
      : table_(std::move(table)), placed_(std::move(placed)), d_(d) {}

  arma::uword rows() const override { return table_->rows(); }
  arma::uword cols() const override { return d_; }
  void read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const override;
  double working_bytes() const override { return 2 * table_->working_bytes(); }

 private:
  SharedRows table_;
  std::vector<PlacedColumn> placed_;
  arma::uword d_;
};

}  // namespace elmx
