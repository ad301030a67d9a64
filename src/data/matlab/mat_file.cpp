#include "data/matlab/mat_file.hpp"

#include <fmt/core.h>
#include <matio.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "base/files/temporary_file.hpp"
#include "data/content/isolated.hpp"
#include "data/matlab/mat_elements.hpp"
#include "data/matlab/quiet_hdf5.hpp"
#include "data/matlab/unpacking_limits.hpp"

namespace elmx {
namespace {

struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

/// What a variable is, in the words of MATLAB; "" = a real numeric or logical array.
std::string other_kind(const matvar_t& variable) {
  switch (variable.class_type) {
    case MAT_C_CELL:
      return "a cell array";
    case MAT_C_STRUCT:
      return "a struct";
    case MAT_C_CHAR:
      return "text";
    case MAT_C_SPARSE:
      return "a sparse matrix";
    default:
      if (variable.class_type < MAT_C_DOUBLE || variable.class_type > MAT_C_UINT64) return "an object";
      return variable.isComplex ? "complex" : "";
  }
}

std::string shape_of(const matvar_t& variable) {
  std::string text;
  for (int k = 0; k < variable.rank; ++k) text += (k > 0 ? " x " : "") + std::to_string(variable.dims[k]);
  return text;
}

bool is_matrix(const matvar_t& variable) {
  constexpr std::size_t kMost = std::numeric_limits<int>::max();  // libmatio counts in int
  if (variable.rank != 2) return false;
  return variable.dims[0] >= 1 && variable.dims[0] <= kMost && variable.dims[1] >= 1 && variable.dims[1] <= kMost;
}

/// Reads all of a matrix into `out`, an array of its own class. False: damaged.
bool read_all(mat_t* mat, matvar_t* variable, void* out) {
  int start[] = {0, 0};
  int stride[] = {1, 1};
  int edge[] = {static_cast<int>(variable->dims[0]), static_cast<int>(variable->dims[1])};
  return Mat_VarReadData(mat, variable, out, start, stride, edge) == MATIO_E_NO_ERROR;
}

template <class T>
bool read_converted(mat_t* mat, matvar_t* variable, arma::mat& out) {
  std::vector<T> values(out.n_elem);
  if (!read_all(mat, variable, values.data())) return false;
  std::copy(values.begin(), values.end(), out.begin());
  return true;
}

bool read_numbers(mat_t* mat, matvar_t* variable, arma::mat& out) {
  switch (variable->class_type) {
    case MAT_C_DOUBLE:
      return read_all(mat, variable, out.memptr());
    case MAT_C_SINGLE:
      return read_converted<float>(mat, variable, out);
    case MAT_C_INT8:
      return read_converted<std::int8_t>(mat, variable, out);
    case MAT_C_UINT8:
      return read_converted<std::uint8_t>(mat, variable, out);
    case MAT_C_INT16:
      return read_converted<std::int16_t>(mat, variable, out);
    case MAT_C_UINT16:
      return read_converted<std::uint16_t>(mat, variable, out);
    case MAT_C_INT32:
      return read_converted<std::int32_t>(mat, variable, out);
    case MAT_C_UINT32:
      return read_converted<std::uint32_t>(mat, variable, out);
    case MAT_C_INT64:
      return read_converted<std::int64_t>(mat, variable, out);
    default:
      return read_converted<std::uint64_t>(mat, variable, out);
  }
}

std::vector<std::string> variable_names(mat_t* mat) {
  std::size_t count = 0;
  char** names = Mat_GetDir(mat, &count);
  return names ? std::vector<std::string>(names, names + count) : std::vector<std::string>();
}

}  // namespace

void MatFile::Close::operator()(_mat_t* mat) const {
  const QuietHdf5 quiet;
  Mat_Close(mat);
}

MatFile::MatFile(const Content& content) : origin_(content.origin), bytes_(content.bytes.size()) {
  // libmatio opens paths only; HDF5 takes no file without a name.
  if (mat_version(content.bytes, origin_) == MatVersion::matlab73) {
    file_.reset(new TemporaryFile(temporary_file(content.bytes)));
    return;
  }
  const std::string sound = sound_part(content.bytes);
  const TemporaryFile file = temporary_file(others_.empty() ? content.bytes : sound);
  mat_ = open(file.path());  // it keeps the file open, which can be removed at once
}

MatFile::Handle MatFile::open(const std::filesystem::path& path) const {
  const QuietHdf5 quiet;
  Handle mat(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  if (!mat || names(mat.get()).empty()) {
    throw DataError(origin_ + ": libmatio finds no variable in it; a complete MAT-file is allowed");
  }
  return mat;
}

std::string MatFile::sound_part(std::string_view bytes) {
  const std::vector<MatElement> elements = mat5_elements(bytes, origin_);
  for (const MatElement& element : elements) {
    if (!element.kind.empty()) others_[element.name] = element.kind;
  }
  std::string sound(bytes.substr(0, others_.empty() ? 0 : kMat5HeaderBytes));
  for (const MatElement& element : elements) {
    if (!others_.empty() && element.kind.empty()) sound += element.bytes;
  }
  return sound;
}

std::vector<std::string> MatFile::names(_mat_t* mat) const {
  std::vector<std::string> names = variable_names(mat);
  for (const auto& [name, kind] : others_) {
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

arma::mat MatFile::read(const std::string& name) const {
  if (!file_) return read_from(mat_.get(), name);
  const auto seconds = static_cast<unsigned>(kSecondsAtLeast + bytes_ / kBytesPerSecond);
  return isolated([&] { return read_from(open(file_->path()).get(), name); }, origin_, seconds);
}

arma::mat MatFile::read_from(_mat_t* mat, const std::string& name) const {
  const QuietHdf5 quiet;
  const std::string where = fmt::format("{}: variable \"{}\" is ", origin_, name);
  const std::string allowed = "; a real, full matrix of numbers is allowed";
  if (const auto other = others_.find(name); other != others_.end()) throw DataError(where + other->second + allowed);
  const Variable variable(Mat_VarReadInfo(mat, name.c_str()));
  if (!variable) throw DataError(fmt::format("{}: no variable \"{}\"{}", origin_, name, suggest(name, names(mat))));
  if (const std::string kind = other_kind(*variable); !kind.empty()) throw DataError(where + kind + allowed);
  if (!is_matrix(*variable))
    throw DataError(fmt::format("{}{}{}, with two sizes of at least 1", where, shape_of(*variable), allowed));
  if (variable->dims[0] > kUnpackedPerByte * bytes_ / variable->dims[1]) {
    throw DataError(fmt::format("{}{}; a file of {} bytes cannot hold that", where, shape_of(*variable), bytes_));
  }

  arma::mat matrix(variable->dims[0], variable->dims[1], arma::fill::none);
  if (!read_numbers(mat, variable.get(), matrix)) throw DataError(where + "damaged" + allowed);
  const double* end = matrix.memptr() + matrix.n_elem;
  const double* found =
      std::find_if_not(static_cast<const double*>(matrix.memptr()), end, [](double x) { return std::isfinite(x); });
  if (found != end) {
    const auto at = static_cast<arma::uword>(found - matrix.memptr());
    throw DataError(fmt::format("{}: {}({}, {}) is not finite; finite numbers are expected", origin_, name,
                                at % matrix.n_rows + 1, at / matrix.n_rows + 1));
  }
  return matrix;
}

}  // namespace elmx
