#include "cluster/distributed_matrix.hpp"

#include <cmath>
#include <cstddef>

#include "base/communicator.hpp"
#include "linalg/blas_kernels.hpp"

namespace elmx {

// The symbols of BLACS, PBLAS and ScaLAPACK that elmx calls; any library with these symbols will do.
// ScaLAPACK is Fortran: the lengths of strings come last, and without them the callee overwrites the stack.
// BLACS and PBLAS are C. Indices begin at 1; desc: the descriptor of an array.

template <class T>
using Potrf = void(const char* uplo, const int* n, T* A, const int* ia, const int* ja, const int* desc, int* info,
                   std::size_t length);
template <class T>
using Trtri = void(const char* uplo, const char* diag, const int* n, T* A, const int* ia, const int* ja,
                   const int* desc, int* info, std::size_t length, std::size_t other_length);
template <class T>
using Trsm = void(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
                  const T* alpha, const T* A, const int* ia, const int* ja, const int* desc, T* B, const int* ib,
                  const int* jb, const int* desc_b);
template <class T>
using Syrk = void(const char* uplo, const char* trans, const int* n, const int* k, const T* alpha, const T* A,
                  const int* ia, const int* ja, const int* desc, const T* beta, T* C, const int* ic, const int* jc,
                  const int* desc_c);
template <class T>
using Tran = void(const int* m, const int* n, const T* alpha, const T* A, const int* ia, const int* ja, const int* desc,
                  const T* beta, T* C, const int* ic, const int* jc, const int* desc_c);

extern "C" {

void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);
void Cblacs_gridinfo(int context, int* rows, int* cols, int* row, int* col);

Potrf<double> pdpotrf_;
Potrf<float> pspotrf_;
Trtri<double> pdtrtri_;
Trtri<float> pstrtri_;
Trsm<double> pdtrsm_, pdtrmm_;
Trsm<float> pstrsm_, pstrmm_;
Syrk<double> pdsyrk_;
Syrk<float> pssyrk_;
Tran<double> pdtran_;
Tran<float> pstran_;

}  // extern "C"

namespace {

/// The ScaLAPACK routines for each type.
template <class T>
struct Scalapack {
  static constexpr auto potrf = in_type<T>(pdpotrf_, pspotrf_);
  static constexpr auto trtri = in_type<T>(pdtrtri_, pstrtri_);
  static constexpr auto trsm = in_type<T>(pdtrsm_, pstrsm_);
  static constexpr auto trmm = in_type<T>(pdtrmm_, pstrmm_);
  static constexpr auto syrk = in_type<T>(pdsyrk_, pssyrk_);
  static constexpr auto tran = in_type<T>(pdtran_, pstran_);
};

BlockCyclic part_of_grid(uword block, int part, int parts) {
  return {block, static_cast<uword>(part), static_cast<uword>(parts)};
}

std::array<int, 9> descriptor_of(const ProcessGrid& grid, uword rows, uword cols, uword row_block, uword col_block,
                                 uword leading) {
  constexpr int kDense = 1;
  return {kDense,
          grid.context(),
          static_cast<int>(rows),
          static_cast<int>(cols),
          static_cast<int>(row_block),
          static_cast<int>(col_block),
          0,
          0,
          static_cast<int>(std::max<uword>(leading, 1))};
}

constexpr int kOne = 1;

/// Gives the BLAS library all threads of this rank during its lifetime: ScaLAPACK calls it on one thread.
class BlasThreads {
 public:
  BlasThreads() { openblas_set_num_threads(threads()); }
  ~BlasThreads() { openblas_set_num_threads(1); }
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;
};

/// Returns the index of Fortran, which counts from 1.
int index_of(uword i) { return static_cast<int>(i) + 1; }

}  // namespace

const ProcessGrid& ProcessGrid::all() {
  static const ProcessGrid grid;
  return grid;
}

ProcessGrid::ProcessGrid() {
  expects(ranks().present(), "ProcessGrid: MPI runs");
  const GridShape shape = grid_shape(ranks().count());
  rows_ = shape.rows;
  cols_ = shape.cols;
  Cblacs_get(-1, 0, &context_);
  Cblacs_gridinit(&context_, "Row", rows_, cols_);
  Cblacs_gridinfo(context_, &rows_, &cols_, &row_, &col_);
}

template <class T>
DistributedMatrix<T>::DistributedMatrix(uword capacity)
    : grid_(ProcessGrid::all()),
      capacity_(capacity),
      rows_(part_of_grid(distributed_block(capacity), grid_.row(), grid_.rows())),
      cols_(part_of_grid(rows_.block, grid_.col(), grid_.cols())),
      local_(rows_.count(capacity), cols_.count(capacity)),
      descriptor_(descriptor_of(grid_, capacity, capacity, rows_.block, rows_.block, local_.n_rows)) {
  expects(within_indices(capacity, grid_.rows() * grid_.cols()), "DistributedMatrix: within the indices of ScaLAPACK");
}

