#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

const Registered npy_target("npy", [](std::string_view bytes) {
  Choices choose(bytes);
  DataOptions options;
  options.format = "npy";
  options.task = choose.yes() ? "classification" : "regression";
  options.missing = std::vector{"refuse", "drop_rows", "mean"}[choose.of(3)];
  const bool labels = choose.yes();
  if (!labels) options.target = {choose.yes() ? "1" : "-1"};
  load(choose.rest(), options,
       labels ? std::vector{&options.path, &options.images.labels_path} : std::vector{&options.path});
});

}  // namespace
}  // namespace elmx::fuzz
