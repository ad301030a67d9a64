#!/bin/bash
# A Slurm of one machine, for trying job scripts out: scripts/slurm_here.sh start DIR | stop DIR
# start: munged, slurmctld and slurmd (Debian: slurm-wlm, munge) on the loopback device, with a key, a configuration, logs and all of their
# state in DIR, a new folder; prints what a shell needs to submit to it, for eval "$(scripts/slurm_here.sh start DIR)". Root or any other
# user, without systemd. Nothing limits what a job takes (no control groups). stop: ends the three and removes DIR.
set -euo pipefail

CPUS=4          # that jobs may ask for, whatever the machine has
MEMORY=64000    # MB, likewise

fail() {
  echo "slurm_here: $*" >&2
  exit 2
}

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# wait_for SECONDS COMMAND...: until it succeeds.
wait_for() {
  local tenths=$(($1 * 10))
  shift
  until "$@" >/dev/null 2>&1; do
    ((tenths-- > 0)) || return 1
    sleep 0.1
  done
}

write_configuration() {
  cat >"$DIR/slurm.conf" <<END
ClusterName=here
SlurmctldHost=localhost
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
AuthInfo=socket=$DIR/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
KillWait=1
MinJobAge=3600
ReturnToService=2
MailProg=/bin/true
StateSaveLocation=$DIR/state
SlurmdSpoolDir=$DIR/spool
SlurmctldPidFile=$DIR/slurmctld.pid
SlurmdPidFile=$DIR/slurmd.pid
SlurmctldLogFile=$DIR/slurmctld.log
SlurmdLogFile=$DIR/slurmd.log
NodeName=localhost CPUs=$CPUS RealMemory=$MEMORY
PartitionName=here Nodes=localhost Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
END
}

start() {
  local program
  for program in munged slurmctld slurmd sbatch python3; do
    command -v "$program" >/dev/null || fail "$program is not installed; install slurm-wlm and munge"
  done
  [[ ! -e $DIR ]] || fail "$DIR: already exists; choose a new folder"
  mkdir -m 700 -p "$DIR" "$DIR/state" "$DIR/spool"
  trap 'stop >/dev/null 2>&1' ERR
  head -c 128 /dev/urandom >"$DIR/munge.key"
  chmod 400 "$DIR/munge.key"
  munged --force --key-file="$DIR/munge.key" --socket="$DIR/munge.socket" --pid-file="$DIR/munged.pid" \
    --log-file="$DIR/munged.log" --seed-file="$DIR/munge.seed" --num-threads=2 >&2
  write_configuration
  export SLURM_CONF=$DIR/slurm.conf
  slurmctld -f "$SLURM_CONF" >&2
  wait_for 10 scontrol ping || fail "slurmctld does not answer: $(tail -n 3 "$DIR/slurmctld.log")"
  slurmd -f "$SLURM_CONF" -N localhost >&2
  wait_for 10 node_is_idle || fail "slurmd does not answer: $(tail -n 3 "$DIR/slurmd.log" "$DIR/slurmctld.log")"
  echo "export SLURM_CONF=$DIR/slurm.conf"
}

node_is_idle() { [[ $(sinfo --noheader --format=%T) == idle ]]; }

# end_of PIDFILE: asks its process to end, and sees to it.
end_of() {
  local pid
  pid=$(cat "$1" 2>/dev/null) || return 0
  kill "$pid" 2>/dev/null || return 0
  wait_for 5 is_gone "$pid" || kill -KILL "$pid" 2>/dev/null || true
}

is_gone() { ! kill -0 "$1"; }

stop() {
  [[ -e $DIR/slurm.conf ]] || fail "$DIR: has no Slurm that this script started"
  export SLURM_CONF=$DIR/slurm.conf
  timeout 5 scancel --quiet --user="$(id -un)" 2>/dev/null || true
  wait_for 5 no_job_runs || true
  end_of "$DIR/slurmd.pid"
  end_of "$DIR/slurmctld.pid"
  end_of "$DIR/munged.pid"
  rm -rf "$DIR"
}

no_job_runs() { [[ -z $(timeout 2 squeue --noheader --states=running,completing) ]]; }

[[ $# == 2 && ($1 == start || $1 == stop) ]] || fail "expected start DIR or stop DIR"
DIR=$(realpath -m "$2")
"$1"
