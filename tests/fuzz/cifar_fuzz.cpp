#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

const Registered cifar_target("cifar", [](std::string_view bytes) {
  Choices choose(bytes);
  DataOptions options;
  options.format = "cifar";
  options.task = choose.yes() ? "classification" : "regression";
  load(choose.rest(), options, {&options.path, &options.cifar.class_names_path, &options.test_path});
});

}  // namespace
}  // namespace elmx::fuzz
