#include "data/content.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "base/error.hpp"
#include "base/fsio.hpp"
#include "data/archive.hpp"
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
    const Content content = read_content(folder.write("file", bytes));
    EXPECT_TRUE(content.bytes == text);
    EXPECT_EQ(content.sha256, sha256(text));
    EXPECT_EQ(content.origin, (folder.path() / "file").string());
  }
}

TEST(ContentOfFile, MayBeEmptyOrTiny) {
  const TestFolder folder;

  EXPECT_EQ(read_content(folder.write("empty", "")).bytes, "");
  EXPECT_EQ(read_content(folder.write("empty.gz", gzip(""))).bytes, "");
}

TEST(ContentOfFile, JoinsTheMembersOfAGzipFile) {
  EXPECT_EQ(gunzip(gzip("one\n") + gzip("two\n"), "file"), "one\ntwo\n");
}

TEST(ContentOfFile, RefusesTruncatedGzipAtAnyLength) {
  const TestFolder folder;
  const std::string bytes = gzip(kText);

  for (std::size_t length = 2; length < bytes.size(); ++length) {
    const auto path = folder.write("t.gz", bytes.substr(0, length));
    EXPECT_EQ(message_of<DataError>([&] { read_content(path); }),
              path.string() + ": gzip data end too early; a complete gzip file is allowed");
  }
}

TEST(ContentOfFile, RefusesDamagedGzip) {
  std::string bytes = gzip(kText);
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);  // in the checksum

  EXPECT_EQ(message_of<DataError>([&] { gunzip(bytes, "d.gz"); }),
            "d.gz: gzip data are damaged; a complete gzip file is allowed");
}

TEST(ContentOfFile, RefusesAMissingFile) {
  EXPECT_EQ(message_of<DataError>([] { read_content("/nowhere/x.csv"); }),
            "/nowhere/x.csv: cannot be read: No such file or directory");
}

TEST(Gzip, GivesEqualFilesForEqualContents) {
  EXPECT_EQ(gzip(kText), gzip(kText));
}

TEST(ArchiveMember, IsFoundByItsFullName) {
  for (const TestArchive kind : {TestArchive::zip, TestArchive::tar_gz}) {
    const std::string archive = test_archive(kind, {{"a/one.txt", "1"}, {"a/two.txt", kText}});
    EXPECT_EQ(archive_member(archive, "a/two.txt", "x"), kText);
  }
}

TEST(ArchiveMember, ThatIsNotThereIsRefusedWithTheNearestName) {
  const std::string archive = test_archive(TestArchive::zip, {{"a/one.txt", "1"}});

  EXPECT_EQ(message_of<DataError>([&] { archive_member(archive, "a/ome.txt", "http://x/y.zip"); }),
            "http://x/y.zip: no member \"a/ome.txt\"; did you mean \"a/one.txt\"?");
}

TEST(ArchiveMember, OfNoArchiveIsRefused) {
  EXPECT_EQ(message_of<DataError>([&] { archive_member("not an archive", "a", "y.zip"); }).substr(0, 28),
            "y.zip: cannot be unpacked: U");
}

TEST(ArchiveReader, ReadsMemberByMember) {
  const std::string text = long_text();
  const std::string bytes = test_archive(TestArchive::tar_gz, {{"a/one", "1"}, {"two", text}, {"a/empty", ""}});

  ArchiveReader archive(bytes, "x.tar.gz");

  ASSERT_TRUE(archive.next());
  EXPECT_EQ(archive.name(), "a/one");
  ASSERT_TRUE(archive.next()) << "without a look at the content";
  EXPECT_EQ(archive.name(), "two");
  EXPECT_TRUE(archive.content() == text);
  ASSERT_TRUE(archive.next());
  EXPECT_EQ(archive.content(), "");
  EXPECT_FALSE(archive.next());
}

// Headers of a tar are blocks of 512 bytes: the size, 12 octal digits, at 124; the checksum at 148. This one is GNU's of a
// sparse file: the one piece it has, at 2^40, and the size that it stands for, at 386 and 483.
TEST(ArchiveReader, RefusesAMemberWithHoles) {
  std::string tar = gunzip(test_archive(TestArchive::tar_gz, {{"two", "x"}}), "");
  tar[156] = 'S';
  tar.replace(257, 8, std::string_view("ustar  \0", 8));
  tar.replace(345, 155, std::string(155, '\0'));
  tar.replace(386, 24, std::string_view("20000000000\0" "00000000001\0", 24));
  tar.replace(483, 12, std::string_view("20000000001\0", 12));
  tar.replace(148, 8, std::string(8, ' '));
  unsigned sum = 0;
  for (std::size_t i = 0; i < 512; ++i) sum += static_cast<unsigned char>(tar[i]);
  std::array<char, 8> digits{};
  std::snprintf(digits.data(), digits.size(), "%06o", sum);
  tar.replace(148, 7, digits.data(), 7);

  ArchiveReader archive(tar, "x.tar", ArchiveKind::tar_gz);

  ASSERT_TRUE(archive.next());
  EXPECT_EQ(message_of<DataError>([&] { (void)archive.content(); }),
            "x.tar: member \"two\" has holes; a file without is expected");
}

TEST(ArchiveReader, RefusesAMemberThatEndsTooEarly) {
  const std::string tar = gunzip(test_archive(TestArchive::tar_gz, {{"two", long_text()}}), "");
  const std::string cut = tar.substr(0, tar.size() / 2);

  ArchiveReader archive(cut, "x.tar", ArchiveKind::tar_gz);

  EXPECT_TRUE(archive.next());
  EXPECT_TRUE(
      message_of<DataError>([&] { (void)archive.content(); }).starts_with("x.tar: cannot be unpacked: Truncated"));
}

}  // namespace
}  // namespace elmx
