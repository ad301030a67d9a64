#pragma once

#include <armadillo>
#include <string>

namespace elmx {

/// Shapes of one trial, for `elmx plan`.
struct Sizes {
  arma::uword train = 0, test = 0, inputs = 0, outputs = 0, unlabelled = 0;
  double targets = 1;  ///< root of their mean square
  int ranks = 1;       ///< that work on the trial together
};

/// Time of a flop in single precision over that in double.
inline constexpr double kSingleFlop = 0.5;

/// The memory of a trial beyond its data; of one rank where several work on it.
struct Cost {
  double bytes = 0;
  double shared_bytes = 0;  ///< of what all trials like it have in common (SharedWork)
  double flops = 0;         ///< at matrix-matrix speed
  double bytes_moved = 0;   ///< by operations that memory bandwidth bounds
  double passes = 1;        ///< over the inputs of the training samples ...
  double test_passes = 1;   ///< ... and of the test samples
  /// operations on so little that starting them is what takes time, a microsecond each
  double calls = 0;
  double bytes_sent = 0;   ///< to other ranks
  arma::uword shared = 0;  ///< columns of the factor that ranks share where MPI runs; 0: there is none
  std::string note;        ///< what was chosen for the machine, for the user to know

  /// One more thing in the note; nothing where the text is empty.
  void say(const std::string& text) {
    if (!text.empty()) note += (note.empty() ? "" : "; ") + text;
  }
};

}  // namespace elmx
