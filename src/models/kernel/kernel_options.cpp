#include "models/kernel/kernel_options.hpp"

#include <array>

#include "models/algorithm_names.hpp"
#include "models/kernel/kernel.hpp"

namespace elmx {

std::vector<std::string> KernelOptions::kernel_names() { return names_of(kernels()); }

KernelArithmetic KernelOptions::arithmetic() const {
  if (precision == "single") return KernelArithmetic::in_single;
  return precision == "mixed" ? KernelArithmetic::mixed : KernelArithmetic::in_double;
}

void KernelOptions::check(const std::string& place) const {
  check_algorithms(algorithms, kernel_algorithms(), place);
  const std::vector<std::string> known = kernel_names();
  if (std::ranges::count(known, kernel) == 0)
    throw ConfigError(place + "/kernel", "unknown kernel \"" + kernel + "\"" + suggest(kernel, known));
}

}  // namespace elmx
