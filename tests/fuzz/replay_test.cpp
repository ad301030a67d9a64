// Runs every member of corpus/TARGET.tar.gz through its harness, which accepts a refusal or a good data set,
// nothing else.

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/files.hpp"
#include "data/content/unpack.hpp"
#include "fuzz/target.hpp"
#include "support/paths.hpp"

namespace elmx::fuzz {
namespace {

class Replay : public testing::TestWithParam<Target> {};

TEST_P(Replay, Corpus) {
  const std::filesystem::path corpus = source_dir() / "tests/fuzz/corpus" / (std::string(GetParam().name) + ".tar.gz");
  const std::string tar = gunzip(read_file(corpus), corpus.string());
  std::size_t files = 0;
  for (ArchiveReader archive(tar, corpus.string(), ArchiveKind::tar); archive.next(); ++files)
    EXPECT_NO_THROW(GetParam().run(archive.content())) << archive.name() << " in " << corpus;
  EXPECT_GT(files, 0U) << corpus;
}

INSTANTIATE_TEST_SUITE_P(Targets, Replay, testing::ValuesIn(targets()),
                         [](const auto& test) { return std::string(test.param.name); });

// The judge of the harnesses, tried on what it must find.

TEST(FuzzJudge, TakesARefusalOfOneLine) {
  EXPECT_NO_THROW(refused_or([] { throw DataError("file:3", "expected a number, found \"a\nb\xff\""); }));
}

TEST(FuzzJudge, FindsWhatIsNoRefusal) {
  EXPECT_THROW(refused_or([] { throw std::out_of_range("file: at"); }), std::out_of_range);
  EXPECT_THROW(refused_or([] { static_cast<void>(Json(1).at("x")); }), Json::exception);
}

TEST(FuzzJudge, FindsPoorRefusals) {
  EXPECT_THROW(check_refusal("no place"), std::logic_error);
  EXPECT_THROW(check_refusal("file: two\nlines"), std::logic_error);
  EXPECT_THROW(check_refusal("file: \xff"), std::logic_error);
  EXPECT_THROW(check_refusal("file: " + std::string(5000, 'x')), std::logic_error);
}

}  // namespace
}  // namespace elmx::fuzz
