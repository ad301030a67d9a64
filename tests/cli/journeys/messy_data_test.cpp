#include <cmath>
#include <cstdio>

#include "base/config/json.hpp"
#include "cli/shell.hpp"
#include "data/test_npy.hpp"

// Messy files, from the first look to predictions of new rows.

namespace elmx {
namespace {

const char* const kWeather[] = {"sunny", "\"light\nrain\"", "snow"};

/// Returns "12,5" or "12.5".
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
  /// Writes sixty rows with an identifier, a date, a decimal comma, NA, a category with a line break, and one
  /// unit for all.
  void SetUp() override {
    std::string rows = "id;when;temp;weather;unit;load\n", cleaned = "when,temp,weather,load\n";
    for (int i = 0; i < 60; ++i) {
      const bool missing = i % 13 == 5;
      const std::string weather = kWeather[i % 3];
      const std::string date =
          std::string("2024-") + (i < 30 ? "01" : "02") + "-" + (i % 28 < 9 ? "0" : "") + std::to_string(i % 28 + 1);
      rows += "r-" + std::to_string(100 + i) + ";" + date + ";" + (missing ? "NA" : number(temperature(i), ',')) + ";" +
              weather + ";MW;" + number(load(i), ',') + "\n";
      cleaned +=
          date + "," + (missing ? "" : number(temperature(i), '.')) + "," + weather + "," + number(load(i), '.') + "\n";
    }
    write("messy.csv", rows);
    write("cleaned.csv", cleaned);
    write("model.json",
          R"({"save_model": true, "split": {"kind": "k_fold", "folds": 3},
              "model": {"algorithms": ["standard"], "ridge": 0.01, "nodes": {"start": 2, "stop": 10}}})");
  }
};

TEST_F(MessyData, FromInspectionToPredictions) {
  // A hand-written config refuses missing values until it says how to treat them.
  write("first.json", R"({"data": {"path": "messy.csv", "target": ["load"]}})");
  refuses(3, {"run", "first.json", "model.json", "-o", "first"},
          {"elmx: messy.csv:", "\"temp\"", "5 ", "\"NA\"", "9", "missing"});

  // `elmx data info` shows the contents of the columns, and the config that reads the file.
  const Outcome look = run({"data", "info", "messy.csv"});
  EXPECT_EQ(look.code, 0) << look.err;
  for (const char* part : {"| id ", "| identifier ", "| date ", "| category ", "| constant "})
    EXPECT_NE(look.out.find(part), std::string::npos) << part << " in\n" << look.out;
  const Outcome suggested = run({"data", "info", "messy.csv", "--config"});
  ASSERT_EQ(suggested.code, 0) << suggested.err;
  write("suggested.json", suggested.out);

  // That config runs, and data.json has all decisions.
  const Outcome trained = run({"run", "suggested.json", "model.json", "-o", "out"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  const Json reports = parse_json(read("out/data.json"), "data.json");
  ASSERT_EQ(reports.size(), 1U);
  const Json& report = reports.at("messy.csv").at("report");
  EXPECT_EQ(report.at("rows"), 60);
  std::map<std::string, Json> columns;
  for (const Json& column : report.at("columns")) columns[column.at("name")] = column;
  EXPECT_EQ(columns.at("temp").at("missing"), 5);
  for (const char* name : {"id", "unit"}) EXPECT_EQ(columns.at(name).at("role"), "dropped") << name;
  EXPECT_EQ(columns.at("when").at("type"), "date");
  EXPECT_EQ(columns.at("when").at("role"), "input");
  EXPECT_EQ(columns.at("weather").at("type"), "category");

  // The new rows have another order of columns and no target; 1.234 can only be a number in the same format.
  write("new.csv", "weather;when;temp\nsnow;2024-02-03;7,5\n\"light\nrain\";2024-01-09;NA\nsunny;2024-01-10;1.234\n");
  const Outcome predicted = run({"predict", "out", "new.csv"});
  ASSERT_EQ(predicted.code, 0) << predicted.err;
  ASSERT_EQ(lines_of(predicted.out).size(), 4U) << predicted.out;

  // The cleaned file gives identical numbers.
  write("cleaned.json", R"({"data": {"path": "cleaned.csv", "target": ["load"], "nominal": ["weather"],
                            "missing": "mean"}})");
  ASSERT_EQ(run({"run", "cleaned.json", "model.json", "-o", "clean"}).code, 0);
  write("clean_new.csv",
        "weather,when,temp\nsnow,2024-02-03,7.5\n\"light\nrain\",2024-01-09,\nsunny,2024-01-10,1234\n");
  EXPECT_EQ(run({"predict", "clean", "clean_new.csv"}).out, predicted.out);
}

