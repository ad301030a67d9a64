#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "models/ridge/expansion.hpp"
#include "models/ridge/node_draw_options.hpp"

namespace elmx {

/// The options of an extreme learning machine that grows node by node. The random layer is drawn and H formed
/// once; every algorithm grows on the same columns of H.
struct ElmOptions : RidgeNetworkOptions {
  struct Nodes {
    /// Expands 100 or [20, 100], the sizes that are reported. Without "stop" growth ends at the largest size.
    static Json long_form(const Json& value, const std::string& place);
    static Json short_schema();

    std::size_t start = 2;
    std::size_t stop = 100;
    std::vector<std::size_t> report;

    void fields(FieldVisitor& field) {
      field("start", start, "number of hidden nodes at the beginning, which are solved directly", at_least(1));
      field("stop", stop, "number of hidden nodes at the end; by default the largest size in report, or 100",
            at_least(1));
      field("report", report, "sizes at which errors, metrics and times are reported; []: start and stop", at_least(1));
    }
  };
  struct Timing {
    std::vector<std::size_t> at;
    std::size_t repetitions = 1;

    void fields(FieldVisitor& field) {
      field("at", at, "sizes for which the step that reaches them is measured repeatedly from the same state",
            at_least(2));
      field("repetitions", repetitions, "number of measurements", at_least(1));
    }
  };

  NodeDrawOptions drawing;
  std::optional<double> gamma;
  Nodes nodes;
  std::size_t panel = 128;
  SampleGrowth growth;
  Timing timing;

  ElmOptions() : RidgeNetworkOptions("elm", {"panel"}) {}

  std::vector<AlgorithmInfo> known_algorithms() const override;
  void fields(FieldVisitor& field) override;
  void check(const std::string& place) const override;
  SampleGrowth sample_growth() const override { return growth; }
  std::vector<std::size_t> sizes() const override;
  bool measures_steps() const override { return !timing.at.empty(); }
  RidgeSetup setup(std::size_t inputs) const override;
  template <class T>
  std::vector<Expansion<T>> expansions(const FoldView& fold, const Rng& rng, bool stored) const;
  ExpansionCost expansion_cost(const RidgeSetup& setup, const Sizes& sizes, bool stored) const override;
  std::optional<ConfigError> needs_one_rank() const override;
};

}  // namespace elmx
