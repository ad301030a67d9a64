#include "experiment/saved/new_samples.hpp"

#include <gtest/gtest.h>

#include "data/test_archive.hpp"
#include "data/test_idx.hpp"
#include "data/test_npy.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/run/runner.hpp"
#include "support/framed.hpp"
#include "support/scratch.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

arma::mat row_of(const arma::rowvec& row) { return row; }

/// A model that was trained on a file, and new files for it.
class NewSamplesTest : public ScratchTest {
 protected:
  SavedModel trained(const std::string& file, const std::string& content, Json data) {
    write(file, content);
    data["path"] = (folder_ / file).string();
    return trained(data);
  }
  SavedModel trained(const Json& data) {
    const Json config = {{"save_model", true},
                         {"data", data},
                         {"split", {{"kind", "one_holdout"}, {"stratified", false}}},
                         {"model", {{"algorithms", {"standard"}}, {"nodes", {{"start", 2}, {"stop", 4}}}}}};
    const Plan plan = make_plan(config, "none");
    ResultsFolder results(folder_ / "run", describe_experiment(config, plan), Earlier::replace);
    run_plan(plan, results, {.make_clock = [] { return std::make_unique<FakeClock>(); }}, [](const Record&) {});
    X_ = plan.cases[0].data->X;
    return read_model(model_file(folder_ / "run", StoredRun(folder_ / "run").records().at(0)));
  }
  NewSamples samples(const SavedModel& model, const std::string& content, const NewSamplesOptions& wanted = {}) {
    write("new", content);
    return read_new_file(model, (folder_ / "new").string(), wanted, place_);
  }
  std::string refusal(const SavedModel& model, const std::string& content, const NewSamplesOptions& wanted = {}) {
    return thrown<DataError>([&] { samples(model, content, wanted); });
  }

  arma::mat X_;  // inputs of the training file
  const Catalogue catalogue_ = shipped_catalogue();
  const DataPlace place_{catalogue_, "no data directory"};
};

const char* const kFile = "size,colour,weight,kind\n1,red,10,a\n2,green,20,b\n3,blue,30,a\n4,red,40,b\n5,green,50,a\n";
const Json kNominal = Json::parse(R"({"target": ["kind"], "nominal": ["colour"], "task": "classification"})");

TEST_F(NewSamplesTest, TheFileItWasTrainedOnIsTheSame) {
  const SavedModel model = trained("data.csv", kFile, kNominal);

  const NewSamples same = samples(model, kFile);

  EXPECT_TRUE(identical(same.data.X, X_));
  EXPECT_EQ(same.with_targets().n_elem, 5u);
  EXPECT_EQ(arma::conv_to<std::vector<int>>::from(same.data.labels), (std::vector<int>{0, 1, 0, 1, 0}));
}

TEST_F(NewSamplesTest, ColumnsAreFoundByNameInAnyOrder) {
  const SavedModel model = trained("data.csv", kFile, kNominal);

  const NewSamples one = samples(model, "weight,size,colour\n7,8,red\n9,6,red\n");

  // Columns of X: size, colour=blue, colour=green, colour=red, weight
  EXPECT_TRUE(identical(one.data.X, arma::mat{{8, 0, 0, 1, 7}, {6, 0, 0, 1, 9}}));
  EXPECT_TRUE(one.with_targets().is_empty());
}

TEST_F(NewSamplesTest, CategoriesAsCodesKeepTheNumbersOfTheTraining) {
  Json data = kNominal;
  data["categories"] = "codes";
  const SavedModel model = trained("data.csv", kFile, data);

  EXPECT_TRUE(
      identical(samples(model, "size,colour,weight\n1,red,1\n1,green,1\n").data.X, arma::mat{{1, 2, 1}, {1, 1, 1}}));
}

TEST_F(NewSamplesTest, OtherColumnsAndClassesAreRefused) {
  const SavedModel model = trained("data.csv", kFile, kNominal);
  const auto names = [&](const std::string& content, const char* place) {
    EXPECT_NE(refusal(model, content).find(place), std::string::npos) << content << refusal(model, content);
  };
  names("size,colour\n1,red\n", "\"weight\"");
  names("size,colour,weigth\n1,red,1\n", "\"weigth\"");  // the nearest name
  names("size,size,colour,weight\n1,1,red,1\n", "\"size\"");
  names("size,colour,weight,kind\n1,red,1,c\n", "\"c\"");
  names("1,red,1\n2,red,2\n", "new: ");
}

