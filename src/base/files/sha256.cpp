#include "base/files/sha256.hpp"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <array>
#include <new>

namespace elmx {
namespace {

/// Throws std::bad_alloc if the library has failed, because it fails only for lack of memory.
void check(bool done) {
  if (!done) throw std::bad_alloc();
}

// OpenSSL 3.0 crashes if it gets no memory while it prepares itself. Here it does so before main.
[[maybe_unused]] const bool prepared = [] {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  return EVP_Digest("", 0, digest.data(), nullptr, EVP_sha256(), nullptr) == 1;
}();

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
  check(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
}

void Sha256::add(const void* bytes, std::size_t count) { check(EVP_DigestUpdate(context_.get(), bytes, count) == 1); }

std::string Sha256::digits() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  check(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
  std::string text;
  for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes.data(), bytes.size());
  return sum.digits();
}

}  // namespace elmx
