# Completion of settee's command line for bash. Written by `settee help --completion` from cli/table.c.
#
# SPDX-License-Identifier: Apache-2.0

_settee() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local options=
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W 'run view check matrix info mesh new help --version --verbose -h --help ' -- "$word")
        return
    fi
    case $before in
    --output | -o | --dump-states | --dump-topology | --contacts | --png | --video | --html | --report) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --data-path | --plugin-path | --into | --vtk) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
    --steps | -n | --step | -n | --which | --component | --space | --system | --format | --digits | --dt | --threads | --set | --argv | --dump-at | --size | --view | --eye | --look-at | --up | --zoom | --fit | --show | --color | --range | --every | --port | --token | --bind | --tolerance) return ;;
    esac
    case $command in
    run) options='-n --steps --dt --threads --data-path --plugin-path --set --argv --into --read-only --dump-states --dump-topology --contacts --dump-at --png --video --size --view --eye --look-at --up --zoom --fit --show --color --range --vtk --every --html --report --profile --real-time --json -q --quiet --strict --no-compat --fast -h --help ' ;;
    view) options='--threads --data-path --plugin-path --set --argv --no-browser --paused --read-only --port --token --bind -q --quiet --strict --no-compat --fast -h --help ' ;;
    check) options='-n --steps --threads --data-path --plugin-path --set --argv --tolerance --json -q --quiet --strict --no-compat --fast -h --help ' ;;
    matrix) options='-n --step --which --component --space --system --format -o --output --digits --threads --data-path --plugin-path --set --argv --json -q --quiet --strict --no-compat --fast -h --help ' ;;
    info) options='--json --markdown --names --missing -h --help ' ;;
    mesh) options='-o --output --json -q --quiet -h --help ' ;;
    new) options='-h --help ' ;;
    help) options='--man --completion -h --help ' ;;
    --version) options='--verbose' ;;
    esac
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        return
    fi
    case $command in
    run | view | check | matrix)
        compopt -o filenames
        mapfile -t COMPREPLY < <(
            compgen -f -X '!*.scn' -- "$word"
            compgen -f -X '!*.xml' -- "$word"
            compgen -f -X '!*.py' -- "$word"
            compgen -d -- "$word"
        )
        ;;
    new) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -W 'body plugin' -- "$word"; compgen -f -- "$word") ;;
    mesh) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    info) mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" info --names 2>/dev/null)" -- "$word") ;;
    help) mapfile -t COMPREPLY < <(compgen -W 'run view check matrix info mesh new help exit messages dumps profile real-time sweeps json pictures scripts environment examples ' -- "$word") ;;
    esac
}

complete -F _settee settee
