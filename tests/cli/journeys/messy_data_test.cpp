#include <cmath>
#include <cstdio>

#include "base/config/json.hpp"
#include "cli/shell.hpp"
#include "data/test_npy.hpp"

// Files that nobody prepared, from the first look to predictions of new rows.

namespace elmx {
namespace {

const char* const kWeather[] = {"sunny", "\"light\nrain\"", "snow"};

/// "12,5" or "12.5".
std::string number(double value, char mark) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2f", value);
  std::string shown = text;
  shown[shown.find('.')] = mark;
  return shown;
}

double temperature(int i) { return 5 + 0.25 * ((7 * i) % 40); }
double load(int i) { return 100.5 + 3.25 * temperature(i) + 20 * (i % 3); }

class MessyData : public ShellTest {
 protected:
  /// Sixty rows with an identifier, a date, a decimal comma, NA, a category with a line end, one unit for all.
  void SetUp() override {
    std::string rows = "id;when;temp;weather;unit;load\n", cleaned = "temp,weather,load\n";
    for (int i = 0; i < 60; ++i) {
      const bool missing = i % 13 == 5;
      const std::string weather = kWeather[i % 3];
      rows += "r-" + std::to_string(100 + i) + ";2024-" + (i < 30 ? "01" : "02") + "-" + (i % 28 < 9 ? "0" : "") +
              std::to_string(i % 28 + 1) + ";" + (missing ? "NA" : number(temperature(i), ',')) + ";" + weather +
              ";MW;" + number(load(i), ',') + "\n";
      cleaned += (missing ? "" : number(temperature(i), '.')) + "," + weather + "," + number(load(i), '.') + "\n";
    }
    write("messy.csv", rows);
    write("cleaned.csv", cleaned);
    write("model.json",
          R"({"save_model": true, "split": {"kind": "k_fold", "folds": 3},
              "model": {"algorithms": ["standard"], "ridge": 0.01, "nodes": {"start": 2, "stop": 10}}})");
  }
};

TEST_F(MessyData, FromTheFirstLookToPredictionsOfNewRows) {
  // The first try says all that is wrong, column by column, and what to write.
  write("first.json", R"({"data": {"path": "messy.csv", "target": ["load"]}})");
  const Outcome first = run({"run", "first.json", "model.json", "-o", "first"});
  EXPECT_EQ(first.code, 3);
  const auto said = lines_of(first.err);
  ASSERT_EQ(said.size(), 5U) << first.err;
  EXPECT_EQ(said[0], "elmx: messy.csv: 3 problems");
  EXPECT_TRUE(said[1].starts_with("  column \"id\": texts as of an identifier, 60 in 60 rows")) << said[1];
  EXPECT_TRUE(said[2].starts_with("  column \"when\": dates or times (\"2024-01-01\" in line 2)")) << said[2];
  EXPECT_TRUE(said[3].starts_with("  column \"temp\": 5 missing values (\"NA\" in line 9)")) << said[3];
  EXPECT_EQ(said[4], R"(  in the config: "data": {"drop": ["id","when"], "missing": "mean"})");
  EXPECT_FALSE(exists("first"));

  // The look shows what is in the columns, and the config that reads the file.
  const Outcome look = run({"data", "info", "messy.csv"});
  EXPECT_EQ(look.code, 0) << look.err;
  for (const char* part : {"| id ", "| identifier ", "| date ", "| category ", "| constant ", "60 rows, 6 columns"})
    EXPECT_NE(look.out.find(part), std::string::npos) << part << " in\n" << look.out;
  EXPECT_NE(look.out.find("60 rows, 4 inputs of 2 columns, target load from"), std::string::npos) << look.out;
  const Outcome suggested = run({"data", "info", "messy.csv", "--config"});
  ASSERT_EQ(suggested.code, 0) << suggested.err;
  write("suggested.json", suggested.out);

  // That config runs, and the run says what was read.
  const Outcome trained = run({"run", "suggested.json", "model.json", "-o", "out"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_NE(trained.err.find("messy.csv: 60 rows, 4 inputs of 2 columns, target load from"), std::string::npos)
      << trained.err;
  EXPECT_NE(trained.err.find("an input for each category: weather (3)"), std::string::npos) << trained.err;
  EXPECT_NE(trained.err.find("missing values, filled with the mean of each training part: temp (5)"),
            std::string::npos);
  EXPECT_NE(trained.err.find("left out: id, when, unit"), std::string::npos) << trained.err;
  EXPECT_NE(trained.err.find("read with decimal commas: temp"), std::string::npos) << trained.err;
  const Json described = Json::parse(read("out/experiment.json")).at("data").at("messy.csv");
  EXPECT_NE(described.at("read").get<std::string>().find("60 rows"), std::string::npos);

  // New rows in another order of columns, without the target; 1.234 can only be a number of the same spelling.
  write("new.csv", "weather;temp\nsnow;7,5\n\"light\nrain\";NA\nsunny;1.234\n");
  const Outcome predicted = run({"predict", "out", "new.csv"});
  ASSERT_EQ(predicted.code, 0) << predicted.err;
  ASSERT_EQ(lines_of(predicted.out).size(), 4U) << predicted.out;

  // The cleaned file gives the same numbers, to the last digit.
  write("cleaned.json", R"({"data": {"path": "cleaned.csv", "target": ["load"], "nominal": ["weather"],
                            "missing": "mean"}})");
  ASSERT_EQ(run({"run", "cleaned.json", "model.json", "-o", "clean"}).code, 0);
  write("clean_new.csv", "weather,temp\nsnow,7.5\n\"light\nrain\",\nsunny,1234\n");
  EXPECT_EQ(run({"predict", "clean", "clean_new.csv"}).out, predicted.out);
}

