#include "data/catalogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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

  /// Returns the message after the path of the file.
  std::string refusal(const std::string& sets) {
    const std::string message = thrown<ConfigError>([&] { read(sets); }), path = (folder_.path() / "c.json").string();
    EXPECT_TRUE(message.starts_with(path)) << message;
    return message.substr(std::min(message.size(), path.size()));
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
  EXPECT_TRUE(
      names_all(refusal(R"({"name": "x", "format": "mat", "files": [)" + files + "]}"), {"\"x\"", "\"train\""}));
}

TEST_F(CatalogueFileTest, FindsTheNearestNameOfAnUnknownOne) {
  const Catalogue catalogue = read(set("magic", file("m")));
  EXPECT_TRUE(names_all(thrown<ConfigError>([&] { (void)catalogue.find("magik"); }),
                        {"/data/set: ", "\"magik\"", "\"magic\""}));
}

TEST_F(CatalogueFileTest, RefusesUnknownKeysAndValues) {
  EXPECT_TRUE(names_all(refusal(R"({"name": "x", "fiels": []})"), {"/sets/0/fiels: ", "\"files\""}));
  EXPECT_TRUE(
      names_all(refusal(set("x", file("a", R"(, "part": "valid")"))), {"/sets/0/files/0/part: ", "train_labels"}));
}

TEST_F(CatalogueFileTest, RefusesEmptyAndDuplicateNames) {
  EXPECT_TRUE(names_all(refusal(set("x", file("a")) + "," + set("x", file("b"))), {"\"x\""}));
  EXPECT_TRUE(names_all(refusal(set("sinc", file("a"))), {"\"sinc\""}));
  EXPECT_TRUE(names_all(refusal(set("", file("a"))), {"\"\""}));
}

TEST_F(CatalogueFileTest, RefusesInvalidFiles) {
  EXPECT_TRUE(names_all(refusal(set("x", "")), {"\"x\""}));
  EXPECT_TRUE(names_all(refusal(set("x", file("a") + "," + file("b"))), {"\"x\"", "\"train\""}));
  EXPECT_TRUE(names_all(refusal(set("x", file("a", R"(, "part": "test")"))), {"\"x\"", "\"train\""}));
}

bool is_sha256(const std::string& text) {
  return text.size() == kSum.size() && text.find_first_not_of("0123456789abcdef") == std::string::npos;
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
      EXPECT_TRUE(part.mirror.empty() || part.mirror.starts_with("https://") || !entry.notes.empty()) << entry.name;
      EXPECT_GT(part.size + part.packed_size, 0U) << part.path;
      const std::filesystem::path path = part.path;
      EXPECT_TRUE(!path.empty() && path.is_relative() && std::ranges::find(path, "..") == path.end()) << part.path;
      const bool packed = part.packed != "no";
      const bool stored_packed = part.packed == "gzip" && part.path.ends_with(".gz");
      EXPECT_TRUE(is_sha256(part.sha256) || (part.sha256.empty() && stored_packed)) << part.path;
      EXPECT_TRUE(is_sha256(part.packed_sha256) || (part.packed_sha256.empty() && !part.sha256.empty())) << part.path;
      EXPECT_TRUE(packed || (part.packed_sha256.empty() && part.packed_size == 0)) << part.path;
      EXPECT_EQ(part.member.empty(), part.packed != "tar.gz") << part.path;
    }
  }
}

}  // namespace
}  // namespace elmx
