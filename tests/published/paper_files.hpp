#pragma once

#include "base/config/json.hpp"
#include "base/files/files.hpp"
#include "published/published.hpp"
#include "support/paths.hpp"

namespace elmx {

inline Json config_named(const std::string& file) {
  const auto path = source_dir() / "configs/paper" / file;
  return parse_json(read_file(path), path.string());
}

inline Published table_named(const std::string& file) { return read_published(source_dir() / "data/paper", {file}); }

}  // namespace elmx
