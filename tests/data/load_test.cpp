#include "data/load.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/files/fsio.hpp"
#include "data/content/content.hpp"
#include "data/table/roles.hpp"
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
    return message_of<Error>([&] { load(options); });
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

TEST_F(LoadDataset, RefusesImagesThatDoNotFitTheirLabels) {
  DataOptions options;
  options.format = "idx";
  options.path = folder_.write("x", test_idx({2, 1, 2}, {1, 2, 3, 4})).string();
  EXPECT_TRUE(names_all(refusal<ConfigError>(options), {"/data/labels_path"}));

  options.images.labels_path = folder_.write("y", test_idx({1}, {7})).string();
  EXPECT_TRUE(names_all(refusal<DataError>(options), {options.images.labels_path, "1"}));

  options.images.labels_path = folder_.write("y", test_idx({2}, {7, 3})).string();
  options.test_path = folder_.write("tx", test_idx({1, 3}, {1, 2, 3})).string();
  EXPECT_TRUE(names_all(refusal<ConfigError>(options), {"/data/test_labels_path"}));

  options.images.test_labels_path = folder_.write("ty", test_idx({1}, {7})).string();
  EXPECT_TRUE(names_all(refusal<DataError>(options), {options.test_path, "3"}));

  options.path = options.images.labels_path;
  EXPECT_TRUE(names_all(refusal<DataError>(options), {options.path}));
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
  DataOptions options;
  options.set = "sinc";
  options.length = 6;
  EXPECT_TRUE(names_all(refusal<ConfigError>(options), {"/data/length", "\"sinc\""}));
  options.set = "adding";
  for (const double noise : {0.0, 0.1}) {
    options.generated.noise = noise;
    EXPECT_EQ(refusal<ConfigError>(options), "no error") << "none, or the one of other sets";
  }
  options.generated.noise = 0.2;
  EXPECT_TRUE(names_all(refusal<ConfigError>(options), {"/data/noise", "\"adding\""}));
  options.generated.noise = 0;
  options.reviews.vocabulary = 100;
  EXPECT_TRUE(names_all(refusal<ConfigError>(options), {"/data/vocabulary", "\"adding\""}));
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

TEST_F(LoadDataset, RefusesMissingValuesWhereTheReaderHasNone) {
  DataOptions options = user("1 1:5\n2 1:-99\n");
  options.target = {};
  options.delimited.missing_values = {"-99"};
  for (const char* format : {"libsvm", "idx", "mat", "hdf5", "npy"}) {
    options.format = format;
    EXPECT_TRUE(names_all(refusal<ConfigError>(options), {"/data/missing_values", format}));
  }
  options = DataOptions();
  options.set = "sinc";
  options.delimited.missing_values = {"-99"};
  EXPECT_TRUE(names_all(refusal<ConfigError>(options), {"/data/missing_values", "\"sinc\""}));
}

TEST_F(LoadDataset, JoinsEqualNumbersOfTheSplitColumn) {
  DataOptions options = user("g,x,y\n1,3,1\n2,4,2\n1.0,5,3\n");
  const Dataset data = load_dataset(options, catalogue_, "", 1, {"g", "/split/group"});
  EXPECT_EQ(data.split->values[0], data.split->values[2]);
  EXPECT_NE(data.split->values[0], data.split->values[1]);
  EXPECT_EQ(data.report.notes.size(), 1U);
}

TEST_F(LoadDataset, RefusesValuesWhoseSquaresOverflow) {
  EXPECT_TRUE(names_all(refusal<DataError>(user("a,b,y\n1,2,3\n4,-1e200,6\n")), {"\"b\"", "row 2", "200"}));
  EXPECT_TRUE(names_all(refusal<DataError>(user("a,b,y\n1,2,3e151\n4,5,6\n")), {"\"y\"", "row 1", "151"}));
  EXPECT_EQ(load(user("a,b,y\n1,2,1e150\n4,1e150,6\n")).X.n_rows, 2U);

  DataOptions options = user("a,b,y\n?,2,3\n4,1e200,6\n");
  options.missing = "drop_rows";
  EXPECT_TRUE(names_all(refusal<DataError>(options), {"\"b\"", "row 2", "200"})) << "the row of the file";
}

TEST_F(LoadDataset, RefusesASingleClass) {
  DataOptions options = user("1,yes\n2,yes\n3,yes\n");
  options.task = "classification";
  EXPECT_TRUE(names_all(refusal<DataError>(options), {"\"yes\""}));
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

TEST_F(LoadDataset, RefusesASetThatIsNotThere) {
  add_known("sub/made.csv", "1,2\n");
  const std::string path = (folder_.path() / "sub/made.csv").string();
  EXPECT_TRUE(names_all(refusal<DataError>(known()), {path}));
}

TEST_F(LoadDataset, RefusesAWrongChecksum) {
  add_known("made.csv", "1,2\n");
  const std::string path = folder_.write("made.csv", "1,3\n").string();
  EXPECT_TRUE(
      names_all(refusal<DataError>(known()), {path, sha256("1,3\n").substr(0, 12), sha256("1,2\n").substr(0, 12)}));
}

TEST_F(LoadDataset, RefusesOptionsThatContradict) {
  EXPECT_TRUE(names_all(refusal<ConfigError>({}), {"/data", "\"set\"", "\"path\""}));
  DataOptions options = user("1,2\n");
  options.set = "sinc";
  EXPECT_TRUE(names_all(refusal<ConfigError>(options), {"/data", "\"set\"", "\"path\""}));
  options.path = "";
  options.test_path = "t.csv";
  EXPECT_TRUE(names_all(refusal<ConfigError>(options), {"/data/test_path", "\"set\""}));
  options.test_path = "";
  options.mat.samples_are = "columns";
  EXPECT_TRUE(names_all(refusal<ConfigError>(options), {"/data/samples_are", "\"set\""}));
  options.mat.samples_are = "rows";
  options.set = "sink";
  EXPECT_TRUE(names_all(refusal<ConfigError>(options), {"/data/set", "\"sink\"", "\"sinc\""}));
}

TEST_F(LoadDataset, RefusesWhatIsGivenWithoutEffect) {
  add_known("made.csv", "1,1\n2,2\n").missing = "mean";
  folder_.write("made.csv", "1,1\n2,2\n");
  const auto refused = [&](const Json& given) {
    DataOptions options;
    read_options(given, "/data", options);
    options.given = given;
    return refusal<ConfigError>(options);
  };
  const std::string path = user("1,2\n3,4\n").path;
  EXPECT_TRUE(names_all(refused({{"set", "known"}, {"samples", 1000}}), {"/data/samples", "\"known\""}));
  EXPECT_TRUE(names_all(refused({{"path", path}, {"target", "2"}, {"noise", 0.1}}), {"/data/noise", "\"path\""}));
  EXPECT_TRUE(names_all(refused({{"set", "sinc"}, {"turns", 7}}), {"/data/turns", "\"sinc\""}));
  for (const auto& [key, value] :
       std::map<std::string, Json>{{"task", "regression"}, {"format", "delimited"}, {"header", "no"}})
    EXPECT_TRUE(names_all(refused({{"set", "known"}, {key, value}}), {"/data", key, "\"known\""}));
  for (const auto& [key, value] : std::map<std::string, Json>{{"drop", {"x1"}}, {"missing", "mean"}, {"target", {"1"}}})
    EXPECT_TRUE(names_all(refused({{"set", "sinc"}, {key, value}}), {"/data", key, "\"sinc\""}));
  EXPECT_TRUE(
      names_all(refused({{"set", "known"}, {"missing", "refuse"}}), {"/data/missing", "\"refuse\"", "\"known\""}));

  EXPECT_EQ(refused({{"set", "two_spirals"}, {"samples", 20}, {"noise", 0}, {"turns", 1}}), "no error");
  EXPECT_EQ(refused({{"set", "known"}, {"categories", nullptr}, {"missing", "drop_rows"}}), "no error");
}

TEST_F(LoadDataset, RefusesOptionsOfAnotherFormat) {
  DataOptions options = user("1,2\n");
  options.images.labels_path = "y";
  EXPECT_TRUE(names_all(refusal<ConfigError>(options), {"/data/labels_path", "\"delimited\""}));
  options.images.labels_path = "";
  options.cifar.batch_paths = {"b"};
  EXPECT_TRUE(names_all(refusal<ConfigError>(options), {"/data/batch_paths", "\"delimited\""}));
  options.cifar.batch_paths = {};
  options.mat.samples_are = "columns";
  EXPECT_TRUE(names_all(refusal<ConfigError>(options), {"/data/samples_are", "\"delimited\""}));
  options.mat.samples_are = "rows";
  options.format = "mat";
  EXPECT_TRUE(names_all(refusal<ConfigError>(options),
                        {"/data/target", "\"mat\"", "--set data.target_variable=", "data info"}));
}

TEST_F(LoadDataset, RefusesAPositiveClassThatIsNone) {
  DataOptions options = user("1,yes\n2,no\n");
  options.task = "classification";
  options.positive = "yess";
  EXPECT_TRUE(names_all(refusal<ConfigError>(options), {"/data/positive", "\"yess\"", "\"yes\""}));
}

TEST_F(LoadDataset, RefusesAMissingFile) {
  DataOptions options;
  options.path = (folder_.path() / "no.csv").string();
  options.target = {"1"};
  EXPECT_TRUE(names_all(refusal<DataError>(options), {options.path}));
}

}  // namespace
}  // namespace elmx
