#include "chosen/chosen_models.hpp"

#include <fmt/core.h>

#include <map>
#include <optional>

#include "base/files/file_name.hpp"
#include "base/files/own_files.hpp"
#include "experiment/run/fold_trainer.hpp"
#include "metrics/registry.hpp"

namespace elmx {
namespace {

/// A step that was chosen, and the metric by which; "" where there was no choice.
struct Choice {
  const Record* record;
  Size size;
  std::string by;
  double value = 0;  ///< of that metric
};

Choice choice_of(const RecordedStep& step, const std::string& by) {
  return {step.record,
          {step.step->nodes, step.step->iterations},
          by,
          by.empty() ? 0 : value_of(step, by).value_or(arma::datum::nan)};
}

/// The steps that the trials of cases with "select" have chosen.
std::vector<Choice> choices_of(const std::vector<Record>& records, const RecordOrder& order, const Selections& select) {
  std::vector<Choice> choices;
  for (const RecordRow& row : with_selections(group_records(records, order), select)) {
    const auto rule = select.find(row.experiment_case);
    const bool chosen = rule != select.end() && rule->second.wanted() && row.chosen != kBestOnTest && !row.one_of_grid;
    if (!chosen) continue;
    for (const RecordedStep& step : row.steps) choices.push_back(choice_of(step, rule->second.by));
  }
  return choices;
}

Selections selections_of(const Plan& plan) {
  Selections select;
  for (const PlannedCase& c : plan.cases) {
    if (c.spec().options.save_model) select[c.spec().name] = c.spec().options.select;
  }
  return select;
}

/// A spec of the plan and its data.
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
  return {};
}

/// The fold whose training part is all rows. Outputs on the same rows are what a test part would be.
Fold all_rows(const Dataset& data) {
  const arma::uvec rows = arma::regspace<arma::uvec>(0, data.X.n_rows - 1);
  return {rows, rows, {}};
}

bool is_better(const Choice& a, const Choice& b) {
  if (a.by != b.by) return false;  // of cases with different rules the first
  return metric_named(a.by).better == Better::higher ? a.value > b.value : a.value < b.value;
}

class Saving {
 public:
  Saving(const Plan& plan, const ChosenModelsRequest& request) : plan_(plan), request_(request) {}

  ChosenModels run() {
    save_folds();
    std::map<std::string, std::vector<const PlannedCase*>> sets;  // by name
    for (const PlannedCase& c : plan_.cases) {
      if (c.spec().options.save_model) sets[c.data->name].push_back(&c);
    }
    for (const auto& [name, cases] : sets) {
      if (request_.stopped()) break;
      save_final(cases, sets.size() == 1 ? "model.h5" : fmt::format("models/final-{}.h5", file_name(name)));
    }
    return std::move(saved_);
  }

 private:
  void save_folds() {
    for (const Choice& choice : choices_of(request_.records, request_.order, selections_of(plan_))) {
      if (request_.stopped()) return;
      const Record& record = *choice.record;
      const std::filesystem::path file = model_file(request_.folder, record);
      const Planned of = planned_of(plan_, record);
      if (of.spec == nullptr) continue;
      if (!is_there(file)) {
        say(fmt::format("the choice of repeat {}, fold {}", record.repeat + 1, record.fold + 1));
        const std::vector<CaseSpec> specs{*of.spec};
        const FoldTask task{
            &specs, of.planned->data.get(), of.planned->folds[record.repeat][record.fold], record.repeat, record.fold,
            {}};
        std::optional<SavedModel> model = network_at(task, record.algorithm, choice.size, *request_.make_clock());
        if (!model) continue;
        model->trial["chosen"] = "by " + choice.by;
        write(model_name(record), *model);
      }
      saved_.of_folds.push_back(file);
    }
  }

  /// Of the cases of one data set.
  void save_final(const std::vector<const PlannedCase*>& cases, const std::string& file) {
    const PlannedCase& first = *cases.front();
    const std::string set = first.data->name;
    if (first.spec().options.split.kind == "labelled") {
      saved_.notes.push_back(fmt::format("{}: no final model: split \"labelled\" trains on few rows on purpose", set));
      return;
    }
    const std::filesystem::path path = request_.folder / file;
    if (is_there(path)) {
      saved_.final.push_back(path);
      return;
    }
    const bool selects =
        std::ranges::all_of(cases, [](const PlannedCase* c) { return c->spec().options.select.wanted(); });
    const bool one = cases.size() == 1 && first.specs.size() == 1;
    if (!selects && !one) {
      saved_.notes.push_back(fmt::format(
          "{}: no final model: the config has several points or cases of these data; \"select\" says how to choose",
          set));
      return;
    }
    const Fold rows = all_rows(*first.data);
    say(fmt::format("the final model of {} on all {} rows", set, first.data->X.n_rows));
    std::optional<SavedModel> model = selects ? chosen_network(cases, rows) : last_network(first, rows);
    if (!model) {
      saved_.notes.push_back(fmt::format("{}: no final model: no training on all rows succeeded", set));
      return;
    }
    for (const char* key : {"key", "repeat", "fold"}) model->trial.erase(key);
    model->trial["rows"] = "all";
    model->rows.test.reset();
    write(file, *model);
    saved_.final.push_back(path);
  }

  /// All points and algorithms on all rows, and what the rule chooses among them.
  std::optional<SavedModel> chosen_network(const std::vector<const PlannedCase*>& cases, const Fold& rows) {
    std::vector<Record> fits;
    for (const PlannedCase* c : cases) {
      const FoldTask task{&c->specs, c->data.get(), rows, 0, 0, c->spec().model->algorithms()};
      run_task(task, *request_.make_clock(), request_.stopped,
               [&](Record record) { fits.push_back(std::move(record)); });
    }
    std::optional<Choice> best;
    for (const Choice& choice : choices_of(fits, request_.order, selections_of(plan_))) {
      if (!best || is_better(choice, *best)) best = choice;
    }
    if (!best || request_.stopped()) return std::nullopt;
    const Planned of = planned_of(plan_, *best->record);
    std::optional<SavedModel> model = network_of(*of.spec, *of.planned, rows, best->record->algorithm, best->size);
    if (model) model->trial["chosen"] = "by " + best->by;
    return model;
  }

  /// The last size of the first algorithm.
  std::optional<SavedModel> last_network(const PlannedCase& c, const Fold& rows) {
    return network_of(c.spec(), c, rows, c.spec().model->algorithms().front(), std::nullopt);
  }

  std::optional<SavedModel> network_of(const CaseSpec& spec, const PlannedCase& c, const Fold& rows,
                                       const std::string& algorithm, const std::optional<Size>& size) {
    const std::vector<CaseSpec> specs{spec};
    return network_at({&specs, c.data.get(), rows, 0, 0, {}}, algorithm, size, *request_.make_clock());
  }

  bool is_there(const std::filesystem::path& file) const { return !request_.anew && std::filesystem::exists(file); }

  void write(const std::string& name, const SavedModel& model) {
    claim_files(request_.folder, {name});
    write_model(request_.folder / name, model);
  }

  void say(const std::string& text) const {
    if (request_.progress) request_.progress(text);
  }

  const Plan& plan_;
  const ChosenModelsRequest& request_;
  ChosenModels saved_;
};

}  // namespace

ChosenModels save_chosen_models(const Plan& plan, const ChosenModelsRequest& request) {
  return Saving(plan, request).run();
}

}  // namespace elmx
