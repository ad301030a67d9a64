#pragma once

#include "base/communicator.hpp"
#include "base/config/json.hpp"
#include "cli/command.hpp"

namespace elmx {

/// An error that ends the run on all ranks; rank 0 prints its lines.
class EndOfAllRanks : public UserError {
 public:
  EndOfAllRanks(ExitCode code, const std::vector<std::string>& lines) : UserError(code, lines.front()), lines_(lines) {}
  std::vector<std::string> lines() const override { return lines_; }

 private:
  std::vector<std::string> lines_;
};

/// Makes this process one of several ranks if a launcher (mpirun, srun) has started it. From then on only
/// rank 0 prints, and the ranks of a machine share its cores unless --threads sets the number for each. A
/// rank that is silent for longer than the limit ends all ranks.
void join_ranks_of_run(const Common& common, int silence_limit_s = SilentRank{}.limit_s);

/// Throws an error on every rank if several processes were started together for a command that one process
/// does.
void refuse_several_processes(const Common& common);

/// Calls f on every rank. If it throws a UserError on any rank, throws EndOfAllRanks on all ranks.
void on_every_rank(const std::function<void()>& f);

/// Throws EndOfAllRanks if a member of `same` differs between ranks ("rank 1: its program differs").
void agree_on(const Json& same);

/// Prints a line about the memory of the ranks and the data they have sent. Every rank must call it.
void say_what_ranks_took();

}  // namespace elmx