/// Text of Latin-1 in UTF-16, marked.
std::string in_utf16(const std::string& latin) {
  std::string text = "\xFF\xFE";
  for (const char c : latin) text += {c, '\0'};
  return text;
}

std::string in_utf8(const std::string& latin) {
  std::string text;
  for (const char c : latin) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80)
      text += c;
    else
      text += {static_cast<char>(0xC0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3F))};
  }
  return text;
}

TEST_F(MessyData, OfASpreadsheetInAnotherEncodingIsTheSame) {
  std::string rows =
                  "Stra\xDF"
                  "e;Fl\xE4"
                  "che;gr\xF6\xDF"
                  "er\n",
              fresh =
                  "Fl\xE4"
                  "che;Stra\xDF"
                  "e\n5,5;Allee\n7;Stra\xDF"
                  "e\n";
  for (int i = 0; i < 40; ++i)
    rows += std::string(i % 3 ? "Stra\xDF"
                                "e"
                              : "Allee") +
            ";" + number(temperature(i), ',') + ";" + number(load(i), ',') + "\n";
  write("utf8.csv", in_utf8(rows));
  write("windows.csv", rows);
  write("utf16.csv", in_utf16(rows));
  write("new_utf8.csv", in_utf8(fresh));
  write("new_windows.csv", fresh);
  write("new_utf16.csv", in_utf16(fresh));
  std::string predicted;
  for (const std::string encoding : {"utf8", "windows", "utf16"}) {
    const Outcome trained = run({"run", encoding + ".csv", "--target",
                                 in_utf8("gr\xF6\xDF"
                                         "er"),
                                 "-o", encoding});
    ASSERT_EQ(trained.code, 0) << trained.err;
    const std::string note =
        encoding + ".csv: the file is not UTF-8: read as " + (encoding == "utf16" ? "UTF-16" : "Windows-1252");
    EXPECT_EQ(trained.err.find(note) != std::string::npos, encoding != "utf8") << trained.err;
    for (const std::string other : {"utf8", "windows", "utf16"}) {
      const Outcome answer = run({"predict", encoding, "new_" + other + ".csv"});
      ASSERT_EQ(answer.code, 0) << answer.err;
      if (predicted.empty()) predicted = answer.out;
      EXPECT_EQ(answer.out, predicted) << encoding << " " << other;
    }
  }
}

TEST_F(MessyData, ComesThroughAPipe) {
  const std::string set = R"("data": {"path": "-", "target": ["load"], "drop": ["id", "when"], "missing": "mean"})";
  write("c.json", "{" + set + "}");
  const Outcome piped = shell("cat messy.csv | $E run c.json model.json --set save_model=false -o piped");
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_NE(piped.err.find("stdin: 60 rows, 4 inputs"), std::string::npos) << piped.err;
  const Outcome look = shell("cat messy.csv | $E data info - --config");
  EXPECT_EQ(look.code, 0) << look.err;
  EXPECT_NE(look.out.find("\"path\": \"-\""), std::string::npos) << look.out;
  const Outcome empty = shell("$E data info - < /dev/null");
  EXPECT_EQ(empty.code, 3) << empty.err;

  const Outcome kept = shell("cat messy.csv | $E run c.json model.json -o kept");
  ASSERT_EQ(kept.code, 0) << kept.err;
  const Outcome of_pipe = shell("cat messy.csv | $E predict kept -"), of_file = shell("$E predict kept messy.csv");
  EXPECT_EQ(of_pipe.code, 0) << of_pipe.err;
  EXPECT_EQ(of_pipe.out, of_file.out);
  EXPECT_EQ(lines_of(of_pipe.out).size(), 61u);
}

