#include <gtest/gtest.h>

#include "base/numbers.hpp"
#include "report/frame/selection.hpp"
#include "support/records.hpp"

namespace elmx {
namespace {

Record trial(const std::string& name, arma::uword fold, arma::uword nodes, double loo, double test) {
  return one_step_record(name, "panel", fold, nodes, {{"loo_mse", loo}, {"test_rmse", test}});
}

SelectOptions by(const std::string& metric) {
  SelectOptions options;
  options.by = metric;
  return options;
}

std::vector<Choice> choices(const std::vector<Record>& records, const Selections& select) {
  return choices_of(with_selections(group_records(records, {{"a", "b", "c"}, {}}), select), select);
}

std::vector<double> test_errors(const std::vector<Choice>& some) {
  std::vector<double> errors;
  for (const Choice& choice : some) errors.push_back(*value_of(choice.taken, "test_rmse"));
  return errors;
}

TEST(Choices, EachFoldTakesTheBestOfAllMethods) {
  const std::vector<Record> records = {trial("a", 0, 10, 1, 11), trial("b", 0, 10, 2, 12), trial("c", 0, 10, 3, 13),
                                       trial("a", 1, 10, 3, 21), trial("b", 1, 10, 2, 22), trial("c", 1, 10, 1, 23)};
  const Selections select = {{"a", by("loo_mse")}, {"b", by("loo_mse")}, {"c", by("loo_mse")}};
  EXPECT_EQ(test_errors(nested_choices(choices(records, select))), (std::vector<double>{11, 23}));
}

TEST(Choices, OfEqualValuesTheFewerNodesAreTaken) {
  const std::vector<Record> records = {trial("a", 0, 20, 1, 11), trial("b", 0, 10, 1, 12)};
  const Selections select = {{"a", by("loo_mse")}, {"b", by("loo_mse")}};
  EXPECT_EQ(test_errors(nested_choices(choices(records, select))), std::vector<double>{12});
}

TEST(Choices, ByOtherMetricsAreNotCompared) {
  const std::vector<Record> records = {trial("a", 0, 10, 5, 11), trial("b", 0, 10, 1, 12)};
  const Selections select = {{"a", by("loo_mse")}, {"b", by("gcv")}};
  EXPECT_EQ(test_errors(nested_choices(choices(records, select))), std::vector<double>{11});
}

TEST(Choices, WithoutAValueAreTakenLast) {
  const std::vector<Record> records = {trial("a", 0, 10, nan, 11), trial("b", 0, 10, 7, 12)};
  const Selections select = {{"a", by("loo_mse")}, {"b", by("loo_mse")}};
  EXPECT_EQ(test_errors(nested_choices(choices(records, select))), std::vector<double>{12});
}

}  // namespace
}  // namespace elmx
