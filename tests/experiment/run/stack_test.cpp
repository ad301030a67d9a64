#include <gtest/gtest.h>

#include "base/files/files.hpp"
#include "experiment/records/record.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/run/fold_trainer.hpp"
#include "experiment/run/runner.hpp"
#include "experiment/run/stack_trainer.hpp"
#include "experiment/saved/new_samples.hpp"
#include "support/configs.hpp"
#include "support/scratch.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

Json stacked() {
  return Json::parse(R"({
    "name": "stacked", "seed": 3, "save_model": true, "select": {"by": "loo_mse"},
    "data": {"set": "friedman1", "samples": 60}, "split": {"kind": "k_fold", "folds": 2},
    "preprocess": {"inputs": "standard"},
    "cases": {
      "both": {"model": {"family": "stack"}},
      "elm": {"model": {"algorithms": ["chol-2", "standard"], "ridge": [1e-6, 1e-3, 1],
                        "nodes": {"start": 5, "stop": 20, "report": [5, 20]}}},
      "kernel": {"model": {"family": "kernel"}, "preprocess": {"inputs": ["standard", "minus_one_one"]}},
      "linear": {"model": {"family": "linear", "ridge": [0.1, 10]}}
    }
  })");
}

Plan stack_plan(const Json& config) { return make_plan(config, "no data directory"); }

const PlannedCase& stack_in(const Plan& plan) {
  return *std::ranges::find_if(plan.cases, [](const PlannedCase& c) { return c.spec().members != nullptr; });
}

Checkpoint checkpoint_of(const FoldTask& task) {
  const FoldTrainer trained(task, nullptr);
  FakeClock clock;
  Checkpoint shown;
  trained.train("nnls", clock, [&](const Checkpoint& point) { shown = point; });
  return shown;
}

/// Returns the checkpoint of the stack of a plan in its first fold.
Checkpoint checkpoint_of(const PlannedCase& stack, const Dataset& data, const RecordsByKey* finished = nullptr,
                         TrainedMembers* members = nullptr) {
  FoldTask task{&stack.specs, &data, stack.folds[0][0], 0, 0, {"nnls"}};
  task.finished = finished;
  task.members = members;
  return checkpoint_of(task);
}

bool same_bits(const arma::mat& A, const arma::mat& B) {
  return arma::size(A) == arma::size(B) && std::equal(A.begin(), A.end(), B.begin());
}

class StackTest : public ScratchTest {
 protected:
  std::vector<Record> run(const Json& config, std::size_t stop_after = 1000, TrainedMembers* members = nullptr) const {
    const Plan plan = stack_plan(config);
    ResultsFolder results(folder_, describe_experiment(config, plan), Earlier::resume);
    std::atomic<bool> stop = false;
    std::size_t seen = 0;
    RunnerOptions options{.jobs = 2, .make_clock = [] { return std::make_unique<FakeClock>(); }, .stop = &stop};
    options.members = members;
    run_plan(plan, results, options, [&](const Record&) {
      if (++seen == stop_after) stop = true;
    });
    return StoredRun(folder_).records();
  }
};

/// Returns the outputs of ridge regression by definition: min ||[256 1 X] W - t||^2 + lambda ||W||^2.
arma::vec linear_outputs(const arma::mat& X, const arma::vec& t, double lambda, const arma::mat& at) {
  const auto columns = [](const arma::mat& M) {
    return arma::mat(arma::join_rows(arma::mat(M.n_rows, 1, arma::fill::value(256)), M));
  };
  const arma::mat A = columns(X);
  return columns(at) * arma::solve(A.t() * A + lambda * arma::eye(A.n_cols, A.n_cols), A.t() * t);
}

/// Solves non-negative least squares in one or two columns by trying all active sets.
arma::vec weights_of_two(const arma::mat& Z, const arma::vec& t) {
  arma::vec best(2, arma::fill::zeros);
  double least = arma::dot(t, t);
  const auto consider = [&](const arma::vec& w) {
    const double error = arma::accu(arma::square(t - Z * w));
    if (w.min() < 0 || error >= least) return;
    least = error;
    best = w;
  };
  consider(arma::solve(Z, t));
  consider({arma::dot(Z.col(0), t) / arma::dot(Z.col(0), Z.col(0)), 0});
  consider({0, arma::dot(Z.col(1), t) / arma::dot(Z.col(1), Z.col(1))});
  return best;
}

