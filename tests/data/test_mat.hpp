#pragma once

#include <matio.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/files.hpp"

namespace elmx {

/// A MAT-file that a test writes, variable by variable.
class TestMat {
 public:
  explicit TestMat(std::filesystem::path path, mat_ft version = MAT_FT_MAT5,
                   matio_compression compression = MAT_COMPRESSION_ZLIB)
      : path_(std::move(path)), compression_(compression) {
    mat_ = Mat_CreateVer(path_.c_str(), nullptr, version);
  }
  ~TestMat() { close(); }
  TestMat(const TestMat&) = delete;
  TestMat& operator=(const TestMat&) = delete;

  /// values: column by column.
  TestMat& add(const std::string& name, std::vector<std::size_t> shape, std::vector<double> values) {
    return write(name, MAT_C_DOUBLE, MAT_T_DOUBLE, std::move(shape), values.data());
  }
  TestMat& add_single(const std::string& name, std::vector<std::size_t> shape, std::vector<float> values) {
    return write(name, MAT_C_SINGLE, MAT_T_SINGLE, std::move(shape), values.data());
  }
  TestMat& add_bytes(const std::string& name, std::vector<std::size_t> shape, std::vector<std::uint8_t> values) {
    return write(name, MAT_C_UINT8, MAT_T_UINT8, std::move(shape), values.data());
  }
  TestMat& add_int32(const std::string& name, std::vector<std::size_t> shape, std::vector<std::int32_t> values) {
    return write(name, MAT_C_INT32, MAT_T_INT32, std::move(shape), values.data());
  }
  TestMat& add_text(const std::string& name, std::string text) {
    return write(name, MAT_C_CHAR, MAT_T_UTF8, {1, text.size()}, text.data());
  }
  TestMat& add_complex(const std::string& name, double real, double imaginary) {
    mat_complex_split_t value{&real, &imaginary};
    return write(name, MAT_C_DOUBLE, MAT_T_DOUBLE, {1, 1}, &value, MAT_F_COMPLEX);
  }
  TestMat& add_cell(const std::string& name) {
    double value = 1;
    std::size_t one[] = {1, 1};
    matvar_t* cells[] = {Mat_VarCreate(nullptr, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, one, &value, 0), nullptr};
    return write(name, MAT_C_CELL, MAT_T_CELL, {1, 1}, static_cast<void*>(cells));
  }
  TestMat& add_struct(const std::string& name) {
    const char* fields[] = {"a"};
    std::size_t one[] = {1, 1};
    double value = 1;
    matvar_t* variable = Mat_VarCreateStruct(name.c_str(), 2, one, fields, 1);
    Mat_VarSetStructFieldByName(variable, "a", 0,
                                Mat_VarCreate(nullptr, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, one, &value, 0));
    return write(variable);
  }
  TestMat& add_sparse(const std::string& name) {
    std::uint32_t ir[] = {0};
    std::uint32_t jc[] = {0, 1, 1};
    double value = 1;
    mat_sparse_t sparse{1, ir, 1, jc, 3, 1, &value};
    return write(name, MAT_C_SPARSE, MAT_T_DOUBLE, {2, 2}, &sparse);
  }

  /// The file as it is on the disk.
  std::string bytes() {
    close();
    return read_file(path_);
  }
  /// Its path, the file complete.
  std::string path() {
    close();
    return path_.string();
  }

 private:
  void close() {
    if (mat_ != nullptr) Mat_Close(mat_);
    mat_ = nullptr;
  }
  TestMat& write(matvar_t* variable) {
    Mat_VarWrite(mat_, variable, compression_);
    Mat_VarFree(variable);
    return *this;
  }
  TestMat& write(const std::string& name, matio_classes kind, matio_types type, std::vector<std::size_t> shape,
                 void* data, int flags = 0) {
    return write(Mat_VarCreate(name.c_str(), kind, type, static_cast<int>(shape.size()), shape.data(), data, flags));
  }

  std::filesystem::path path_;
  matio_compression compression_;
  mat_t* mat_;
};

}  // namespace elmx
