#include <algorithm>

#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

/// Returns true if an index makes a table of 10^4 to 10^6 columns, which is accepted but takes a second each.
bool is_wide(std::string_view bytes) {
  std::size_t digits = 0;
  return std::ranges::any_of(bytes, [&](char c) {
    const bool wide = c == ':' && digits >= 5 && digits <= 7;
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    return wide;
  });
}

const Registered libsvm_target("libsvm", [](std::string_view bytes) {
  Choices choose(bytes);
  DataOptions options;
  options.format = "libsvm";
  options.task = choose.yes() ? "classification" : "regression";
  if (is_wide(choose.rest())) return;
  load(choose.rest(), options, {&options.path, &options.test_path});
});

}  // namespace
}  // namespace elmx::fuzz
