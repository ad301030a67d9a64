#include <fmt/core.h>

#include <cmath>

#include "base/printable.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/shards/shards.hpp"

namespace elmx {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;
constexpr double kMemoryFactor = 1.25, kMoreMemory = 200;  // MiB
// allowances: a factor for slower machines and other jobs, and seconds for loading
constexpr double kTimeFactor = 3, kMoreTime = 600;
constexpr int kEndsBefore = 120;  // seconds before the end of the time limit
constexpr int kPatience = 90;     // part of these seconds for the running trials

/// Formats memory in whole hundreds of MiB.
std::string memory_of(double planned) {
  return fmt::format("{:.0f}M", 100 * std::ceil((kMemoryFactor * planned / kMiB + kMoreMemory) / 100));
}

/// Formats a time limit as "D-HH:MM:00".
std::string time_of(double planned) {
  const long minutes = std::lround(std::ceil((kTimeFactor * planned + kMoreTime) / 60));
  return fmt::format("{}-{:02}:{:02}:00", minutes / 1440, minutes / 60 % 24, minutes % 60);
}

std::string words_of(const std::vector<std::string>& arguments) {
  std::string words;
  for (const std::string& argument : arguments) words += shell_word(argument) + ' ';
  return words;
}

/// The values and options of the jobs. Text from outside stands only here, each piece as one word of the
/// shell.
std::string head_of(const SlurmScript& s) {
  std::string options;
  if (!s.partition.empty()) options += "  --partition=" + shell_word(s.partition) + '\n';
  if (!s.account.empty()) options += "  --account=" + shell_word(s.account) + '\n';
  return fmt::format(
      R"(#!/bin/bash
# Written by elmx slurm. Submits {trials} trials as a job array, and a job that merges them: bash THIS_FILE
# This script may be run again: finished trials are not repeated.
set -euo pipefail

elmx={program}
working_folder={working_folder}
folder={folder}  # results
run=({run_arguments}-o "$folder")  # the arguments of elmx run
name={name}
shards={shards}
at_once={at_once}
# {time_factor:.0f} times the time planned for the largest shard on the machine that wrote this ({seconds}), plus {more_time:.0f} minutes.
# A job that reaches its time limit is queued again and resumes.
shard_time={shard_time}
merge_time={merge_time}
options=(
  --cpus-per-task={threads}  # threads that the plan can use, of the machine that wrote this (elmx --threads)
  --mem={memory}  # {memory_factor} times the planned {bytes:.0f} MiB, plus {more_memory:.0f} MiB
{options})

cd "$working_folder"
mkdir -p "$folder/slurm"

# submit LOG OPTIONS...: submits the script on standard input as a job, preceded by the values above that it uses.
submit() {{
  local log="${{folder//\%/%%}}/slurm/$1"  # Slurm replaces %a and the like
  shift
  {{ echo '#!/bin/bash'; declare -p elmx folder run shards; cat; }} |
    sbatch --parsable --output="$log" --open-mode=append --requeue "${{options[@]}}" "$@"
}}
)",
      fmt::arg("trials", s.trials), fmt::arg("program", shell_word(s.program)),
      fmt::arg("working_folder", shell_word(s.working_folder)), fmt::arg("folder", shell_word(s.folder)),
      fmt::arg("run_arguments", words_of(s.run_arguments)), fmt::arg("name", shell_word(file_name(s.name))),
      fmt::arg("shards", s.shards), fmt::arg("at_once", s.at_once),
      fmt::arg("seconds", show_seconds(s.planned_seconds)), fmt::arg("time_factor", kTimeFactor),
      fmt::arg("more_time", kMoreTime / 60), fmt::arg("shard_time", time_of(s.planned_seconds)),
      fmt::arg("merge_time", time_of(s.model_seconds)), fmt::arg("threads", s.threads),
      fmt::arg("memory", memory_of(s.planned_bytes)), fmt::arg("bytes", s.planned_bytes / kMiB),
      fmt::arg("memory_factor", kMemoryFactor), fmt::arg("more_memory", kMoreMemory), fmt::arg("options", options));
}

std::string array_job() {
  return fmt::format(
      R"(
array=$(submit shard-%a.log --job-name="$name" --time="$shard_time" --array="1-$shards%$at_once" \
  --signal=B:TERM@{ends_before} <<'END'
shard=$folder/shard-$SLURM_ARRAY_TASK_ID-of-$shards
done_so_far() {{ cat "$shard"/records.jsonl "$shard"/states/* 2>/dev/null | cksum; }}
before=$(done_so_far) stopped=
# {ends_before} s before the time limit: elmx ends when the running trials are finished or saved, or after {patience} s.
trap 'stopped=yes; kill -TERM $! 2>/dev/null' TERM
"$elmx" run "${{run[@]}}" --shard "$SLURM_ARRAY_TASK_ID/$shards" --threads "$SLURM_CPUS_PER_TASK" &
pid=$!
wait $pid
code=$?
if [[ -n $stopped ]]; then
  for ((left = {patience}; left > 0; --left)); do
    kill -0 $pid 2>/dev/null || break
    sleep 1
  done
  kill -KILL $pid 2>/dev/null
  wait $pid
  code=$?
fi
[[ $code != 4 ]] || code=0  # some trials failed: their records say why
[[ $code != 0 && -n $stopped ]] || exit $code
job=${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID
[[ $(squeue --noheader --format=%T --job="$job") == RUNNING ]] || exit $code  # cancelled, or queued again already
if [[ $(done_so_far) == "$before" ]]; then
  echo "$job: no trial finished within the time limit; use a longer --time" >&2
  exit 1
fi
scontrol requeue "$job"
sleep 60  # Slurm ends this job
END
)
array=${{array%%;*}}  # with --parsable a cluster may follow
)",
      fmt::arg("ends_before", kEndsBefore), fmt::arg("patience", kPatience));
}

std::string merge_job(bool trains_models) {
  const std::string last = trains_models ? R"(# trains the final models
"$elmx" run "${run[@]}" --threads "$SLURM_CPUS_PER_TASK" || [[ $? == 4 ]])"
                                         : R"("$elmx" table "$folder")";
  return fmt::format(
      R"(
merge=$(submit merge.log --job-name="$name-merge" --time="$merge_time" \
  --dependency=afterok:"$array" --kill-on-invalid-dep=yes <<'END'
set -euo pipefail
"$elmx" merge "$folder" || [[ $? == 4 ]]
{last}
"$elmx" report "$folder"
END
)
echo "shards: job $array; merge: job ${{merge%%;*}}; results and logs in $folder"
)",
      fmt::arg("last", last));
}

}  // namespace

std::string text_of(const SlurmScript& script) {
  return head_of(script) + array_job() + merge_job(script.model_seconds > 0);
}

}  // namespace elmx
