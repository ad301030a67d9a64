#include "data/originals/originals.hpp"
#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

constexpr std::size_t kMostText = 4096;

const Registered originals_target("originals", [](std::string_view bytes) {
  Choices choose(bytes);
  const std::size_t kind = choose.of(3);
  refused_or([&] {
    if (kind == 2) {
      const std::vector<std::string_view> files = parts(choose.rest(), 2);
      const std::string csv = csv_of_sheet(files.front(), files.back(), "x.xlsx", kMostText);
      require(csv.size() <= kMostText, "no more text than the limit");
      return;
    }
    const Picture picture = kind == 1 ? read_pgm(choose.rest(), "x.pgm") : read_gif(choose.rest(), "x.gif");
    require(!picture.pixels.empty() && picture.pixels.size() == picture.rows * picture.cols, "rows x cols pixels");
  });
});

}  // namespace
}  // namespace elmx::fuzz
