#include "report/final_models/final_models.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>

#include "base/files/own_files.hpp"
#include "base/machine/machine.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/run/fold_trainer.hpp"
#include "experiment/run/stack_trainer.hpp"
#include "report/final_models/test_predictions.hpp"
#include "report/frame/selection.hpp"

namespace elmx {
namespace {

/// The choices among records, whose rows are needed to make them only.
std::vector<Choice> choices_among(const std::vector<Record>& records, const RecordOrder& order,
                                  const Selections& select) {
  return choices_of(with_selections(group_records(records, order), select), select);
}

Selections selections_of(const Plan& plan) {
  Selections select;
  for (const PlannedCase& c : plan.cases) {
    if (c.spec().options.save_model) select[c.spec().name] = c.spec().options.select;
  }
  return select;
}

/// A trial's place in the plan.
struct Planned {
  const PlannedCase* planned = nullptr;
  const CaseSpec* spec = nullptr;
};

Planned planned_of(const Plan& plan, const Record& record) {
  for (const PlannedCase& c : plan.cases) {
    for (const CaseSpec& spec : c.specs) {
      if (spec.name == record.experiment_case && c.data->name == record.dataset && spec.point == record.point)
        return {&c, &spec};
    }
  }
  throw std::logic_error("planned_of: a trial of the plan");
}

/// The best of what each trial has chosen: of sizes that it does not choose among there may be several.
std::vector<Choice> best_of_trials(const std::vector<Choice>& choices) {
  std::vector<Choice> best;
  for (const Choice& choice : choices) {
    const auto same = std::ranges::find_if(
        best, [&](const Choice& one) { return one.taken.record->key == choice.taken.record->key; });
    if (same == best.end())
      best.push_back(choice);
    else if (is_better(choice, *same))
      *same = choice;
  }
  return best;
}

bool same_targets(const Dataset& a, const Dataset& b) {
  const auto equal = [](const auto& x, const auto& y) {
    return arma::size(x) == arma::size(y) && std::equal(x.begin(), x.end(), y.begin());
  };
  return a.task == b.task && a.classes == b.classes && equal(a.labels, b.labels) && equal(a.Y, b.Y);
}

/// Returns a text that identifies the scale of the selection metric.
std::string scale_of(const ExperimentOptions& options, Task task) {
  const TargetOptions& targets = options.preprocess.targets;
  if (options.select.classifies()) return "";
  if (task == Task::regression) return targets.units == "scaled" ? targets.scale : "";
  return targets.coding + targets.class_weights.value_or(Json()).dump();
}

/// Returns the reason why no model is trained on all rows, or "" if it is. A case with another rule than the
/// first case is not compared with it (is_better).
std::string why_no_final(const std::vector<const PlannedCase*>& cases, bool selects) {
  const PlannedCase& first = *cases.front();
  const ExperimentOptions& options = first.spec().options;
  if (options.split.kind == "labelled") return "a split of kind \"labelled\" trains on few rows on purpose";
  if (!selects && (cases.size() > 1 || first.specs.size() > 1))
    return "the config has several points or cases for this data set; add \"select\" to choose among them";
  const auto refusal = [&](const std::string& what) {
    return fmt::format("its cases or points {}; run one of them in a config of its own", what);
  };
  for (const PlannedCase* c : cases) {
    if (!same_targets(*c->data, *first.data))
      return refusal("have different rows or targets, so that " + options.select.by + " cannot compare them");
    for (const CaseSpec& spec : c->specs) {
      if (spec.options.select.by == options.select.by &&
          scale_of(spec.options, first.data->task) != scale_of(options, first.data->task))
        return refusal("differ in preprocess.targets, so that " + options.select.by + " has different scales");
    }
  }
  return "";
}

bool asks_for_updates(const std::vector<const PlannedCase*>& cases) {
  return std::ranges::any_of(cases, [](const PlannedCase* c) { return c->spec().options.save_model.updatable; });
}

class Saving {
 public:
  Saving(const Plan& plan, const FinalModelsRequest& request)
      : plan_(plan),
        request_(request),
        choices_(best_of_trials(choices_among(request.records, request.order, selections_of(plan)))) {}

  FinalModels run() {
    save_folds();
    std::map<std::string, std::vector<const PlannedCase*>> sets;  // by name
    for (const PlannedCase& c : plan_.cases) {
      if (c.spec().options.save_model) sets[c.data->name].push_back(&c);
    }
    for (const auto& [name, cases] : sets) {
      if (request_.stopped()) break;
      save_final(cases, sets.size() == 1 ? kFinalModel : final_model_name(name));
    }
    if (!none_.empty() && !request_.stopped()) write_no_final_models(request_.folder, none_);
    return std::move(saved_);
  }

