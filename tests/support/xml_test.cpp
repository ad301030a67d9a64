#include "support/xml.hpp"

#include <gtest/gtest.h>

namespace elmx {
namespace {

TEST(XmlReader, TakesWhatIsWellFormed) {
  for (const char* text :
       {"<a/>", "<a b = '1'/>", "<!DOCTYPE html>\n<a b='1' c=\"it's\"><d />x &amp; y<e>&lt;</e></a>\n"})
    EXPECT_EQ(XmlReader(text).error(), "") << text;
}

TEST(XmlReader, RefusesWhatIsNot) {
  for (const char* text : {"", "a", "<a>", "<a></b>", "<a><b></a></b>", "<a b=1/>", "<a b/>", "<a b='1' b='2'/>",
                           "<a>&nbsp;</a>", "<a>x & y</a>", "<a/><b/>", "<a b='<'/>", "<a>1 < 2</a>",
                           "<a><!-- c --></a>", "<a>\x01</a>", "<br><a></a>", "<a", "<a b='1"}) {
    EXPECT_NE(XmlReader(text).error(), "") << text;
  }
}

TEST(XmlReader, KnowsElementsAndAttributes) {
  const XmlReader xml("<a id='x'><b id='y'/><b/></a>");

  EXPECT_EQ(xml.values("id"), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(xml.values("id", "b"), std::vector<std::string>{"y"});
  EXPECT_EQ(xml.count("b"), 2u);
}

}  // namespace
}  // namespace elmx
