// settee, as a program of its own. Inside of Python it is python/program/program.c.
//
// SPDX-License-Identifier: Apache-2.0
#include "cli.h"

int main(int argc, char **argv) { return st_cli_program(argc, argv, NULL); }
