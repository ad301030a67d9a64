#include <sys/stat.h>

#include <cstdio>

#include "base/config/json.hpp"
#include "cli/shell.hpp"

// An export of a spreadsheet, from the first look to a report.

namespace elmx {
namespace {

/// Returns "1.960,75" or "0,50".
std::string in_german(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  std::string shown = text;
  const std::size_t point = std::min(shown.find('.'), shown.size());
  if (point < shown.size()) shown[point] = ',';
  if (point > 3) shown.insert(point - 3, ".");
  return shown;
}

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

constexpr int kRows = 60;
const char* const kHeader = "order;when;amount;discount;weight;region;profit\n";

class MessyExport : public ShellTest {
 protected:
  static std::string row(int i) {
    const char* const regions[] = {"Nord",
                                   "S\xC3\xBC"
                                   "d",
                                   "West"};
    const double amount = 1000 + 137.25 * ((7 * i) % 31), discount = (11 * i) % 20 + 0.5,
                 weight = 1 + 0.25 * ((13 * i) % 17);
    const double profit = 0.1 * amount - 3 * discount + 5 * weight + (i % 3 == 2 ? 20 : 0);
    return "A-" + std::to_string(10000 + i) + ";" + two_digits(1 + i * 5 % 28) + "." + two_digits(1 + i % 12) +
           ".2024 " + two_digits(8 + i % 9) + ":" + two_digits(i * 7 % 60) + ";" +
           (i % 13 == 4 ? "" : in_german(amount, 2) + " \xE2\x82\xAC") + ";" + in_german(discount, 1) + " %;" +
           (i == 5 ? "k.A." : in_german(weight, 2)) + ";" + (i % 17 == 3 ? "" : regions[i % 3]) + ";" +
           in_german(profit, 2) + "\n";
  }

  /// Writes two title lines, the table, and a row of sums without a target.
  void SetUp() override {
    std::string text = std::string("Sales report\nexported on 01.06.2024\n") + kHeader;
    for (int i = 0; i < kRows; ++i) text += row(i);
    write("sales.csv", text + "Total;;182.015,25 \xE2\x82\xAC;;;;\n");
    write("new.csv",
          "order;when;amount;discount;weight;region\n"
          "B-1;05.03.2024 10:00;2.500,00 \xE2\x82\xAC;5,5 %;2,25;West\n"  // all there
          "B-2;06.03.2024 11:30;1.250,50 \xE2\x82\xAC;7,5 %;1,50;Ost\n"   // an unknown category
          "B-3;07.03.2024 12:45;1.700,50 \xE2\x82\xAC;2,5 %;3,00;\n"      // a blank
          "B-4;08.03.2024 09:15;;12,5 %;k.A.;Nord\n");                    // no number
  }

