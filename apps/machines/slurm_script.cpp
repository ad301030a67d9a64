#include "machines/slurm_script.hpp"

#include <fmt/core.h>

#include <cmath>

#include "base/files/file_name.hpp"
#include "experiment/plan/planned_time.hpp"
#include "run/invocation.hpp"

namespace elmx {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;
constexpr double kMemoryFactor = 1.25, kMoreMemory = 200;  // MiB
constexpr double kTimeFactor = 3, kMoreTime = 600;         // another machine, other jobs beside; loading, seconds
constexpr int kEndsBefore = 120;                           // seconds before the time is over
constexpr int kPatience = 90;                              // of them, for the running trials

/// In whole hundreds of MiB.
std::string memory_of(double planned) {
  return fmt::format("{:.0f}M", 100 * std::ceil((kMemoryFactor * planned / kMiB + kMoreMemory) / 100));
}

/// "D-HH:MM:00".
std::string time_of(double planned) {
  const long minutes = std::lround(std::ceil((kTimeFactor * planned + kMoreTime) / 60));
  return fmt::format("{}-{:02}:{:02}:00", minutes / 1440, minutes / 60 % 24, minutes % 60);
}

std::string head_of(const SlurmScript& s) {
  return fmt::format(
      R"(#!/bin/bash
# {command}
# Submits {trials} trials as {shards} jobs, {at_once} at once, and a job that merges them: bash THIS_FILE
# It may be submitted again: finished trials are not run again.
#
#   --mem   {memory}: planned {bytes:.0f} MiB, times {memory_factor} and {more_memory:.0f} MiB
#   --time  {time}: the largest shard is planned to take {seconds} on the machine that wrote this, times {time_factor:.0f}
#           and {more_time:.0f} minutes. A job whose time is over is queued again, and goes on.
#   --cpus-per-task  {threads}: threads that the plan can use, of the machine that wrote this (elmx --threads)
set -euo pipefail
cd {working_folder}
mkdir -p {folder}/slurm
)",
      fmt::arg("command", s.command), fmt::arg("trials", s.trials), fmt::arg("shards", s.shards),
      fmt::arg("at_once", s.at_once), fmt::arg("memory", memory_of(s.planned_bytes)),
      fmt::arg("bytes", s.planned_bytes / kMiB), fmt::arg("memory_factor", kMemoryFactor),
      fmt::arg("more_memory", kMoreMemory), fmt::arg("time", time_of(s.planned_seconds)),
      fmt::arg("seconds", show_seconds(s.planned_seconds)), fmt::arg("time_factor", kTimeFactor),
      fmt::arg("more_time", kMoreTime / 60), fmt::arg("threads", s.threads),
      fmt::arg("working_folder", shell_word(s.working_folder)), fmt::arg("folder", shell_word(s.folder)));
}

/// Directives that both jobs have.
std::string directives(const SlurmScript& s, const std::string& suffix, const std::string& log, double seconds) {
  std::string text = fmt::format(
      "#!/bin/bash\n#SBATCH --job-name={}{}\n#SBATCH --cpus-per-task={}\n#SBATCH --mem={}\n#SBATCH --time={}\n"
      "#SBATCH --output={}/slurm/{}\n#SBATCH --open-mode=append\n",
      file_name(s.name), suffix, s.threads, memory_of(s.planned_bytes), time_of(seconds), shell_word(s.folder), log);
  if (!s.partition.empty()) text += "#SBATCH --partition=" + s.partition + '\n';
  if (!s.account.empty()) text += "#SBATCH --account=" + s.account + '\n';
  return text;
}

std::string array_job(const SlurmScript& s) {
  return "\nshards=$(sbatch --parsable <<'END'\n" + directives(s, "", "shard-%a.log", s.planned_seconds) +
         fmt::format(
             R"(#SBATCH --array=1-{shards}%{at_once}
#SBATCH --requeue
#SBATCH --signal=B:TERM@{ends_before}
shard={folder}/shard-$SLURM_ARRAY_TASK_ID-of-{shards}
done_so_far() {{ cat "$shard"/records.jsonl "$shard"/states/* 2>/dev/null | cksum; }}
before=$(done_so_far) stopped=
{program} run {run_arguments} --shard "$SLURM_ARRAY_TASK_ID/{shards}" --threads "$SLURM_CPUS_PER_TASK" &
elmx=$!
# {ends_before} s before its time is over: elmx ends when the running trials are finished or their states saved, or after {patience} s.
trap 'stopped=yes; kill -TERM $elmx 2>/dev/null' TERM
wait $elmx
code=$?
if [[ -n $stopped ]]; then
  for ((left = {patience}; left > 0; --left)); do
    kill -0 $elmx 2>/dev/null || break
    sleep 1
  done
  kill -KILL $elmx 2>/dev/null
  wait $elmx
  code=$?
fi
[[ $code != 4 ]] || code=0  # some trials failed: their records say why
[[ $code != 0 && -n $stopped ]] || exit $code
job=${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID
[[ $(squeue --noheader --format=%T --job="$job") == RUNNING ]] || exit $code  # cancelled, or queued again already
if [[ $(done_so_far) == "$before" ]]; then
  echo "$job: nothing was finished within the time limit: a longer --time is needed" >&2
  exit 1
fi
scontrol requeue "$job"
sleep 60  # Slurm ends this job
END
)
)",
             fmt::arg("shards", s.shards), fmt::arg("at_once", s.at_once), fmt::arg("ends_before", kEndsBefore),
             fmt::arg("patience", kPatience), fmt::arg("folder", shell_word(s.folder)),
             fmt::arg("program", shell_word(s.program)), fmt::arg("run_arguments", s.run_arguments));
}

std::string merge_job(const SlurmScript& s) {
  const std::string program = shell_word(s.program), folder = shell_word(s.folder);
  std::string text =
      "shards=${shards%%;*}  # with --parsable a cluster may follow\n"
      "merge=$(sbatch --parsable --dependency=afterok:\"$shards\" --kill-on-invalid-dep=yes <<'END'\n" +
      directives(s, "-merge", "merge.log", s.model_seconds) + "#SBATCH --requeue\nset -euo pipefail\n";
  const auto allows_failed_trials = [](const std::string& command) { return command + " || [[ $? == 4 ]]\n"; };
  text += allows_failed_trials(fmt::format("{} merge {}", program, folder));
  if (s.model_seconds > 0) {
    text += "# trains the models that the run keeps\n";
    text += allows_failed_trials(fmt::format("{} run {} --threads \"$SLURM_CPUS_PER_TASK\"", program, s.run_arguments));
  } else {
    text += fmt::format("{} table {}\n", program, folder);
  }
  text += fmt::format("{} report {}\nEND\n)\n", program, folder);
  return text +
         fmt::format("echo \"shards: job $shards; merge: job ${{merge%%;*}}; results and logs in {}\"\n", folder);
}

}  // namespace

std::string text_of(const SlurmScript& script) { return head_of(script) + array_job(script) + merge_job(script); }

}  // namespace elmx