 private:
  void save_folds() {
    bool said = false;
    double planned = 0;  // seconds of a model
    for (const PlannedCase& c : plan_.cases)
      planned += ordinary_seconds(c.kept_work) / static_cast<double>(std::max<std::size_t>(1, choices_.size()));
    for (const Choice& choice : choices_) {
      if (request_.stopped()) return;
      const Record& record = *choice.taken.record;
      const std::filesystem::path file = model_file(request_.folder, record);
      if (!std::filesystem::exists(file)) {
        if (!said) request_.progress("the chosen models of the folds, to save them");
        said = true;
        std::optional<SavedModel> model = cached(request_.members, choice);
        if (!model)
          model = network_of(choice, planned_of(plan_, record).planned->folds[record.repeat][record.fold],
                             record.repeat, record.fold);
        if (!model) continue;
        claim_files(request_.folder, {model_name(record)});
        write_model(file, *model);
      }
      saved_.of_folds.push_back(file);
      request_.done(planned);
    }
  }

  /// Saves the final model of the cases of one data set.
  void save_final(const std::vector<const PlannedCase*>& cases, const std::string& file) {
    const PlannedCase& first = *cases.front();
    const std::string set = first.data->name;
    const std::filesystem::path path = request_.folder / file;
    if (std::filesystem::exists(path) && (!asks_for_updates(cases) || read_model(path).training_rows)) return;
    if (const auto known = none_before_.find(set); known != none_before_.end()) {
      none_.insert(*known);
      return;
    }
    const bool selects =
        std::ranges::all_of(cases, [](const PlannedCase* c) { return c->spec().options.select.wanted(); });
    NoFinalModel none{why_no_final(cases, selects)};
    std::optional<SavedModel> model;
    if (none.why.empty()) {
      request_.progress(fmt::format("the final model of {} on all {} rows", set, first.data->samples()));
      const Fold rows = first.all_rows();
      model = selects ? chosen_network(cases, rows, none) : last_network(first, rows, none);
      if (request_.stopped()) return;
    }
    if (!model) {
      none_[set] = none;
      return;
    }
    make_of_all_rows(*model);
    for (SavedModel& member : model->members) make_of_all_rows(member);
    model->rows.test.reset();
    test_on_folds(set, predictions_name(file), *model);
    claim_files(request_.folder, {file});
    write_model(path, *model);
  }

  /// Writes the predictions of the folds' networks, and calibrates the probabilities of the final model with
  /// them.
  void test_on_folds(const std::string& set, const std::string& file, SavedModel& model) {
    const std::vector<TestedNetwork> networks = networks_of_folds(set, model);
    FoundCalibration found{std::nullopt, "no trial has saved a network to test"};
    if (!networks.empty()) {
      const TestOutputs outputs = outputs_on_test_parts(networks);
      const std::string name = model.trial.value("case", ""), algorithm = model.trial.at("algorithm");
      write_own_file(request_.folder, file,
                     test_predictions_csv(outputs, name.empty() ? algorithm : name + ": " + algorithm));
      if (outputs.data->task == Task::classification) found = calibrate_on_test_parts(outputs);
    }
    if (model.data.task == "regression") return;
    model.calibration = found.calibration;
    if (model.calibration) return;
    saved_.notes.push_back(fmt::format("{}: the model predicts no probabilities: {}", set, found.missing));
    model.trial[kNoCalibration] = found.missing;
  }

  /// The networks that the folds have trained by the method of a final model, one for each repeat and fold; a
  /// trial that failed has left none.
  std::vector<TestedNetwork> networks_of_folds(const std::string& set, const SavedModel& model) const {
    const auto of_method = [&](const Record& record) {
      return record.dataset == set && record.experiment_case == model.trial.value("case", "") &&
             record.algorithm == model.trial.at("algorithm");
    };
    std::vector<Choice> own = choices_;
    std::erase_if(own, [&](const Choice& choice) { return !of_method(*choice.taken.record); });
    std::map<std::pair<arma::uword, arma::uword>, const Record*> trained;
    for (const Choice& choice : nested_choices(own))
      trained.emplace(std::pair(choice.taken.repeat, choice.taken.fold), choice.taken.record);
    if (trained.empty()) {  // the case does not choose
      for (const Record& record : request_.records) {
        if (of_method(record)) trained.emplace(std::pair(record.repeat, record.fold), &record);
      }
    }
    std::vector<TestedNetwork> networks;
    for (const auto& [place, record] : trained) {
      const auto [repeat, fold] = place;
      const PlannedCase& c = *planned_of(plan_, *record).planned;
      const std::filesystem::path file = model_file(request_.folder, *record);
      if (std::filesystem::exists(file))
        networks.push_back({file, c.data.get(), repeat, fold, &c.folds[repeat][fold].test});
    }
    return networks;
  }

