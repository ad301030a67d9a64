#include "cli/shell.hpp"

// Large text files are read once.

namespace elmx {
namespace {

class KeptTables : public ShellTest {
 protected:
  void SetUp() override {
    shell(R"(awk 'BEGIN { print "a,b,kind,y"; for (i = 0; i < 500000; ++i)
      printf "%.9f,%.9f,%s,%.9f\n", sin(i), cos(i), i % 3 ? "oar" : "sail", sin(i) * cos(i) }' > large.csv)");
  }
  Outcome info(const std::string& options = "", const std::string& cache = "cache") const {
    return shell("ELMX_CACHE=" + cache + " $E data info large.csv --set target=y " + options);
  }
  std::size_t kept() const {
    const fs::path folder = work() / "cache";
    return fs::exists(folder) ? static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {})) : 0;
  }
};

TEST_F(KeptTables, SayWhatTheTextSays) {
  const Outcome never = info("", "''"), first = info(), second = info();
  ASSERT_EQ(never.code, 0) << never.err;
  EXPECT_EQ(kept(), 1u);
  EXPECT_EQ(first.out + first.err, never.out + never.err);
  EXPECT_EQ(second.out + second.err, never.out + never.err);

  // Read otherwise, it is another table.
  const Outcome dropped = info("--set drop=kind");
  EXPECT_EQ(kept(), 2u);
  EXPECT_NE(dropped.out, first.out);
  EXPECT_EQ(info("--set drop=kind").out, dropped.out);

  // A change of the text is seen, although its name, size and time are as before.
  shell("touch -r large.csv time; sed -i '2s/sail/soil/' large.csv; touch -r time large.csv");
  const Outcome changed = info();
  EXPECT_NE(changed.out + changed.err, first.out + first.err);
  EXPECT_EQ(kept(), 3u);
}

}  // namespace
}  // namespace elmx