/// Converts Latin-1 text to UTF-16 with a byte order mark.
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

TEST_F(MessyData, EncodingsOfASpreadsheetAgree) {
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
    for (const std::string other : {"UTF-16", "Windows-1252"}) {
      const bool read =
          (encoding == "utf16" && other == "UTF-16") || (encoding == "windows" && other == "Windows-1252");
      EXPECT_EQ(trained.err.find(other) != std::string::npos, read) << trained.err;
    }
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
  EXPECT_TRUE(piped.err.starts_with("stdin: 60 rows")) << piped.err;
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

TEST_F(MessyData, GroupsTimesAndGivenFoldsDivideRows) {
  std::string rows = "patient,day,fold,x,y\n";
  for (int i = 0; i < 40; ++i) {
    rows += "p" + std::to_string(i % 8) + "," + std::to_string((7 * i) % 40 + 1) + ".2.2024," + std::to_string(i % 4) +
            "," + std::to_string(i % 11) + "," + std::to_string((i * i) % 7) + "\n";
  }
  // February ends on day 29: later days are in March.
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
    return outcome.code == 0 ? lines_of(read("out/records.jsonl")).size() : 0;
  };
  EXPECT_EQ(trials_of(R"({"kind": "group_k_fold", "folds": 3, "group": "patient"})", R"(["day", "fold"])"), 3U);
  EXPECT_EQ(trials_of(R"({"kind": "time_series", "folds": 4, "order": "day"})", R"(["patient", "fold"])"), 4U);
  EXPECT_EQ(trials_of(R"({"kind": "given", "column": "fold"})", R"(["patient", "day"])"), 4U);

  const auto refuses_split = [&](const std::string& split, const std::string& part) {
    write("c.json", R"({"data": {"path": "rows.csv", "target": ["y"], "drop": ["patient", "day", "fold"]}, "split": )" +
                        split + R"(, "model": {"algorithms": ["standard"], "nodes": {"start": 2, "stop": 4}}})");
    refuses(2, {"run", "c.json", "-o", "other"}, {"elmx: c.json: " + part});
  };
  refuses_split(R"({"kind": "group_k_fold", "folds": 9, "group": "patient"})", "split.folds: ");
  refuses_split(R"({"kind": "group_k_fold", "group": "nobody"})", "split.group: ");
  refuses_split(R"({"kind": "group_k_fold", "group": "y"})", "split.group: ");
  refuses_split(R"({"kind": "k_fold", "order": "day"})", "split.order: ");
}