TEST_F(NewSamplesTest, AnUnknownCategoryIsFilledWithMeans) {
  const SavedModel model = trained("data.csv", kFile, kNominal);

  const NewSamples some = samples(model, "size,colour,weight\n1,red,20\n2,pink,30\n");

  EXPECT_TRUE(identical(arma::mat(some.data.X.row(0)), arma::mat{{1, 0, 0, 1, 20}}));
  const arma::mat unknown = some.data.X.row(1);
  EXPECT_TRUE(unknown(0) == 2 && unknown(4) == 30);
  EXPECT_TRUE(std::isnan(unknown(1)) && std::isnan(unknown(2)) && std::isnan(unknown(3)));
  EXPECT_EQ(some.data.imputed, (std::vector<char>{0, 1}));
  EXPECT_EQ(some.data.report.notes.size(), 1u);
}

TEST_F(NewSamplesTest, DatesThatTheModelCannotReadAreNamed) {
  std::string file = "when,size,kind\n";
  for (int day = 10; day < 30; ++day) file += std::to_string(day) + "/12/2023," + std::to_string(day % 7) + ",a\n";
  const SavedModel model =
      trained("dates.csv", file + "1/1/2024,3,b\n", {{"target", {"kind"}}, {"task", "classification"}});

  const std::vector<std::string> notes =
      samples(model, "when,size\n5/12/2023,1\n12/31/2023,2\n12/30/2023,3\n").data.report.notes;

  const auto names_it = [](const std::string& note) {
    return note.find("when") != std::string::npos && note.find("2 values") != std::string::npos &&
           note.find("line 3") != std::string::npos;
  };
  EXPECT_TRUE(std::ranges::any_of(notes, names_it));
}

TEST_F(NewSamplesTest, StrictReadingRefusesWhatItWouldImpute) {
  const SavedModel model = trained("data.csv", kFile, kNominal);
  const NewSamplesOptions strict{.strict = true};

  EXPECT_TRUE(identical(samples(model, kFile, strict).data.X, X_));
  for (const char* row : {"2,pink,3", "2,,3", "2,red,", "2,red,?", "many,red,3"}) {
    const std::string content = std::string("size,colour,weight\n1,red,1\n") + row + "\n";
    EXPECT_NE(refusal(model, content, strict).find("column \""), std::string::npos) << row;
  }
  for (const char* row : {"many,pink,3", ",pink,3"}) {  // both columns are named, and the line
    const std::string all = refusal(model, std::string("size,colour,weight\n1,red,1\n") + row + "\n", strict);
    for (const char* place : {"\"size\"", "\"colour\"", "line 3"}) EXPECT_NE(all.find(place), std::string::npos) << all;
  }
}

TEST_F(NewSamplesTest, KeptColumnsHaveTheTextsOfTheFile) {
  const SavedModel model = trained("data.csv", kFile, kNominal);

  const NewSamples some = samples(model, "no,size,colour,weight\n007,1,red,1\n8.0,2,green,3\n", {.keep = {"no"}});

  ASSERT_EQ(some.data.kept.size(), 1u);
  const RawColumn& numbers = some.data.kept[0];
  EXPECT_EQ(numbers.name, "no");
  EXPECT_EQ(numbers.categories.at(static_cast<std::size_t>(numbers.values.at(0))), "007");
  EXPECT_EQ(numbers.categories.at(static_cast<std::size_t>(numbers.values.at(1))), "8.0");
  EXPECT_TRUE(identical(some.data.X, arma::mat{{1, 0, 0, 1, 1}, {2, 0, 1, 0, 3}}));
  EXPECT_EQ(place_thrown<ConfigError>([&] { samples(model, kFile, {.keep = {"number"}}); }), "--keep");

  const NewSamples used =
      samples(model, "size,colour,weight,kind\n1.0,red,10,a\n2,pink,20,b\n", {.keep = {"size", "kind", "colour"}});
  EXPECT_EQ(used.data.X(1, 0), 2);
  EXPECT_EQ(used.with_targets().n_elem, 2u);
  std::map<std::string, std::vector<std::string>> texts;
  for (const RawColumn& column : used.data.kept) {
    for (const double number : column.values)
      texts[column.name].push_back(column.categories.at(static_cast<std::size_t>(number)));
  }
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts,
            (std::map<std::string, Texts>{{"size", {"1.0", "2"}}, {"colour", {"red", "pink"}}, {"kind", {"a", "b"}}}));
}

