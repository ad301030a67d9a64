#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace elmx {

/// SHA-256 of bytes that come block by block.
class Sha256 {
 public:
  Sha256();
  void add(const void* bytes, std::size_t count);
  /// Returns the hexadecimal digest of all added bytes. Can be called only once.
  std::string digits();

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

/// Returns the hexadecimal SHA-256.
std::string sha256(std::string_view bytes);

}  // namespace elmx