TEST_F(MessyData, UncertainHeaderIsReportedUntilStated) {
  const auto rows_of = [&](const std::string& file, const Arguments& more) {
    Arguments arguments{"data", "info", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const std::string first = lines_of(run(arguments).out).at(0);
    return std::stoi(first.substr(first.find(": ") + 2));
  };
  const auto is_named = [&](const std::string& file, const Arguments& more = {}) {
    Arguments arguments{"data", "info", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments).out.find("data.header") < run(arguments).out.find("\n\n");
  };
  write("texts.csv", "colour,size,kind\nred,small,p\nblue,large,n\nred,large,p\nblue,small,n\n");
  EXPECT_EQ(rows_of("texts.csv", {}), 4);
  EXPECT_EQ(rows_of("texts.csv", {"--set", "header=no"}), 5);
  EXPECT_TRUE(is_named("texts.csv"));
  EXPECT_FALSE(is_named("texts.csv", {"--set", "header=no"}));

  write("numbered.csv", "0,1,2,3\n5.1,3.5,1.4,0.2\n4.9,3,1.4,0.2\n4.7,3.2,1.3,0.2\n");
  EXPECT_EQ(rows_of("numbered.csv", {}), 4);
  EXPECT_TRUE(is_named("numbered.csv"));
  EXPECT_EQ(rows_of("numbered.csv", {"--set", "header=yes"}), 3);
}

TEST_F(MessyData, OwnMissingTextsAreNoSweep) {
  write("own.csv", "a,b,y\n1,NA,1\n-99,x,2\n3,NA,3\n4,x,4\n5,x,5\n");
  write("c.json", R"({"data": {"path": "own.csv", "target": ["y"], "missing": "mean", "missing_values": ["-99"]}})");
  const Outcome outcome = run({"run", "c.json", "model.json", "--set", "split.folds=2", "-o", "out"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("own.csv: 5 rows, 3 inputs of 2 columns")) << outcome.err << "NA is a category";
  EXPECT_NE(outcome.err.find("a \"-99\" 1"), std::string::npos) << outcome.err;
  EXPECT_EQ(lines_of(read("out/records.jsonl")).size(), 2U);
}

TEST_F(MessyData, ASplitColumnNeedsATable) {
  Json config = smallest_config();
  config["split"] = {{"kind", "group_k_fold"}, {"group", "g"}};
  refuses(2, {"run", write("config.json", config.dump()), "-o", "results"},
          {"elmx: config.json: split.group: ", "\"g\""});
}

TEST_F(MessyData, ALookAtOtherFormatsNeedsNoOptions) {
  write("r.arff", "@relation r\n@attribute a real\n@attribute k {p,q}\n@data\n1,p\n?,q\n3,p\n");
  const Outcome relation = run({"data", "info", "r.arff"});
  EXPECT_EQ(relation.code, 0) << relation.err;
  EXPECT_TRUE(relation.out.starts_with("r.arff: 3 rows, 1 input, target k of 2 classes\n")) << relation.out;
  EXPECT_NE(relation.out.find("| a      | input  | number   |       1 |"), std::string::npos) << relation.out;

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

TEST_F(MessyData, AConfigAloneIsAllOfStdout) {
  write("gaps.csv", "a,y\n1,1.5\n-,2.5\n3,0.5\n4,4\n");

  const Outcome config = run({"data", "info", "gaps.csv", "--config"}), look = run({"data", "info", "gaps.csv"});

  EXPECT_EQ(parse_json(config.out, "stdout").at("data").at("missing"), "mean");
  EXPECT_EQ(look.out.substr(0, config.err.size()), config.err) << "the essence";
  EXPECT_TRUE(look.out.ends_with(config.out)) << look.out;
}

TEST_F(MessyData, InspectingAnAbsentFileIsRefused) {
  refuses(3, {"data", "info", "none.csv"}, {"elmx: none.csv: "});
  refuses(2, {"data", "info", "sinx"}, {"\"sinx\"", "sinc"});
  refuses(2, {"data", "info", "sinc", "--config"}, {"elmx: sinc: ", "--config"});
  refuses(2, {"data", "info", "messy.csv", "--set", "separator=colon"}, {"data.separator: ", "\"colon\""});
  refuses(2, {"data", "info", "messy.csv", "--set", "target=[\"laod\"]"}, {"data.target: ", "\"load\""});
  write("empty.csv", "");
  refuses(3, {"data", "info", "empty.csv"}, {"elmx: empty.csv:"});
}

}  // namespace
}  // namespace elmx
