#include "data/table/kept_table.hpp"

#include <cmath>
#include <cstdlib>

#include "base/nan.hpp"
#include "support/scratch.hpp"

namespace elmx {
namespace {

class KeptTable : public ScratchTest {
 protected:
  void SetUp() override { ::setenv("ELMX_CACHE", folder_.c_str(), 1); }
  void TearDown() override { ::unsetenv("ELMX_CACHE"); }

  static JoinedTable some_table() {
    JoinedTable joined;
    joined.train_rows = 2;
    joined.table.rows = 3;
    joined.table.notes = {"a note", ""};
    joined.table.columns = {{"x, \"1\"", Role::input, Kind::number, Decimal::comma, false, {}, {1.5, nan, -0.0}},
                            {"kind", Role::split, Kind::category, Decimal::plain, true, {"sail", "oar"}, {0, 1, 1}},
                            {"id", Role::dropped, Kind::number, Decimal::plain, false, {}, {}}};
    return joined;
  }
  std::string file() const { return std::filesystem::directory_iterator(folder_)->path().filename().string(); }
};

TEST_F(KeptTable, ComesBackAsItWas) {
  keep_table(some_table(), "key");
  const std::optional<JoinedTable> kept = kept_table("key");
  const JoinedTable was = some_table();

  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->train_rows, 2u);
  EXPECT_EQ(kept->table.rows, 3u);
  EXPECT_FALSE(kept->table.sparse);
  EXPECT_EQ(kept->table.notes, was.table.notes);
  ASSERT_EQ(kept->table.columns.size(), 3u);
  for (std::size_t j = 0; j < 3; ++j) {
    const RawColumn &one = kept->table.columns[j], &other = was.table.columns[j];
    EXPECT_EQ(one.name, other.name);
    EXPECT_EQ(one.role, other.role);
    EXPECT_EQ(one.kind, other.kind);
    EXPECT_EQ(one.decimal, other.decimal);
    EXPECT_EQ(one.declared, other.declared);
    EXPECT_EQ(one.categories, other.categories);
    ASSERT_EQ(one.values.size(), other.values.size());
    for (std::size_t i = 0; i < one.values.size(); ++i) {
      EXPECT_TRUE(one.values[i] == other.values[i] || (std::isnan(one.values[i]) && std::isnan(other.values[i])));
      EXPECT_EQ(std::signbit(one.values[i]), std::signbit(other.values[i]));
    }
  }
}

TEST_F(KeptTable, IsThereUnderItsOwnKeyOnly) {
  keep_table(some_table(), key_of_table({"a", "b"}, "c"));

  EXPECT_TRUE(kept_table(key_of_table({"a", "b"}, "c")));
  EXPECT_FALSE(kept_table(key_of_table({"b", "a"}, "c")));
  EXPECT_FALSE(kept_table(key_of_table({"a"}, "c")));
  EXPECT_FALSE(kept_table(key_of_table({"a", "b"}, "d")));
}

// Any byte that is another, and any end that is missing, is found.
TEST_F(KeptTable, IsNotThereWhereItIsDamaged) {
  keep_table(some_table(), "key");
  const std::string name = file(), whole = read(name);

  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string other = whole;
    other[at] = static_cast<char>(other[at] ^ 0x41);
    write(name, other);
    EXPECT_FALSE(kept_table("key")) << "byte " << at;
    write(name, whole.substr(0, at));
    EXPECT_FALSE(kept_table("key")) << at << " bytes";
  }
  write(name, whole + "x");
  EXPECT_FALSE(kept_table("key"));
  write(name, whole);
  EXPECT_TRUE(kept_table("key"));
}

TEST_F(KeptTable, IsRemovedAfterAMonthWithoutUse) {
  keep_table(some_table(), "old");
  keep_table(some_table(), "young");
  const auto now = std::filesystem::file_time_type::clock::now();
  std::filesystem::last_write_time(folder_ / "old.table", now - std::chrono::hours(24 * 31));
  std::filesystem::last_write_time(folder_ / "young.table", now - std::chrono::hours(24 * 29));
  write("notes.txt", "of somebody");
  std::filesystem::last_write_time(folder_ / "notes.txt", now - std::chrono::hours(24 * 99));

  keep_table(some_table(), "new");

  EXPECT_FALSE(kept_table("old"));
  EXPECT_TRUE(kept_table("young"));
  EXPECT_TRUE(kept_table("new"));
  EXPECT_EQ(read("notes.txt"), "of somebody");
}

TEST_F(KeptTable, IsNotKeptWhereThatIsImpossibleOrNotWanted) {
  ::setenv("ELMX_CACHE", "", 1);
  keep_table(some_table(), "key");
  EXPECT_FALSE(kept_table("key"));

  write("a_file", "");
  ::setenv("ELMX_CACHE", (folder_ / "a_file").c_str(), 1);
  EXPECT_NO_THROW(keep_table(some_table(), "key"));
  EXPECT_FALSE(kept_table("key"));
}

}  // namespace
}  // namespace elmx
