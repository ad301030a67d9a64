#include "linalg/checks/kernels.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <set>

#include "linalg/checks/kernel_check.hpp"

namespace elmx {
namespace {

using checks::KernelCheck;

/// Calls visit(group, letter of the precision, check, format of symbols) for every check, group by group.
template <class Visit>
void for_each_kernel(const Visit& visit) {
  const auto each = [&](const char* group, char letter, std::span<const KernelCheck> rows, const char* symbols) {
    for (const KernelCheck& one : rows) visit(group, letter, one, symbols);
  };
  each("BLAS in double", 'd', checks::blas_checks<double>(), "cblas_{}");
  each("BLAS in single", 's', checks::blas_checks<float>(), "cblas_{}");
  each("LAPACK in double", 'd', checks::lapack_checks<double>(), "{}_");
  each("LAPACK in single", 's', checks::lapack_checks<float>(), "{}_");
}

}  // namespace

std::vector<CheckGroup> check_kernels(Extent extent) {
  std::vector<CheckGroup> groups;
  for_each_kernel([&](const char* name, char letter, const KernelCheck& kernel, const char*) {
    if (groups.empty() || groups.back().name != name) groups.push_back({.name = name});
    CheckGroup& group = groups.back();
    const std::string function = letter + std::string(kernel.name);
    kernel.check(extent, [&](double ratio, const std::string& where) { group.add(function, where, ratio); });
  });
  return groups;
}

std::vector<std::filesystem::path> kernel_libraries() {
  std::set<std::filesystem::path> files;
  for_each_kernel([&](const char*, char letter, const KernelCheck& kernel, const char* symbol) {
    Dl_info found{};
    const std::string name = fmt::format(fmt::runtime(symbol), letter + std::string(kernel.name));
    void* const address = ::dlsym(RTLD_DEFAULT, name.c_str());
    if (address != nullptr && ::dladdr(address, &found) != 0 && found.dli_fname != nullptr)
      files.insert(found.dli_fname);
  });
  return {files.begin(), files.end()};
}

}  // namespace elmx
