#pragma once

#include <string>

namespace elmx {

/// A record of CIFAR-10; pixel j of every channel is (first + j) mod 256, plus 1 in green and 2 in blue.
inline std::string test_cifar_record(int label, int first) {
  std::string bytes(1, static_cast<char>(label));
  for (int channel = 0; channel < 3; ++channel) {
    for (int j = 0; j < 1024; ++j) bytes += static_cast<char>(first + j + channel);
  }
  return bytes;
}

}  // namespace elmx
