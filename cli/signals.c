// Interruption: the first SIGINT or SIGTERM is only noted, so that the current step and the files can be finished; the
// next one has its usual effect. Broken pipes and exceeded file sizes are write errors, reported as such: a run must
// not lose its results because the reader of its progress has gone.
//
// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include "session.h"

// The program's only variable that is not local: a handler has no other way to pass something on.
static volatile sig_atomic_t caught;

static void note(int number) {
    if (!caught) caught = number;
}

void st_cli_catch_signals(void) {
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND | SA_RESTART}, old;
    sigemptyset(&action.sa_mask);

    const int numbers[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        // Ignored by the one who started the program (nohup, a shell's background job): stays ignored.
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(numbers[i], &action, NULL);
    }

    // write errors are reported by the functions that write
    action.sa_handler = SIG_IGN;
    action.sa_flags = 0;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
}

int st_cli_signal(void) { return caught; }
