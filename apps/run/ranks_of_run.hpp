#pragma once

#include <functional>

#include "commands.hpp"

namespace elmx {

/// Whatever ended the run of all ranks alike: the first one says it.
class EndOfAllRanks : public UserError {
 public:
  EndOfAllRanks(ExitCode code, std::vector<std::string> lines)
      : UserError(code, lines.front()), lines_(std::move(lines)) {}
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

/// Where a launcher (mpirun, srun) has started the program: it is one of several ranks from here on. Others
/// than the first print nothing, and the cores of a machine are shared out unless --threads says how many
/// each takes.
void join_ranks_of_run(const Common& common);

/// f() on every rank. Where it throws what a user got wrong on any of them, throws EndOfAllRanks on all of
/// them.
void on_every_rank(const std::function<void()>& f);

/// Throws EndOfAllRanks where a member of `same` differs between ranks ("rank 1 has another program").
void agree_on(const Json& same);

/// A line about the memory of the ranks and what they have sent; every rank calls it.
void say_what_ranks_took();

/// To stderr, where others than the first rank print nothing, too. Waits there a moment for the first one,
/// whose words do for all.
void last_words(const std::string& line);

}  // namespace elmx
