# What .ci/run is made of, for `source`: steps with a limit each, lanes of steps beside each other, a deadline for the run, and a count at
# the end that always comes. A step's result is kept as files, because a lane is a process of its own.
#
#   begin [SECONDS]                 starts the run; it is to end within SECONDS
#   step NAME MINUTES COMMAND…      runs a command; it gets its minutes, or what is left of the run
#   extra NAME MINUTES SECONDS COMMAND…  the same where the seconds that it usually takes are left of what a quiet run may take; else
#                                   says that it was left out
#   lane NAME FUNCTION              runs FUNCTION's steps beside what follows; its output comes as a whole, from `join`
#   join                            waits for the lanes
#   finish                          prints the summary; its status is the run's

# Each job has a process group of its own. Without that, what runs in the background would ignore interrupts, and so would its programs.
set -m

begin() {
    ci_deadline=${1:-5100}
    # An extra usually ends before this second.
    ci_extras_until=$((ci_deadline * 9 / 17))
    ci_folder=$(mktemp -d "${TMPDIR:-/tmp}/tandem-ci.XXXXXX")
    ci_lane=main
    ci_main=$BASHPID
    ci_child=
    ci_lanes=()
    mkdir "$ci_folder/main"
    # The run's own output, for what a lane tells at once. No step gets it, or a program that one left running would keep it open.
    exec 3>&1
    # `again:` lines of all runs of this machine: what stands there twice within a week is work before anything else.
    ci_again=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/tandem/again.log
    trap 'ci_leave' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
}

ci_leave() {
    [[ $BASHPID == "$ci_main" ]] || return 0
    local lane
    ci_end_child
    for lane in "${ci_lanes[@]}"; do kill -TERM "${lane#*:}" 2>/dev/null || true; done
    for lane in "${ci_lanes[@]}"; do wait "${lane#*:}" 2>/dev/null || true; done
    rm -rf "$ci_folder"
}

# `timeout` hands the signal on to all that it started, and kills what stays.
ci_end_child() {
    [[ -n $ci_child ]] || return 0
    kill -TERM "$ci_child" 2>/dev/null || true
    wait "$ci_child" 2>/dev/null || true
    ci_child=
}

extra() {
    local name=$1 minutes=$2 usual=$3
    shift 3
    if ((SECONDS + usual > ci_extras_until)); then
        echo "== $name left out: $SECONDS s are over, and it usually takes $usual"
        echo "== $name left out after $SECONDS s of the run" >>"$ci_folder/$ci_lane/summary"
        return
    fi
    step "$name" "$minutes" "$@"
}

step() {
    local name=$1 seconds=$(($2 * 60)) began=$SECONDS status=0 said ended folder=$ci_folder/$ci_lane
    local log=$folder/${name// /-}.log
    shift 2
    : >"$log"
    ((seconds <= ci_deadline - began)) || seconds=$((ci_deadline - began))
    echo "== $name"
    if ((seconds < 1)); then
        said="== $name FAILED: the run had no time left for it"
    else
        timeout --kill-after=30 "$seconds" "$@" > >(exec tee "$log" 3>&-) 2>&1 3>&- </dev/null &
        ci_child=$!
        wait "$ci_child" || status=$?
        ci_child=
        ended="after $((SECONDS - began)) s"
        if ((status == 0)); then
            said="== $name passed $ended"
        elif ((status == 124 || status == 137)); then
            said="== $name FAILED with $status $ended: it had $seconds s"
        else
            said="== $name FAILED with $status $ended"
        fi
        # tee is not waited for, because a program that a step left running would keep it; a second is enough for what it still has.
        sleep 1
    fi
    echo "$said"
    [[ $ci_lane == main ]] || echo "$said" >&3
    echo "$said" >>"$folder/summary"
    if [[ $said == "== $name passed "* ]]; then
        echo "$name" >>"$folder/passed"
        ci_note_again "$name" "$log" >>"$folder/summary"
    else
        echo "$name" >>"$folder/failed"
        ci_details "$name" "$log" >>"$folder/details"
    fi
}

# What passed at a further try only, in the summary and for this machine.
ci_note_again() {
    local lines line
    lines=$({ grep -aE '^again: ' "$2" || true; } | cut -c1-300 | sed -n 1,10p)
    [[ -n $lines ]] || return 0
    while IFS= read -r line; do echo "   $line"; done <<<"$lines"
    mkdir -p "${ci_again%/*}" 2>/dev/null || return 0
    while IFS= read -r line; do
        echo "$(date -u +%FT%TZ) $(git rev-parse --short HEAD 2>/dev/null || echo -) $1: ${line#again: }" >>"$ci_again" || return 0
    done <<<"$lines"
}

# A failed test names itself with ✘; the other patterns are for programs that say it in words, and would find half of the tests' names in
# the tests' log.
ci_details() {
    local pattern='✘|Fatal error|crashed|did not end within'
    grep -qaE "$pattern" "$2" || pattern='FAILED|LOST|[Ee]rror:|too late|did not|not over| never | !$'
    tail -n 6 "$2" | cut -c1-200 | sed 's/^/   /'
    echo "   of $1, what failed:"
    # `sed -n` reads to the end: `head` would end the pipe with a signal when it has enough.
    # What a check printed stands under its name.
    { grep -aE -A3 "$pattern" "$2" || true; } | cut -c1-300 | sed -n '1,30s/^/   /p'
}

lane() {
    local name=$1 function=$2
    mkdir "$ci_folder/$name"
    echo "== the lane $name begins; what it says comes at its end"
    (
        # Its own steps are its own to end.
        ci_lane=$name
        trap 'ci_end_child; exit 143' TERM INT HUP
        trap - EXIT
        "$function"
    ) >"$ci_folder/$name/output" 2>&1 </dev/null &
    ci_lanes+=("$name:$!")
}

# In the order in which they were begun.
join() {
    local lane status
    for lane in "${ci_lanes[@]}"; do
        status=0
        wait "${lane#*:}" || status=$?
        echo "== what the lane ${lane%%:*} said"
        cat "$ci_folder/${lane%%:*}/output"
        if ((status != 0)); then
            echo "== the lane ${lane%%:*} FAILED with $status before its end" | tee -a "$ci_folder/${lane%%:*}/summary"
            echo "the lane ${lane%%:*}" >>"$ci_folder/${lane%%:*}/failed"
        fi
    done
    for lane in "${ci_lanes[@]}"; do ci_merge "${lane%%:*}"; done
    ci_lanes=()
}

# What the lane had to say becomes part of the main one, which keeps the order.
ci_merge() {
    local kind
    for kind in summary passed failed details; do
        [[ ! -e $ci_folder/$1/$kind ]] || cat "$ci_folder/$1/$kind" >>"$ci_folder/main/$kind"
    done
}

ci_count() { if [[ -e $ci_folder/main/$1 ]]; then wc -l <"$ci_folder/main/$1"; else echo 0; fi; }

finish() {
    local failed
    failed=$(ci_count failed)
    echo "== summary after $SECONDS s"
    cat "$ci_folder/main/summary"
    # Last, because the end of a long log is often all that is kept of it.
    ((failed == 0)) || cat "$ci_folder/main/details" 2>/dev/null || true
    echo "$(ci_count passed) passed, $failed failed"
    ((failed == 0))
}