TEST_F(MessyData, GroupsAndTimesAndGivenFoldsDivideTheRows) {
  std::string rows = "patient,day,fold,x,y\n";
  for (int i = 0; i < 40; ++i) {
    rows += "p" + std::to_string(i % 8) + "," + std::to_string((7 * i) % 40 + 1) + ".2.2024," + std::to_string(i % 4) +
            "," + std::to_string(i % 11) + "," + std::to_string((i * i) % 7) + "\n";
  }
  // Days of February end at 29: the others are in March.
  for (int day = 30; day <= 40; ++day) {
    const std::string from = "," + std::to_string(day) + ".2.2024", to = "," + std::to_string(day - 29) + ".3.2024";
    for (std::size_t at = rows.find(from); at != std::string::npos; at = rows.find(from))
      rows.replace(at, from.size(), to);
  }
  write("rows.csv", rows);
  const auto trials_of = [&](const std::string& split, const std::string& drop) {
    write("c.json", R"({"data": {"path": "rows.csv", "target": ["y"], "drop": )" + drop + R"(}, "split": )" + split +
                        R"(, "model": {"algorithms": ["standard"], "nodes": {"start": 2, "stop": 4}}})");
    const Outcome outcome = run({"run", "c.json", "-o", "out", "--force"});
    EXPECT_EQ(outcome.code, 0) << split << outcome.err;
    EXPECT_NE(outcome.err.find("1 input, target y"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("divides the rows: "), std::string::npos) << outcome.err;
    return outcome.code == 0 ? lines_of(read("out/records.jsonl")).size() : 0;
  };
  EXPECT_EQ(trials_of(R"({"kind": "group_k_fold", "folds": 3, "group": "patient"})", R"(["day", "fold"])"), 3U);
  EXPECT_EQ(trials_of(R"({"kind": "time_series", "folds": 4, "order": "day"})", R"(["patient", "fold"])"), 4U);
  EXPECT_EQ(trials_of(R"({"kind": "given", "column": "fold"})", R"(["patient", "day"])"), 4U);

  const auto refuses_split = [&](const std::string& split, const std::string& part) {
    write("c.json", R"({"data": {"path": "rows.csv", "target": ["y"], "drop": ["patient", "day", "fold"]}, "split": )" +
                        split + R"(, "model": {"algorithms": ["standard"], "nodes": {"start": 2, "stop": 4}}})");
    refuses(2, {"run", "c.json", "-o", "other"}, {part});
  };
  refuses_split(R"({"kind": "group_k_fold", "folds": 9, "group": "patient"})",
                "/split/folds: 9; allowed: 2 to 8, the number of groups in column \"patient\"");
  refuses_split(R"({"kind": "group_k_fold", "group": "nobody"})", "/split/group: no column \"nobody\"");
  refuses_split(R"({"kind": "group_k_fold", "group": "y"})", "/split/group: column \"y\" is the target");
  refuses_split(R"({"kind": "k_fold", "order": "day"})", "/split/order: not with kind \"k_fold\"");
}

TEST_F(MessyData, AFirstLineOfTextsOverTextsIsNamedWhereItIsTakenForARow) {
  write("texts.csv", "colour,size,kind\nred,small,p\nblue,large,n\nred,large,p\nblue,small,n\n");
  const std::string note = "the first line (\"colour\", ...) is read as a row; \"header\": \"yes\" takes it for names";
  const Outcome look = run({"data", "info", "texts.csv"});
  EXPECT_NE(look.out.find(note), std::string::npos) << look.out;
  EXPECT_NE(look.out.find("5 rows"), std::string::npos) << look.out;
  const Outcome told = run({"data", "info", "texts.csv", "--set", "header=yes"});
  EXPECT_EQ(told.out.find("the first line"), std::string::npos) << told.out;
  EXPECT_NE(told.out.find("4 rows"), std::string::npos) << told.out;

  write("numbered.csv", "0,1,2,3\n5.1,3.5,1.4,0.2\n4.9,3,1.4,0.2\n4.7,3.2,1.3,0.2\n");
  const Outcome numbered = run({"data", "info", "numbered.csv"});
  EXPECT_NE(numbered.out.find("the first line (\"0\", ...) is read as a row"), std::string::npos) << numbered.out;
}

TEST_F(MessyData, OwnSpellingsOfMissingValuesAreAListAndNoSweep) {
  write("own.csv", "a,b,y\n1,NA,1\n-99,x,2\n3,NA,3\n4,x,4\n5,x,5\n");
  write("c.json", R"({"data": {"path": "own.csv", "target": ["y"], "missing": "mean", "missing_values": ["-99"]}})");
  const Outcome outcome = run({"run", "c.json", "model.json", "--set", "split.folds=2", "-o", "out"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("own.csv: 5 rows, 3 inputs of 2 columns"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("training part: a (1)"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("texts taken for categories: b (2)"), std::string::npos) << "NA is one";
  EXPECT_EQ(lines_of(read("out/records.jsonl")).size(), 2U);
}

TEST_F(MessyData, ASplitColumnNeedsATable) {
  Json config = smallest_config();
  config["split"] = {{"kind", "group_k_fold"}, {"group", "g"}};
  refuses(2, {"run", write("config.json", config.dump()), "-o", "results"},
          {"/split/group: sinc has no column \"g\"; allowed: a column of a table"});
}

TEST_F(MessyData, ALookAtOtherFormatsNeedsNoOptions) {
  write("r.arff", "@relation r\n@attribute a real\n@attribute k {p,q}\n@data\n1,p\n?,q\n3,p\n");
  const Outcome relation = run({"data", "info", "r.arff"});
  EXPECT_EQ(relation.code, 0) << relation.err;
  EXPECT_NE(relation.out.find("| a      | number |      2 |       1 |        2 | 1   | 3   |"), std::string::npos)
      << relation.out;
  EXPECT_NE(relation.out.find("3 rows, 1 input, target k of 2 classes: p (2), q (1)"), std::string::npos)
      << relation.out;

  write("x.npy", npy_file(npy_dictionary("<f8", "(3, 2)"), npy_numbers<double>({1, 2, NAN, 4, 5, 6})));
  const Outcome array = run({"data", "info", "x.npy"});
  EXPECT_EQ(array.code, 0) << array.err;
  EXPECT_NE(array.out.find("3 rows, 1 input, target column2 from 2 to 6"), std::string::npos) << array.out;
  const Outcome config = run({"data", "info", "x.npy", "--config"});
  EXPECT_EQ(config.code, 0) << config.err;
  EXPECT_EQ(
      Json::parse(config.out)["data"],
      Json::parse(R"({"path": "x.npy", "format": "npy", "target": ["-1"], "task": "regression", "missing": "mean"})"));
}

TEST_F(MessyData, AConfigAloneSaysOnStderrWhatIsDecided) {
  write("gaps.csv", "a,y\n1,1.5\n-,2.5\n3,0.5\n4,4\n");

  const Outcome config = run({"data", "info", "gaps.csv", "--config"});

  EXPECT_EQ(config.err,
            "elmx: gaps.csv: \"-\" among the numbers of a: taken for missing values (\"missing_values\")\n"
            "elmx: gaps.csv: which column is the target is a guess: y\n");
  EXPECT_EQ(run({"data", "info", "gaps.csv", "--config", "--set", "target=y", "--set", "missing_values=-"}).err, "");
}

TEST_F(MessyData, MoreDistinctValuesThanAreCountedAreNoCount) {
  std::string rows = "a,y\n";
  for (int i = 0; i <= 20000; ++i) rows += std::to_string(i) + ".5," + std::to_string(i % 7) + ".5\n";
  write("many.csv", rows);

  const Outcome look = run({"data", "info", "many.csv"});

  EXPECT_NE(look.out.find(">= 20000"), std::string::npos) << look.out;
}

TEST_F(MessyData, ALookAtWhatIsNotThereIsRefused) {
  refuses(3, {"data", "info", "none.csv"}, {"none.csv: no such file, and no data set of that name"});
  refuses(2, {"data", "info", "sinx"}, {"NAME: no set \"sinx\"", "sinc"});
  refuses(2, {"data", "info", "sinc", "--config"}, {"--set and --config belong to a file"});
  refuses(2, {"data", "info", "messy.csv", "--set", "separator=colon"}, {"/data/separator: \"colon\""});
  refuses(2, {"data", "info", "messy.csv", "--set", "target=[\"laod\"]"}, {"did you mean \"load\"?"});
  write("empty.csv", "");
  refuses(3, {"data", "info", "empty.csv"}, {"empty.csv: no data"});
}

}  // namespace
}  // namespace elmx
