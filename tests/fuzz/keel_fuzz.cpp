#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

const Registered keel_target("keel", [](std::string_view bytes) {
  Choices choose(bytes);
  DataOptions options;
  options.format = "keel";
  options.task = choose.yes() ? "classification" : "regression";
  if (choose.yes()) options.target = {"-1"};
  options.missing = std::vector{"refuse", "drop_rows", "mean"}[choose.of(3)];
  if (choose.yes()) options.categories = "codes";
  load(choose.rest(), options, {&options.path, &options.test_path});
});

}  // namespace
}  // namespace elmx::fuzz
