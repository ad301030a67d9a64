#include "data/formats/formats.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "data/formats/arff.hpp"
#include "data/formats/delimited.hpp"
#include "data/formats/keel.hpp"
#include "data/formats/libsvm.hpp"
#include "data/formats/reviews.hpp"
#include "data/images/cifar.hpp"
#include "data/images/idx.hpp"
#include "data/images/images.hpp"
#include "data/images/norb.hpp"
#include "data/matlab/mat.hpp"
#include "data/table/load_table.hpp"

namespace elmx {

const std::vector<DataFormat>& data_formats() {
  static const std::vector<DataFormat> formats{
      {"delimited", "text: comma, semicolon, tab or blanks; header or none",
       [](const Source& source) { return load_table(source, read_delimited); }},
      {"arff", "Weka's attribute-relation file format",
       [](const Source& source) { return load_table(source, read_arff); }},
      {"keel", "KEEL .dat", [](const Source& source) { return load_table(source, read_keel); }},
      {"libsvm", "sparse text: label index:value ...",
       [](const Source& source) { return load_table(source, read_libsvm); }},
      {"idx", "MNIST's binary format, images and labels",
       [](const Source& source) { return load_images(source, read_idx); }},
      {"norb", "NORB's binary matrices, images (dat) and labels (cat)",
       [](const Source& source) { return load_images(source, read_norb); }},
      {"cifar", "CIFAR-10's binary batches: a label, then 32x32 red, green and blue", load_cifar},
      {"mat", "MATLAB 5 to 7 and 7.3: a matrix of inputs (fea), one of labels (gnd)", load_mat},
      {"reviews", "the Large Movie Review Dataset's tar.gz: the last words of each review as indices", load_reviews}};
  return formats;
}

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

}  // namespace elmx
