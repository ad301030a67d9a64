#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"

namespace elmx {

/// The rule that judges a published cell: the first rule that matches; cells without a rule are shown.
struct PaperRule {
  Json match = Json::object();
  std::string rule = "shown";
  double tolerance = 0.1, factor = 10, ties = 0.05, scale = 1;
  Json relative_to = Json::object();
  bool exact = false;

  void fields(FieldVisitor& field) {
    field("match", match, "the cells: {column of the published table: value or list of values}; {} = all");
    field("rule", rule,
          "relative: |measured - published| <= tolerance |published|; absolute: |measured - published| <= tolerance; "
          "at_most_times: measured <= factor * published; not_below: measured >= published - tolerance; order: the "
          "algorithms have the order of the published values; rank: the algorithms have the published ranks, where 1 "
          "is the lowest value; lowest: the cell is the least of those that differ in the sweep point only; diverges: "
          "a trial failed because of its numbers, or was >= published at some time of its training; same_text: "
          "symbolic cells are equal; absent: there is no number here either; shown: no verdict",
          one_of({"relative", "absolute", "at_most_times", "not_below", "order", "rank", "lowest", "diverges",
                  "same_text", "absent", "shown"}));
    field("tolerance", tolerance, "tolerance of relative, absolute and not_below", at_least(0));
    field("factor", factor, "factor of at_most_times", more_than(0));
    field("ties", ties,
          "order, rank, lowest: values that differ by at most this fraction of the larger one are level (published "
          "ranks only if they are equal)",
          between(0, 1));
    field("scale", scale, "factor from the published unit to the unit of elmx: 0.01 for percent", more_than(0));
    field("relative_to", relative_to,
          "{column: value or {column}}: published and measured are divided by those of this cell of the same metric");
    field("exact", exact, "whether the number is counted or derived, so that one run is enough for a verdict");
  }
};

/// The reason why published cells are not met, printed below the table for cells that disagree.
struct PaperReason {
  Json match = Json::object();
  std::string why;

  void fields(FieldVisitor& field) {
    field("match", match, "the cells: {column of the published table: value or list of values}");
    field("why", why, "the reason, one sentence");
  }
};

/// A claim in the text of the paper, and the table cells that judge it. Cells with equal values in the
/// columns `fact` form one fact, together with the cells of other entries of the same sentence. A fact holds
/// if all its cells do.
struct PaperClaim {
  std::string claim;
  Json match = Json::object();
  std::string holds = "as published";
  std::optional<double> value;
  Json than = Json::object();
  double ties = 0;
  bool exact = false;
  std::vector<std::string> fact;

  void fields(FieldVisitor& field) {
    field("claim", claim, "the sentence");
    field("match", match, "the cells: {column of the published table: value or list of values}");
    field("holds", holds,
          "above, below: the measured value is above or below \"value\", or that of the cell \"than\"; level: the two "
          "differ by less than the ties; as published: the cell has the verdict \"agrees\" of its rule",
          one_of({"above", "below", "level", "as published"}));
    field("value", value, "the number that the measured values are compared with");
    field("than", than,
          "{column: value or list of values}: the cell that has these values and equals the matched one in all other "
          "columns");
    field("ties", ties, "values that differ by at most this fraction of the larger one are level", between(0, 1));
    field("exact", exact, "level: whether the values differ by rounding alone, so that one run is enough");
    field("fact", fact, "columns of the published table; [] = each cell is a fact");
  }
};

/// Cells that are not facts of their own: they have a verdict but are not counted.
struct PaperNotCounted {
  Json match = Json::object();
  std::string as = "duplicate";

  void fields(FieldVisitor& field) {
    field("match", match, "the cells: {column of the published table: value or list of values}");
    field("as", as,
          "tautology: no other result is possible; duplicate: another cell states the same fact; another reading: the "
          "text has another meaning as well",
          one_of({"tautology", "duplicate", "another reading"}));
  }
};

/// Deviations of the run from the paper, by kind.
struct PaperDeviations {
  std::vector<std::string> scale, data, settings;

  void fields(FieldVisitor& field) {
    field("scale", scale, "smaller networks, fewer samples, steps or repeats than in the paper: one sentence each");
    field("data", data, "other data, or another copy or split of it: one sentence each");
    field("settings", settings, "settings that the paper does not state, and those that differ: one sentence each");
  }
};

/// A further column beside the measured one, with the results of the same run under other conditions.
struct PaperBeside {
  std::string title;
  Json point = Json::object();
  std::string chosen;

