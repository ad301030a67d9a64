#pragma once

#include <memory>
#include <string>

#include "solvers/alg1.hpp"
#include "solvers/alg2.hpp"
#include "solvers/alg3.hpp"
#include "solvers/existing.hpp"
#include "solvers/panel.hpp"
#include "solvers/standard.hpp"

namespace elmx {

inline const std::vector<std::string>& solver_names() {
  static const std::vector<std::string> names = {"standard", "existing", "alg1", "alg2", "alg3", "panel"};
  return names;
}

template <class T>
std::unique_ptr<RidgeGrowth<T>> solver_of(const std::string& name, const RidgeProblem<T>& problem, uword panel = 3) {
  if (name == "standard") return std::make_unique<Standard<T, T>>(problem);
  if (name == "existing") return std::make_unique<Existing<T>>(problem);
  if (name == "alg1") return std::make_unique<Alg1<T>>(problem);
  if (name == "alg2") return std::make_unique<Alg2<T>>(problem);
  if (name == "alg3") return std::make_unique<Alg3<T>>(problem);
  if (name == "panel") return std::make_unique<Panel<T>>(problem, panel);
  throw std::logic_error("solver_of: unknown name");
}

}  // namespace elmx
