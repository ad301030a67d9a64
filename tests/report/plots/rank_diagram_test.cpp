#include "report/plots/plots.hpp"
#include "report/plots/row_plots.hpp"

namespace elmx {
namespace {

TEST(RankDiagram, HasEveryMethodAndABarForEveryGroup) {
  MethodRanks found;
  found.methods = {"elm", "<b>&\"", "bls"};
  found.ranks = mean_ranks({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, 0.05);  // critical difference 1.91

  const std::string svg = rank_diagram(found);

  EXPECT_NE(svg.find(">elm  1.00<"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">bls  3.00<"), std::string::npos);
  EXPECT_NE(svg.find("&lt;b&gt;&amp;"), std::string::npos);
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
  EXPECT_EQ(occurrences(svg, "stroke-width=\"5\""), 2u) << "first and second, second and third";
}

}  // namespace
}  // namespace elmx
