#include "data/catalogue.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "data/test_files.hpp"
#include "support/paths.hpp"

namespace elmx {
namespace {

const std::string kSum(64, 'a');

std::string file(const std::string& path, const std::string& more = "") {
  return R"({"path": ")" + path + R"(", "sha256": ")" + kSum + "\"" + more + "}";
}

std::string set(const std::string& name, const std::string& files) {
  return R"({"name": ")" + name + R"(", "target": ["1"], "files": [)" + files + "]}";
}

class CatalogueFileTest : public testing::Test {
 protected:
  Catalogue read(const std::string& sets) {
    return read_catalogue(folder_.write("c.json", "{\"sets\": [" + sets + "]}"));
  }

  /// The message behind the path of the file.
  std::string refusal(const std::string& sets) {
    return message_of<ConfigError>([&] { read(sets); }).substr((folder_.path() / "c.json").string().size());
  }

  TestFolder folder_;
};

TEST_F(CatalogueFileTest, IsReadWithTheGeneratedSetsBehindIt) {
  const Catalogue catalogue = read(set("one", file("a/one.csv")));

  EXPECT_EQ(catalogue.sets.front().name, "one");
  EXPECT_EQ(catalogue.sets.front().files.front().part, "train");
  EXPECT_FALSE(catalogue.find("one").generated);
  EXPECT_TRUE(catalogue.find("sinc").generated);
  EXPECT_EQ(catalogue.find("two_spirals").task, "classification");
}

TEST_F(CatalogueFileTest, HasSeveralTrainingFilesForBatchesOnly) {
  const std::string files = file("a") + "," + file("b");
  const Catalogue catalogue = read(R"({"name": "x", "format": "cifar", "files": [)" + files + "]}");

  EXPECT_EQ(catalogue.find("x").files.size(), 2U);
  EXPECT_EQ(refusal(R"({"name": "x", "format": "mat", "files": [)" + files + "]}"),
            ": set \"x\": two files of part \"train\"; one is allowed");
}

TEST_F(CatalogueFileTest, FindsTheNearestNameOfOneThatIsNotThere) {
  const Catalogue catalogue = read(set("magic", file("m")));
  EXPECT_EQ(message_of<ConfigError>([&] { (void)catalogue.find("magik"); }),
            "/data/set: no set \"magik\"; did you mean \"magic\"?");
}

TEST_F(CatalogueFileTest, RefusesWhatItDoesNotKnow) {
  EXPECT_NE(refusal(R"({"name": "x", "fiels": []})").find("did you mean \"files\"?"), std::string::npos);
  EXPECT_NE(refusal(set("x", file("a", R"(, "part": "valid")"))).find("train_labels"), std::string::npos);
}

TEST_F(CatalogueFileTest, RefusesNamesGivenTwice) {
  const std::string expected = ": the name is empty or given twice; a name of its own is expected";
  EXPECT_EQ(refusal(set("x", file("a")) + "," + set("x", file("b"))), ": set \"x\"" + expected);
  EXPECT_EQ(refusal(set("sinc", file("a"))), ": set \"sinc\"" + expected);
  EXPECT_EQ(refusal(set("", file("a"))), ": set \"\"" + expected);
}

TEST_F(CatalogueFileTest, RefusesFilesThatCannotBe) {
  EXPECT_EQ(refusal(set("x", "")), ": set \"x\": no files; at least one is expected");
  EXPECT_EQ(refusal(set("x", file("../a"))), ": set \"x\": path \"../a\"; a path below the data directory is expected");
  EXPECT_EQ(refusal(set("x", file("/a"))), ": set \"x\": path \"/a\"; a path below the data directory is expected");
  EXPECT_EQ(refusal(set("x", file("a") + "," + file("b"))), ": set \"x\": two files of part \"train\"; one is allowed");
  EXPECT_EQ(refusal(set("x", file("a", R"(, "part": "test")"))),
            ": set \"x\": no file of part \"train\"; one is expected");
  EXPECT_EQ(refusal(set("x", R"({"path": "a", "sha256": "ABC"})")),
            ": set \"x\": a: sha256 \"ABC\"; 64 hexadecimal digits are expected");
  EXPECT_EQ(
      refusal(set("x", file("a", R"(, "packed_sha256": ")" + kSum + "\""))),
      ": set \"x\": a: packed_sha256 \"" + kSum + "\"; 64 hexadecimal digits of a file that is packed are expected");
  EXPECT_EQ(
      refusal(set("x", file("a", R"(, "member": "b")"))),
      ": set \"x\": a: member \"b\", packed \"no\"; the name of a member is expected with tar.gz, and only there");
}

TEST(PublishedCatalogue, IsReadStrictly) {
  const Catalogue catalogue = read_catalogue(source_dir() / "data/catalogue.json");
  for (const CatalogueEntry& entry : catalogue.sets) {
    if (entry.generated) continue;
    EXPECT_FALSE(entry.title.empty()) << entry.name;
    EXPECT_GT(entry.rows, 0U) << entry.name;
    EXPECT_GT(entry.features, 0U) << entry.name;
    for (const CatalogueFile& part : entry.files) {
      EXPECT_TRUE(part.url.starts_with("https://") || !entry.notes.empty()) << entry.name;
      EXPECT_TRUE(part.mirror.empty() || part.mirror.starts_with("https://")) << entry.name;
      EXPECT_GT(part.size, 0U) << part.path;
    }
  }
}

}  // namespace
}  // namespace elmx
