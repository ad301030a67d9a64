#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

const Registered registered("delimited", [](std::string_view bytes) {
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
  if (choose.yes()) options.categories = "codes";
  load(choose.rest(), options, {&options.path, &options.test_path});
});

}  // namespace
}  // namespace elmx::fuzz