// Without scaling, only the members and the weights depend on a sample.
TEST_F(StackTest, LeaveOneOutOutputsAreThoseOfMembersAndWeightsTrulyWithoutTheSample) {
  const Json config = Json::parse(R"({
    "data": {"set": "friedman1", "samples": 40}, "split": {"kind": "holdout"}, "preprocess": {"inputs": "none"},
    "cases": {"stiff": {"model": {"family": "linear", "ridge": 30}}, "mean": {"model": {"family": "mean"}},
              "stack": {"model": {"family": "stack", "of": ["stiff", "mean"]}}}})");
  const Plan plan = stack_plan(config);
  const PlannedCase& stack = stack_in(plan);
  FoldTask task{&stack.specs, stack.data.get(), stack.folds[0][0], 0, 0, {"nnls"}};
  task.is_final = true;
  const Checkpoint point = checkpoint_of(task);
  const arma::mat kept = point.network().matrix<double>("jackknife_residuals");
  const Fold& fold = stack.folds[0][0];
  const arma::mat X = stack.data->X.rows(fold.train);
  const arma::vec t = stack.data->Y.rows(fold.train);
  const arma::uword n = t.n_elem;
  arma::mat Z(n, 2);
  for (arma::uword i = 0; i < n; ++i) {
    arma::mat others = X;
    arma::vec targets = t;
    others.shed_row(i);
    targets.shed_row(i);
    Z(i, 0) = linear_outputs(others, targets, 30, X.row(i))(0);
    Z(i, 1) = arma::mean(targets);
  }
  const arma::vec w = weights_of_two(Z, t);
  EXPECT_NEAR(point.diagnostics.at("weight[stiff]"), w(0), 1e-9);
  EXPECT_NEAR(point.diagnostics.at("weight[mean]"), w(1), 1e-9);
  for (arma::uword i = 0; i < n; ++i) {
    arma::mat others = Z;
    arma::vec targets = t;
    others.shed_row(i);
    targets.shed_row(i);
    const double left_out = arma::dot(Z.row(i).t(), weights_of_two(others, targets));
    EXPECT_NEAR(point.leave_one_out.outputs(i, 0), left_out, 1e-8) << i;
    EXPECT_NEAR(kept(i, 0), t(i) - left_out, 1e-8) << i;
  }
  const arma::mat X_test = stack.data->X.rows(fold.test);
  const arma::vec expected = w(0) * linear_outputs(X, t, 30, X_test) + w(1) * arma::mean(t);
  EXPECT_LT(arma::abs(point.test_output - expected).max(), 1e-9);
}

TEST_F(StackTest, NothingOfTheTestPartIsUsedButItsInputs) {
  const Plan plan = stack_plan(stacked());
  const PlannedCase& stack = stack_in(plan);
  const Checkpoint point = checkpoint_of(stack, *stack.data);
  Dataset changed = *stack.data;
  changed.Y.rows(stack.folds[0][0].test) *= -100;
  const Checkpoint other = checkpoint_of(stack, changed);
  EXPECT_TRUE(same_bits(point.test_output, other.test_output));
  EXPECT_EQ(point.diagnostics, other.diagnostics);

  changed.Y(stack.folds[0][0].train(0)) += 1;
  EXPECT_FALSE(same_bits(point.test_output, checkpoint_of(stack, changed).test_output)) << "the test sees a change";
}

TEST_F(StackTest, ATrialIsTheSameWhetherItsMembersHaveRunOrNot) {
  const std::vector<Record> records = run(stacked());
  const Plan plan = stack_plan(stacked());
  const PlannedCase& stack = stack_in(plan);
  RecordsByKey finished = by_key(records);
  std::size_t members = 0;
  for (const StackMember& member : *stack.spec().members) {
    for (const CaseSpec& point : member.points)
      members += finished.contains(TrialKeys(point, *stack.data).of(member.algorithm(), 0, 0));
  }
  EXPECT_EQ(members, 3u + 2u + 2u) << "points of elm, kernel and linear";
  const Checkpoint with = checkpoint_of(stack, *stack.data, &finished);
  const Checkpoint without = checkpoint_of(stack, *stack.data);
  EXPECT_EQ(with.diagnostics, without.diagnostics);
  EXPECT_TRUE(same_bits(with.test_output, without.test_output));
  EXPECT_TRUE(same_bits(with.leave_one_out.outputs, without.leave_one_out.outputs));
  std::vector<Record> without_steps = records;
  for (Record& record : without_steps) record.steps.clear();
  finished = by_key(without_steps);
  EXPECT_THROW(checkpoint_of(stack, *stack.data, &finished), DataError) << "the records are used";
}

