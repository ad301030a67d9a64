#include "cli/shell.hpp"

namespace elmx {
namespace {

/// Every test has a cache of its own, and so begins on a machine that was not checked.
class Selftest : public ProgramTest {
 protected:
  static constexpr int kCheckFailed = 5;

  void SetUp() override {
    if (!fs::exists(wrong_library())) GTEST_SKIP() << "not with sanitizers, which must be loaded first";
    write("c.json", smallest_config().dump());
  }

  static fs::path wrong_library() { return fault_library().parent_path() / "libwrong_blas.so"; }

  Environment alone() const { return {{"XDG_CACHE_HOME", (work() / "cache").string()}}; }
  Environment wrong(const std::string& right_kernels = "") const {
    Environment variables = alone();
    variables["LD_PRELOAD"] = wrong_library().string();
    variables["RIGHT_KERNELS"] = right_kernels;
    return variables;
  }
  std::size_t passes_in_cache() const {
    std::size_t files = 0;
    for (const auto& [name, content] : snapshot()) files += name.starts_with("cache/elmx/kernels-") ? 1 : 0;
    return files;
  }
};

TEST_F(Selftest, ThisMachineIsCorrectAndLeftAsItWas) {
  const auto before = snapshot();
  const Outcome outcome = run({"selftest"}, alone());
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.out.find("WRONG"), std::string::npos) << outcome.out;
  EXPECT_EQ(snapshot(), before);
}

TEST_F(Selftest, NamesAWrongKernelAndCorrectOnes) {
  Environment variables = wrong("Nehalem");
  variables["OPENBLAS_CORETYPE"] = "Sandybridge";
  const Outcome outcome = run({"selftest", "--quick"}, variables);
  EXPECT_EQ(outcome.code, kCheckFailed) << outcome.err;
  EXPECT_NE(outcome.out.find("dgemm of OpenBLAS"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("at 64 x 64 x 64"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("OPENBLAS_CORETYPE=Nehalem"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("sgemm"), std::string::npos) << outcome.out;
}

TEST_F(Selftest, NamesNoKernelsIfAllAreWrong) {
  const Outcome outcome = run({"selftest", "--quick"}, wrong());
  EXPECT_EQ(outcome.code, kCheckFailed) << outcome.err;
  EXPECT_EQ(outcome.out.find("OPENBLAS_CORETYPE"), std::string::npos) << outcome.out;
}

TEST_F(Selftest, RunRefusesAWrongKernelUnlessTold) {
  refuses(kCheckFailed, {"run", "c.json", "-o", "o"}, {"BLAS library: dgemm of ", "--untested-blas"}, wrong());
  EXPECT_EQ(run({"run", "c.json", "-o", "o", "--untested-blas"}, wrong()).code, 0);
  EXPECT_EQ(passes_in_cache(), 0U);
}

TEST_F(Selftest, RunKeepsThePassOfALibrary) {
  ASSERT_EQ(run({"run", "c.json", "-o", "first"}, alone()).code, 0);
  EXPECT_EQ(passes_in_cache(), 1U);
  ASSERT_EQ(run({"run", "c.json", "-o", "first", "--force"}, alone()).code, 0);
  EXPECT_EQ(passes_in_cache(), 1U);
  refuses(kCheckFailed, {"run", "c.json", "-o", "second"}, {"dgemm"}, wrong());
}

TEST_F(Selftest, CheckChangesNoRecord) {
  const Environment nowhere{{"XDG_CACHE_HOME", ""}, {"HOME", ""}};
  ASSERT_EQ(run({"run", "c.json", "-o", "checked", "--fake-clock"}, nowhere).code, 0);
  ASSERT_EQ(run({"run", "c.json", "-o", "unchecked", "--fake-clock", "--untested-blas"}, nowhere).code, 0);
  EXPECT_EQ(read("checked/records.jsonl"), read("unchecked/records.jsonl"));
  EXPECT_NE(read("checked/records.jsonl"), "");
}

}  // namespace
}  // namespace elmx
