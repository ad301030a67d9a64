#pragma once

#include <string>

#include "data/test_archive.hpp"

namespace elmx {

/// A workbook with these rows of cells, and the texts that cells of type "s" refer to.
inline std::string test_workbook(const std::string& rows, const std::string& texts) {
  const std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n";
  return test_archive(
      TestArchive::zip,
      {{"[Content_Types].xml", head + "<Types/>"},
       {"xl/workbook.xml", head + "<workbook><sheets><sheet name=\"1\" sheetId=\"1\"/></sheets></workbook>"},
       {"xl/worksheets/sheet1.xml", head +
                                        "<worksheet><dimension ref=\"A1\"/><cols><col min=\"1\"/></cols><sheetData>" +
                                        rows + "</sheetData><pageMargins left=\"0.7\"/></worksheet>"},
       {"xl/sharedStrings.xml", head + "<sst count=\"3\">" + texts + "</sst>"}});
}

/// Two columns, X1 and Y1, two rows and an empty one, written as Excel does.
inline std::string test_workbook() {
  return test_workbook(
      "<row r=\"1\" spans=\"1:3\" ht=\"70.5\"><c r=\"A1\" s=\"5\" t=\"s\"><v>1</v></c><c r=\"B1\" "
      "t=\"s\"><v>0</v></c></row>"
      "<row r=\"2\"><c r=\"A2\" s=\"4\"><v>294</v></c><c r=\"B2\"><v>8.4499999999999993</v></c><c r=\"C2\" "
      "s=\"4\"/></row>"
      "<row r=\"3\"><c r=\"A3\"><v>-0.62</v></c><c r=\"B3\" t=\"n\"><f>A2+1</f><v>15.55</v></c></row>"
      "<row r=\"4\"><c r=\"A4\" s=\"41\"/><c r=\"B4\" s=\"41\"/></row>",
      "<si><t>Y1</t></si><si><r><rPr><b/></rPr><t>X</t></r><r><t xml:space=\"preserve\">1</t></r></si>");
}

}  // namespace elmx
