#include "data/formats.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/config/fields.hpp"
#include "base/error.hpp"
#include "base/files/sha256.hpp"
#include "data/arrays/array_file.hpp"
#include "data/csv/csv.hpp"
#include "data/formats/reviews.hpp"
#include "data/formats/text_formats.hpp"
#include "data/images/images.hpp"
#include "data/load.hpp"
#include "data/table/source.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

/// Returns the keys that a reader shares with others, followed by the keys of its own options.
template <Options T>
std::vector<std::string> own_and(std::vector<std::string> shared) {
  for (const char* key : option_keys<T>()) shared.emplace_back(key);
  return shared;
}

Dataset load_csv(const DataSource& source, const FromDisk&) {
  return load_table(source, [&](Content content, const TableOptions& table) {
    const std::string format = format_of_content(content.head(), "text");
    if (format != "delimited" && format != "libsvm")  // numbers with colons can also be a table
      throw ConfigError("/data/format", fmt::format("expected \"{}\", the format of {}", format, content.origin));
    return read_delimited(std::move(content), source.delimited, table);
  });
}

/// Loads texts that are read from memory, in UTF-8.
template <auto read>
Dataset load_text(const DataSource& source, const FromDisk&) {
  return load_table(source, [](Content content, const TableOptions& table) {
    content.read_into_memory();
    if (content.sha256.empty()) content.sha256 = sha256(content.bytes);
    make_utf8(content);
    return read(std::move(content), table);
  });
}

template <auto read>
Dataset load_images_of(const DataSource& source, const FromDisk& from_disk) {
  return load_images(source, read, from_disk);
}

template <ArrayFile (*open)(Content, const MatOptions&)>
Dataset load_arrays_of(const DataSource& source, const FromDisk& from_disk) {
  return load_arrays(source, source.mat, open, from_disk);
}

}  // namespace

const std::vector<DataFormat>& data_formats() {
  // Other tables have only missing_values of the options of delimited text.
  static const std::vector<std::string> table{"test_path", "target", "drop", "nominal"};
  static const std::vector<std::string> text{"test_path", "target", "drop", "nominal", "missing_values"};
  static const std::vector<DataFormat> formats{
      {"delimited", "text: comma, semicolon, tab, pipe or blanks; names in the first line or none", load_csv, text},
      {"arff", "Weka's attribute-relation file format", load_text<read_arff>, text, {".arff"}},
      {"keel", "KEEL .dat", load_text<read_arff>, text, {".dat"}},
      {"libsvm", "sparse text: label index:value ...", load_text<read_libsvm>, table, {".libsvm", ".svm"}},
      {"idx", "MNIST's binary format, images and labels", load_images_of<read_idx>,
       own_and<ImageOptions>({"test_path", "from_disk", "block_mean"})},
      {"norb", "NORB's binary matrices, images (dat) and labels (cat)", load_images_of<read_norb>,
       own_and<ImageOptions>({"test_path", "block_mean"})},
      {"cifar", "CIFAR-10's binary batches, or the archive of them: a label, then 32x32 red, green and blue",
       [](const Source& source, const FromDisk&) { return load_cifar(source); }, own_and<CifarOptions>({"test_path"})},
      {"mat",
       "MATLAB 5 to 7 and 7.3: a matrix of inputs (fea), one of labels (gnd)",
       load_arrays_of<open_mat>,
       own_and<MatOptions>({"test_path"}),
       {".mat"}},
      {"hdf5",
       "HDF5: a data set of inputs, one of labels or targets",
       load_arrays_of<open_hdf5>,
       own_and<MatOptions>({"test_path", "from_disk"}),
       {".h5", ".hdf5"}},
      {"npz",
       "NumPy's .npz: several arrays, one of inputs, one of labels or targets",
       load_arrays_of<open_npz>,
       own_and<MatOptions>({"test_path"}),
       {".npz"}},
      {"npy",
       "NumPy's .npy: an array of numbers; the target a column of it, or an array of its own",
       load_npy,
       own_and<ImageOptions>({"test_path", "target", "drop", "nominal", "from_disk"}),
       {".npy"}},
      {"reviews", "the Large Movie Review Dataset's tar.gz: the last words of each review as indices",
       [](const DataSource& source, const FromDisk&) { return load_reviews(source, source.reviews); },
       own_and<ReviewOptions>({"length"})}};
  return formats;
}

bool DataFormat::has_option(const std::string& key) const { return std::ranges::count(options, key) > 0; }

const DataFormat& data_format(const std::string& name) {
  return named_row(data_formats(), name, "unknown format \"" + name + "\"");
}

std::string format_of_content(std::string_view head, const std::filesystem::path& path) {
  using namespace std::string_view_literals;
  if (head.starts_with("\x93NUMPY")) return "npy";
  if (head.starts_with("PK\x03\x04")) return "npz";  // any other zip was unpacked or refused
  if (head.starts_with("\x89HDF\r\n\x1a\n")) return "hdf5";
  if (head.starts_with("MATLAB ")) return "mat";
  if (head.starts_with("\0\0\x08\x03"sv) || head.starts_with("\0\0\x08\x04"sv)) return "idx";
  const std::string by_name = data_format_of(path).name;
  const std::size_t begin = head.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  const auto has_declaration = [&] {
    Lines lines(head.substr(begin));
    if (!lines.next_content("%")) return false;
    const std::string_view line = trimmed(lines.line());
    return begins_with_word(line, "@relation") || begins_with_word(line, "@attribute");
  };
  if (begin != std::string_view::npos && (head[begin] == '@' || head[begin] == '%') &&
      (by_name == "arff" || has_declaration()))
    return by_name == "keel" ? by_name : "arff";
  if (by_name == "keel" || by_name == "delimited") return looks_like_libsvm(head) ? "libsvm" : "delimited";
  return by_name;
}

const DataFormat& data_format_of(const std::filesystem::path& path) {
  std::filesystem::path name = path;
  if (name.extension() == ".gz" || name.extension() == ".Z") name = name.stem();
  const std::string extension = name.extension().string();
  const auto says = [&](const DataFormat& format) {
    return std::ranges::any_of(format.extensions, [&](std::string_view known) {
      return known.size() == extension.size() && begins_with_word(extension, known);
    });
  };
  const auto found = std::ranges::find_if(data_formats(), says);
  return found == data_formats().end() ? data_format("delimited") : *found;
}

}  // namespace elmx
