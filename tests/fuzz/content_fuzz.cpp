#include "data/content/content.hpp"
#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

const Registered content_target("content", [](std::string_view bytes) {
  const MemoryFile file(bytes);
  refused_or([&] {
    const Content content = open_content(file.path());
    require(gunzip(gzip(content.bytes), "packed anew") == content.bytes, "gzip and gunzip are inverse");
  });
});

}  // namespace
}  // namespace elmx::fuzz
