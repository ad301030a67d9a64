#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

const Registered delimited_target("delimited", [](std::string_view bytes) {
  Choices choose(bytes);
  DataOptions options;
  options.task = choose.yes() ? "classification" : "regression";
  options.target = {choose.yes() ? "1" : "-1"};
  options.missing = std::vector{"refuse", "drop_rows", "mean"}[choose.of(3)];
  options.delimited.separator = std::vector{"auto", "comma", "semicolon", "tab", "blank"}[choose.of(5)];
  options.delimited.header = std::vector{"auto", "yes", "no"}[choose.of(3)];
  options.delimited.comment = choose.yes() ? "%" : "";
  if (choose.yes()) options.nominal = {"2"};
  if (choose.yes()) options.drop = {"3"};
  const std::size_t more = choose.of(12);
  if (more % 2 == 1) options.categories = "codes";
  if (more / 2 % 3 > 0) options.delimited.decimal = more / 2 % 3 == 1 ? "point" : "comma";
  if (more / 6 == 1) options.delimited.missing_values = {"-", "x"};
  load(choose.rest(), options, {&options.path, &options.test_path});
});

}  // namespace
}  // namespace elmx::fuzz
