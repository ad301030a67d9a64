#include <cmath>

#include "data/inferred.hpp"
#include "data/load.hpp"
#include "data/table/table.hpp"
#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

bool same_values(const arma::mat& A, const arma::mat& B) {
  if (A.n_rows != B.n_rows || A.n_cols != B.n_cols) return false;
  for (arma::uword i = 0; i < A.n_elem; ++i) {
    if (A(i) != B(i) && !(std::isnan(A(i)) && std::isnan(B(i)))) return false;
  }
  return true;
}

/// What was inferred reads the same file as the same data set.
const Registered inferred_target("inferred", [](std::string_view bytes) {
  const MemoryFile file(bytes);
  std::optional<InferredData> inferred;
  refused_or([&] { inferred = infer_data({{"path", file.path()}}); });
  if (!inferred) return;
  Json again = inferred->data;
  unfold_format(again, "/data");
  DataOptions options;
  Dataset data;
  try {
    read_options(again, "/data", options);
    data = load_dataset(options, {}, "", 1);
  } catch (const UserError& error) {
    throw std::logic_error("what was inferred is refused: " + std::string(error.what()) + ": " + again.dump());
  }
  require(same_values(data.X, inferred->dataset.X) && same_values(data.Y, inferred->dataset.Y) &&
              data.classes == inferred->dataset.classes,
          "what was inferred reads the same: " + again.dump());
});

}  // namespace
}  // namespace elmx::fuzz
