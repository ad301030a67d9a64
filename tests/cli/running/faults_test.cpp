#include "cli/shell.hpp"
#include "data/test_idx.hpp"
#include "data/test_mat.hpp"
#include "support/configs.hpp"

namespace elmx {
namespace {

/// The program on a failing machine (support/faults.cpp). Results are either right or refused in one line; no
/// file is truncated.
class Faults : public ShellTest {
 protected:
  void SetUp() override {
    if (!fs::exists(fault_library())) GTEST_SKIP() << "not with sanitizers, which replace the same functions";
  }
  static Environment with(Environment faults) {
    faults["LD_PRELOAD"] = fault_library().string();
    return faults;
  }
  std::string config(const std::string& name, const Json& data) const {
    Json config = smallest_config();
    config["data"] = data;
    return write(name, config.dump());
  }
  /// Writes text files for all text readers, and for both readers that use another one.
  std::vector<std::string> configs_of_all_formats() const {
    std::string rows, libsvm;
    for (int i = 0; i < 40; ++i) {
      rows += std::to_string(i) + "," + std::to_string(i * i % 17) + "\n";
      libsvm += std::to_string(i * i % 17) + " 1:" + std::to_string(i) + "\n";
    }
    write("d.csv", "x,y\n" + rows);
    write("d.arff", "@relation r\n@attribute x numeric\n@attribute y numeric\n@data\n" + rows);
    write("d.dat",
          "@relation r\n@attribute x real [0, 40]\n@attribute y real [0, 20]\n@inputs x\n@outputs y\n@data\n" + rows);
    write("d.libsvm", libsvm);
    std::vector<int> pixels(160), labels(40);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<int>(i * 7 % 256);
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<int>(i % 2);
    write("d.idx", test_idx({40, 2, 2}, pixels));
    write("l.idx", test_idx({40}, labels));
    std::vector<double> inputs(80);
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = static_cast<double>(i * i % 17);
    TestMat(work() / "d.mat")
        .add("fea", {40, 2}, inputs)
        .add("gnd", {40, 1}, std::vector<double>(labels.begin(), labels.end()));
    return {config("delimited.json", {{"path", "d.csv"}, {"target", {"y"}}}),
            config("arff.json", {{"path", "d.arff"}, {"format", "arff"}, {"target", {"y"}}}),
            config("keel.json", {{"path", "d.dat"}, {"format", "keel"}}),
            config("libsvm.json", {{"path", "d.libsvm"}, {"format", "libsvm"}}),
            config("idx.json",
                   {{"path", "d.idx"}, {"format", "idx"}, {"labels_path", "l.idx"}, {"task", "classification"}}),
            config("mat.json", {{"path", "d.mat"}, {"format", "mat"}, {"task", "classification"}})};
  }
  /// Runs c.json, a small config with save_model, into the folder "o".
  Outcome run_that_keeps_models() const {
    return prepared("models", [&] {
      Json kept = small_config();
      kept["save_model"] = true;
      write("c.json", kept.dump());
      return run({"run", "c.json", "-o", "o"});
    });
  }
  /// Returns a saved model that has a test part: not the one that is fitted on all rows.
  fs::path network_of_a_fold() const {
    for (const auto& file : fs::directory_iterator(work() / "o" / "models")) {
      if (run({"predict", file.path().string(), "--part", "test"}).code == 0) return fs::relative(file.path(), work());
    }
    return {};
  }
  /// Runs c.json, a small config, into the folder "whole".
  Outcome run_whole() const {
    return prepared("whole", [&] {
      write("c.json", small_config().dump());
      return run({"run", "c.json", "-o", "whole"});
    });
  }
  std::string file_of(const std::string& config) const { return Json::parse(read(config))["data"]["path"]; }

