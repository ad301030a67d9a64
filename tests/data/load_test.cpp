#include "data/load.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/files/sha256.hpp"
#include "data/content/content.hpp"
#include "data/table/table.hpp"
#include "data/test_files.hpp"
#include "data/test_idx.hpp"
#include "data/test_tables.hpp"

namespace elmx {
namespace {

using Names = std::vector<std::string>;

class LoadDataset : public testing::Test {
 protected:
  Dataset load(const DataOptions& options) { return load_dataset(options, catalogue_, folder_.path(), 1); }

  template <class Error>
  std::string refusal(const DataOptions& options) {
    return thrown<Error>([&] { load(options); });
  }

  template <class Error>
  std::string place(const DataOptions& options) {
    return place_thrown<Error>([&] { load(options); });
  }

  /// Returns the place of the ConfigError that this "data" of a config gives.
  std::string place_of(const Json& given) {
    DataOptions options;
    read_options(given, "/data", options);
    options.given = given;
    return place<ConfigError>(options);
  }

  /// A set "known" of the catalogue with one file, made[.gz].
  CatalogueEntry& add_known(const std::string& path, const std::string& content) {
    CatalogueEntry& entry = catalogue_.sets.emplace_back();
    entry.name = "known";
    entry.target = {"-1"};
    entry.files.emplace_back();
    entry.files.back().path = path;
    entry.files.back().sha256 = sha256(content);
    return entry;
  }

  static DataOptions known() {
    DataOptions options;
    options.set = "known";
    return options;
  }

  DataOptions user(const std::string& content) {
    DataOptions options;
    options.path = folder_.write("mine.csv", content).string();
    options.target = {"-1"};
    return options;
  }

