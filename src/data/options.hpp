#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "data/formats/formats.hpp"

namespace elmx {

/// Which data an experiment uses: a set of the catalogue by name, or the user's own file.
struct DataOptions {
  std::string set;
  std::string path;
  std::string test_path;
  std::string labels_path;
  std::string test_labels_path;
  std::vector<std::string> batch_paths;
  std::string class_names_path;
  std::string format = "delimited";
  std::string separator = "auto";
  std::string header = "auto";
  std::string comment;
  std::string inputs_variable = "fea";
  std::string target_variable = "gnd";
  std::string samples_are = "rows";
  std::vector<std::string> target;
  std::vector<std::string> drop;
  std::vector<std::string> nominal;
  std::optional<std::string> categories;
  std::string task = "regression";
  std::string positive;
  std::string missing = "refuse";
  std::size_t samples = 1000;
  double noise = 0.1;
  std::optional<double> turns;
  std::optional<std::size_t> length;
  std::optional<std::size_t> vocabulary;

  template <class F>
  void fields(F& field) {
    field("set", set, "name of a data set of the catalogue (elmx list datasets), real or generated");
    field("path", path, "a file of one's own, in place of \"set\"");
    field("test_path", test_path, "a second file that holds the test part (split \"fixed\")");
    field("labels_path", labels_path, "IDX, NORB: the file of the labels that belong to \"path\"");
    field("test_labels_path", test_labels_path, "IDX, NORB: the file of the labels that belong to \"test_path\"");
    field("batch_paths", batch_paths, "CIFAR-10: further batches of the training part, behind that of \"path\"");
    field("class_names_path", class_names_path, "CIFAR-10: a file of the class names, batches.meta.txt");
    field("format", format, "file format of \"path\"", one_of(data_format_names()));
    field("separator", separator, "delimited text: what separates the fields",
          one_of({"auto", "comma", "semicolon", "tab", "blank"}));
    field("header", header, "delimited text: whether the first line names the columns", one_of({"auto", "yes", "no"}));
    field("comment", comment, "delimited text: a line that begins with this is skipped; \"\" = none");
    field("inputs_variable", inputs_variable, "MAT-file: the variable that holds the inputs");
    field("target_variable", target_variable, "MAT-file: the variable that holds the labels or targets");
    field("samples_are", samples_are, "MAT-file: what a sample is in these variables", one_of({"rows", "columns"}));
    field("target", target, "target column(s): names, or numbers counted from 1 (negative: from the end)");
    field("drop", drop, "columns that are not read: names or numbers");
    field("nominal", nominal, "columns whose values are categories: names or numbers");
    field("categories", categories,
          "what becomes of categories: a column each (one_hot, the default), or one column of their numbers 0, 1, ... "
          "(codes), "
          "as declared, else in alphabetical order",
          one_of({"one_hot", "codes"}));
    field("task", task, "what the target is", one_of({"regression", "classification"}));
    field("positive", positive, "the positive class of a two-class problem");
    field("missing", missing,
          "what is done with missing values (\"?\" or an empty field): refuse the file, drop the row, or put the "
          "mean of the column in the training part (nominal: a category of its own)",
          one_of({"refuse", "drop_rows", "mean"}));
    field("samples", samples, "generated sets: number of samples", at_least(2));
    field("noise", noise, "generated sets: standard deviation of the noise; adding, running_adding: there is none",
          at_least(0));
    field("turns", turns, "two_spirals: turns of each arm (2)", more_than(0));
    field("length", length, "reviews: tokens of each, the last ones (200); adding, running_adding: steps (50)",
          at_least(2));
    field("vocabulary", vocabulary,
          "reviews: number of indices (10000): padding, unknown word, and the most frequent words", at_least(3));
  }
};

}  // namespace elmx
