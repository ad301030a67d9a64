#pragma once

#include <functional>
#include <memory>

#include "data/table/dataset.hpp"
#include "data/table/source.hpp"
#include "data/table/text_file.hpp"

namespace elmx {

/// Loads a set whose files hold tables; the rows of the training file come before those of the test file.
/// Throws ConfigError, DataError.
using TableReader = std::function<RawTable(const Content&, const TableOptions&)>;
Dataset load_table(const Source& source, const TableReader& read);

/// The same of text files, which are opened once and read in one pass. The columns of a test file are what
/// those of the training file are.
using TextFileOpener = std::function<std::unique_ptr<TextFile>(Content, const TableOptions&)>;
Dataset load_text(const Source& source, const TextFileOpener& open);

}  // namespace elmx
