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

/// Returns the place that the Error of `act` names ("/model/ridge", "houses.csv:14"); "" if nothing is thrown
/// or the error has no place.
template <class Error, class Act>
std::string place_thrown(const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.place();
  }
  return "";
}

}  // namespace elmx