  void fields(FieldVisitor& field) {
    field("title", title, "heading of the column");
    field("point", point, "the sweep point: {place: value}; {} = that of the measured column");
    field("chosen", chosen,
          "how the parameters of an algorithm with a grid were chosen: \"cross validation\", which may contain "
          "{column}; \"\": best on the test part");
  }
};

/// Maps numbers of a run to cells of a published table. In texts, {column} is filled in from each row of the
/// published table. The _names translate filled-in texts (compared in lower case) into our names. The columns
/// "statistic" (mean, sd, std, variance) and "iterations" of the published table qualify its values.
struct PaperOptions {
  std::string run;
  std::vector<std::string> published;
  std::string title;
  Json where = Json::object();
  std::string value = "value";
  std::string experiment_case = "{dataset}";
  std::string algorithm;
  Json algorithm_names = {{"all", "standard"}};
  std::string nodes;
  std::string metric = "{metric}";
  Json metric_names = Json::object();
  std::size_t published_runs = 0;
  std::string published_spread = "runs";
  Json point = Json::object();
  std::vector<std::string> mean_over;
  std::string reference = "existing";
  std::string plot_against;
  std::vector<PaperBeside> beside;
  std::vector<PaperRule> rules;
  std::vector<PaperReason> reasons;
  std::vector<PaperClaim> claims;
  std::vector<PaperNotCounted> not_counted;
  PaperDeviations deviations;
  Json scaled_down = false;

  /// Returns the title, or the name of the file if there is none.
  const std::string& title_or_file() const { return title.empty() && !published.empty() ? published.front() : title; }

  void fields(FieldVisitor& field) {
    field("run", run, "base config of this table, a file in configs/paper/runs: several tables can share one run");
    field("published", published, "files of the published numbers in data/paper, with the same columns");
    field("title", title, "title of the table");
    field("where", where, "the rows of the published table that are used: {column: value or list of values}");
    field("value", value, "column of the published number");
    field("case", experiment_case, "name of the case (or data set) in elmx; upper and lower case do not matter");
    field("algorithm", algorithm, "algorithm in elmx; \"\": {algorithm}, or standard if there is no such column");
    field("algorithm_names", algorithm_names, "published name of an algorithm -> name in elmx");
    field("nodes", nodes,
          "network size, numbers may be added with +; \"\" = {nodes}, or the largest; best = the one with the largest "
          "value");
    field("metric", metric,
          "metric in the records, or step_seconds, total_seconds, test_seconds, step_speedup, total_speedup, "
          "epochs_to_reach (the first epoch whose mean training loss is at most the last one of the reference)");
    field("metric_names", metric_names, "published name of a metric -> name in elmx");
    field("published_runs", published_runs,
          "number of independent runs of each published mean, whose standard deviation is then used; 0: not known");
    field("published_spread", published_spread,
          "meaning of the published standard deviation: over runs, so it also holds for the runs here unless theirs is "
          "greater (runs), or over folds, which vary more than the mean of a repeat (folds)",
          one_of({"runs", "folds"}));
    field("point", point, "the sweep point of the cell, if the config has sweeps: {place: value}");
    field("mean_over", mean_over,
          "swept places for which a cell may have \"all\" in \"point\", which means the mean over their values in each "
          "run");
    field("reference", reference, "baseline algorithm of speed-ups and of epochs_to_reach");
    field("plot_against", plot_against,
          "column of numbers of the published table for the horizontal axis of a diagram of published and measured "
          "values, with one curve for each algorithm (algorithms that \"where\" leaves out have published values "
          "only); \"\": no diagram");
    field("beside", beside, "further measured columns, whose own verdicts are counted below the table");
    field("rules", rules, "rules that judge the cells; the first rule that matches a cell applies");
    field("reasons", reasons, "reasons why cells disagree, printed at those that do");
    field("claims", claims, "claims of the text of the paper that the cells of this table judge");
    field("not_counted", not_counted,
          "cells that have a verdict and are not counted; the first entry that matches a cell applies");
    field("deviations", deviations, "differences from the paper, printed below the table");
    field("scaled_down", scaled_down,
          "the cells whose problem is smaller than in the paper, so they neither agree nor disagree: true for all "
          "cells, or {column of the published table: value or list of values}");
  }
};

}  // namespace elmx
