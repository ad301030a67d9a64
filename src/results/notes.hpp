#pragma once

#include <string>

#include "results/quantities.hpp"
#include "results/record_rows.hpp"

namespace elmx {

/// What the steps of a row note of a quantity, "test PE: 2 of 5 trials: nothing is predicted ...", or what its pooled
/// value does; "" where there is nothing to say.
std::string note_of(const RecordRow& row, const Quantity& quantity);

/// The same of their solutions: "2 of 5 trials: condition times backward error ...".
std::string doubt_of(const RecordRow& row);

/// Two footnotes in one: those that are not empty, with ". " between them.
std::string both_notes(const std::string& a, const std::string& b);

/// Trials with a step whose weights may be far off, for the end of a run.
std::size_t count_doubtful(const std::vector<Record>& records);

}  // namespace elmx
