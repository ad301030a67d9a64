#include "help/examples.hpp"

#include <fmt/core.h>

namespace elmx {

const std::vector<CommandExample>& examples() {
  static const std::vector<CommandExample> all = {
      {"run", "elmx run first.json", "run an experiment; results are in out/first"},
      {"run", "elmx run yacht.csv --target resistance", "begin with a data file: its config is written, and run"},
      {"merge", "elmx merge out/first", "put the shards of a shared folder together"},
      {"merge", "elmx merge on_a on_b on_c -o out/first", "those of machines with folders of their own"},
      {"slurm", "elmx slurm first.json --shards 8 --script first.sh",
       "a script that submits eight jobs and their merge"},
      {"slurm", "elmx slurm first.json --shards 100 --at-once 20 --partition short", "at most 20 jobs at once"},
      {"init", "elmx init yacht.csv --target resistance", "write yacht.json, to be changed and run"},
      {"init", "elmx init airfoil -o first.json", "the same for a data set of the catalogue"},
      {"plan", "elmx plan first.json", "how many trials, how much memory, how long"},
      {"plan", "elmx plan configs/paper/elm-table2.json", "how long a reproduction takes"},
      {"validate", "elmx validate first.json", "check a config without reading data"},
      {"validate", "elmx validate base.json change.json", "of two configs, the second laid over the first"},
      {"schema", "elmx schema > elmx.schema.json", "the schema for an editor"},
      {"schema", "elmx schema --markdown", "every key as a table"},
      {"list", "elmx list algorithms", "all algorithms, with a line on each"},
      {"list", "elmx list datasets", "the data sets of the catalogue"},
      {"show", "elmx show panel", "what is known of an algorithm"},
      {"show", "elmx show test_rmse", "what a metric is"},
      {"help", "elmx help ridge", "what a key of the config means"},
      {"help", "elmx help run", "the help of a command"},
      {"data", "elmx data fetch airfoil yacht", "download data sets"},
      {"data", "elmx data info mine.csv", "the columns of a file, and the config that reads it"},
      {"data info", "elmx data info airfoil", "read a data set and describe it"},
      {"data info", "elmx data info mine.csv", "the columns of a file, and the config that reads it"},
      {"data fetch", "elmx data fetch airfoil yacht", "download two sets"},
      {"data fetch", "elmx data fetch", "download all sets"},
      {"data convert", "elmx data convert mine.csv -o mine.npy --target y", "an array that is read in blocks"},
      {"data convert", "elmx data convert mine.txt -o mine.npy --set separator=tab", "of text that tabs separate"},
      {"data verify", "elmx data verify", "compare all files with their checksums"},
      {"data verify", "elmx data verify mnist", "those of one set"},
      {"data list", "elmx data list", "the data sets of the catalogue"},
      {"data list", "elmx data list --data /srv/sets", "which of them are in a folder"},
      {"table", "elmx table out/first", "print the tables of a run again"},
      {"table", "elmx table out/first --metric test_rmse --rows dataset --cols algorithm", "a pivot of the records"},
      {"plot", "elmx plot out/first", "every diagram that the records can show"},
      {"plot", "elmx plot out/first nodes --metric rmse", "test error against the number of hidden nodes"},
      {"report", "elmx report out/first", "write out/first/report.html"},
      {"report", "elmx report out/first -o yacht.html", "write the page elsewhere"},
      {"compare", "elmx compare out/first", "test the differences of the methods of a run"},
      {"compare", "elmx compare out/a out/b", "test the differences of two runs"},
      {"folds", "elmx folds first.json -o folds.csv", "write which rows each fold trains on and tests"},
      {"folds", "elmx folds out/first/experiment.json", "those of a run that is there"},
      {"import", "elmx import out/first predictions.csv --as forest", "set a method of your own beside those of a run"},
      {"import", "elmx import out/first predictions.csv --as \"random forest\"", "a name with a space"},
      {"reproduce", "elmx reproduce elm-table2", "run a published table and print it beside the published numbers"},
      {"reproduce", "elmx reproduce --summary", "how many cells of each table agree, are consistent, disagree, ..."},
      {"predict", "elmx predict out/first new.csv", "predict with the model that a run has kept"},
      {"predict", "elmx predict out/first new.csv --format json -o new.json", "the same as JSON, into a file"},
      {"info", "elmx info", "the build, BLAS, threads and memory"},
      {"info", "elmx info --measure", "also the rates of this machine"},
      {"completion", "elmx completion bash > ~/.local/share/bash-completion/completions/elmx", "completion for bash"},
      {"completion", "elmx completion fish > ~/.config/fish/completions/elmx.fish", "completion for fish"},
      {"man", "elmx man run | man -l -", "read the manual page of a command"},
      {"man", "elmx man -o ~/.local/share/man/man1", "the manual pages of all commands"},
  };
  return all;
}

std::string examples_text(const std::string& command) {
  std::string text;
  for (const CommandExample& example : examples()) {
    if (example.command == command) text += fmt::format("  {}\n      {}\n", example.line, example.what);
  }
  return text.empty() ? "" : "Examples:\n" + text;
}

}  // namespace elmx
