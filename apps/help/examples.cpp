#include "help/examples.hpp"

#include <fmt/core.h>

namespace elmx {

const std::vector<CommandExample>& examples() {
  static const std::vector<CommandExample> all = {
      {"run", "elmx run first.json", "run an experiment; its results go to out/first"},
      {"run", "elmx run yacht.csv --target resistance", "write a config for a data file and run it"},
      {"merge", "elmx merge out/first", "merge the shards in one folder"},
      {"merge", "elmx merge on_a on_b on_c -o out/first", "merge the shards of machines without a shared folder"},
      {"slurm", "elmx slurm first.json --shards 8 --script first.sh",
       "write a script that submits eight jobs and a merge"},
      {"slurm", "elmx slurm first.json --shards 100 --at-once 20 --partition short",
       "submit 100 jobs, at most 20 at once"},
      {"init", "elmx init yacht.csv --target resistance", "write yacht.json, a config to edit and run"},
      {"init", "elmx init airfoil -o first.json", "write a config for a data set of the catalogue"},
      {"plan", "elmx plan first.json", "show the number of trials, the memory and the time"},
      {"plan", "elmx plan configs/paper/elm-table2.json", "show how long a reproduction takes"},
      {"validate", "elmx validate first.json", "check a config without reading data"},
      {"validate", "elmx validate base.json change.json", "check two configs, of which the second overrides the first"},
      {"schema", "elmx schema > elmx.schema.json", "write the schema for an editor"},
      {"schema", "elmx schema --markdown", "print a table of all keys"},
      {"list", "elmx list algorithms", "list all algorithms"},
      {"list", "elmx list datasets", "list the data sets of the catalogue"},
      {"show", "elmx show panel", "explain an algorithm"},
      {"show", "elmx show test_rmse", "explain a metric"},
      {"help", "elmx help ridge", "explain a key of the config"},
      {"help", "elmx help run", "show the help of a command"},
      {"data", "elmx data fetch airfoil yacht", "download data sets"},
      {"data", "elmx data info mine.csv", "show the columns of a file and a config that reads it"},
      {"data info", "elmx data info airfoil", "describe a data set"},
      {"data info", "elmx data info mine.csv", "show the columns of a file and a config that reads it"},
      {"data fetch", "elmx data fetch airfoil yacht", "download two data sets"},
      {"data fetch", "elmx data fetch", "download all data sets"},
      {"data convert", "elmx data convert mine.csv -o mine.npy --target y",
       "make an array that elmx can read in blocks"},
      {"data convert", "elmx data convert mine.txt -o mine.npy --set separator=tab", "convert tab-separated text"},
      {"data verify", "elmx data verify", "verify the files of all data sets"},
      {"data verify", "elmx data verify mnist", "verify the files of one data set"},
      {"data list", "elmx data list", "list the data sets of the catalogue"},
      {"data list", "elmx data list --data /srv/sets", "show which data sets are in a folder"},
      {"table", "elmx table out/first", "print the tables of a run"},
      {"table", "elmx table out/first --metric test_rmse --rows dataset --cols algorithm", "print a pivot table"},
      {"plot", "elmx plot out/first", "draw all diagrams"},
      {"plot", "elmx plot out/first nodes --metric rmse", "draw the error against the number of hidden nodes"},
      {"report", "elmx report out/first", "write out/first/report.html"},
      {"report", "elmx report out/first -o yacht.html", "write the page to another file"},
      {"compare", "elmx compare out/first", "compare the methods of a run"},
      {"compare", "elmx compare out/a out/b", "compare two runs"},
      {"folds", "elmx folds first.json -o folds.csv", "write the training and test rows of each fold"},
      {"folds", "elmx folds out/first/experiment.json", "write the folds of an existing run"},
      {"import", "elmx import out/first predictions.csv --as forest", "add your own method to the results of a run"},
      {"import", "elmx import out/first predictions.csv --as \"random forest\"", "use a name with a space"},
      {"reproduce", "elmx reproduce elm-table2", "run a published table and print it beside the published numbers"},
      {"reproduce", "elmx reproduce --summary", "count the verdicts of each table"},
      {"predict", "elmx predict out/first new.csv", "predict with the final model of a run"},
      {"predict", "elmx predict out/first new.csv --format json -o new.json",
       "write the predictions as JSON to a file"},
      {"info", "elmx info", "show the build, BLAS, threads and memory"},
      {"info", "elmx info --measure", "also measure the speed of this machine"},
      {"completion", "elmx completion bash > ~/.local/share/bash-completion/completions/elmx",
       "install the completion for bash"},
      {"completion", "elmx completion fish > ~/.config/fish/completions/elmx.fish", "install the completion for fish"},
      {"man", "elmx man run | man -l -", "read the manual page of a command"},
      {"man", "elmx man -o ~/.local/share/man/man1", "write the manual pages of all commands"},
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
