#include "answer/lead.hpp"

#include <cmath>

namespace elmx {
namespace {

const PairedTest& test_for(const RecordRow& row, const RunDescription& run) {
  try {
    test_over_train(run, row);
    return find_paired_test("corrected_t");
  } catch (const ConfigError&) {
    return paired_tests().front();
  }
}

}  // namespace

Leads leads_in(const Contest& contest, const RunDescription& run) {
  const RecordRow& best = contest.entrants[0].row;
  const Comparison comparison{
      {}, {}, &test_for(best, run), kLevel, [&](const RecordRow& row) { return test_over_train(run, row); }};
  Leads leads{comparison.test, {}};
  std::vector<double> p;
  for (std::size_t i = 1; i < contest.entrants.size(); ++i) {
    const RecordRow& other = contest.entrants[i].row;
    leads.over.push_back({i, paired_difference(comparison, best, matched_steps({&best, &other}), contest.metric.name)});
    p.push_back(leads.over.back().difference.finding.p);
  }
  const Decision worse = contest.metric.better == Better::lower ? Decision::higher : Decision::lower;
  const std::vector<double> adjusted = holm(p);
  for (std::size_t i = 0; i < adjusted.size(); ++i) {
    Finding& finding = leads.over[i].difference.finding;
    finding.p = adjusted[i];
    const bool decided = finding.decision == Decision::lower || finding.decision == Decision::higher;
    if (decided && finding.p > kLevel) finding.decision = Decision::not_significant;
    leads.over[i].significant = finding.decision == worse;
  }
  return leads;
}

}  // namespace elmx
