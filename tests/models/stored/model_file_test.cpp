#include "models/stored/model_file.hpp"

#include <gtest/gtest.h>

#include "support/thrown.hpp"

namespace elmx {
namespace {

ModelContents contents() {
  ModelContents made;
  made.texts = {{"trial", "{\"key\": \"0\"}"}, {"network/layout", "{}"}};
  made.matrices["network/weights"] = arma::mat{{1, 0.1, -3}, {4, 5e-324, 6}};
  made.matrices["network/single"] = arma::fmat(arma::fvec{0.1f, 2, 3});
  made.matrices["data/test_rows"] = arma::umat(arma::uvec{3, 1, 2});
  return made;
}

std::string refusal_of(std::string_view bytes) {
  return thrown<DataError>([&] { decode_model(bytes, "m.h5"); });
}

std::string place_of_refusal(std::string_view bytes) {
  return place_thrown<DataError>([&] { decode_model(bytes, "m.h5"); });
}

TEST(ModelFile, GivesBackWhatWasPut) {
  const ModelContents decoded = decode_model(encode_model(contents()), "m.h5");

  EXPECT_EQ(decoded.texts, contents().texts);
  ASSERT_EQ(decoded.matrices.size(), 3u);
  const auto same = [&]<class T>(const char* name, arma::Mat<T>) {
    const auto& A = std::get<arma::Mat<T>>(decoded.matrices.at(name));
    const auto wanted = contents();
    const auto& B = std::get<arma::Mat<T>>(wanted.matrices.at(name));
    return A.n_rows == B.n_rows && A.n_cols == B.n_cols && std::equal(A.begin(), A.end(), B.begin());
  };
  EXPECT_TRUE(same("network/weights", arma::mat()));
  EXPECT_TRUE(same("network/single", arma::fmat()));
  EXPECT_TRUE(same("data/test_rows", arma::umat()));
}

TEST(ModelFile, TheSameContentsGiveTheSameBytes) { EXPECT_EQ(encode_model(contents()), encode_model(contents())); }

TEST(ModelFile, RefusesAFileThatIsNotWhole) {
  const std::string bytes = encode_model(contents());
  for (std::size_t length = 0; length < bytes.size(); length += length < 600 ? 1 : 37) {
    EXPECT_EQ(place_of_refusal(std::string_view(bytes).substr(0, length)), "m.h5") << length;
  }
  EXPECT_NE(refusal_of(std::string_view(bytes).substr(0, bytes.size() - 1)).find("SHA-256"), std::string::npos);
  EXPECT_EQ(place_of_refusal(bytes + '\0'), "m.h5");
}

TEST(ModelFile, RefusesEveryFlippedBit) {
  std::string bytes = encode_model(contents());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int bit = 1 << (i % 8);
    bytes[i] = static_cast<char>(bytes[i] ^ bit);
    ASSERT_EQ(place_of_refusal(bytes), "m.h5") << "byte " << i;
    bytes[i] = static_cast<char>(bytes[i] ^ bit);
  }
  EXPECT_EQ(refusal_of(bytes), "");
}

TEST(ModelFile, RefusesAnotherFormat) {
  const std::string bytes = encode_model(contents(), 2);
  EXPECT_EQ(place_of_refusal(bytes), "m.h5");
  EXPECT_NE(refusal_of(bytes).find('2'), std::string::npos);
}

TEST(ModelFile, RefusesWhatIsNoModel) {
  for (const char* bytes : {"", "a,b\n1,2\n"}) {
    EXPECT_EQ(place_of_refusal(bytes), "m.h5");
    EXPECT_NE(refusal_of(bytes).find("save_model"), std::string::npos);
  }
}

}  // namespace
}  // namespace elmx
