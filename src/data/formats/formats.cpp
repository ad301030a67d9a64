#include "data/formats/formats.hpp"

#include <algorithm>

#include "base/config/owned_options.hpp"
#include "base/error.hpp"
#include "data/formats/arff.hpp"
#include "data/formats/delimited.hpp"
#include "data/formats/keel.hpp"
#include "data/formats/libsvm.hpp"
#include "data/formats/npy.hpp"
#include "data/formats/reviews.hpp"
#include "data/images/cifar.hpp"
#include "data/images/idx.hpp"
#include "data/images/images.hpp"
#include "data/images/norb.hpp"
#include "data/matlab/mat.hpp"
#include "data/on_disk/from_disk.hpp"
#include "data/table/load_table.hpp"
#include "data/table/text.hpp"

namespace elmx {
namespace {

/// The keys of the reader's own options behind those that it shares with others.
template <Options T>
std::vector<std::string> own_and(std::vector<std::string> shared) {
  for (const char* key : option_keys<T>()) shared.emplace_back(key);
  return shared;
}

std::vector<RawColumn> without_values(const std::vector<RawColumn>& columns) {
  std::vector<RawColumn> described(columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    described[j].name = columns[j].name;
    described[j].role = columns[j].role;
    described[j].kind = columns[j].kind;
    described[j].decimal = columns[j].decimal;
  }
  return described;
}

/// The columns of a test file are what those of the training file are.
TableReader delimited_reader(const Source& source) {
  const auto of_file = std::make_shared<TableOptions>(source.table);
  return [of_file, &source](const Content& content, const TableOptions&) {
    RawTable table = read_delimited(content, *of_file, source.delimited);
    const bool own = source.set.empty() && !source.table.known && !of_file->first_file;
    const std::string note = own ? note_on_first_line(content.bytes, source.delimited, table) : "";
    if (!note.empty()) table.notes.push_back(note);
    of_file->first_file = std::make_shared<const std::vector<RawColumn>>(without_values(table.columns));
    return table;
  };
}

Dataset load_delimited(const Source& source) { return load_table(source, delimited_reader(source)); }

std::optional<Dataset> delimited_from_disk(const Source& source, const FromDisk& from_disk) {
  return table_from_disk(source, delimited_reader(source), from_disk);
}

template <RawTable (*read)(const Content&, const TableOptions&)>
Dataset load_text(const Source& source) {
  return load_table(source, read);
}

template <RawTable (*read)(const Content&, const TableOptions&)>
std::optional<Dataset> text_from_disk(const Source& source, const FromDisk& from_disk) {
  return table_from_disk(source, read, from_disk);
}

}  // namespace

const std::vector<DataFormat>& data_formats() {
  // Of the options of delimited text missing_values alone: other formats pass over the others.
  static const std::vector<std::string> table{"test_path", "target", "drop", "nominal", "from_disk"};
  static const std::vector<std::string> text{"test_path", "target", "drop", "nominal", "from_disk", "missing_values"};
  static const std::vector<DataFormat> formats{
      {"delimited",
       "text: comma, semicolon, tab or blanks; header or none",
       load_delimited,
       text,
       {},
       delimited_from_disk},
      {"arff",
       "Weka's attribute-relation file format",
       load_text<read_arff>,
       text,
       {".arff"},
       text_from_disk<read_arff>},
      {"keel", "KEEL .dat", load_text<read_keel>, text, {".dat"}, text_from_disk<read_keel>},
      {"libsvm",
       "sparse text: label index:value ...",
       load_text<read_libsvm>,
       table,
       {".libsvm", ".svm"},
       text_from_disk<read_libsvm>},
      {"idx",
       "MNIST's binary format, images and labels",
       [](const Source& source) { return load_images(source, read_idx); },
       own_and<ImageOptions>({"test_path", "from_disk"}),
       {},
       idx_from_disk},
      {"norb", "NORB's binary matrices, images (dat) and labels (cat)",
       [](const Source& source) { return load_images(source, read_norb); }, own_and<ImageOptions>({"test_path"})},
      {"cifar", "CIFAR-10's binary batches: a label, then 32x32 red, green and blue", load_cifar,
       own_and<CifarOptions>({"test_path"})},
      {"mat",
       "MATLAB 5 to 7 and 7.3: a matrix of inputs (fea), one of labels (gnd)",
       load_mat,
       own_and<MatOptions>({"test_path"}),
       {".mat"}},
      {"hdf5",
       "HDF5: a data set of inputs, one of labels or targets",
       load_hdf5,
       own_and<MatOptions>({"test_path", "from_disk"}),
       {".h5", ".hdf5"},
       hdf5_from_disk},
      {"npy",
       "NumPy's .npy: an array of numbers; the target a column of it, or an array of its own",
       load_npy,
       own_and<ImageOptions>(table),
       {".npy"},
       npy_from_disk},
      {"reviews", "the Large Movie Review Dataset's tar.gz: the last words of each review as indices", load_reviews,
       own_and<ReviewOptions>({"length"})}};
  return formats;
}

bool DataFormat::has_option(const std::string& key) const { return std::ranges::count(options, key) > 0; }

const DataFormat& data_format(const std::string& name) {
  const auto found = std::ranges::find(data_formats(), name, &DataFormat::name);
  expects(found != data_formats().end(), "data_format: a name of the table");
  return *found;
}

std::vector<std::string> data_format_names() {
  std::vector<std::string> names;
  for (const DataFormat& format : data_formats()) names.push_back(format.name);
  return names;
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