TEST_F(NewSamplesTest, UnknownColumnsAreNamedAndNotUsed) {
  const SavedModel model = trained("data.csv", kFile, kNominal);

  const NewSamples with = samples(model, "age,size,colour,weight,remark\n?,1,red,10,none\n3,2,green,10,late\n");

  EXPECT_TRUE(identical(with.data.X, samples(model, "size,colour,weight\n1,red,10\n2,green,10\n").data.X));
  ASSERT_EQ(with.data.report.notes.size(), 1u);
  for (const char* name : {"age", "remark"})
    EXPECT_NE(with.data.report.notes[0].find(name), std::string::npos) << with.data.report.notes[0];
}

TEST_F(NewSamplesTest, TargetsThatAreNotWantedAreNotLookedAt) {
  const SavedModel model = trained("data.csv", kFile, kNominal);
  EXPECT_TRUE(samples(model, "size,colour,weight,kind\n1,red,1,c\n", {.targets = false}).with_targets().is_empty());
}

const char* const kUnnamed = "1,10,0.5\n2,21,0.6\n3,29,0.7\n4,42,0.8\n5,50,0.9\n";

TEST_F(NewSamplesTest, ColumnsWithoutNamesAreFoundByPlace) {
  const SavedModel model = trained("data.csv", kUnnamed, {{"target", {"1"}}});

  const NewSamples with = samples(model, "9,11,0.25\n"), without = samples(model, "11,0.25\n");

  EXPECT_TRUE(identical(with.data.X, row_of({11, 0.25})));
  EXPECT_EQ(with.data.Y(0, 0), 9);
  EXPECT_TRUE(identical(without.data.X, row_of({11, 0.25})));
  EXPECT_TRUE(without.with_targets().is_empty());
  EXPECT_NE(refusal(model, "1,2,3,4\n"), "");
  EXPECT_NE(refusal(model, "1\n2\n"), "");
}

const char* const kHoles = "a,b,y\n1,?,1\n2,5,2\n3,10,3\n4,9,4\n100,70,5\n";
const Json kMean = Json::parse(R"({"target": ["y"], "missing": "mean"})");

/// Returns the mean of the present values of a column.
double mean_of(const arma::mat& X, arma::uword j, const arma::uvec& rows) {
  const arma::vec x = arma::mat(X.rows(rows)).col(j);
  return arma::mean(arma::vec(x.elem(arma::find_finite(x))));
}

TEST_F(NewSamplesTest, MissingValuesGetTheMeansOfTheTrainingPart) {
  const SavedModel model = trained("data.csv", kHoles, kMean);
  ASSERT_EQ(model.rows.train.n_elem, 4u);

  const NewSamples some = samples(model, "a,b,y\n?,?,7\n6,6,?\n");

  const arma::rowvec& fill = model.preprocessing.inputs.fill;
  EXPECT_NEAR(fill(0), mean_of(X_, 0, model.rows.train), 1e-14);
  EXPECT_NEAR(fill(1), mean_of(X_, 1, model.rows.train), 1e-14);
  EXPECT_EQ(some.with_targets().n_elem, 1u);
  const arma::mat filled = arma::join_cols(arma::mat(fill), arma::mat{{6, 6}});
  const auto predictor = restore(model, "");
  EXPECT_TRUE(identical(predict(*predictor, model.preprocessing, some.data.X, some.rows),
                        predict(*predictor, model.preprocessing, filled, some.rows)));
}

TEST_F(NewSamplesTest, MissingValuesWithoutMeansAreRefused) {
  SavedModel model = trained("data.csv", kHoles, kMean);
  model.preprocessing.inputs.fill.reset();

  EXPECT_NE(refusal(model, "a,b,y\n?,2,7\n"), "");
}

