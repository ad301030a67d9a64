#pragma once

#include <string>

namespace elmx {

/// Returns the text of the Error that `act` throws; "" if it throws nothing. Other exceptions fail the test.
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