TEST_F(StackTest, KeptMembersHaveTheBitsOfATrainingAndAreThoseChosen) {
  const Plan plan = stack_plan(stacked());
  const PlannedCase& stack = stack_in(plan);
  TrainedMembers members(plan);
  const std::vector<Record> records = run(stacked(), 1000, &members);
  const RecordsByKey finished = by_key(records);
  const Checkpoint kept = checkpoint_of(stack, *stack.data, &finished, &members),
                   trained = checkpoint_of(stack, *stack.data, &finished);
  EXPECT_EQ(kept.diagnostics, trained.diagnostics);
  EXPECT_TRUE(same_bits(kept.test_output, trained.test_output));
  EXPECT_TRUE(same_bits(kept.leave_one_out.outputs, trained.leave_one_out.outputs));

  std::size_t found = 0;
  for (const Record& record : read_records(folder_)) {
    if (record.experiment_case != "both") continue;
    for (const SavedModel& member : read_model(model_file(folder_, record)).members) {
      const Json& trial = member.trial;
      Record chosen = record;
      chosen.key = trial.at("key").get<std::string>();
      chosen.experiment_case = trial.at("case").get<std::string>();
      found += members.find(chosen, {trial.at("nodes"), trial.value("iterations", arma::uword{0})}) != nullptr;
      EXPECT_EQ(members.find(chosen, {1000, 0}), nullptr) << "of another size";
    }
  }
  EXPECT_GT(found, 2u);
}

// By definition: the member is the network at the least loo_mse of its trials in the fold.
TEST_F(StackTest, AMemberIsThePointAndSizeThatSelectChooses) {
  Json config = stacked();
  config["cases"]["both"]["model"]["of"] = {"elm"};
  const std::vector<Record> records = run(config);
  for (const Record& stack : records) {
    if (stack.experiment_case != "both") continue;
    ASSERT_TRUE(stack.status.ok());
    double least = INFINITY;
    for (const Record& record : records) {
      if (record.experiment_case != "elm" || record.algorithm != "chol-2" || record.fold != stack.fold) continue;
      for (const StepRecord& step : record.steps) least = std::min(least, step.metrics.at("loo_mse"));
    }
    const SavedModel model = read_model(model_file(folder_, stack));
    ASSERT_EQ(model.members.size(), 1u);
    const Json& trial = model.members[0].trial;
    EXPECT_EQ(trial.at("algorithm"), "chol-2") << "the first one";
    const auto chosen = std::ranges::find(records, trial.at("key").get<std::string>(), &Record::key);
    ASSERT_NE(chosen, records.end());
    const auto step = std::ranges::find(chosen->steps, trial.at("nodes").get<arma::uword>(), &StepRecord::nodes);
    EXPECT_EQ(step->metrics.at("loo_mse"), least);
  }
}

TEST_F(StackTest, BeginsAfterTheTrialsOfItsMembers) {
  run(stacked(), 10);
  for (const Record& record : read_records(folder_)) EXPECT_NE(record.experiment_case, "both");
}

TEST_F(StackTest, AStoppedRunGoesOnToTheSameRecords) {
  const auto without_times = [](const std::vector<Record>& records) {
    Json all = Json::array();
    for (const Record& record : records) {
      all.push_back(to_json(record));
      all.back().erase("timing");
    }
    return all;
  };
  const std::size_t trials = run(stacked()).size();
  const Json whole = without_times(StoredRun(folder_).records());
  for (const std::size_t first : {std::size_t{5}, trials - 1}) {
    std::filesystem::remove_all(folder_);
    run(stacked(), first);
    EXPECT_EQ(without_times(run(stacked())), whole) << "after " << first;
  }
}

