// Scenes that are Python scripts: the program starts Python, and Python runs the program again, as a module, with the scene
// that the script has made. Options and output are those of any scene.
//
// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session.h"

bool st_cli_is_script(const char *path) {
    static const char *const endings[] = {".py", ".py3", ".pyscn", ".py3scn"};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t n = strlen(endings[i]);
        if (length > n && strcmp(path + length - n, endings[i]) == 0) return true;
    }
    return false;
}

// Where the package is: beside the program in a build tree, below the prefix where it is installed, around it in a wheel.
#ifndef SETTEE_PYTHON_FROM_BIN
#define SETTEE_PYTHON_FROM_BIN "../lib/python3/dist-packages"
#endif
#ifndef SETTEE_SYSTEM_PYTHON
#define SETTEE_SYSTEM_PYTHON "/usr/bin/python3"
#endif

// What Python does first: argv is -c, this program, its words. A Python that is too old or without NumPy gives way to the
// system's, by starting the program again, unless the user has chosen it.
static const char code[] =
    "import importlib.util, os, sys\n"
    "what = 'settee: %s: a script needs ' % sys.executable\n"
    "missing = sys.version_info < (3, 11) and 'Python 3.11 or later' or not importlib.util.find_spec('numpy') and "
    "'NumPy'\n"
    "if missing and not os.environ.get('SETTEE_PYTHON') and os.path.exists('" SETTEE_SYSTEM_PYTHON "'):\n"
    "    os.environ['SETTEE_PYTHON'] = '" SETTEE_SYSTEM_PYTHON "'\n"
    "    os.execv(sys.argv[1], sys.argv[1:])\n"
    "if missing:\n"
    "    sys.exit(what + missing)\n"
    "del sys.path[0]\n"
    "folder = os.path.dirname(sys.argv[1])\n"
    "sys.path += [os.path.abspath(folder + '/' + p) for p in ('../python', '" SETTEE_PYTHON_FROM_BIN "', '../..')]\n"
    "try:\n"
    "    from settee._program_host import main\n"
    "except ImportError as error:\n"
    "    sys.exit(what + 'the package settee: %s' % error)\n"
    "sys.exit(main(sys.argv[1:]))\n";

int st_cli_start_python(const st_cli_options *options) {
    const char *chosen = getenv("SETTEE_PYTHON"); // empty: as if it were not set
    const bool is_chosen = chosen && *chosen;
    const char *python = is_chosen ? chosen : "python3";
    char file[PATH_MAX];
    const char **words = malloc(((size_t)options->word_count + 4) * sizeof *words);
    if (!words || !st_cli_program_file(options->program, file)) {
        st_cli_error("%s: Python cannot be started: the place of this program is not known", options->operand);
        free(words);
        return ST_CLI_FAILED;
    }

    // python3 -c CODE PROGRAM, then the words that the program was given
    size_t count = 0;
    words[count++] = python;
    words[count++] = "-c";
    words[count++] = code;
    words[count++] = file;
    for (int i = 1; i < options->word_count; i++) words[count++] = options->all_words[i];
    words[count] = NULL;
    fflush(NULL);
    execvp(python, (char *const *)words);
    if (!is_chosen) execv(SETTEE_SYSTEM_PYTHON, (char *const *)words);

    st_cli_error("%s: a script needs Python 3.11 or later, and %s cannot be started: %s", options->operand, python,
                 strerror(errno));
    free(words);
    return ST_CLI_FAILED;
}