TEST_F(NewSamplesTest, ACategoryThatTrainingDidNotSeeIsAllZeros) {
  std::string rows = "size,colour,y\n";
  for (int i = 0; i < 10; ++i) rows += std::to_string(i) + (i % 2 == 0 ? ",red," : ",blue,") + std::to_string(i) + "\n";
  Json data = kNominal;
  data.merge_patch({{"target", {"y"}}, {"task", "regression"}});
  const arma::uword test = trained("data.csv", rows, data).rows.test(0);
  const std::string number = std::to_string(test);
  rows.replace(rows.find("\n" + number + ",") + 1, std::string(number + (test % 2 == 0 ? ",red" : ",blue")).size(),
               number + ",pink");

  const SavedModel model = trained("data.csv", rows, data);

  EXPECT_EQ(model.data.inputs, (std::vector<std::string>{"size", "colour=blue", "colour=pink", "colour=red"}));
  EXPECT_TRUE(identical(model.preprocessing.inputs.columns, arma::uvec{0, 1, 3}));
  const NewSamples pink = samples(model, "size,colour\n4,pink\n");
  EXPECT_TRUE(identical(model.preprocessing.inputs.apply(pink.data.X, pink.rows).cols(1, 2).eval(),
                        model.preprocessing.inputs.apply(arma::mat{{4, 0, 0, 0}}, pink.rows).cols(1, 2).eval()));
}

TEST_F(NewSamplesTest, EveryRowIsPredictedWhateverTrainingDropped) {
  for (const char* missing : {"drop_rows", "refuse"}) {
    const std::string second = missing == std::string("refuse") ? "2" : "?";
    const SavedModel model =
        trained("data.csv", "a,y\n1,1\n" + second + ",2\n3,3\n4,4\n5,5\n", {{"target", {"y"}}, {"missing", missing}});

    const NewSamples some = samples(model, "a,y\n?,7\n6,8\n7,?\n");

    EXPECT_EQ(arma::conv_to<std::vector<int>>::from(some.numbers()), (std::vector<int>{0, 1, 2})) << missing;
    EXPECT_EQ(arma::conv_to<std::vector<int>>::from(some.with_targets()), (std::vector<int>{0, 1})) << missing;
    EXPECT_EQ(some.data.imputed, (std::vector<char>{1, 0, 0})) << missing;
    const arma::mat filled = arma::vec{model.preprocessing.fill()(0), 6, 7};
    const auto predictor = restore(model, "");
    EXPECT_TRUE(identical(predict(*predictor, model.preprocessing, some.data.X, some.rows),
                          predict(*predictor, model.preprocessing, filled, some.rows)))
        << missing;
  }
}

TEST_F(NewSamplesTest, RowsOutsideTheTrainingDataAreCounted) {
  const SavedModel model =
      trained("data.csv", "when,size,y\n2024-03-01,10,1\n2024-03-05,20,2\n2024-03-09,15,3\n", {{"target", {"y"}}});
  const auto notes = [&](const std::string& rows) { return samples(model, "when,size\n" + rows).data.report.notes; };

  EXPECT_TRUE(notes("2024-03-01,9\n2024-03-09,21\n").empty()) << "a number within a tenth of the range";
  for (const char* row : {"2024-03-10,15\n", "2024-02-29,15\n", "2024-03-05,21.5\n", "2024-03-05,8\n"})
    EXPECT_EQ(notes(row).size(), 1u) << row;
  const std::vector<std::string> both = notes("2025-01-01,15\n2024-03-02,-50\n2024-03-02,10\n");
  ASSERT_EQ(both.size(), 1u);
  for (const char* part : {"2 of 3", "2025-01-01", "2024-03-09", "-50"})
    EXPECT_NE(both.front().find(part), std::string::npos) << part << " in " << both.front();
  const std::string ends = notes("2024-03-02,-50\n2024-03-02,90\n").at(0);
  for (const char* part : {"-50", "90"}) EXPECT_NE(ends.find(part), std::string::npos) << part << " in " << ends;
}

TEST_F(NewSamplesTest, AModelWithADamagedRangeIsRefused) {
  SavedModel model = trained("data.csv", "size,y\n1,1\n2,2\n3,3\n", {{"target", {"y"}}});
  const std::filesystem::path file = folder_ / "damaged.h5";
  write_model(file, model);
  EXPECT_EQ(read_model(file).data.columns.at(0).range, (std::vector<double>{1, 3}));
  for (const std::vector<double>& range : {std::vector<double>{}, {1}, {3, 1}, {1, 2, 3}}) {
    model.data.columns.at(0).range = range;
    write_model(file, model);
    EXPECT_THROW(read_model(file), DataError) << range.size();
  }
}

TEST_F(NewSamplesTest, TimesOutsideTheTrainingDataAreNamedAsTimes) {
  const SavedModel model = trained("data.csv", "when,y\n08:00,1\n12:30,2\n19:20,3\n", {{"target", {"y"}}});
  const std::vector<std::string> notes = samples(model, "when\n09:00\n22:05\n").data.report.notes;
  ASSERT_EQ(notes.size(), 1u);
  for (const char* part : {"1 of 2", "22:05", "08:00", "19:20"})
    EXPECT_NE(notes.front().find(part), std::string::npos) << part << " in " << notes.front();
}

