#include <fmt/format.h>

#include <cmath>

#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "report/tables/headlines.hpp"

namespace elmx {
namespace {

std::string text_of_expected(const ExpectedMetric& one) {
  const auto text = [&](double value) { return show(value, one.quantity.display); };
  std::string label = one.quantity.label;
  if (label.starts_with("test ")) label = label.substr(5);
  return fmt::format(
      "{} {}{}", label, text(one.folds.mean),
      one.interval ? fmt::format(" (95 % interval {} to {})", text(one.interval->low), text(one.interval->high)) : "");
}

std::string about_trivial(const Headline& headline) {
  const ExpectedMetric& judged = headline.expected[0];
  const std::string p = std::isnan(headline.finding.p) || headline.finding.p == 0
                            ? ""
                            : fmt::format(", p = {}", show(headline.finding.p, significant(2)));
  const std::string trivial = fmt::format("the trivial answer (\"{}\": {})", headline.trivial,
                                          show(headline.of_trivial, judged.quantity.display));
  switch (headline.better) {
    case BetterThanTrivial::not_tested:
      return "Better than the trivial answer: not tested, for the config has no case of the family \"mean\".";
    case BetterThanTrivial::yes:
      return fmt::format("Better than {}: yes{}.", trivial, p);
    case BetterThanTrivial::no:
      return fmt::format("Better than {}: no{}.", trivial, p);
    default:
      return fmt::format("Better than {}: cannot tell{}.", trivial, p);
  }
}

std::string about_edges(const Headline& headline) {
  if (headline.edges.empty()) return "The choice lies inside of the values that were tried.";
  std::vector<std::string> texts;
  for (const EdgeSetting& edge : headline.edges)
    texts.push_back(fmt::format("{} {} is the {} of {} values", edge.name, edge.value,
                                edge.greatest ? "greatest" : "least", edge.tried));
  return fmt::format("The choice lies at the edge of what was tried: {}; a wider range may be better.",
                     fmt::join(texts, ", "));
}

}  // namespace

const char* to_string(BetterThanTrivial answer) {
  constexpr const char* texts[] = {"not tested", "no", "cannot tell", "yes"};
  return texts[static_cast<std::size_t>(answer)];
}

std::vector<std::string> sentences_of(const Headline& headline) {
  if (headline.model.empty()) return {fmt::format("{}: {}.", headline.data_set, headline.no_model)};
  const std::string beginning = fmt::format("{}: the saved model is {}.", headline.data_set, headline.model);
  if (headline.expected.empty())
    return {fmt::format("{} The error to expect is unknown: {}.", beginning, headline.no_number)};
  std::vector<std::string> metrics;
  for (const ExpectedMetric& one : headline.expected) metrics.push_back(text_of_expected(one));
  const std::size_t parts = headline.expected[0].folds.n;
  const std::string how = headline.by.empty()
                              ? fmt::format("the mean over {}", counted(parts, "test part"))
                              : fmt::format(
                                    "the mean over {}, in each of which {} chose among all methods by the training "
                                    "part alone",
                                    counted(parts, "test part"), headline.by);
  std::vector<std::string> sentences{
      fmt::format("{} On new rows expect {}: {}.", beginning, fmt::join(metrics, ", "), how), about_trivial(headline)};
  if (headline.edges_known) sentences.push_back(about_edges(headline));
  if (!headline.only_class.empty())
    sentences.push_back(
        fmt::format("Warning: every prediction on the test parts is \"{}\". The model does not tell "
                    "the classes apart.",
                    headline.only_class));
  return sentences;
}

Table headline_table(const std::vector<Headline>& headlines) {
  Table table{"headline", "What to expect of the saved model", {}, {}, {}, {}};
  table.only_in_file = true;
  table.columns = {{"dataset", "dataset"},
                   {"model", "saved model", Worth::setting},
                   {"metric", "metric"},
                   {"expected", "expected", Worth::result},
                   {"low", "95 % from", Worth::result},
                   {"high", "to", Worth::result},
                   {"trivial", "trivial answer", Worth::detail},
                   {"better_than_trivial", "better than that", Worth::result},
                   {"edges", "at the edge", Worth::detail},
                   {"only_class", "only class predicted", Worth::detail}};
  for (const Headline& headline : headlines) {
    std::vector<std::string> edges;
    for (const EdgeSetting& edge : headline.edges) edges.push_back(edge.name + " " + edge.value);
    for (std::size_t i = 0; i < headline.expected.size(); ++i) {
      const auto& [quantity, folds, interval] = headline.expected[i];
      const bool judged = i == 0;
      table.rows.push_back(
          {text_cell(headline.data_set), text_cell(headline.model), text_cell(quantity.name),
           number_cell(folds.mean, quantity.display), number_cell(interval ? interval->low : nan, quantity.display),
           number_cell(interval ? interval->high : nan, quantity.display),
           number_cell(judged && !headline.trivial.empty() ? headline.of_trivial : nan, quantity.display),
           text_cell(judged ? to_string(headline.better) : "-"),
           text_cell(edges.empty() ? "-" : fmt::format("{}", fmt::join(edges, ", "))),
           text_cell(headline.only_class.empty() ? "-" : headline.only_class)});
    }
  }
  return table;
}

}  // namespace elmx
