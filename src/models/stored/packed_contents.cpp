#include "models/stored/packed_contents.hpp"

#include <cstring>

namespace elmx {
namespace {

constexpr std::size_t kWord = sizeof(double);

std::size_t words(std::size_t bytes) { return (bytes + kWord - 1) / kWord; }

template <class T>
constexpr const char* kKind = "";
template <>
constexpr const char* kKind<double> = "double";
template <>
constexpr const char* kKind<float> = "single";
template <>
constexpr const char* kKind<arma::uword> = "integer";

/// Returns the index of the contents: {"path", kind, rows, columns}, with the number of bytes as rows of a
/// text.
Json index_of(const ModelContents& contents) {
  Json index = Json::array();
  for (const auto& [path, text] : contents.texts) index.push_back({path, "text", text.size(), 1});
  for (const auto& matrix : contents.matrices) {
    std::visit(
        [&]<class T>(const arma::Mat<T>& M) {
          index.push_back({matrix.first, kKind<T>, M.n_rows, M.n_cols});
        },
        matrix.second);
  }
  return index;
}

/// Copies bytes to consecutive places that each begin at a whole number.
class Tape {
 public:
  explicit Tape(double* first) : at_(first) {}
  void write(const void* bytes, std::size_t size) {
    std::memcpy(at_, bytes, size);
    at_ += words(size);
  }
  void read(void* bytes, std::size_t size) {
    std::memcpy(bytes, at_, size);
    at_ += words(size);
  }

 private:
  double* at_;
};

template <class T>
arma::Mat<T> matrix_from(Tape& tape, arma::uword rows, arma::uword cols) {
  arma::Mat<T> M(rows, cols);
  tape.read(M.memptr(), M.n_elem * sizeof(T));
  return M;
}

}  // namespace

arma::mat pack(const ModelContents& contents) {
  std::string index;
  try {
    for (const auto& [path, text] : contents.texts) static_cast<void>(Json(text).dump());
    index = index_of(contents).dump();
  } catch (const Json::exception&) {
    throw DataError("contains a path or a text that is not UTF-8");
  }
  std::size_t size = 1 + words(index.size());
  for (const auto& [path, text] : contents.texts) size += words(text.size());
  for (const auto& [path, matrix] : contents.matrices) {
    size += std::visit([]<class T>(const arma::Mat<T>& M) { return words(M.n_elem * sizeof(T)); }, matrix);
  }
  arma::mat packed(size, 1);
  packed(0) = static_cast<double>(index.size());
  Tape tape(packed.memptr() + 1);
  tape.write(index.data(), index.size());
  for (const auto& [path, text] : contents.texts) tape.write(text.data(), text.size());
  for (const auto& [path, matrix] : contents.matrices) {
    std::visit([&]<class T>(const arma::Mat<T>& M) { tape.write(M.memptr(), M.n_elem * sizeof(T)); }, matrix);
  }
  return packed;
}

ModelContents unpack(const arma::mat& packed) {
  std::string text(static_cast<std::size_t>(packed(0)), '\0');
  Tape tape(const_cast<double*>(packed.memptr()) + 1);
  tape.read(text.data(), text.size());
  ModelContents contents;
  for (const Json& entry : Json::parse(text)) {
    const std::string path = entry[0], kind = entry[1];
    const arma::uword rows = entry[2], cols = entry[3];
    if (kind == "text") {
      std::string& into = contents.texts[path];
      into.resize(rows);
      tape.read(into.data(), rows);
    } else if (kind == kKind<double>) {
      contents.matrices[path] = matrix_from<double>(tape, rows, cols);
    } else if (kind == kKind<float>) {
      contents.matrices[path] = matrix_from<float>(tape, rows, cols);
    } else {
      contents.matrices[path] = matrix_from<arma::uword>(tape, rows, cols);
    }
  }
  return contents;
}

}  // namespace elmx