// No mark is a value like the mark. Beside several categories, a missing value is imputed.
TEST_F(NewSamplesTest, ARowWithoutAMarkIsKnown) {
  const SavedModel model = trained("data.csv", "kind,mark,y\na,x,1\nb,,2\na,x,3\n,,4\nb,x,5\n",
                                   {{"target", {"y"}}, {"missing", "mean"}, {"nominal", {"kind", "mark"}}});

  const NewSamples some = samples(model, "kind,mark\na,\nb,x\na,z\n,x\n");

  EXPECT_EQ(some.data.imputed, (std::vector<char>{0, 0, 1, 1}));
  EXPECT_TRUE(identical(samples(model, "kind,mark\na,\n", {.strict = true}).data.X, arma::mat(some.data.X.row(0))));
  EXPECT_NE(refusal(model, "kind,mark\n,x\n", {.strict = true}).find("\"kind\""), std::string::npos);
}

TEST_F(NewSamplesTest, NumericClassesMatchHoweverTheyAreSpelt) {
  std::string rows = "a,k\n";
  for (int i = 0; i < 12; ++i) rows += std::to_string(i) + (i % 3 == 0 ? ",1.0\n" : i % 3 == 1 ? ",2.0\n" : ",other\n");
  const SavedModel model = trained("data.csv", rows, {{"target", {"k"}}, {"task", "classification"}});

  const NewSamples some = samples(model, "a,k\n7,2.0\n8,1.0\n9,2.0\n");

  EXPECT_EQ(arma::conv_to<std::vector<int>>::from(some.data.labels), (std::vector<int>{1, 0, 1}));
  EXPECT_NE(refusal(model, "a,k\n7,1.0\n8,3.0\n").find("\"3\""), std::string::npos);
}

TEST_F(NewSamplesTest, DroppedColumnsMayBeThereOrNot) {
  const SavedModel model =
      trained("data.csv", "id,a,y\n1,1,1\n2,2,2\n3,3,3\n4,4,4\n", {{"target", {"y"}}, {"drop", {"id"}}});

  EXPECT_TRUE(identical(samples(model, "id,a\nx,5\n").data.X, row_of({5})));
  EXPECT_TRUE(identical(samples(model, "a\n5\n").data.X, row_of({5})));
}

TEST_F(NewSamplesTest, SparseFilesMayEndEarlierAndNotLater) {
  const SavedModel model =
      trained("data.txt", "1 1:1 3:3\n2 2:5\n1 1:4\n2 3:1\n", {{"format", "libsvm"}, {"task", "classification"}});

  EXPECT_TRUE(identical(samples(model, "1 1:7\n2 1:2\n").data.X, arma::mat{{7, 0, 0}, {2, 0, 0}}));
  EXPECT_NE(refusal(model, "1 4:1\n").find("\"x4\""), std::string::npos);
}

TEST_F(NewSamplesTest, ArffDeclarationsOfAnotherKindAreRefused) {
  const std::string header = "@relation r\n@attribute a numeric\n@attribute k {u,v}\n@attribute c {no,yes}\n@data\n";
  const SavedModel model = trained("data.arff", header + "1,u,no\n2,v,yes\n3,u,no\n4,v,yes\n",
                                   {{"format", "arff"}, {"target", {"c"}}, {"task", "classification"}});

  const NewSamples turned = samples(model, "@relation r\n@attribute k {v,u}\n@attribute a numeric\n@data\nv,5\nu,6\n");
  EXPECT_TRUE(identical(turned.data.X, arma::mat{{5, 0, 1}, {6, 1, 0}}));
  EXPECT_NE(refusal(model, "@relation r\n@attribute a {x,y}\n@attribute k {u,v}\n@data\nx,u\n").find("column \"a\""),
            std::string::npos);
}

TEST_F(NewSamplesTest, APartIsOfTheSameDataOnly) {
  const SavedModel model = trained("data.csv", kFile, kNominal);
  EXPECT_GT(read_own_part(model, "test", place_).rows.n_elem, 0u);
  EXPECT_NE(thrown<ConfigError>([&] { read_own_part(model, "unlabelled", place_); }), "");

  write("data.csv", std::string(kFile) + "6,red,60,b\n");
  EXPECT_NE(thrown<DataError>([&] { read_own_part(model, "test", place_); }), "");
}