  TestFolder folder_;
  Catalogue catalogue_ = read_catalogue(folder_.write("catalogue.json", "{\"sets\": []}"));
};

TEST_F(LoadDataset, ReadsTheUsersFile) {
  const Dataset data = load(user("a,b\n1,2\n3,4\n"));

  EXPECT_EQ(data.name, "mine.csv");
  EXPECT_EQ(data.inputs, Names{"a"});
  EXPECT_TRUE(arma::approx_equal(data.Y, arma::vec{2, 4}, "absdiff", 0));
  EXPECT_EQ(data.sha256, Names{sha256("a,b\n1,2\n3,4\n")});
  EXPECT_EQ(data.published_train, 0U);
}

TEST_F(LoadDataset, ReadsATestFileBehindTheTrainingFile) {
  DataOptions options = user("1,2\n3,4\n");
  options.test_path = folder_.write("test.csv", "5,6\n").string();

  const Dataset data = load(options);

  EXPECT_TRUE(arma::approx_equal(data.X, arma::vec{1, 3, 5}, "absdiff", 0));
  EXPECT_EQ(data.published_train, 2U);
  EXPECT_EQ(data.sha256.size(), 2U);
}

TEST_F(LoadDataset, ReadsEveryFormat) {
  DataOptions options = user("@relation r\n@attribute a real\n@attribute y real\n@data\n1,2\n");
  options.format = "arff";
  EXPECT_EQ(load(options).inputs, Names{"a"});

  options.format = "keel";
  EXPECT_EQ(load(options).inputs, Names{"a"});

  options = user("2 1:5\n");
  options.format = "libsvm";
  options.target = {};
  EXPECT_EQ(load(options).inputs, Names{"x1"});
}

TEST_F(LoadDataset, ReadsImagesAndLabels) {
  DataOptions options;
  options.format = "idx";
  options.task = "classification";
  options.path = folder_.write("x", test_idx({2, 1, 2}, {1, 2, 3, 4})).string();
  options.images.labels_path = folder_.write("y", gzip(test_idx({2}, {7, 3}))).string();
  options.test_path = folder_.write("tx", test_idx({1, 1, 2}, {5, 6})).string();
  options.images.test_labels_path = folder_.write("ty", test_idx({1}, {7})).string();

  const Dataset data = load(options);

  EXPECT_TRUE(arma::approx_equal(data.X, arma::mat{{1, 2}, {3, 4}, {5, 6}}, "absdiff", 0));
  EXPECT_EQ(data.classes, (Names{"3", "7"}));
  EXPECT_TRUE(arma::all(data.labels == arma::uvec{1, 0, 1}));
  EXPECT_EQ(data.published_train, 2U);
  EXPECT_EQ(data.inputs, (Names{"pixel1", "pixel2"}));
  EXPECT_EQ(data.sha256.size(), 4U);

  options.task = "regression";
  EXPECT_TRUE(arma::approx_equal(load(options).Y, arma::vec{7, 3, 7}, "absdiff", 0));
}

TEST_F(LoadDataset, RefusesTestImagesUnlikeTheTrainingImages) {
  DataOptions options;
  options.format = "idx";
  options.path = folder_.write("x", test_idx({2, 1, 2}, {1, 2, 3, 4})).string();
  options.images.labels_path = folder_.write("y", test_idx({2}, {7, 3})).string();
  options.test_path = folder_.write("tx", test_idx({1, 3}, {1, 2, 3})).string();
  EXPECT_EQ(place<ConfigError>(options), "/data/test_labels_path");

  options.images.test_labels_path = folder_.write("ty", test_idx({1}, {7})).string();
  EXPECT_EQ(place<DataError>(options), options.test_path);
}

TEST_F(LoadDataset, DrawsGeneratedSets) {
  DataOptions options;
  options.set = "friedman1";
  options.generated.samples = 30;

  const Dataset data = load(options);

  EXPECT_EQ(data.name, "friedman1");
  EXPECT_EQ(data.X.n_rows, 30U);
  EXPECT_EQ(data.inputs.back(), "x10");
  EXPECT_FALSE(arma::approx_equal(data.X, load_dataset(options, catalogue_, "", 2).X, "absdiff", 0));
}

TEST_F(LoadDataset, DrawsGeneratedSequences) {
  DataOptions options;
  options.set = "running_adding";
  options.generated.samples = 30;
  options.length = 6;

  const Dataset data = load(options);

  EXPECT_EQ(data.X.n_cols, 12U);
  EXPECT_EQ(data.Y.n_cols, 6U);
  EXPECT_EQ(data.inputs.size(), 12U);
  EXPECT_EQ(data.inputs.back(), "marker6");
  EXPECT_EQ(data.published_train, 0U);
}

TEST_F(LoadDataset, RefusesOptionsOfAnotherGeneratedSet) {
  EXPECT_EQ(place_of({{"set", "sinc"}, {"length", 6}}), "/data/length");
  for (const double noise : {0.0, 0.1})  // none, or the default of other sets
    EXPECT_EQ(place_of({{"set", "adding"}, {"length", 6}, {"noise", noise}}), "");
  EXPECT_EQ(place_of({{"set", "adding"}, {"noise", 0.2}}), "/data/noise");
  EXPECT_EQ(place_of({{"set", "adding"}, {"vocabulary", 100}}), "/data/vocabulary");
  EXPECT_EQ(place_of({{"set", "sinc"}, {"missing_values", {"-99"}}}), "/data/missing_values");
}

TEST_F(LoadDataset, ReadsASetOfTheCatalogue) {
  const std::string content = "|c\n1,x,0,yes.\n2,y,0,no.\n3,x,0,no.\n";
  CatalogueEntry& entry = add_known("sub/made.csv.gz", content);
  entry.task = "classification";
  entry.delimited.comment = "|";
  entry.label_strip = ".";
  entry.nominal = {"2"};
  entry.drop = {"3"};
  entry.positive = "no";
  entry.train_rows = 2;
  folder_.write("sub/made.csv.gz", gzip(content));

  const Dataset data = load(known());

  EXPECT_EQ(data.inputs, (Names{"column1", "column2=x", "column2=y"}));
  EXPECT_EQ(data.classes, (Names{"no", "yes"}));
  EXPECT_EQ(data.positive, "no");
  EXPECT_EQ(data.published_train, 2U);

  DataOptions other = known();
  other.positive = "yes";
  other.drop = {"1"};
  EXPECT_EQ(load(other).positive, "yes");
  EXPECT_EQ(load(other).inputs, (Names{"column2=x", "column2=y"}));
}

TEST_F(LoadDataset, TakesAnotherTargetOfASet) {
  const std::string content = "x,y1,y2\n1,2,3\n";
  CatalogueEntry& entry = add_known("made.csv", content);
  entry.target = {"y1"};
  entry.other_targets = {"y2"};
  folder_.write("made.csv", content);

  EXPECT_EQ(load(known()).Y(0, 0), 2);
  EXPECT_EQ(load(known()).inputs, Names{"x"});

  DataOptions options = known();
  options.target = {"-1"};
  EXPECT_EQ(load(options).Y(0, 0), 3);
  EXPECT_EQ(load(options).inputs, Names{"x"});

  options.target = {"y1", "y2"};
  EXPECT_TRUE(arma::approx_equal(load(options).Y, arma::mat{{2, 3}}, "absdiff", 0));
}

TEST_F(LoadDataset, TreatsMissingValuesAsTheSetOrElseTheUserSays) {
  const std::string content = "1,1\n?,2\n3,3\n";
  add_known("made.csv", content).missing = "mean";
  folder_.write("made.csv", content);
  EXPECT_TRUE(load(known()).missing);
  EXPECT_TRUE(std::isnan(load(known()).X(1, 0)));

  DataOptions options = known();
  options.missing = "drop_rows";
  EXPECT_EQ(load(options).X.n_rows, 2U);
}

TEST_F(LoadDataset, MissingValuesAreTheTextsThatAreGiven) {
  const std::string content = "0,1\n5,2\n?,3\n";
  add_known("made.csv", content);
  folder_.write("made.csv", content);
  DataOptions options = known();
  options.missing = "mean";
  EXPECT_EQ(load(options).X(0, 0), 0);
  options.delimited.missing_values = {"0", "?"};
  const Dataset data = load(options);
  EXPECT_TRUE(std::isnan(data.X(0, 0)) && data.X(1, 0) == 5 && std::isnan(data.X(2, 0)));

  DataOptions arff = user("@relation r\n@attribute c {NA, b}\n@attribute y real\n@data\nNA,1\nb,2\n");
  arff.format = "arff";
  EXPECT_EQ(load(arff).inputs, (Names{"c=NA", "c=b"})) << "a category, but where it is given";
  arff.missing = "drop_rows";
  arff.delimited.missing_values = {"NA"};
  EXPECT_EQ(load(arff).samples(), 1U);
}

TEST_F(LoadDataset, JoinsEqualNumbersOfTheSplitColumn) {
  DataOptions options = user("g,x,y\n1,3,1\n2,4,2\n1.0,5,3\n");
  const Dataset data = load_dataset(options, catalogue_, "", 1, {"g", "/split/group"});
  EXPECT_EQ(data.split->values[0], data.split->values[2]);
  EXPECT_NE(data.split->values[0], data.split->values[1]);
  EXPECT_EQ(data.report.notes.size(), 1U);
}

TEST_F(LoadDataset, RefusesValuesWhoseSquaresOverflow) {
  EXPECT_TRUE(
      names_all(refusal<DataError>(user("a,b,y\n1,2,3\n4,-1e200,6\n")), {"mine.csv: row 2", "\"b\"", "-1e+200"}));
  EXPECT_TRUE(names_all(refusal<DataError>(user("a,b,y\n1,2,3e151\n4,5,6\n")), {"mine.csv: row 1", "\"y\"", "3e+151"}));
  EXPECT_EQ(load(user("a,b,y\n1,2,1e150\n4,1e150,6\n")).X.n_rows, 2U);

  DataOptions options = user("a,b,y\n?,2,3\n4,1e200,6\n");
  options.missing = "drop_rows";
  EXPECT_TRUE(names_all(refusal<DataError>(options), {"mine.csv: row 2", "\"b\""})) << "the row of the file";
}

TEST_F(LoadDataset, RefusesASingleClass) {
  DataOptions options = user("1,yes\n2,yes\n3,yes\n");
  options.task = "classification";
  EXPECT_TRUE(names_all(refusal<DataError>(options), {"mine.csv: ", "\"yes\""}));
}

TEST_F(LoadDataset, WarnsOfACategoryForMostRows) {
  std::string rows = "id,colour,y\n";
  for (int i = 0; i < 30; ++i)
    rows += "n" + std::to_string(i) + (i % 2 == 0 ? ",red," : ",blue,") + std::to_string(i) + "\n";
  DataOptions options = user(rows);
  options.nominal = {"id", "colour"};
  const Names warnings = load(options).report.warnings;
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(names_all(warnings[0], {"id"}));

  options.drop = {"id"};
  options.nominal = {"colour"};
  EXPECT_TRUE(load(options).report.warnings.empty());
}

TEST_F(LoadDataset, WarnsOfADenseTableOfVeryManyInputs) {
  DataOptions options = user("1 5:1\n2 100000:3\n");
  options.format = "libsvm";
  options.target = {};
  const Names warnings = load(options).report.warnings;
  const auto names_count = [](const std::string& warning) { return contains_text(warning, "100000"); };
  EXPECT_TRUE(std::ranges::any_of(warnings, names_count));
}

TEST_F(LoadDataset, RefusesASetWhoseFileIsMissing) {
  add_known("sub/made.csv", "1,2\n");
  const std::string path = (folder_.path() / "sub/made.csv").string();
  EXPECT_TRUE(names_all(refusal<DataError>(known()), {path + ": ", "elmx data fetch known"}));
}

TEST_F(LoadDataset, RefusesAWrongChecksum) {
  add_known("made.csv", "1,2\n");
  const std::string path = folder_.write("made.csv", "1,3\n").string();
  EXPECT_TRUE(names_all(refusal<DataError>(known()),
                        {path + ": ", sha256("1,3\n").substr(0, 12), sha256("1,2\n").substr(0, 12)}));
}

TEST_F(LoadDataset, RefusesOptionsThatContradict) {
  EXPECT_EQ(place_of(Json::object()), "/data");
  EXPECT_EQ(place_of({{"set", "sinc"}, {"path", user("1,2\n").path}}), "/data");
  EXPECT_EQ(place_of({{"set", "sinc"}, {"test_path", "t.csv"}}), "/data/test_path");
  EXPECT_EQ(place_of({{"set", "sinc"}, {"samples_are", "columns"}}), "/data/samples_are");
}

TEST_F(LoadDataset, RefusesOptionsWithoutEffect) {
  add_known("made.csv", "1,1\n2,2\n").missing = "mean";
  folder_.write("made.csv", "1,1\n2,2\n");
  const std::string path = user("1,2\n3,4\n").path;
  EXPECT_EQ(place_of({{"set", "known"}, {"samples", 1000}}), "/data/samples");
  EXPECT_EQ(place_of({{"path", path}, {"target", "2"}, {"noise", 0.1}}), "/data/noise");
  EXPECT_EQ(place_of({{"set", "sinc"}, {"turns", 7}}), "/data/turns");
  for (const auto& [key, value] : std::map<std::string, Json>{
           {"task", "regression"}, {"format", "delimited"}, {"header", "no"}, {"missing", "refuse"}})
    EXPECT_EQ(place_of({{"set", "known"}, {key, value}}), "/data/" + key);
  for (const auto& [key, value] : std::map<std::string, Json>{{"drop", {"x1"}}, {"missing", "mean"}, {"target", {"1"}}})
    EXPECT_EQ(place_of({{"set", "sinc"}, {key, value}}), "/data/" + key);

  EXPECT_EQ(place_of({{"set", "two_spirals"}, {"samples", 20}, {"noise", 0}, {"turns", 1}}), "");
  EXPECT_EQ(place_of({{"set", "known"}, {"categories", nullptr}, {"missing", "drop_rows"}}), "");
}

TEST_F(LoadDataset, RefusesOptionsOfAnotherFormat) {
  const std::string path = user("1,2\n").path;
  const auto expect_refused = [&](const std::string& format, const std::string& key, const Json& value) {
    EXPECT_EQ(place_of({{"path", path}, {"format", format}, {key, value}}), "/data/" + key) << format;
  };
  expect_refused("delimited", "labels_path", "y");
  expect_refused("delimited", "batch_paths", Json::array({"b"}));
  expect_refused("delimited", "samples_are", "columns");
  expect_refused("delimited", "from_disk", true);
  expect_refused("npy", "target_variable", "y");
  expect_refused("reviews", "test_path", path);
  expect_refused("reviews", "target", Json::array({"1"}));
  expect_refused("cifar", "length", 10);
  expect_refused("cifar", "vocabulary", 10);
  for (const char* format : {"libsvm", "idx", "mat", "hdf5", "npy"})
    expect_refused(format, "missing_values", Json::array({"-99"}));

  DataOptions options = user("1,2\n");
  options.format = "mat";
  EXPECT_TRUE(names_all(refusal<ConfigError>(options),
                        {"/data/target: ", "\"mat\"", "--set data.target_variable=", "data info"}));
}

TEST_F(LoadDataset, RefusesTheFormatOfAnotherFile) {
  const std::string path = folder_.write("x.npy", "\x93NUMPY\x01").string();
  EXPECT_EQ(place_of({{"path", path}, {"target", "1"}}), "/data/format");
}

TEST_F(LoadDataset, RefusesAnUnknownPositiveClass) {
  DataOptions options = user("1,yes\n2,no\n");
  options.task = "classification";
  options.positive = "yess";
  EXPECT_TRUE(names_all(refusal<ConfigError>(options), {"/data/positive: ", "\"yess\"", "\"yes\""}));
}

}  // namespace
}  // namespace elmx
