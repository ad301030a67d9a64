#pragma once

#include <string>

namespace elmx {

/// The text of the Error that `act` throws; "" where it throws nothing. What else it throws fails the test.
template <class Error, class Act>
std::string thrown(const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace elmx
