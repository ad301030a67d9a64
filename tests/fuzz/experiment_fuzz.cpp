#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "experiment/records/results.hpp"
#include "experiment/records/stored_run.hpp"
#include "fuzz/results_folder.hpp"
#include "fuzz/target.hpp"
#include "report/frame/run_description.hpp"

namespace elmx::fuzz {
namespace {

constexpr std::string_view kRecord =
    R"({"key":"k","case":"","dataset":"d","family":"elm","algorithm":"standard","point":{},"repeat":0,"fold":0,"status":"ok","steps":[],)"
    R"("timing":{"features":0.0,"steps":[]}})"
    "\n";

/// What a run that is resumed says of itself.
Json experiment() {
  return {{"resolved",
           {{{"case", "a"}, {"point", Json::object()}, {"options", {{"model", {{"ridge", 0.1}}}}}},
            {{"case", ""}, {"point", Json::object()}, {"options", {{"model", {{"ridge", 1}}}}}}}}};
}

/// A folder with a record and an experiment.json of any content is resumed.
const Registered experiment_target("experiment", [](std::string_view bytes) {
  static const ResultsOf folder("experiment");
  static const bool own = (note_own_files(folder.path(), {"experiment.json", "records.jsonl"}), true);
  require(own, "both files are elmx's");
  write_file(folder.path() / "records.jsonl", kRecord);
  write_file(folder.path() / "experiment.json", bytes);
  refused_or([&] {
    const ResultsFolder results(folder.path(), experiment(), Earlier::resume);
    require(results.written().size() == 1, "the record is found");
  });
  refused_or([&] {
    require(StoredRun(folder.path()).records().size() <= bytes.size() + 1, "a record for each trial that is listed");
  });
  refused_or([&] { describe(StoredRun(folder.path())); });
});

}  // namespace
}  // namespace elmx::fuzz