TEST_F(StackTest, ASavedStackPredictsWhatItsTrialDid) {
  const Catalogue catalogue = shipped_catalogue();
  std::size_t stacks = 0;
  for (const Record& record : run(stacked())) {
    if (record.experiment_case != "both") continue;
    ++stacks;
    const std::filesystem::path file = model_file(folder_, record);
    const SavedModel model = read_model(file);
    const NewSamples samples = read_own_part(model, "test", {catalogue, "no data directory"});
    const arma::mat Z = predict(*restore(model, file.string()), model.preprocessing, samples.data.X, samples.rows);
    const arma::mat E = samples.data.Y.rows(samples.rows) - Z;
    EXPECT_EQ(arma::accu(arma::square(E)) / static_cast<double>(E.n_elem), record.steps.back().metrics.at("test_mse"));
    double weights = 0;
    for (const auto& [name, value] : record.steps.back().metrics) weights += name.starts_with("weight[") ? value : 0;
    EXPECT_DOUBLE_EQ(arma::accu(model.network.matrix<double>("weights")), weights);
  }
  EXPECT_EQ(stacks, 2u);
}

TEST_F(StackTest, AFileThatLacksAPartOfAMemberIsRefused) {
  std::filesystem::path file;
  for (const Record& record : run(stacked())) {
    if (record.experiment_case == "both") file = model_file(folder_, record);
  }
  const ModelContents whole = decode_model(read_file(file), "m.h5");
  ASSERT_NO_THROW(restore(read_model(whole, "m.h5"), "m.h5"));
  std::size_t tried = 0;
  const auto refused = [&](const ModelContents& contents, const std::string& path) {
    const std::string place = place_thrown<DataError>([&] { restore(read_model(contents, "m.h5"), "m.h5"); });
    EXPECT_TRUE(place.starts_with("m.h5: members/")) << path << ": " << place;
    ++tried;
  };
  const std::set<std::string> optional{"active_nodes", "output_biases", "input_mean", "input_columns", "intercept"};
  for (const auto& [path, text] : whole.texts) {
    if (!path.starts_with("members/")) continue;
    ModelContents contents = whole;
    contents.texts.erase(path);
    refused(contents, path);
  }
  for (const auto& [path, matrix] : whole.matrices) {
    if (!path.starts_with("members/") || optional.contains(path.substr(path.rfind('/') + 1))) continue;
    ModelContents contents = whole;
    contents.matrices[path] = arma::mat(3, 7, arma::fill::ones);
    refused(contents, path);
  }
  EXPECT_GE(tried, 10u);

  ModelContents contents = whole;
  contents.texts["members/1/config"] = whole.texts.at("config");
  refused(contents, "a stack of stacks");
  contents = whole;
  contents.matrices["network/weights"] = arma::mat(1, 9, arma::fill::ones);
  refused(contents, "more weights than members");
  contents = whole;
  contents.matrices["network/weights"] = arma::mat(2, 1, arma::fill::ones);
  EXPECT_EQ(place_thrown<DataError>([&] { read_model(contents, "m.h5"); }), "m.h5: network/weights");
}

TEST_F(StackTest, AMemberThatCannotBeTrainedHasWeightZero) {
  Json config = stacked();
  config["cases"]["elm"]["model"].update(Json::parse(
      R"({"algorithms": ["chol-2"], "ridge": 0, "activation": "hardlim", "weights": [0, 0], "biases": [1, 1]})"));
  for (const Record& record : run(config)) {
    if (record.experiment_case == "elm") {
      EXPECT_FALSE(record.status.ok());
    }
    if (record.experiment_case != "both") continue;
    EXPECT_TRUE(record.status.ok());
    EXPECT_EQ(record.steps.back().metrics.at("weight[elm]"), 0);
    EXPECT_TRUE(record.steps.back().notes.contains("weight[elm]"));
    EXPECT_GT(record.steps.back().metrics.at("weight[kernel]"), 0);
  }
}

TEST_F(StackTest, ClassesAreStackedByTheirCodes) {
  Json config = stacked();
  config["data"]["set"] = "two_moons";
  config["select"]["by"] = "loo_acc";
  config["preprocess"]["targets"] = {{"class_weights", "balanced"}};
  std::size_t stacks = 0;
  for (const Record& record : run(config)) {
    ASSERT_TRUE(record.status.ok());
    if (record.experiment_case != "both") continue;
    ++stacks;
    for (const char* metric : {"loo_acc", "loo_mse", "test_acc"})
      EXPECT_TRUE(record.steps.back().metrics.contains(metric)) << metric;
  }
  EXPECT_EQ(stacks, 2u);
}

