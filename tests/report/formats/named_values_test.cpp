#include "report/formats/named_values.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "base/config/json.hpp"
#include "support/scratch.hpp"

namespace elmx {
namespace {

using Texts = std::vector<std::string>;

std::vector<NamedValues> awkward() {
  return {{"row", arma::uvec{1, 2, 1u << 30}},
          {"caf\xc3\xa9 'x\\", Texts{"", "a,\"b", "\xe6\x97\xa5\xe6\x9c\xac"}},
          {"output", arma::vec{0.1, std::nan(""), -1e300}}};
}

TEST(NamedValues, AsCsvLeaveOutWhatIsNotKnown) {
  EXPECT_EQ(values_as_csv(awkward()),
            "row,caf\xc3\xa9 'x\\,output\n1,,0.1\n2,\"a,\"\"b\",\n1073741824,\xe6\x97\xa5\xe6\x9c\xac,-1e+300\n");
}

TEST(NamedValues, AsJsonAreObjectsWithNullForWhatIsNotKnown) {
  const Json rows = Json::parse(values_as_json(awkward()));

  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["row"], 1);
  EXPECT_EQ(rows[0]["output"], 0.1);
  EXPECT_TRUE(rows[0]["caf\xc3\xa9 'x\\"].is_null());
  EXPECT_EQ(rows[1]["caf\xc3\xa9 'x\\"], "a,\"b");
  EXPECT_TRUE(rows[1]["output"].is_null());
  EXPECT_EQ(rows[2]["output"], -1e300);
}

TEST(NamedValues, AsNpyLieAsTheHeadingSays) {
  const std::string file = values_as_npy({{"row", arma::uvec{7, 8}}, {"class", Texts{"b", "ab"}}});

  const std::size_t length = static_cast<unsigned char>(file[8]) + 256u * static_cast<unsigned char>(file[9]);
  EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ((10 + length) % 64, 0u);
  const std::string heading = file.substr(10, length);
  EXPECT_EQ(heading.find("{'descr': [('row', '<i8'), ('class', '<U2')], 'fortran_order': False, 'shape': (2,), }"), 0u);
  EXPECT_EQ(heading.back(), '\n');
  ASSERT_EQ(file.size(), 10 + length + 2 * (8 + 2 * 4));
  const char* second = file.data() + 10 + length + 16;
  std::int64_t row = 0;
  char32_t text[2];
  std::memcpy(&row, second, sizeof row);
  std::memcpy(text, second + 8, sizeof text);
  EXPECT_EQ(row, 8);
  EXPECT_EQ(text[0], U'a');
  EXPECT_EQ(text[1], U'b');
}

class NpyFile : public ScratchTest {};

TEST_F(NpyFile, IsReadByNumPy) {
  if (std::system("/usr/bin/python3 -c 'import numpy' 2> /dev/null") != 0) GTEST_SKIP() << "python3-numpy is not there";
  std::filesystem::create_directories(folder_);
  const auto judged = [&](const std::vector<NamedValues>& columns, const std::string& statement) {
    std::ofstream(folder_ / "a.npy", std::ios::binary) << values_as_npy(columns);
    std::ofstream(folder_ / "judge.py") << "import numpy as np\na = np.load('" << (folder_ / "a.npy").string()
                                        << "', max_header_size=10**6)\nassert " << statement << ", a\n";
    return std::system(("/usr/bin/python3 " + (folder_ / "judge.py").string() + " 2> /dev/null").c_str()) == 0;
  };
  EXPECT_TRUE(judged(awkward(),
                     "a.shape == (3,) and list(a['row']) == [1, 2, 2**30] and list(a['caf\xc3\xa9 \\'x\\\\']) == "
                     "['', 'a,\"b', '\xe6\x97\xa5\xe6\x9c\xac'] and a['output'][0] == 0.1 and "
                     "np.isnan(a['output'][1]) and a['output'][2] == -1e300"));
  EXPECT_TRUE(
      judged({{"row", arma::uvec{}}, {"class", Texts{}}}, "a.shape == (0,) and a.dtype.names == ('row', 'class')"));
  std::vector<NamedValues> wide;
  for (int j = 0; j < 4000; ++j) wide.push_back({"output_of_class_" + std::to_string(j), arma::vec{double(j)}});
  EXPECT_TRUE(judged(wide, "len(a.dtype) == 4000 and a['output_of_class_3999'][0] == 3999"));
  EXPECT_FALSE(judged({{"row", arma::uvec{1}}}, "a['row'][0] == 2")) << "the judge";
}

}  // namespace
}  // namespace elmx
