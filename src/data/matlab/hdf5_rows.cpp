#include "data/matlab/hdf5_rows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "data/matlab/hdf5_file.hpp"
#include "data/matlab/hdf5_handle.hpp"
#include "data/rows/chunked_rows.hpp"

namespace elmx {
namespace {

/// What the child finds out, in the first column: whole numbers below 2^53, which doubles hold. Behind it a
/// column for each chunk: offset, bytes, whether it is packed, whether it is shuffled.
enum Found : arma::uword { kRows, kCols, kKind, kWidth, kBigEndian, kChunked, kOffset, kChunkRows, kChunkCols, kFacts };

struct FoundType {
  hid_t type;
  char kind;
  std::size_t bytes;
  bool big_endian;
};

FoundType type_of_set(hid_t set, const std::string& where) {
  const Hdf5Handle stored(H5Dget_type(set), H5Tclose);
  const bool enumeration = H5Tget_class(stored) == H5T_ENUM;
  const Hdf5Handle type(enumeration ? H5Tget_super(stored) : H5Tcopy(stored), H5Tclose);
  const std::array known{FoundType{H5T_IEEE_F32LE, 'f', 4, false}, FoundType{H5T_IEEE_F64LE, 'f', 8, false},
                         FoundType{H5T_IEEE_F32BE, 'f', 4, true},  FoundType{H5T_IEEE_F64BE, 'f', 8, true},
                         FoundType{H5T_STD_I8LE, 'i', 1, false},   FoundType{H5T_STD_U8LE, 'u', 1, false},
                         FoundType{H5T_STD_I8BE, 'i', 1, false},   FoundType{H5T_STD_U8BE, 'u', 1, false},
                         FoundType{H5T_STD_I16LE, 'i', 2, false},  FoundType{H5T_STD_U16LE, 'u', 2, false},
                         FoundType{H5T_STD_I16BE, 'i', 2, true},   FoundType{H5T_STD_U16BE, 'u', 2, true},
                         FoundType{H5T_STD_I32LE, 'i', 4, false},  FoundType{H5T_STD_U32LE, 'u', 4, false},
                         FoundType{H5T_STD_I32BE, 'i', 4, true},   FoundType{H5T_STD_U32BE, 'u', 4, true},
                         FoundType{H5T_STD_I64LE, 'i', 8, false},  FoundType{H5T_STD_U64LE, 'u', 8, false},
                         FoundType{H5T_STD_I64BE, 'i', 8, true},   FoundType{H5T_STD_U64BE, 'u', 8, true}};
  const auto found = std::ranges::find_if(known, [&](const FoundType& one) { return H5Tequal(type, one.type) > 0; });
  if (found == known.end())
    throw DataError(where + "has numbers that cannot be read in blocks; use f4, f8, i1 to i8 or u1 to u8");
  return *found;
}

/// Which filters every chunk goes through: packed, shuffled; and the place of each in the pipeline.
struct Filters {
  int deflate = -1, shuffle = -1;
};

Filters filters_of(hid_t how, const std::string& where) {
  Filters filters;
  for (int i = 0; i < H5Pget_nfilters(how); ++i) {
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(how, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &config);
    if (filter == H5Z_FILTER_DEFLATE) {
      filters.deflate = i;
    } else if (filter == H5Z_FILTER_SHUFFLE && filters.deflate < 0) {
      filters.shuffle = i;
    } else {
      throw DataError(where + "is packed by a filter that cannot be read in blocks; use gzip, or shuffle and gzip");
    }
  }
  return filters;
}

arma::mat layout_of_set(hid_t set, const std::string& where, std::size_t file_bytes) {
  const FoundType type = type_of_set(set, where);
  const std::vector<hsize_t> extent = hdf5_extent(set, where, file_bytes);
  const Hdf5Handle how(H5Dget_create_plist(set), H5Pclose), space(H5Dget_space(set), H5Sclose);
  arma::mat found(kFacts, 1, arma::fill::zeros);
  found(kRows, 0) = static_cast<double>(extent[0]);
  found(kCols, 0) = static_cast<double>(extent[1]);
  found(kKind, 0) = type.kind;
  found(kWidth, 0) = static_cast<double>(type.bytes);
  found(kBigEndian, 0) = type.big_endian;
  refuse_unwritten(set, extent, where);
  if (H5Pget_layout(how) == H5D_CONTIGUOUS) {
    found(kOffset, 0) = static_cast<double>(H5Dget_offset(set));
    return found;
  }
  if (H5Pget_layout(how) != H5D_CHUNKED)
    throw DataError(where + "is too small a part of its file to be read in blocks; write it in one piece or in chunks");
  const std::vector<hsize_t> chunk = hdf5_chunk(how);
  const hsize_t across = (extent[1] + chunk[1] - 1) / chunk[1], down = (extent[0] + chunk[0] - 1) / chunk[0];
  const hsize_t count = across * down;
  const Filters filters = filters_of(how, where);
  found(kChunked, 0) = 1;
  found(kChunkRows, 0) = static_cast<double>(chunk[0]);
  found(kChunkCols, 0) = static_cast<double>(chunk[1]);
  found.resize(kFacts, 1 + count);
  for (hsize_t i = 0; i < count; ++i) {
    std::vector<hsize_t> at{0, 0};
    unsigned skipped = 0;
    haddr_t offset = 0;
    hsize_t bytes = 0;
    check_hdf5(H5Dget_chunk_info(set, space, i, at.data(), &skipped, &offset, &bytes));
    const auto is_used = [&](int filter) { return filter >= 0 && (skipped >> filter & 1U) == 0; };
    const hsize_t number = at[0] / chunk[0] * across + at[1] / chunk[1];
    if (number >= count) throw DataError(where + "has a chunk beyond its last row; a complete data set is expected");
    found(0, 1 + number) = static_cast<double>(offset);
    found(1, 1 + number) = static_cast<double>(bytes);
    found(2, 1 + number) = is_used(filters.deflate);
    found(3, 1 + number) = is_used(filters.shuffle);
  }
  return found;
}

arma::mat layout_in(const BlocksOfFile& opened, const std::string& name) {
  const std::string origin = opened.path().string(), where = fmt::format("{}: data set \"{}\" ", origin, name);
  return in_hdf5(opened.path(), origin, opened.size(), [&](hid_t file) {
    const Hdf5Handle how(H5Fget_create_plist(file), H5Pclose);
    hsize_t user_block = 0;
    check_hdf5(H5Pget_userblock(how, &user_block));
    if (user_block != 0)
      throw DataError(origin + ": has a user block, as MATLAB writes it; an HDF5 file without one is expected");
    const Hdf5Handle set(open_hdf5_set(file, name, where), H5Dclose);
    return layout_of_set(set, where, opened.size());
  });
}

}  // namespace

SharedRows hdf5_rows(const SharedFile& file, const std::string& name, bool transposed, bool a_column) {
  const arma::mat found = layout_in(*file, name);
  const auto fact = [&](arma::uword which) { return static_cast<std::size_t>(found(which, 0)); };
  const NumberType type = number_type(static_cast<char>(fact(kKind)), fact(kWidth), fact(kBigEndian) != 0);
  const arma::uword rows = fact(kRows), cols = fact(kCols);
  if (a_column && (rows == 1 || cols == 1)) transposed = rows == 1;
  if (fact(kChunked) == 0) {
    const arma::uvec all = arma::regspace<arma::uvec>(0, 1, (transposed ? rows : cols) - 1);
    const ArrayInFile array{fact(kOffset), type, transposed ? cols : rows, transposed ? rows : cols, transposed};
    return std::make_shared<const ArrayRows>(file, array, all);
  }
  ChunkedArray array{type, rows, cols, fact(kChunkRows), fact(kChunkCols), {}};
  for (arma::uword i = 1; i < found.n_cols; ++i)
    array.chunks.push_back({static_cast<std::size_t>(found(0, i)), static_cast<std::size_t>(found(1, i)),
                            found(2, i) != 0, found(3, i) != 0});
  return std::make_shared<const ChunkedRows>(file, std::move(array), transposed);
}

}  // namespace elmx