TEST_F(StackTest, WithoutOtherCasesItsKeysAreThoseOfTheseCases) {
  const auto keys = [](const Json& config, const std::string& of_case) {
    std::vector<std::string> found;
    const Plan plan = stack_plan(config);
    for (const PlannedCase& c : plan.cases) {
      for (const CaseSpec& spec : c.specs) {
        if (spec.name == of_case) found.push_back(TrialKeys(spec, *c.data).of(spec.model->algorithms.front(), 0, 0));
      }
    }
    return found;
  };
  Json alone = stacked(), more = stacked(), other = stacked();
  alone["cases"].erase("both");
  EXPECT_EQ(keys(alone, "elm"), keys(stacked(), "elm")) << "a stack changes no other trial";
  more["cases"]["linear"]["model"]["ridge"] = {0.1, 1, 10};
  EXPECT_NE(keys(more, "both"), keys(stacked(), "both")) << "a member chooses among more points";
  other["select"]["by"] = "gcv";
  EXPECT_NE(keys(other, "both"), keys(stacked(), "both")) << "and by another rule";
  EXPECT_EQ(keys(other, "elm"), keys(stacked(), "elm"));
}

struct Wrong {
  const char* changes;
  const char* place;
};

TEST_F(StackTest, WhatCannotBeStackedIsRefusedAtItsPlace) {
  for (
      const Wrong& wrong : {
          Wrong{R"({"cases": {"both": {"model": {"of": ["elm", "lienar"]}}}})", "/cases/both/model/of"},
          Wrong{R"({"cases": {"both": {"model": {"of": ["elm", "elm"]}}}})", "/cases/both/model/of"},
          Wrong{R"({"cases": {"both": {"model": {"of": ["both"]}}}})", "/cases/both/model/of"},
          Wrong{R"({"cases": {"two": {"model": {"family": "stack", "of": ["both"]}}}})", "/cases/two/model/of"},
          Wrong{
              R"({"select": {"by": "none"}, "cases": {"dec": {"model": {"family": "dec"}}, "both": {"model": {"of": ["dec"]}}}})",
              "/cases/both/model/of"},
          Wrong{R"({"cases": {"linear": {"split": {"folds": 3}}}})", "/cases/both/model/of"},
          Wrong{R"({"cases": {"linear": {"seed": 4}}})", "/cases/both/model/of"},
          Wrong{R"({"cases": {"linear": {"data": {"samples": 50}}}})", "/cases/both/model/of"},
          Wrong{R"({"cases": {"linear": {"preprocess": {"targets": {"scale": "standard"}}}}})", "/cases/both/model/of"},
          Wrong{R"({"cases": {"both": {"preprocess": {"inputs": "rank"}}}})", "/cases/both/preprocess/inputs"},
          Wrong{R"({"cases": {"elm": null, "kernel": null, "linear": null}})", "/cases/both/model/of"},
          Wrong{R"({"cases": null, "model": {"family": "stack"}})", "/model/family"},
      }) {
    Json config = stacked();
    config.merge_patch(Json::parse(wrong.changes));
    EXPECT_EQ(place_thrown<ConfigError>([&] { expand(config); }), wrong.place) << wrong.changes;
  }
}

TEST_F(StackTest, CombinesPointsThatHaveItsFoldsAndData) {
  Json config = stacked();
  config["seed"] = {3, 4};
  config["data"] = Json::parse(R"([{"set": "friedman1", "samples": 60}, {"set": "sinc", "samples": 40}])");
  std::size_t stacks = 0;
  for (const CaseSpec& spec : expand(config)) {
    if (!spec.members) continue;
    ++stacks;
    for (const StackMember& member : *spec.members) {
      EXPECT_EQ(member.points.size(), member.name == "elm" ? 3u : 2u);
      for (const CaseSpec& point : member.points) {
        EXPECT_EQ(point.options.seed, spec.options.seed);
        EXPECT_EQ(point.options.data.set, spec.options.data.set);
        EXPECT_EQ(point.model->json().at("leave_one_out"), true);
      }
    }
  }
  EXPECT_EQ(stacks, 4u);
}

}  // namespace
}  // namespace elmx
