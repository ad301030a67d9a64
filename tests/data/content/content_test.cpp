#include "data/content/content.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "base/error.hpp"
#include "base/files/sha256.hpp"
#include "data/test_archive.hpp"
#include "data/test_files.hpp"

namespace elmx {
namespace {

const std::string kText = "1,2\n3,4\n";

std::string long_text() {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i) + "\n";
  return text;
}

TEST(ContentOfFile, IsTheSamePlainAndCompressed) {
  const TestFolder folder;
  const std::string text = long_text();

  for (const std::string& bytes : {text, gzip(text), test_compress(text)}) {
    const Content content = open_content(folder.write("file", bytes));
    EXPECT_TRUE(content.bytes == text);
    EXPECT_EQ(content.sha256, sha256(text));
    EXPECT_EQ(content.origin, (folder.path() / "file").string());
  }
}

TEST(ContentOfFile, MayBeEmptyOrTiny) {
  const TestFolder folder;

  EXPECT_EQ(open_content(folder.write("empty", "")).bytes, "");
  EXPECT_EQ(open_content(folder.write("empty.gz", gzip(""))).bytes, "");
}

TEST(ContentOfFile, JoinsTheMembersOfAGzipFile) {
  EXPECT_EQ(gunzip(gzip("one\n") + gzip("two\n"), "file"), "one\ntwo\n");
}

TEST(ContentOfFile, RefusesTruncatedGzipAtAnyLength) {
  const TestFolder folder;
  const std::string bytes = gzip(kText);

  for (std::size_t length = 2; length < bytes.size(); ++length) {
    const auto path = folder.write("t.gz", bytes.substr(0, length));
    EXPECT_EQ(place_thrown<DataError>([&] { open_content(path); }), path.string());
  }
}

TEST(ContentOfFile, RefusesDamagedGzip) {
  std::string bytes = gzip(kText);
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);  // in the checksum

  EXPECT_EQ(place_thrown<DataError>([&] { gunzip(bytes, "d.gz"); }), "d.gz");
}

TEST(ContentOfFile, RefusesOtherKindsOfFilesPlainAndPacked) {
  const TestFolder folder;
  using namespace std::string_literals;
  const std::vector<std::pair<std::string, std::string>> kinds{
      {"{\"a\": 1}\n{\"a\": 2}\n", "JSON"},
      {"\xEF\xBB\xBF\n{\n  \"a\": [1, 2]\n}\n", "JSON"},
      {"[{\"a\": 1}]", "JSON"},
      {"[\n  [1, 2]\n]", "JSON"},
      {"[\"a\"]", "JSON"},
      {"PAR1\0\0\0\0"s, "Parquet"},
      {"FEA1\0\0\0\0"s, "Feather"},
      {"{\\rtf1\\ansi text}", "RTF"},
      {"\xFF\xD8\xFF\xE0\0\x10JFIF"s, "picture"},
      {"\x80\x05\x95\0"s, "pickle"},
      {"$FL2@(#) SPSS DATA FILE", "SPSS"},
      {"<stata_dta><header>", "Stata"},
      {" \r\n<!DOCTYPE html>\n<table><tr><td>1</td></tr></table>", "HTML"},
      {"<TABLE border=1><tr><td>1</td></tr></table>", "HTML"},
      {"<?xml version=\"1.0\"?>\n<a><b>1</b></a>\n", "XML"},
      {"RDX3\nX\n\0\0\0\3"s, "R data"},
      {"X\n\0\0\0\3"s, "R data"},
      {gunzip(test_archive(TestArchive::tar_gz, {{"made.csv", kText}}), ""), "tar"},
  };
  for (const auto& [bytes, what] : kinds) {
    for (const std::string& stored : {bytes, gzip(bytes), test_archive(TestArchive::zip, {{"file", bytes}})}) {
      const auto path = folder.write("file", stored);
      EXPECT_TRUE(names_all(thrown<DataError>([&] { open_content(path); }), {path.string() + ": ", what})) << what;
    }
  }
  const auto book = folder.write("book.xlsx", test_archive(TestArchive::zip, {{"xl/workbook.xml", "x"}}));
  EXPECT_TRUE(names_all(thrown<DataError>([&] { open_content(book); }), {book.string() + ": ", "workbook"}));
}

TEST(ContentOfFile, RefusesALargeTarByItsBeginning) {
  const TestFolder folder;
  std::string tar = gunzip(test_archive(TestArchive::tar_gz, {{"made.csv", kText}}), "");
  tar.resize(std::size_t{33} << 20);
  EXPECT_TRUE(names_all(thrown<DataError>([&] { open_content(folder.write("t.tar", tar)); }), {"t.tar: ", "tar"}));
}

TEST(ContentOfFile, MayBeginWithBracketsOrBeAnArchiveOfAFormat) {
  const TestFolder folder;
  const std::string reviews = gunzip(test_archive(TestArchive::tar_gz, {{"./aclImdb/README", "x"}}), "");
  const std::string cifar = gunzip(test_archive(TestArchive::tar_gz, {{"cifar-10-batches-bin/readme.html", "x"}}), "");
  for (const std::string& text :
       {std::string("<TICKER>,<DATE>,<CLOSE>\nA,1,2\n"), std::string("<5,1\n2,3\n"), std::string("[1],2\n"),
        std::string("{0 1}\n"), std::string("X\n1\n2\n"), std::string("\t<table>\n"), reviews, cifar})
    EXPECT_TRUE(open_content(folder.write("file", text)).bytes == text) << text.substr(0, 40);
}

TEST(ContentOfFile, RefusesAMissingFile) {
  EXPECT_EQ(place_thrown<DataError>([] { open_content("/nowhere/x.csv"); }), "/nowhere/x.csv");
}

