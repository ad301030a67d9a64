#pragma once

#include <functional>

#include "data/content/content.hpp"
#include "data/dataset.hpp"
#include "data/source.hpp"
#include "data/table/columns.hpp"
#include "data/table/table.hpp"

namespace elmx {

using TableReader = std::function<RawTable(const Content&, const TableOptions&)>;

/// A set whose files hold tables; the rows of the training file come before those of the test file. Tables of large
/// files are kept (kept_table.hpp): the next run takes a sixth of the time (110 MB, 30 columns). Throws ConfigError, DataError.
Dataset load_table(const Source& source, const TableReader& read);

struct FromDisk;

/// The same with inputs that stay in the kept table, which is made first where there is none and that was asked for: the
/// text and its table are then in memory, once. Nothing where it is not wanted. Two passes over the kept table, one over
/// the text, for its checksum. Throws ConfigError, DataError.
std::optional<Dataset> table_from_disk(const Source& source, const TableReader& read, const FromDisk& from_disk);

}  // namespace elmx
