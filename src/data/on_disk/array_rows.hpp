#pragma once

#include <memory>
#include <vector>

#include "base/files/blocks_of_file.hpp"
#include "data/on_disk/number_type.hpp"
#include "data/on_disk/row_source.hpp"

namespace elmx {

using SharedFile = std::shared_ptr<const BlocksOfFile>;

/// N x d numbers of one type that stand in a file one after the other: sample by sample, or column by column.
struct ArrayInFile {
  std::size_t offset = 0;  ///< of the first number
  NumberType type;
  arma::uword rows = 0, cols = 0;
  bool by_columns = false;
};

/// Some columns of such an array, in the order given.
class ArrayRows final : public RowSource {
 public:
  ArrayRows(SharedFile file, const ArrayInFile& array, arma::uvec columns);

  arma::uword rows() const override { return array_.rows; }
  arma::uword cols() const override { return columns_.n_elem; }
  void read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const override;

 private:
  SharedFile file_;
  ArrayInFile array_;
  arma::uvec columns_;
};

/// Columns of doubles of the machine, each at an offset of its own (a kept table).
class ColumnRows final : public RowSource {
 public:
  ColumnRows(SharedFile file, arma::uword rows, std::vector<std::size_t> offsets)
      : file_(std::move(file)), rows_(rows), offsets_(std::move(offsets)) {}

  arma::uword rows() const override { return rows_; }
  arma::uword cols() const override { return offsets_.size(); }
  void read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const override;

 private:
  SharedFile file_;
  arma::uword rows_;
  std::vector<std::size_t> offsets_;
};

}  // namespace elmx