  static std::vector<std::string> essence_in(const std::string& out) {
    return lines_of(out.substr(0, out.find("\n\n") + 1));
  }
};

TEST_F(MessyExport, FromTheFirstLookToTheReport) {
  const Outcome look = run({"data", "info", "sales.csv"});
  ASSERT_EQ(look.code, 0) << look.err;
  EXPECT_TRUE(look.out.starts_with("sales.csv: 60 rows, ")) << look.out;

  const Outcome first = run({"run", "sales.csv", "--target", "profit"});
  ASSERT_EQ(first.code, 0) << first.err;
  for (const std::string& line : essence_in(look.out)) {
    if (line.find("is a guess") != std::string::npos || line.find("more lines") != std::string::npos) continue;
    EXPECT_NE(first.err.find(line + "\n"), std::string::npos) << line << " in\n" << first.err;
  }
  const Json report = parse_json(read("out/sales/data.json"), "data.json").at("sales.csv").at("report");
  std::map<std::string, Json> columns;
  for (const Json& column : report.at("columns")) columns[column.at("name")] = column;
  ASSERT_EQ(columns.size(), 7U);
  EXPECT_EQ(report.at("rows"), kRows);
  for (const char* name : {"amount", "discount", "weight"}) {
    EXPECT_EQ(columns[name]["type"], "number") << name;
    EXPECT_EQ(columns[name]["role"], "input") << name;
  }
  EXPECT_EQ(columns["order"]["role"], "dropped");
  EXPECT_EQ(columns["when"]["type"], "date");
  EXPECT_EQ(columns["region"]["type"], "category");
  EXPECT_EQ(columns["weight"]["read_as_missing"], Json::parse(R"([{"text": "k.A.", "count": 1}])"));
  std::size_t left_out = 0;
  for (const Json& rows : report.at("rows_left_out")) left_out += rows.at("count").get<std::size_t>();
  EXPECT_EQ(left_out, 3U) << "two lines of title and the row of sums: " << report.at("rows_left_out");

  // The config is complete: it gives the same records, and no trial is computed again.
  const std::string config = read("sales.json"), records = read("out/sales/records.jsonl");
  const Json data = parse_json(config, "sales.json").at("data");
  EXPECT_EQ(data.at("target"), Json({"profit"}));
  EXPECT_EQ(data.at("task"), "regression");
  EXPECT_EQ(data.at("missing"), "mean");
  EXPECT_EQ(data.at("csv").at("separator"), "semicolon");
  EXPECT_EQ(data.at("csv").at("lines_above"), 2);
  EXPECT_EQ(data.at("csv").at("decimal"), "comma");
  const Outcome again = run({"run", "sales.json"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(read("out/sales/records.jsonl"), records);
  const std::string trials = std::to_string(lines_of(records).size());
  EXPECT_NE(again.err.find(trials + " trials, " + trials + " finished before"), std::string::npos) << again.err;
  EXPECT_EQ(run({"run", "sales.json", "-o", "elsewhere", "--fake-clock"}).code, 0);
  const Json same = parse_json(read("elsewhere/data.json"), "data.json").at("sales.csv").at("report").at("columns");
  for (const Json& column : same) {
    if (column.at("role") == "dropped") continue;
    EXPECT_EQ(column, columns[column.at("name")]);
  }

  // There is one prediction for each row of a new file, whatever it contains.
  const Outcome predicted = run({"predict", "out/sales", "new.csv", "--keep", "order", "--mark-imputed"});
  ASSERT_EQ(predicted.code, 0) << predicted.err;
  const auto lines = lines_of(predicted.out);
  ASSERT_EQ(lines.size(), 5U) << predicted.out;
  EXPECT_EQ(lines[0], "row,order,imputed,predicted_profit");
  const char* const begins[] = {"1,B-1,0,", "2,B-2,1,", "3,B-3,1,", "4,B-4,1,"};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(lines[i + 1].starts_with(begins[i])) << lines[i + 1];
    EXPECT_TRUE(std::isfinite(std::stod(lines[i + 1].substr(8)))) << lines[i + 1];
  }
  EXPECT_NEAR(std::stod(lines[1].substr(8)), 264.75, 60) << "0.1 * 2500 - 3 * 5.5 + 5 * 2.25 + 20";
  EXPECT_EQ(lines_of(predicted.err).size(), 2U) << predicted.err;
  EXPECT_NE(predicted.err.find("k.A."), std::string::npos) << predicted.err;
  const Outcome strict = run({"predict", "out/sales", "new.csv", "--strict"});
  EXPECT_EQ(strict.code, 3) << strict.err;
  EXPECT_EQ(strict.out, "");
  for (const char* column : {"\"amount\"", "\"weight\"", "\"region\""})
    EXPECT_NE(strict.err.find(column), std::string::npos) << column << strict.err;
  EXPECT_EQ(run({"predict", "out/sales", "sales.csv", "--no-targets"}).code, 0) << "with its titles and sums";

  EXPECT_EQ(run({"report", "out/sales"}).code, 0);
  EXPECT_NE(read("out/sales/report.html").find("k.A."), std::string::npos);
}

TEST_F(MessyExport, AFileIsReadOnceFromAFifo) {
  ASSERT_EQ(::mkfifo((work() / "pipe.csv").c_str(), 0600), 0);
  const Outcome piped = shell("timeout 60 cat sales.csv > pipe.csv & timeout 60 $E run pipe.csv --target profit");
  EXPECT_EQ(piped.code, 0) << piped.err;
  ASSERT_EQ(run({"run", "sales.csv", "--target", "profit"}).code, 0);
  EXPECT_EQ(parse_json(read("out/pipe/data.json"), "data.json").at("pipe.csv").at("report").at("columns"),
            parse_json(read("out/sales/data.json"), "data.json").at("sales.csv").at("report").at("columns"));
  EXPECT_EQ(lines_of(read("out/pipe/records.jsonl")).size(), lines_of(read("out/sales/records.jsonl")).size());
}

TEST_F(MessyExport, StandardInputIsAFileLikeOthers) {
  const Outcome piped = shell("$E run - --target profit < sales.csv");
  ASSERT_EQ(piped.code, 0) << piped.err;
  EXPECT_TRUE(exists("stdin.json"));
  EXPECT_EQ(lines_of(run({"predict", "out/stdin", "new.csv"}).out).size(), 5U);
}

TEST_F(MessyExport, ShardsReadOneFileAtOnce) {
  std::vector<pid_t> children;
  for (int i = 1; i <= 3; ++i) {
    const int out = ::open((work() / ("out" + std::to_string(i))).c_str(), O_WRONLY | O_CREAT, 0600);
    children.push_back(start({"run", "sales.csv", "--target", "profit", "--shard", std::to_string(i) + "/3"}, {}, out));
    ::close(out);
  }
  for (const pid_t child : children) {
    const Outcome outcome = finish(child);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
  std::size_t trials = 0;
  for (int i = 1; i <= 3; ++i)
    trials += lines_of(read("out/sales/shard-" + std::to_string(i) + "-of-3/records.jsonl")).size();
  EXPECT_EQ(run({"merge", "out/sales"}).code, 0) << "all shards have made the same config";
  EXPECT_EQ(lines_of(read("out/sales/records.jsonl")).size(), trials);
}

TEST_F(MessyExport, TheEssenceIsTenPrintableLines) {
  std::map<std::string, std::string> files;
  const std::string long_name(300, 'n'), wide_name = [] {
    std::string text;
    for (int i = 0; i < 60; ++i) text += "\xE6\xBC\xA2";
    return text;
  }();
  files["names.csv"] = long_name + "," + wide_name + ",y\n";
  for (int i = 0; i < 40; ++i)
    files["names.csv"] += std::to_string(i * 7 % 11) + (i % 9 ? "," + std::to_string(i % 5) : ",") + "," +
                          std::to_string(0.1 + i / 3.0) + "\n";
  files["categories.csv"] = "a," + long_name + ",target with a name\n";
  for (int i = 0; i < 40; ++i)
    files["categories.csv"] += (i % 4 ? "x" : "") + std::string(i % 3, 'z') + "," + std::string(200 + i % 3, 'q') +
                               "," + (i % 2 ? wide_name : long_name) + "\n";
  std::string& wide = files["wide.csv"];
  for (int j = 0; j < 300; ++j) wide += "column " + std::to_string(j) + ",";
  wide += "y\n";
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < 300; ++j) {
      if (j % 50 == 49)
        wide += "id-" + std::to_string(i * 1000 + j);
      else if (j % 50 == 48)
        wide += i % 2 ? "red" : "blue";
      else if (j % 50 == 47)
        wide += "2024-01-" + two_digits(1 + i % 28);
      else if ((i + j) % 7 == 0)
        wide += j % 2 ? "" : "k.A.";
      else
        wide += std::to_string(i * j % 13);
      wide += ",";
    }
    wide += std::to_string(i % 7) + ".5\n";
  }
  files["control.csv"] = "a\x1b[31m,b\x07,y\n1,\x01\x02,2\n2,x\xff,3\n3,\x01\x02,4\n4,x\xff,5\n";
  files["huge.csv"] = "a,y\n1e149,-1.2345678901234567e149\n-1e-300,9.8765432109876543e-300\n3,4\n";
  std::string long_file(200, 'f');
  files[long_file + ".csv"] = "a,y\n1,2\n2,3\n3,5\n";

  for (const auto& [name, content] : files) {
    const Outcome look = run({"data", "info", write(name, content)});
    ASSERT_EQ(look.code, 0) << name << look.err;
    const auto essence = essence_in(look.out);
    EXPECT_LE(essence.size(), 10U) << look.out;
    EXPECT_GE(essence.size(), 2U) << look.out;
    for (const std::string& line : essence) {
      EXPECT_TRUE(std::ranges::none_of(line, [](unsigned char c) { return c < 0x20 || c == 0x7f; })) << line;
    }
  }
}

}  // namespace
}  // namespace elmx