TEST(Gzip, GivesEqualFilesForEqualContents) { EXPECT_EQ(gzip(kText), gzip(kText)); }

TEST(Gzip, MayBeFollowedByZerosAndNothingElse) {
  const std::string bytes = gzip("one\n");

  EXPECT_EQ(gunzip(bytes + std::string(512, '\0'), "x.gz"), "one\n");
  EXPECT_EQ(place_thrown<DataError>([&] { gunzip(bytes + "\x1e\x8b of a second member", "x.gz"); }), "x.gz");
}

TEST(Gzip, UnpacksToAtMostTheExpectedSize) {
  const std::string bytes = gzip(kText);

  EXPECT_EQ(gunzip(bytes, "x.gz", kText.size()), kText);
  EXPECT_EQ(place_thrown<DataError>([&] { gunzip(bytes, "x.gz", kText.size() - 1); }), "x.gz");
}

TEST(Unpacked, IsAtMost250TimesAsLargeAsPackedWhereThatIsLarge) {
  const std::size_t large = std::size_t{1} << 28;
  const std::unique_ptr<void, void (*)(void*)> zeros(std::calloc(large + 1, 1), std::free);  // which nobody reads
  const std::string_view bomb(static_cast<const char*>(zeros.get()), large + 1);

  const auto refused = [&](std::size_t packed, std::size_t most) {
    return thrown<DataError>([&] { Unpacked("x.gz", "the unpacked content", packed, most).append(bomb); });
  };
  EXPECT_TRUE(names_all(refused(1000, kAnySize), {"x.gz: ", "250", "1000"}));
  EXPECT_TRUE(names_all(refused(large / 250 + 1, large), {"x.gz: ", "268435456"}));
}

std::string test_tar(const TestMembers& members) { return gunzip(test_archive(TestArchive::tar_gz, members), ""); }

TEST(ArchiveMember, IsFoundByItsFullName) {
  EXPECT_EQ(archive_member(test_tar({{"a/one.txt", "1"}, {"a/two.txt", kText}}), "a/two.txt", "x"), kText);
}

TEST(ArchiveMember, ThatIsMissingIsRefusedWithTheNearestName) {
  const std::string tar = test_tar({{"a/one.txt", "1"}});

  EXPECT_TRUE(names_all(thrown<DataError>([&] { archive_member(tar, "a/ome.txt", "http://x/y.tar"); }),
                        {"http://x/y.tar: ", "\"a/ome.txt\"", "\"a/one.txt\""}));
}

TEST(ArchiveMember, OfNoTarIsRefused) {
  for (const std::string& bytes : {std::string("not an archive"), test_archive(TestArchive::zip, {{"a", kText}}),
                                   test_archive(TestArchive::tar_gz, {{"a", kText}}), std::string("LRZI\0\6", 6)}) {
    EXPECT_EQ(place_thrown<DataError>([&] { archive_member(bytes, "a", "y"); }), "y");
  }
}

TEST(ArchiveReader, ReadsMemberByMember) {
  const std::string text = long_text();
  const std::string bytes = test_tar({{"a/one", "1"}, {"two", text}, {"a/empty", ""}});

  ArchiveReader archive(bytes, "x.tar", ArchiveKind::tar);

  ASSERT_TRUE(archive.next());
  EXPECT_EQ(archive.name(), "a/one");
  ASSERT_TRUE(archive.next()) << "without a look at the content";
  EXPECT_EQ(archive.name(), "two");
  EXPECT_TRUE(archive.content() == text);
  ASSERT_TRUE(archive.next());
  EXPECT_EQ(archive.content(), "");
  EXPECT_FALSE(archive.next());
}

// Headers of a tar are blocks of 512 bytes: the size, 12 octal digits, at 124; the checksum at 148. This one
// is GNU's of a sparse file: the one piece it has, at 2^40, and the size that it stands for, at 386 and 483.
TEST(ArchiveReader, RefusesAMemberWithHoles) {
  std::string tar = gunzip(test_archive(TestArchive::tar_gz, {{"two", "x"}}), "");
  tar[156] = 'S';
  tar.replace(257, 8, std::string_view("ustar  \0", 8));
  tar.replace(345, 155, std::string(155, '\0'));
  tar.replace(386, 24,
              std::string_view("20000000000\0"
                               "00000000001\0",
                               24));
  tar.replace(483, 12, std::string_view("20000000001\0", 12));
  tar.replace(148, 8, std::string(8, ' '));
  unsigned sum = 0;
  for (std::size_t i = 0; i < 512; ++i) sum += static_cast<unsigned char>(tar[i]);
  std::array<char, 8> digits{};
  std::snprintf(digits.data(), digits.size(), "%06o", sum);
  tar.replace(148, 7, digits.data(), 7);

  ArchiveReader archive(tar, "x.tar", ArchiveKind::tar);

  ASSERT_TRUE(archive.next());
  EXPECT_TRUE(names_all(thrown<DataError>([&] { (void)archive.content(); }), {"x.tar: ", "\"two\""}));
}

TEST(ArchiveReader, RefusesAMemberThatEndsTooEarly) {
  const std::string tar = gunzip(test_archive(TestArchive::tar_gz, {{"two", long_text()}}), "");
  const std::string cut = tar.substr(0, tar.size() / 2);

  ArchiveReader archive(cut, "x.tar", ArchiveKind::tar);

  EXPECT_TRUE(archive.next());
  EXPECT_EQ(place_thrown<DataError>([&] { (void)archive.content(); }), "x.tar");
}

}  // namespace
}  // namespace elmx
