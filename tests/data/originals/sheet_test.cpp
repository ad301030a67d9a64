#include <gtest/gtest.h>

#include "base/error.hpp"
#include "data/originals/originals.hpp"
#include "data/test_files.hpp"
#include "data/test_workbook.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostText = 1000;

std::string csv_of(const std::string& rows) {
  return csv_of_sheet("<sheetData>" + rows + "</sheetData><pageMargins left=\"0.7\"/>", "", "b.xlsx", kMostText);
}

std::string place_of_sheet(const std::string& rows) {
  return place_thrown<DataError>([&] { csv_of(rows); });
}

TEST(Sheet, BecomesALineForEachRowWithValues) {
  EXPECT_EQ(sheet_as_csv(test_workbook(), "b.xlsx", kMostText), "X1,Y1\n294,8.45\n-0.62,15.55\n");
}

TEST(Sheet, KeepsThePlacesOfCellsWithoutAValue) {
  EXPECT_EQ(csv_of("<row><c r=\"B1\"><v>1</v></c><c r=\"AA1\"><v>2</v></c></row>"),
            ",1" + std::string(25, ',') + "2\n");
}

TEST(Sheet, MayBeEmpty) { EXPECT_EQ(csv_of(""), ""); }

TEST(SheetRefuses, MoreTextThanExpected) {
  EXPECT_EQ(place_of_sheet("<row><c r=\"XFD1\"><v>1</v></c></row>"), "b.xlsx");
}

TEST(SheetRefuses, WhatIsNoWorkbook) {
  const auto refused = [](const std::string& bytes) {
    return thrown<DataError>([&] { sheet_as_csv(bytes, "b.xlsx", kMostText); });
  };
  EXPECT_TRUE(names_all(refused("1,2\n"), {"b.xlsx: "}));
  EXPECT_TRUE(names_all(refused(test_archive(TestArchive::zip, {{"a.csv", "1,2\n"}})),
                        {"b.xlsx: ", "\"xl/sharedStrings.xml\""}));
}

TEST(Sheet, EndsWhereItIsCut) {
  const std::string rows = "<row r=\"1\"><c r=\"A1\" s=\"5\" t=\"n\"><v>1</v></c></row>";
  for (std::size_t size = 0; size < rows.size(); ++size) EXPECT_EQ(csv_of(rows.substr(0, size)), "") << size;
}

}  // namespace
}  // namespace elmx
