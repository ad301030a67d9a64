#pragma once

#include <armadillo>
#include <string>

namespace elmx {

/// The dimensions of one trial, for `elmx plan`.
struct Sizes {
  arma::uword train = 0, test = 0, inputs = 0, outputs = 0, unlabelled = 0;
  int ranks = 1;     ///< ranks that work on the trial together
  bool mpi = false;  ///< MPI runs, even with one rank
};

/// The time of a flop in single precision relative to double.
inline constexpr double kSingleFlop = 0.5;

/// The part of its limit of iterations that a training is planned to take, because only the data decide it.
inline constexpr double kOfIterations = 0.5;

/// Work, which takes time at the rates of a machine.
struct Work {
  double flops = 0;        ///< flops at matrix-matrix speed
  double bytes_moved = 0;  ///< bytes moved by operations that are bound by memory bandwidth
  double calls = 0;        ///< small operations whose overhead, a microsecond each, dominates
  double bytes_sent = 0;   ///< bytes sent to other ranks

  Work& operator+=(const Work& other) {
    flops += other.flops;
    bytes_moved += other.bytes_moved;
    calls += other.calls;
    bytes_sent += other.bytes_sent;
    return *this;
  }
  friend Work operator*(double times, const Work& work) {
    return {times * work.flops, times * work.bytes_moved, times * work.calls, times * work.bytes_sent};
  }
};

/// The cost of a trial. Memory excludes the data, and is for one rank if several work on the trial.
struct Cost : Work {
  double bytes = 0;
  double shared_bytes = 0;  ///< memory that the trials of a task share (SharedWork) ...
  double drawn_bytes = 0;   ///< ... and the part of it that only trials with the same random nodes share
  double passes = 1;        ///< passes over the inputs of the training samples ...
  double test_passes = 1;   ///< ... and of the test samples
  arma::uword shared = 0;   ///< columns of the factor that ranks share under MPI; 0: no factor
  std::string note = {};    ///< choices for the machine that the user should know

  /// Adds a text to the note, unless it is empty.
  void say(const std::string& text) {
    if (!text.empty()) note += (note.empty() ? "" : "; ") + text;
  }
};

}  // namespace elmx