  /// Fits all points and algorithms on all rows, and returns the network that the rule chooses.
  std::optional<SavedModel> chosen_network(const std::vector<const PlannedCase*>& cases, const Fold& rows,
                                           NoFinalModel& none) {
    std::vector<Record> fits;
    TrainedMembers members(plan_);
    std::map<std::string, SavedModel> stacks;  // by key
    std::vector<const PlannedCase*> stacks_last = cases;
    std::stable_partition(stacks_last.begin(), stacks_last.end(),
                          [](const PlannedCase* c) { return !c->spec().members; });
    for (const PlannedCase* c : stacks_last) {
      FoldTask task{&c->specs, c->data.get(), rows, 0, 0, c->spec().model->algorithms};
      task.members = &members;
      task.ranks = plan_.ranks;
      RecordsByKey finished;
      std::vector<Record> fitted;
      if (c->spec().members) {
        finished = by_key(fits);
        task.finished = &finished;
        task.is_final = true;
        task.keep = [&](const Record& record, const SavedModel& model) { stacks.insert_or_assign(record.key, model); };
      }
      run_task(task, *request_.make_clock(), request_.stopped,
               [&](Record record) { fitted.push_back(std::move(record)); });
      std::ranges::move(fitted, std::back_inserter(fits));
      release_freed_memory();
      request_.done(ordinary_seconds(c->final_cost));
    }
    if (std::ranges::any_of(fits, has_network))
      none.why = fmt::format("no point has {} (the tables show why), so that none can be chosen",
                             cases.front()->spec().options.select.by);
    else if (!fits.empty())
      none = failed_on_all_rows(fits.front().algorithm, fits.front().status.text());
    std::optional<Choice> best;
    for (const Choice& choice : choices_among(fits, request_.order, selections_of(plan_))) {
      if (!best || is_better(choice, *best)) best = choice;
    }
    if (!best || request_.stopped()) return std::nullopt;
    const Record& record = *best->taken.record;
    if (const auto stack = stacks.find(record.key); stack != stacks.end()) {
      stack->second.trial["chosen"] = "by " + best->by;
      return std::move(stack->second);
    }
    std::optional<SavedModel> model;
    // The networks of the trials lack leave-one-out solutions and sums over their rows.
    const bool keeps_more = cases.front()->data->task == Task::regression || asks_for_updates(cases);
    if (!keeps_more) model = cached(members, *best);
    return model ? std::move(model) : network_of(*best, rows, 0, 0, true);
  }

  /// Returns the chosen network from the cache; none if it is not there.
  static std::optional<SavedModel> cached(const TrainedMembers& members, const Choice& choice) {
    const auto member = members.find(*choice.taken.record, {choice.taken.step->nodes, choice.taken.step->iterations});
    if (!member) return std::nullopt;
    std::optional<SavedModel> model = member->network;
    model->trial["chosen"] = "by " + choice.by;
    return model;
  }

  /// Trains the last size of the first algorithm on `rows`.
  std::optional<SavedModel> last_network(const PlannedCase& c, const Fold& rows, NoFinalModel& none) {
    const std::string algorithm = c.spec().model->algorithms.front();
    NetworkAt last = trained({&c, &c.spec()}, rows, 0, 0, true, algorithm, std::nullopt);
    if (!last.model) none = failed_on_all_rows(algorithm, last.failure);
    request_.done(ordinary_seconds(c.final_cost));
    return std::move(last.model);
  }

  static void make_of_all_rows(SavedModel& model) {
    for (const char* key : {"key", "repeat", "fold"}) model.trial.erase(key);
    model.trial["rows"] = "all";
  }

  static NoFinalModel failed_on_all_rows(const std::string& algorithm, const std::string& status) {
    return {fmt::format("the training of {} on all rows failed: {}", algorithm, status), true};
  }

  /// Trains the chosen network on `rows`; returns none if the training fails.
  std::optional<SavedModel> network_of(const Choice& choice, const Fold& rows, arma::uword repeat, arma::uword fold,
                                       bool is_final = false) {
    const RecordedStep& taken = choice.taken;
    std::optional<SavedModel> model = trained(planned_of(plan_, *taken.record), rows, repeat, fold, is_final,
                                              taken.record->algorithm, Size{taken.step->nodes, taken.step->iterations})
                                          .model;
    if (model) model->trial["chosen"] = "by " + choice.by;
    return model;
  }

  /// Trains a network of one point up to the size, or to the last size without one.
  NetworkAt trained(const Planned& of, const Fold& rows, arma::uword repeat, arma::uword fold, bool is_final,
                    const std::string& algorithm, const std::optional<Size>& size) const {
    const std::vector<CaseSpec> specs{*of.spec};
    FoldTask task{&specs, of.planned->data.get(), rows, repeat, fold, {}};
    task.is_final = is_final;
    task.ranks = plan_.ranks;
    if (of.spec->members && rows.train.n_elem < of.planned->data->samples()) task.finished = &finished_;
    return network_at(task, algorithm, size, *request_.make_clock());
  }

  const Plan& plan_;
  const FinalModelsRequest& request_;
  const RecordsByKey finished_ = by_key(request_.records);
  const std::vector<Choice> choices_;
  const std::map<std::string, NoFinalModel> none_before_ = read_no_final_models(request_.folder);
  FinalModels saved_;
  std::map<std::string, NoFinalModel> none_;  // data set -> the reason why it has no final model
};

}  // namespace

FinalModels save_final_models(const Plan& plan, const FinalModelsRequest& request) {
  return Saving(plan, request).run();
}

}  // namespace elmx