  /// Returns the records of a folder without their times.
  std::vector<Json> records(const std::string& folder) const {
    std::vector<Json> all;
    for (const std::string& line : lines_of(read(folder + "/records.jsonl"))) {
      all.push_back(Json::parse(line));
      all.back().erase("timing");
    }
    return all;
  }
};

TEST_F(Faults, ReadersRefuseTruncatedReads) {
  for (const std::string& config : configs_of_all_formats()) {
    const std::string file = file_of(config);
    const Outcome right = run({"run", config, "-n"});
    ASSERT_EQ(right.code, 0) << right.err;
    const std::size_t size = fs::file_size(work() / file);
    refuses(3, {"run", config, "-o", "o"}, {"elmx: " + file + ": ", "Input/output error"},
            with({{"FAULT_FILE", file}, {"FAULT_READ", std::to_string(size / 2 + 1)}}));
    for (const std::size_t k : {size / 2, size - 1}) {
      refuses(3, {"run", config, "-o", "o"}, {"elmx: " + file + ": "},
              with({{"FAULT_FILE", file}, {"FAULT_END", std::to_string(k)}}));
    }
    const Outcome slow = run({"run", config, "-n"}, with({{"FAULT_FILE", file}, {"FAULT_SHORT", "3"}}));
    EXPECT_EQ(slow.code, 0) << slow.err;
    EXPECT_EQ(slow.out, right.out) << config;
  }
  for (const char* k : {"0", "1"}) {
    refuses(3, {"run", "delimited.json", "-o", "o"}, {"elmx: d.csv: ", "Input/output error"},
            with({{"FAULT_FILE", "d.csv"}, {"FAULT_READ", k}}));
  }
}

/// Files of 4 TB without content, behind these heads. Only their first bytes can be read.
TEST_F(Faults, HeadersThatDeclareTooMuchAreRefusedUnread) {
  using namespace std::string_literals;
  constexpr std::uintmax_t kData = 4'000'000'000'000;
  std::string npy = "\x93NUMPY\x01\0\x76\0{'descr': '<f8', 'fortran_order': False, 'shape': (500000000, 1000), }"s;
  npy.resize(127, ' ');
  std::string mat = "MATLAB 5.0 MAT-file";
  mat.resize(124, ' ');
  const std::map<std::string, std::string> heads{{"d.npy", npy + '\n'},
                                                 {"d.idx", test_idx({1'000'000, 2000, 2000}, {})},
                                                 {"d.mat", mat + std::string("\0\1IM", 4)}};
  write("l.idx", test_idx({2}, {0, 1}));
  for (const auto& [file, head] : heads) {
    write(file, head);
    std::error_code failed;
    fs::resize_file(work() / file, head.size() + kData, failed);
    if (failed) GTEST_SKIP() << "no file system for large files";
    Json data = {{"path", file}, {"format", file.substr(2)}, {"task", "classification"}};
    if (file == "d.npy") data["target"] = {"-1"};
    if (file == "d.idx") data["labels_path"] = "l.idx";
    config("c.json", data);
    const Outcome outcome = run({"run", "c.json", "--set", "model={\"family\":\"dec\"}", "-o", "o"},
                                with({{"FAULT_FILE", file}, {"FAULT_READ", "20000000"}}));
    EXPECT_NE(outcome.code, 0);
    EXPECT_EQ(outcome.err.find("Input/output error"), std::string::npos) << outcome.err;
    EXPECT_TRUE(is_one_line(outcome.err) && outcome.err.starts_with("elmx: " + (file == "d.idx" ? "l.idx" : file)))
        << outcome.err;
    fs::remove(work() / file);
  }
}

TEST_F(Faults, ARowWithoutAnEndIsRefused) {
  constexpr std::uintmax_t kData = 4'000'000'000'000;
  write("d.csv", "a,b,y\n1,2,3\n");
  std::error_code failed;
  fs::resize_file(work() / "d.csv", kData, failed);
  if (failed) GTEST_SKIP() << "no file system for large files";

  const Outcome outcome =
      run({"data", "convert", "d.csv", "-o", "d.npy"}, with({{"FAULT_FILE", "d.csv"}, {"FAULT_READ", "1100000000"}}));

  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_TRUE(is_one_line(outcome.err) && outcome.err.starts_with("elmx: d.csv:3: ")) << outcome.err;
  EXPECT_FALSE(exists("d.npy") || exists("d.npy.part"));
  fs::remove(work() / "d.csv");
}

TEST_F(Faults, OutOfMemoryWhileLoadingIsOneLine) {
  std::string rows = "x,y\n";
  for (int i = 0; i < 30000; ++i) rows += std::to_string(i) + "," + std::to_string(i * 7 % 17) + "\n";
  write("d.csv", rows);
  config("c.json", {{"path", "d.csv"}, {"target", {"y"}}});
  const Outcome right = run({"run", "c.json", "-n"});
  bool refused = false, taken = false;
  for (std::size_t most = 100000; most < 30000000; most *= 4) {
    const Outcome outcome = run({"run", "c.json", "-n"}, with({{"FAULT_MEMORY", std::to_string(most)}}));
    if (outcome.code == 0) {
      taken = true;
      EXPECT_EQ(outcome.out, right.out) << most;
      continue;
    }
    refused = true;
    EXPECT_EQ(outcome.code, 2) << most << outcome.err;
    EXPECT_TRUE(is_one_line(outcome.err)) << outcome.err;
    EXPECT_NE(outcome.err.find("memory"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_TRUE(refused && taken);
}

TEST_F(Faults, ConfigsRecordsAndModelsAreReadWhole) {
  ASSERT_EQ(run_that_keeps_models().code, 0);
  const auto sweep = [&](int code, const Arguments& arguments, const std::string& name, std::size_t size) {
    refuses(code, arguments, {"elmx: " + name + ": ", "Input/output error"},
            with({{"FAULT_FILE", name}, {"FAULT_READ", std::to_string(size / 3)}}));
    refuses(code, arguments, {"elmx: " + name + ": "},
            with({{"FAULT_FILE", name}, {"FAULT_END", std::to_string(size - 1)}}));
  };
  sweep(2, {"run", "c.json", "-o", "new"}, "c.json", read("c.json").size());
  sweep(3, {"table", "o"}, "o/records.jsonl", read("o/records.jsonl").size());
  sweep(3, {"run", "c.json", "-o", "o", "--resume"}, "o/records.jsonl", read("o/records.jsonl").size());
  const fs::path model = network_of_a_fold();
  sweep(3, {"predict", model.string(), "--part", "test"}, model.string(), fs::file_size(work() / model));
}

TEST_F(Faults, OtherCommandsReportOutOfMemory) {
  ASSERT_EQ(run_that_keeps_models().code, 0);
  const std::string before = read("o/records.jsonl");
  const fs::path model = network_of_a_fold();
  for (const Arguments& arguments : {Arguments{"table", "o"},
                                     {"predict", model.string(), "--part", "test"},
                                     {"run", "c.json", "-o", "o", "--resume"}}) {
    const Outcome right = run(arguments);
    ASSERT_EQ(right.code, 0) << right.err;
    bool refused = false, done = false;
    for (std::size_t most = 20000; most < 100000000; most *= 4) {
      const Outcome outcome = run(arguments, with({{"FAULT_MEMORY", std::to_string(most)}}));
      done = done || outcome.code == 0;
      refused = refused || outcome.code != 0;
      if (outcome.code == 0) {
        // The headline above the tables reports that the model could not be read.
        EXPECT_EQ(outcome.out.substr(std::min(outcome.out.find("### "), outcome.out.size())),
                  right.out.substr(std::min(right.out.find("### "), right.out.size())))
            << most;
        continue;
      }
      EXPECT_TRUE(is_one_line(outcome.err)) << outcome.err;
      // HDF5 gives no reason: the model cannot be read.
      EXPECT_TRUE(outcome.code == 2 || outcome.code == 3) << arguments[0] << " " << most << outcome.err;
      EXPECT_NE(outcome.err.find(outcome.code == 3 ? model.string() : "memory"), std::string::npos) << outcome.err;
    }
    EXPECT_TRUE(refused && done) << arguments[0];
    EXPECT_EQ(read("o/records.jsonl"), before) << arguments[0];
  }
}

TEST_F(Faults, UnreadableStatesRestartTheirTrial) {
  write("long.json", long_training().dump());
  ASSERT_EQ(run(run_arguments("long.json", "undisturbed")).code, 0);
  const pid_t child = start_and_wait("long.json", "a");
  ::kill(child, SIGINT);
  ASSERT_EQ(finish(child).code, 130);
  const std::size_t size = fs::file_size(fs::directory_iterator(work() / "a/states")->path());
  const std::vector<Environment> faults{{{"FAULT_READ", std::to_string(size / 2)}},
                                        {{"FAULT_END", std::to_string(size - 1)}}};
  for (Environment fault : faults) {
    const std::string what = fault.begin()->first + " " + fault.begin()->second, folder = "after " + what;
    fs::copy(work() / "a", work() / folder, fs::copy_options::recursive);
    fault["FAULT_FILE"] = "/states/";
    const Outcome resumed = run(run_arguments("long.json", folder, {"--resume"}), with(fault));
    EXPECT_EQ(resumed.code, 0) << what << resumed.err;
    EXPECT_NE(resumed.err.find("/states/"), std::string::npos) << what << resumed.err;
    EXPECT_EQ(records(folder), records("undisturbed")) << what;
  }
}

TEST_F(Faults, WritesThatFailLoseNothingThatIsFinished) {
  ASSERT_EQ(run_whole().code, 0);
  const std::vector<Json> expected = records("whole");
  for (const std::size_t k : {0, 5000, 9000, 20000}) {
    fs::remove_all(work() / "o");
    const Outcome outcome =
        run({"run", "c.json", "-o", "o"}, with({{"FAULT_FILE", "/o/"}, {"FAULT_WRITE", std::to_string(k)}}));
    EXPECT_EQ(outcome.code, 2) << k << outcome.err;
    EXPECT_NE(outcome.err.find("Input/output error"), std::string::npos) << outcome.err;
    const std::string kept = read("o/records.jsonl");
    EXPECT_TRUE(kept.empty() || kept.ends_with('\n')) << k;
    const Outcome resumed = run({"run", "c.json", "-o", "o", "--resume"});
    EXPECT_EQ(resumed.code, 0) << k << resumed.err;
    EXPECT_EQ(records("o"), expected) << k;
  }
}

TEST_F(Faults, FailedFilesInMemoryAreOneLine) {
  write("c.json", smallest_config().dump());
  ASSERT_EQ(run({"run", "c.json", "-o", "o"}).code, 0);
  refuses(2, {"report", "o"}, {"elmx: a file in memory: ", "Input/output error"},
          with({{"FAULT_FILE", "memfd:elmx"}, {"FAULT_WRITE", "100"}}));
}

TEST_F(Faults, FailedThreadsAreOneLine) {
  ASSERT_EQ(run_whole().code, 0);
  for (const int most : {0, 1, 2, 3, 8}) {
    const std::string folder = "o" + std::to_string(most);
    const Outcome outcome =
        run({"run", "c.json", "-o", folder, "--threads", "4"}, with({{"FAULT_THREADS", std::to_string(most)}}));
    EXPECT_EQ(outcome.code, most < 1 ? 2 : 0) << most << outcome.err;
    if (outcome.code == 0) {
      EXPECT_EQ(records(folder), records("whole"));
    } else {
      for (const char* part : {"Resource temporarily unavailable", "ulimit -u"})
        EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(outcome.err.find("internal"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("libgomp"), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace elmx
