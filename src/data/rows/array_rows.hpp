#pragma once

#include <memory>
#include <vector>

#include "base/files/blocks_of_file.hpp"
#include "data/rows/number_type.hpp"
#include "data/rows/row_source.hpp"

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

}  // namespace elmx
