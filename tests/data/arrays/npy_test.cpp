#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "base/files/sha256.hpp"
#include "data/arrays/array_file.hpp"
#include "data/formats.hpp"
#include "data/load.hpp"
#include "data/test_archive.hpp"
#include "data/test_files.hpp"
#include "data/test_npy.hpp"

namespace elmx {
namespace {

const std::vector<double> kNumbers{1, 2, 3, 4, 5, 6};

arma::mat matrix_in(const std::string& bytes) {
  return read_npy(std::make_shared<const Content>(Content{"f.npy", bytes, ""}));
}

std::string refusal_of_npy(const std::string& bytes) {
  return thrown<DataError>([&] { matrix_in(bytes); });
}

std::string place_of_npy(const std::string& bytes) {
  return place_thrown<DataError>([&] { matrix_in(bytes); });
}

bool equal(const arma::mat& A, const arma::mat& B) { return arma::approx_equal(A, B, "absdiff", 0); }

TEST(Npy, EveryTypeAndOrderIsTheSameMatrix) {
  const arma::mat expected{{1, 2, 3}, {4, 5, 6}};
  const auto file = [](const std::string& type, const std::string& numbers, bool fortran = false) {
    return npy_file(npy_dictionary(type, "(2, 3)", fortran), numbers);
  };
  EXPECT_TRUE(equal(matrix_in(file("<f8", npy_numbers<double>(kNumbers))), expected));
  EXPECT_TRUE(equal(matrix_in(file(">f8", npy_numbers<double>(kNumbers, true))), expected));
  EXPECT_TRUE(equal(matrix_in(file("<f4", npy_numbers<float>(kNumbers))), expected));
  EXPECT_TRUE(equal(matrix_in(file(">f4", npy_numbers<float>(kNumbers, true))), expected));
  EXPECT_TRUE(equal(matrix_in(file("<i8", npy_numbers<std::int64_t>(kNumbers))), expected));
  EXPECT_TRUE(equal(matrix_in(file(">i4", npy_numbers<std::int32_t>(kNumbers, true))), expected));
  EXPECT_TRUE(equal(matrix_in(file("<u2", npy_numbers<std::uint16_t>(kNumbers))), expected));
  EXPECT_TRUE(equal(matrix_in(file("|u1", npy_numbers<std::uint8_t>(kNumbers))), expected));
  EXPECT_TRUE(equal(matrix_in(file("<f8", npy_numbers<double>({1, 4, 2, 5, 3, 6}), true)), expected)) << "Fortran";
  EXPECT_TRUE(
      equal(matrix_in(npy_file(npy_dictionary("<f8", "(6,)"), npy_numbers<double>(kNumbers))), arma::vec(kNumbers)));
  EXPECT_EQ(matrix_in(npy_file(npy_dictionary("|i1", "(1, 1)"), npy_numbers<std::int8_t>({-3})))(0, 0), -3);
}

TEST(NpyRefuses, OtherContentsThanArraysOfNumbers) {
  const std::string numbers = npy_numbers<double>(kNumbers);
  EXPECT_TRUE(names_all(refusal_of_npy(npy_file(npy_dictionary("|O", "(2, 3)"), numbers)), {"f.npy: ", "\"|O\""}));
  EXPECT_TRUE(names_all(refusal_of_npy(npy_file("{}", numbers)), {"f.npy: ", "\"descr\""}));
  for (const std::string& bytes :
       {std::string("1,2,3\n"), npy_file("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (6,), }", numbers),
        npy_file(npy_dictionary("<f8", "(1, 2, 3)"), numbers), npy_file(npy_dictionary("<f8", "()"), numbers),
        npy_file(npy_dictionary("<f8", "(0, 3)"), "")})
    EXPECT_EQ(place_of_npy(bytes), "f.npy") << bytes;
}

TEST(NpyRefuses, SizesThatTheFileDoesNotHave) {
  const std::string numbers = npy_numbers<double>(kNumbers);
  for (const char* shape : {"(2, 4)", "(3, 3)", "(2, 2)", "(4294967296, 4294967296)", "(18446744073709551615, 1)"})
    EXPECT_EQ(place_of_npy(npy_file(npy_dictionary("<f8", shape), numbers)), "f.npy") << shape;
  for (const std::string size : {"99999999999999999999", "-1"})
    EXPECT_TRUE(names_all(refusal_of_npy(npy_file(npy_dictionary("<f8", "(" + size + ", 2)"), numbers)),
                          {"f.npy: ", "\"" + size + "\""}));
  const std::string whole = npy_file(npy_dictionary("<f8", "(2, 3)"), numbers);
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(place_of_npy(whole.substr(0, size)), "f.npy") << size << " bytes";
}

class NpySets : public testing::Test {
 protected:
  Dataset load(const DataOptions& options) const { return load_dataset(options, {}, "", 1); }
  DataOptions of(const std::string& name, const std::string& shape, const std::vector<double>& numbers) const {
    DataOptions options;
    options.format = "npy";
    options.path = folder_.write(name, npy_file(npy_dictionary("<f8", shape), npy_numbers<double>(numbers)));
    return options;
  }
  TestFolder folder_;
};

TEST_F(NpySets, TheTargetIsAColumnByItsNumber) {
  DataOptions options = of("x.npy", "(2, 3)", kNumbers);
  options.target = {"-1"};
  options.drop = {"1"};
  const Dataset data = load(options);
  EXPECT_TRUE(equal(data.X, arma::vec{2, 5}));
  EXPECT_TRUE(equal(data.Y, arma::vec{3, 6}));
}

TEST_F(NpySets, TheTargetIsAnArrayOfItsOwn) {
  const std::string labels = of("y.npy", "(3,)", {7, -1, 7}).path;
  DataOptions options = of("x.npy", "(3, 2)", kNumbers);
  options.images.labels_path = labels;
  options.task = "classification";
  const Dataset data = load(options);
  EXPECT_TRUE(equal(data.X, {{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(data.classes, (std::vector<std::string>{"-1", "7"}));
  EXPECT_TRUE(arma::all(data.labels == arma::uvec{1, 0, 1}));
  EXPECT_EQ(data.sha256.size(), 2U);

  options.task = "regression";
  options.images.labels_path = of("short.npy", "(2,)", {1, 2}).path;
  EXPECT_EQ(place_thrown<DataError>([&] { load(options); }), options.images.labels_path);
}

TEST_F(NpySets, LabelsThatHaveChangedAreReadAnew) {
  const std::size_t rows = std::size_t(1) << 20;
  std::vector<double> y(rows);
  for (std::size_t i = 0; i < rows; ++i) y[i] = static_cast<double>(i % 2);
  DataOptions options = of("x.npy", "(1048576, 2)", std::vector<double>(2 * rows, 1.5));
  options.images.labels_path = of("y.npy", "(1048576,)", y).path;
  options.task = "classification";
  const Dataset first = load(options);
  EXPECT_EQ(first.classes.size(), 2U);
  EXPECT_EQ(load(options).sha256, first.sha256);

  for (std::size_t i = 0; i < rows; ++i) y[i] = static_cast<double>(i % 3);
  of("y.npy", "(1048576,)", y);
  const Dataset changed = load(options);
  EXPECT_EQ(changed.classes.size(), 3U);
  EXPECT_NE(changed.sha256, first.sha256);
}

TEST_F(NpySets, LabelsThatLoseDigitsAreRefused) {
  const auto with = [&](double label) {
    DataOptions options = of("x.npy", "(3, 2)", {1, 1, 2, label, 3, 1});
    options.target = {"-1"};
    return options;
  };
  DataOptions options = with(9007199254740992);
  EXPECT_EQ(load(options).Y(1), 9007199254740992);
  options.task = "classification";
  EXPECT_TRUE(names_all(thrown<DataError>([&] { load(options); }), {options.path + ": row 2, column 2: "}));
  options = with(9007199254740991);
  options.task = "classification";
  EXPECT_EQ(load(options).classes, (std::vector<std::string>{"1", "9007199254740991"}));
}

TEST_F(NpySets, TheReportHasShapeAndKind) {
  DataOptions options = of("x.npy", "(3, 2)", kNumbers);
  options.target = {"-1"};
  for (const bool from_disk : {false, true}) {
    options.from_disk = from_disk;
    const Dataset data = load_dataset(options, {}, "", 1, {}, from_disk);
    ASSERT_EQ(data.report.variables.size(), 1U);
    EXPECT_EQ(data.report.variables.front().description(), "x.npy (3 x 2, double)");
  }
}

class NpzSets : public testing::Test {
 protected:
  using Members = std::vector<std::pair<std::string, std::string>>;

  NpzSets() {
    options_.format = "npz";
    options_.task = "classification";
  }
  static std::string floats(const std::string& shape, const std::vector<double>& numbers) {
    return npy_file(npy_dictionary("<f4", shape), npy_numbers<float>(numbers));
  }
  static std::string integers(const std::string& shape, const std::vector<double>& numbers) {
    return npy_file(npy_dictionary("<i8", shape), npy_numbers<std::int64_t>(numbers));
  }
  void write(const std::string& bytes) { options_.path = folder_.write("f.npz", bytes); }
  Dataset load() const { return load_dataset(options_, {}, "", 1); }

  const Members both_{{"X.npy", floats("(3, 2)", kNumbers)}, {"y.npy", integers("(3,)", {7, 2, 7})}};
  TestFolder folder_;
  DataOptions options_;
};

TEST_F(NpzSets, MembersAreVariablesStoredOrDeflated) {
  for (const std::string& bytes : {stored_zip(both_), test_archive(TestArchive::zip, both_)}) {
    write(bytes);
    const Dataset data = load();
    EXPECT_TRUE(equal(data.X, {{1, 2}, {3, 4}, {5, 6}}));
    EXPECT_EQ(data.classes, (std::vector<std::string>{"2", "7"}));
    EXPECT_TRUE(arma::all(data.labels == arma::uvec{1, 0, 1}));
    EXPECT_EQ(data.inputs, (std::vector<std::string>{"X1", "X2"}));
    EXPECT_EQ(data.sha256, std::vector<std::string>{sha256(bytes)});
    ASSERT_EQ(data.report.variables.size(), 2U);
    EXPECT_EQ(data.report.variables[0].description(), "X (3 x 2, float)");
    EXPECT_EQ(data.report.variables[1].description(), "y (3, int64)");
  }
}

TEST_F(NpzSets, AreKnownByTheirContent) {
  const std::string zip = stored_zip(both_);
  EXPECT_EQ(format_of_content(zip, "anything"), "npz");
  EXPECT_EQ(open_content(folder_.write("d.bin", zip)).bytes, zip);
  const std::string array = both_.front().second;
  EXPECT_EQ(open_content(folder_.write("d.zip", stored_zip({both_.front()}))).bytes, array) << "a zip of one file";
  const auto mixed = folder_.write("d.zip", stored_zip({both_.front(), {"a.txt", "a"}}));
  EXPECT_EQ(place_thrown<DataError>([&] { open_content(mixed); }), mixed.string());
}

TEST_F(NpzSets, ListOtherMembersAndRefuseThemAsInputs) {
  Members members = both_;
  members.emplace_back("names.npy", npy_file(npy_dictionary("<U1", "(2,)"), std::string(8, 'a')));
  members.emplace_back("z.npy", npy_file(npy_dictionary("<c16", "(1,)"), std::string(16, 'a')));
  members.emplace_back("s.npy", floats("()", {1}));
  write(stored_zip(members));
  EXPECT_EQ(load().report.variables.at(2).description(), "names (2, text)");
  EXPECT_EQ(load().report.variables.at(4).description(), "s (scalar, float)");
  for (const char* name : {"names", "z", "none"}) {
    options_.mat.inputs_variable = name;
    EXPECT_EQ(place_thrown<DataError>([&] { load(); }), options_.path);
    EXPECT_TRUE(names_all(thrown<DataError>([&] { load(); }), {name}));
  }
}

TEST_F(NpzSets, AFileOfOneArrayIsNewInputs) {
  write(stored_zip({both_.front()}));
  EXPECT_EQ(place_thrown<DataError>([&] { load(); }), options_.path) << "no targets";
  options_.mat.targets_optional = true;
  options_.mat.inputs_variable = "X";
  EXPECT_TRUE(equal(load_source(source_of(options_), {}).X, {{1, 2}, {3, 4}, {5, 6}}));
}

TEST_F(NpzSets, AFileThatIsCutOrDamagedIsRefused) {
  const std::string whole = test_archive(TestArchive::zip, both_);
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    write(whole.substr(0, size));
    try {
      EXPECT_EQ(load().X.n_rows, 3U) << "only the directory at the end is cut";
    } catch (const DataError&) {
    }
  }
  std::string bytes = stored_zip(both_);
  bytes[bytes.find("(3, 2)") + 1] = '4';
  write(bytes);
  EXPECT_TRUE(place_thrown<DataError>([&] { load(); }).starts_with(options_.path));
}

TEST_F(NpySets, NaNIsAMissingValueAndInfinityIsRefused) {
  DataOptions options = of("x.npy", "(3, 2)", {1, 2, std::nan(""), 4, 5, 6});
  options.target = {"2"};
  EXPECT_TRUE(names_all(thrown<DataError>([&] { load(options); }), {options.path + ": row 2, column 1: ", "nan"}));
  options.missing = "mean";
  EXPECT_TRUE(std::isnan(load(options).X(1, 0)));
  DataOptions infinite = of("i.npy", "(2, 2)", {1, 2, INFINITY, 4});
  infinite.target = {"2"};
  EXPECT_TRUE(names_all(thrown<DataError>([&] { load(infinite); }), {infinite.path + ": row 2, column 1: ", "inf"}));
}

}  // namespace
}  // namespace elmx