template <class T>
Status DistributedMatrix<T>::factorise(FactorForm::Kind kind, uword first, uword n) {
  const BlasThreads all;
  using S = Scalapack<T>;
  const bool inverse = kind == FactorForm::Kind::inverse;
  first = first_of_block(first);
  const int k = static_cast<int>(first), q = static_cast<int>(n - first), from = index_of(first);
  T* A = local_.memptr();
  const int* desc = descriptor_.data();
  const T one = 1, minus = -1;
  if (k > 0) {  // R'D = M_12, or D = F'M_12;   S = M_22 - D'D
    const auto product = inverse ? S::trmm : S::trsm;
    product("L", "U", "T", "N", &k, &q, &one, A, &kOne, &kOne, desc, A, &kOne, &from, desc);
    S::syrk("U", "T", &q, &k, &minus, A, &kOne, &from, desc, &one, A, &from, &from, desc);
  }
  int info = 0;
  S::potrf("U", &q, A, &from, &from, desc, &info, 1);  // U'U = S
  if (const Status status = factored(info, first, n); !inverse || status != Status::ok) return status;
  S::trtri("U", "N", &q, A, &from, &from, desc, &info, 1, 1);  // G = U^-1
  if (k > 0) {                                                 // T = -F D G
    S::trmm("L", "U", "N", "N", &k, &q, &minus, A, &kOne, &kOne, desc, A, &kOne, &from, desc);
    S::trmm("R", "U", "N", "N", &k, &q, &one, A, &from, &from, desc, A, &kOne, &from, desc);
  }
  return Status::ok;
}

template <class T>
Status DistributedMatrix<T>::factored(int info, uword first, uword n) const {
  double failed = info != 0;
  for_each_piece(cols_, first, n, [&](uword begin, uword end) {
    if (!rows_.owns(begin)) return;
    for (uword j = begin; j < end; ++j) failed += !std::isfinite(local_(rows_.local(j), cols_.local(j)));
  });
  ranks().sum(&failed, 1);
  return failed == 0 ? Status::ok : Status::not_positive_definite;
}

template <class T>
typename DistributedMatrix<T>::BlockCyclicRows DistributedMatrix<T>::distribute(View<const T> X) const {
  const uword own = rows_.count(X.rows);
  BlockCyclicRows distributed{arma::Mat<T>(own, grid_.col() == 0 ? X.cols : 0),
                              descriptor_of(grid_, X.rows, X.cols, rows_.block, X.cols, own)};
  for (uword j = 0; j < distributed.local.n_cols; ++j) {
    for (uword i = 0; i < own; ++i) distributed.local(i, j) = X(rows_.global(i), j);
  }
  return distributed;
}

template <class T>
void DistributedMatrix<T>::collect(const BlockCyclicRows& distributed, View<T> X) const {
  arma::Mat<T> all(X.rows, X.cols);
  for (uword j = 0; j < distributed.local.n_cols; ++j) {
    for (uword i = 0; i < distributed.local.n_rows; ++i) all(rows_.global(i), j) = distributed.local(i, j);
  }
  ranks().sum(all.memptr(), all.n_elem);
  for (uword j = 0; j < X.cols; ++j) std::copy_n(all.colptr(j), X.rows, &X(0, j));
}

template <class T>
void DistributedMatrix<T>::apply_inverse(FactorForm::Kind kind, View<T> X) const {
  const BlasThreads all;
  BlockCyclicRows B = distribute(X);
  const int n = static_cast<int>(X.rows), c = static_cast<int>(X.cols);
  const T one = 1;
  const auto product = kind == FactorForm::Kind::inverse ? Scalapack<T>::trmm : Scalapack<T>::trsm;
  for (const char* op : {"T", "N"})
    product("L", "U", op, "N", &n, &c, &one, local_.memptr(), &kOne, &kOne, descriptor_.data(), B.local.memptr(), &kOne,
            &kOne, B.descriptor.data());
  collect(B, X);
}

template <class T>
void DistributedMatrix<T>::mirror(const DistributedMatrix& from, uword first, uword n) {
  expects(from.capacity_ == capacity_, "DistributedMatrix::mirror: of one layout");
  const uword begin = first_of_block(first), width = block();
  const T one = 1, zero = 0;
  const auto transpose = [&](uword row, uword col, uword rows, uword cols) {
    const int m = static_cast<int>(rows), k = static_cast<int>(cols), i = index_of(row), j = index_of(col);
    Scalapack<T>::tran(&m, &k, &one, from.local_.memptr(), &j, &i, from.descriptor_.data(), &zero, local_.memptr(), &i,
                       &j, descriptor_.data());
  };
  for (uword row = 0; row < n; row += width) {  // the blocks right of the diagonal
    const uword col = std::max(begin, row + width);
    if (col < n) transpose(row, col, std::min(width, n - row), n - col);
  }
  for_each_piece(cols_, begin, n, [&](uword a, uword b) {  // the diagonal blocks
    if (!rows_.owns(a)) return;
    for (uword j = a; j < b; ++j) {
      for (uword i = first_of_block(a); i < j; ++i)
        local_(rows_.local(i), cols_.local(j)) = from.local_(rows_.local(j), cols_.local(i));
    }
  });
}

template class DistributedMatrix<double>;
template class DistributedMatrix<float>;

}  // namespace elmx
