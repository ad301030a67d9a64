#include "tables/finding.hpp"

#include <algorithm>
#include <cmath>

#include "base/nan.hpp"
#include "base/printable.hpp"
#include "table_formats/table.hpp"

namespace elmx {

const char* to_string(Decision decision) {
  switch (decision) {
    case Decision::not_available:
      return "NA";
    case Decision::same:
      return "same";
    case Decision::lower:
      return "lower";
    case Decision::higher:
      return "higher";
    case Decision::not_significant:
      return "not significant";
    case Decision::cannot_decide:
      return "cannot decide";
  }
  return "";
}

std::string shown_level(double alpha) { return show(std::round(1e6 * alpha) / 1e6); }

Finding finding_of(const std::vector<double>& differences, const PairedTest& test, double test_over_train,
                   double alpha) {
  if (differences.empty()) return {Decision::not_available, nan, ""};
  const auto differ = std::count_if(differences.begin(), differences.end(), [](double d) { return d != 0; });
  if (differ == 0) return {Decision::same, nan, ""};
  const TestResult result = test.run(differences, test_over_train);
  if (std::isnan(result.p) && differences.size() > 1)
    return {Decision::cannot_decide, nan,
            "The differences are all alike: " + std::string(test.doc) + " has no spread to judge them by"};
  if (result.smallest_p > alpha) {
    const std::string why = "Of " + counted(static_cast<std::size_t>(differ), "difference") +
                            " other than 0 the least p that " + test.doc + " can give is " +
                            show(result.smallest_p, significant(3)) + "; p <= " + shown_level(alpha) +
                            " needs at least " + std::to_string(test.pairs_needed(alpha)) + " of them";
    return {Decision::cannot_decide, result.p, why};
  }
  if (result.p > alpha || result.sign == 0) return {Decision::not_significant, result.p, ""};
  return {result.sign < 0 ? Decision::lower : Decision::higher, result.p, ""};
}

}  // namespace elmx
