#include <algorithm>
#include <cmath>
#include <map>

#include "published/verdicts.hpp"

namespace elmx {
namespace {

/// One comparison of a claim: a cell with a number, a cell with another cell, or the verdict of a cell.
struct ClaimTest {
  const PaperClaim* claim = nullptr;
  std::size_t cell = 0;
  std::optional<std::size_t> other = {};
  Judgement pair = {Verdict::not_available};  ///< the comparison with the other cell
};

/// Returns the cell that differs from this one only in the columns that the claim names.
std::size_t counterpart_of(const PaperClaim& claim, const std::vector<PaperCell>& cells, std::size_t cell,
                           const std::string& value_column) {
  const std::string place = "/paper/claims";
  std::vector<std::size_t> found;
  for (std::size_t j = 0; j < cells.size(); ++j) {
    const auto is_same = [&](const auto& entry) {
      return entry.first == value_column || claim.than.contains(entry.first) ||
             cells[j].row->at(entry.first) == entry.second;
    };
    if (matches(claim.than, *cells[j].row, place) && std::ranges::all_of(*cells[cell].row, is_same)) found.push_back(j);
  }
  if (found.size() == 1) return found[0];
  throw ConfigError(place, "\"than\" " + claim.than.dump() + " must match exactly one cell for each cell that " +
                               claim.match.dump() + " matches, found " + std::to_string(found.size()));
}

/// Returns all comparisons of all claims; the comparisons of one claim are in the order of the cells.
std::vector<ClaimTest> tests_of(const PaperOptions& options, const std::vector<PaperCell>& cells) {
  std::vector<ClaimTest> tests;
  for (const PaperClaim& claim : options.claims) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!matches(claim.match, *cells[i].row, "/paper/claims")) continue;
      ClaimTest& test = tests.emplace_back(ClaimTest{&claim, i});
      if (claim.holds != "as published" && !claim.value) test.other = counterpart_of(claim, cells, i, options.value);
    }
  }
  return tests;
}

/// Compares the measured value of a cell with a number.
Judgement judge_number(PaperCell cell, const PaperClaim& claim) {
  cell.published = claim.value;
  cell.known.reset();
  cell.rule = {.rule = claim.holds == "above"   ? "not_below"
                       : claim.holds == "below" ? "at_most_times"
                                                : "relative",
               .tolerance = claim.holds == "above" ? 0 : claim.ties,
               .factor = 1,
               .exact = claim.exact};
  return judge({cell}).front();
}

/// Returns the question of a comparison with another cell; none if one of the cells has no number.
std::optional<PairQuestion> question_of(const ClaimTest& test, const std::vector<PaperCell>& cells) {
  using enum PairQuestion::Relation;
  if (!test.other || !cells[test.cell].measured.value || !cells[*test.other].measured.value) return std::nullopt;
  const PaperClaim& claim = *test.claim;
  if (claim.holds == "below") return PairQuestion{above, *test.other, test.cell, claim.ties};
  if (claim.holds == "above") return PairQuestion{above, test.cell, *test.other, claim.ties};
  return PairQuestion{level, test.cell, *test.other, claim.ties, claim.exact};
}

/// Judges a comparison. `own`: the judgements of the cells by their own rules.
Judgement judge_claim(const ClaimTest& test, const std::vector<PaperCell>& cells, const std::vector<Judgement>& own) {
  const PaperClaim& claim = *test.claim;
  if (claim.holds == "as published") return own[test.cell];
  const Judgement found = test.other ? test.pair : judge_number(cells[test.cell], claim);
  const bool smaller = cells[test.cell].scaled_down || (test.other && cells[*test.other].scaled_down);
  return smaller ? of_scaled_down(found) : found;
}

/// Returns true if the published numbers meet the claim.
bool holds_as_printed(const ClaimTest& test, const std::vector<PaperCell>& cells) {
  const PaperClaim& claim = *test.claim;
  if (claim.holds == "as published") return true;
  const std::optional<double> a = cells[test.cell].published,
                              b = test.other ? cells[*test.other].published : claim.value;
  if (!a || !b) return false;
  const double ties = claim.ties * std::max(std::abs(*a), std::abs(*b));
  if (claim.holds == "level") return std::abs(*a - *b) <= ties;
  const double margin = claim.holds == "above" ? *a - *b : *b - *a;
  return claim.value ? margin >= 0 : margin > ties;
}

/// The comparisons that must hold together, for the measured and the published numbers.
struct Fact {
  std::vector<Judgement> parts = {};
  bool printed = true;
};

/// The facts of a sentence, each by the values of its columns.
using Facts = std::map<std::vector<std::string>, Fact>;

std::vector<std::string> fact_of(const ClaimTest& test, const PaperCell& cell) {
  std::vector<std::string> values;
  for (const std::string& column : test.claim->fact) {
    const auto value = cell.row->find(column);
    if (value == cell.row->end())
      throw ConfigError("/paper/claims", "\"fact\": the published table has no column \"" + column + "\"");
    values.push_back(value->second);
  }
  if (values.empty()) values.push_back(std::to_string(test.cell));
  return values;
}

}  // namespace

Table judge_claims(const PaperOptions& options, const std::vector<PaperCell>& cells,
                   const std::vector<Judgement>& judgements, const std::string& name) {
  std::vector<ClaimTest> tests = tests_of(options, cells);
  std::vector<PairQuestion> questions;
  std::vector<ClaimTest*> asking;
  for (ClaimTest& test : tests) {
    const auto question = question_of(test, cells);
    if (!question) continue;
    questions.push_back(*question);
    asking.push_back(&test);
  }
  const std::vector<Judgement> answers = judge_pairs(cells, questions);
  for (std::size_t k = 0; k < answers.size(); ++k) asking[k]->pair = answers[k];
  nlohmann::ordered_map<std::string, Facts> claims;  // by sentence
  for (const ClaimTest& test : tests) {
    Fact& fact = claims[test.claim->claim][fact_of(test, cells[test.cell])];
    fact.parts.push_back(judge_claim(test, cells, judgements));
    fact.printed = fact.printed && holds_as_printed(test, cells);
  }
  Table table{name, "Claims of the text"};
  table.columns.push_back({"claim", "claim", Worth::name});
  for (const auto& [key, heading] : {std::pair("facts", "facts"),
                                     {"agrees", "hold"},
                                     {"level", "level"},
                                     {"consistent", "consistent"},
                                     {"contrary", "contrary"},
                                     {"disagrees", "fail"},
                                     {"NA", "not available"},
                                     {"in_the_paper", "hold in the paper"}})
    table.columns.push_back({key, heading, Worth::result});
  for (const auto& [sentence, facts] : claims) {
    VerdictCounts counts;
    std::size_t printed = 0;
    for (const auto& [values, fact] : facts) {
      counts.add(together(fact.parts).verdict, false);
      printed += fact.printed;
    }
    std::vector<Cell>& row = table.rows.emplace_back();
    row.push_back(text_cell(sentence));
    row.push_back(number_cell(static_cast<double>(facts.size())));
    for (const std::size_t number : counts.of) row.push_back(number_cell(static_cast<double>(number)));
    row.back() = number_cell(static_cast<double>(printed));  // in place of those that are only shown
  }
  return table;
}

}  // namespace elmx
