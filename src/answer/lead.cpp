#include "answer/lead.hpp"

#include <algorithm>
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

/// The best against each other one, each by itself.
std::vector<Lead> leads_at(double level, const PairedTest& test, const Contest& contest, const RunDescription& run) {
  const Comparison comparison{{}, {}, &test, level, [&](const RecordRow& row) { return test_over_train(run, row); }};
  const RecordRow& best = contest.entrants[0].row;
  std::vector<Lead> leads;
  for (std::size_t i = 1; i < contest.entrants.size(); ++i) {
    const RecordRow& other = contest.entrants[i].row;
    leads.push_back({i, paired_difference(comparison, best, matched_steps({&best, &other}), contest.metric.name)});
  }
  return leads;
}

bool nothing_to_decide(const Lead& lead) {
  const Decision decision = lead.difference.finding.decision;
  return decision == Decision::cannot_decide || decision == Decision::same || decision == Decision::not_available;
}

}  // namespace

Leads leads_in(const Contest& contest, const RunDescription& run) {
  const PairedTest& test = test_for(contest.entrants[0].row, run);
  Leads leads{&test, leads_at(kLevel, test, contest, run), 0};
  std::vector<double> p;
  for (const Lead& lead : leads.over) p.push_back(lead.difference.finding.p);
  leads.tested = static_cast<std::size_t>(std::ranges::count_if(p, [](double value) { return !std::isnan(value); }));
  // Holm's first step takes level / tested: where no comparison can have so small a p, none can be significant.
  if (leads.tested > 1) {
    const std::vector<Lead> strict = leads_at(kLevel / static_cast<double>(leads.tested), test, contest, run);
    if (std::ranges::all_of(strict, nothing_to_decide)) {
      for (std::size_t i = 0; i < strict.size(); ++i) leads.over[i].difference.finding = strict[i].difference.finding;
    }
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