TEST_F(NewSamplesTest, ImagesNeedTheInputsOfTheTraining) {
  std::vector<int> pixels(8 * 2 * 3);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<int>(i * i % 251);
  const std::string labels = (folder_ / "labels").string(), of_two = (folder_ / "of_two").string();
  write("labels", test_idx({8}, {0, 1, 0, 1, 0, 1, 0, 1}));
  write("of_two", test_idx({2}, {1, 0}));
  const SavedModel model = trained("images", test_idx({8, 2, 3}, pixels),
                                   {{"format", "idx"}, {"labels_path", labels}, {"task", "classification"}});

  const std::string two = test_idx({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const NewSamples some = samples(model, two);
  EXPECT_TRUE(identical(some.data.X, arma::mat{{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}}));
  EXPECT_EQ(arma::conv_to<std::vector<int>>::from(some.numbers()), (std::vector<int>{0, 1}));
  EXPECT_TRUE(some.with_targets().is_empty());

  EXPECT_EQ(samples(model, two, {.labels_path = of_two}).with_targets().n_elem, 2u);
  const std::string narrow = test_idx({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), path = (folder_ / "new").string();
  EXPECT_EQ(place_thrown<DataError>([&] { samples(model, narrow); }), path);
  EXPECT_EQ(place_thrown<ConfigError>([&] { samples(model, two, {.keep = {"x1"}}); }), "--keep");
}

TEST_F(NewSamplesTest, ArraysOfTargetsHaveThoseOfTheModel) {
  const auto array = [](const std::string& shape, const std::vector<double>& values) {
    return npy_file(npy_dictionary("<f8", shape), npy_numbers<double>(values));
  };
  const auto of = [&](const std::string& name, const std::string& shape, const std::vector<double>& values) {
    write(name, array(shape, values));
    return (folder_ / name).string();
  };
  const std::string both = of("both.npy", "(4, 2)", {1, 2, 3, 4, 5, 6, 7, 9}),
                    one = of("one.npy", "(4,)", {1, 2, 3, 4});
  const std::string x = array("(4, 2)", {1, 5, 2, 7, 3, 1, 4, 8});
  const SavedModel model = trained("x.npy", x, {{"format", "npy"}, {"labels_path", both}});
  EXPECT_EQ(samples(model, x, {.labels_path = both}).with_targets().n_elem, 4u);
  EXPECT_EQ(place_thrown<DataError>([&] { samples(model, x, {.labels_path = one}); }), one);

  const SavedModel in_array = trained("x.npy", x, {{"format", "npy"}, {"target", {"-1"}}});
  const std::string inputs = array("(4, 1)", {1, 2, 3, 4});
  EXPECT_EQ(samples(in_array, inputs, {.labels_path = one}).with_targets().n_elem, 4u);
}

TEST_F(NewSamplesTest, AnotherSetOfTheCatalogueNeedsTheInputsOfTheModel) {
  const SavedModel model = trained({{"set", "two_moons"}, {"samples", 40}});

  const NewSamples same = read_new_set(model, "two_moons", {}, place_);
  EXPECT_EQ(same.rows.n_elem, 40u);
  EXPECT_EQ(same.with_targets().n_elem, 40u);
  EXPECT_EQ(place_thrown<DataError>([&] { read_new_set(model, "friedman1", {}, place_); }), "friedman1");
}

TEST_F(NewSamplesTest, ReviewsAreThoseWhoseWordsTheModelKnows) {
  const auto archive = [](const std::string& word) {
    TestMembers members;
    for (const std::string part : {"train", "test"}) {
      for (int i = 0; i < 4; ++i) {
        members.emplace_back("aclImdb/" + part + "/pos/" + std::to_string(i) + "_9.txt", "good " + word);
        members.emplace_back("aclImdb/" + part + "/neg/" + std::to_string(i) + "_1.txt", "bad " + word);
      }
    }
    return test_archive(TestArchive::tar_gz, members);
  };
  const SavedModel model =
      trained("x.tar.gz", archive("film"), {{"format", "reviews"}, {"length", 2}, {"task", "classification"}});

  EXPECT_EQ(samples(model, archive("film")).with_targets().n_elem, 16u);
  EXPECT_EQ(place_thrown<DataError>([&] { samples(model, archive("play")); }), (folder_ / "new").string());
}

}  // namespace
}  // namespace elmx
