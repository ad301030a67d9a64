#include "models/elm/elm_judge.hpp"

#include "solvers/standard.hpp"

namespace elmx {

template <class T>
Status solve_reference(const std::string& kind, const RidgeProblem<T>& problem, uword nodes, Reference& reference) {
  if (kind == "qr") return solve_by_qr(StoredMatrix<T>(problem.H), problem.targets, problem.lambda, nodes, reference);
  Standard<double, T> standard(problem);
  const Status status = standard.start(nodes);
  reference.weights = standard.solution();
  reference.condition = standard.condition();
  return status;
}

template Status solve_reference(const std::string&, const RidgeProblem<double>&, uword, Reference&);
template Status solve_reference(const std::string&, const RidgeProblem<float>&, uword, Reference&);

}  // namespace elmx
