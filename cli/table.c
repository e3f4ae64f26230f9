// The table of commands, options and topics. Everything that mentions them is made from here: the parser, `settee
// help`, the manual page, docs/cli.md, the shell completion.
//
// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>
#include <string.h>

#include "cli.h"

#define INTO(member) .offset = offsetof(st_cli_options, member)
#define SCENES (ST_CLI_RUN | ST_CLI_VIEW | ST_CLI_CHECK | ST_CLI_MATRIX)
#define EVERYWHERE (ST_CLI_TOP | SCENES | ST_CLI_INFO | ST_CLI_HELP | ST_CLI_MESH | ST_CLI_NEW)

#define PICTURES "png video report"

// Larger numbers are mistakes, and smaller ones keep sums of them far from overflow.
#define MOST_STEPS 1e15
#define MOST_REAL 1e30

const st_cli_option st_cli_option_table[] = {
    {ST_CLI_RUN, ST_CLI_COUNT, "steps", "N", "number of steps (default 100); 0 only initializes the scene", INTO(steps),
     .letter = 'n', .most = MOST_STEPS},
    {ST_CLI_CHECK, ST_CLI_COUNT, "steps", "N",
     "number of steps before derivatives are checked (default 0), to check them away from rest", INTO(steps),
     .letter = 'n', .most = MOST_STEPS},
    {ST_CLI_MATRIX, ST_CLI_COUNT, "step", "N",
     "the step after which the matrix is taken (default 1); 0 is the initialized scene, which has no A, b and x yet",
     INTO(steps), .letter = 'n', .most = MOST_STEPS},
    {ST_CLI_MATRIX, ST_CLI_CHOICE, "which", "A|M|B|K|J|W|H|b|x|lambda|d",
     "the matrix of the system (default), mass, damping, stiffness; Jacobian of one mapping; compliance and Jacobian "
     "of the constraints; right-hand side, solution; multipliers and free violations of the constraints",
     INTO(which)},
    {ST_CLI_MATRIX, ST_CLI_WORD, "component", "PATH",
     "the matrix of one component, such as /Liver/fem, instead of the whole scene", INTO(component),
     .excludes = "system"},
    {ST_CLI_MATRIX, ST_CLI_CHOICE, "space", "own|parent",
     "rows and columns of the component's own states (default), or of the independent ones above, mapped", INTO(space),
     .needs = "component"},
    {ST_CLI_MATRIX, ST_CLI_WORD, "system", "PATH",
     "the linear system, its solver or its integrator (default: that of the first integrator)", INTO(system)},
    {ST_CLI_MATRIX, ST_CLI_CHOICE, "format", "mtx|csv|npz|png|summary",
     "Matrix Market, all entries as text, NumPy, a picture of the pattern, or figures (default)", INTO(format)},
    {ST_CLI_MATRIX, ST_CLI_WORD, "output", "FILE", "where it is written (default: standard output)", INTO(output),
     .letter = 'o'},
    {ST_CLI_MATRIX, ST_CLI_COUNT, "digits", "N", "significant digits of numbers written as text (default 17)",
     INTO(digits), .least = 1, .most = 17},
    {ST_CLI_RUN, ST_CLI_REAL, "dt", "X", "length of a step in seconds, instead of the scene's", INTO(dt),
     .least = 1e-30, .most = MOST_REAL},
    {SCENES, ST_CLI_COUNT, "threads", "N",
     "number of threads (default 1), 0: one for each core; results do not depend on it", INTO(threads), .most = 1024},
    {SCENES, ST_CLI_WORDS, "data-path", "DIR",
     "where files named in the scene are looked for, after the scene's own folder; repeatable", INTO(data_paths)},
    {SCENES, ST_CLI_WORDS, "plugin-path", "DIR", "where plug-ins named in the scene are looked for; repeatable",
     INTO(plugin_paths)},
    {SCENES, ST_CLI_WORDS, "set", "PATH.FIELD=VALUE",
     "give an attribute another value, such as /Liver/FEM.youngModulus=5000; repeatable. With several values, commas "
     "between, run makes a run for each, all cores at work, in folders with a table; see 'settee help sweeps'",
     INTO(sets)},
    {SCENES, ST_CLI_REST, "argv", "WORD...",
     "words for a scene that is a Python script, in its sys.argv; everything that follows; see 'settee help scripts'",
     INTO(script_words)},
    {ST_CLI_RUN, ST_CLI_WORD, "into", "DIR", "folder of the runs of a sweep (default: sweep)", INTO(into),
     .needs = "set"},
    {ST_CLI_RUN, ST_CLI_FLAG, "read-only", NULL, "components of the scene write no files, whatever it says",
     INTO(read_only)},
    {ST_CLI_RUN, ST_CLI_WORD, "dump-states", "FILE",
     "write positions of all mechanical states to FILE (- is standard output); see 'settee help dumps'",
     INTO(dump_states)},
    {ST_CLI_RUN, ST_CLI_WORD, "dump-topology", "FILE", "write the elements of all topologies to FILE",
     INTO(dump_topology)},
    {ST_CLI_RUN, ST_CLI_WORD, "contacts", "FILE",
     "write the contacts with their points, normals, gaps and forces to FILE at the same steps as the dumps: as CSV, "
     "or, "
     "when it ends in .vtk, as a cloud of points; with --dump-at one file a step, such as FILE_99.vtk",
     INTO(contacts)},
    {ST_CLI_RUN, ST_CLI_STEPS, "dump-at", "LIST|all",
     "steps at which the dumps are written, such as 0,99 (default: the last one); step 0 is the initialized scene, "
     "step k the state after k steps",
     INTO(dump_at), .needs = "dump-states dump-topology contacts"},
    {ST_CLI_RUN, ST_CLI_WORD, "png", "FILE",
     "draw the last state into a PNG picture; with %d or %04d in its name a picture at step 0, every K steps and at "
     "the "
     "end, where the number of the step takes its place",
     INTO(png)},
    {ST_CLI_RUN, ST_CLI_WORD, "video", "FILE",
     "make a video (mp4, webm, ...) of pictures at step 0, every K steps and at the end; ffmpeg must be installed",
     INTO(video)},
    {ST_CLI_RUN, ST_CLI_PIXELS, "size", "WxH", "size of pictures in pixels, such as 1280x720", INTO(size),
     .most = 16384, .needs = PICTURES},
    {ST_CLI_RUN, ST_CLI_DIRECTION, "view", "x,y,z",
     "direction from the scene to the eye (default: the camera of the scene, or a three-quarter view)", INTO(view),
     .needs = PICTURES, .excludes = "eye"},
    {ST_CLI_RUN, ST_CLI_POINT, "eye", "x,y,z", "from where one looks", INTO(eye), .needs = PICTURES, .excludes = "fit"},
    {ST_CLI_RUN, ST_CLI_POINT, "look-at", "x,y,z", "the point in the middle of pictures", INTO(look_at),
     .needs = PICTURES, .excludes = "fit"},
    {ST_CLI_RUN, ST_CLI_DIRECTION, "up", "x,y,z", "direction that is up in pictures (default: y)", INTO(up),
     .needs = PICTURES},
    {ST_CLI_RUN, ST_CLI_REAL, "zoom", "X", "show less and larger; 2 shows half as much", INTO(zoom), .least = 1e-3,
     .most = 1e3, .needs = PICTURES},
    {ST_CLI_RUN, ST_CLI_WORD, "fit", "PATH",
     "the node or component that fills pictures, such as /Liver, instead of everything", INTO(fit), .needs = PICTURES},
    {ST_CLI_RUN, ST_CLI_SHOW, "show", "LIST",
     "what pictures show besides what the scene says, or with no- before the word do not: visual, behavior, springs, "
     "collision, wireframe, normals, forces, velocities, contacts, fixed, rois, frames, boxes, labels, trails, "
     "vectors; "
     "all and none switch every one; see 'settee help pictures'",
     INTO(show), .needs = PICTURES},
    {ST_CLI_RUN, ST_CLI_WORD, "color", "FIELD",
     "color bodies by vonMises, strain, youngModulus, or a field of a component such as /Liver/dofs.velocity",
     INTO(color), .needs = PICTURES},
    {ST_CLI_RUN, ST_CLI_RANGE, "range", "LOW,HIGH", "ends of the color bar (default: smallest and largest value)",
     INTO(range), .needs = PICTURES},
    {ST_CLI_RUN, ST_CLI_WORD, "vtk", "DIR",
     "write VTK files (.vtu) of bodies and visual models into DIR at step 0, every K steps and at the end, and "
     "a file scene.pvd that opens all of them in ParaView; files of an earlier run are removed",
     INTO(vtk)},
    {ST_CLI_RUN, ST_CLI_COUNT, "every", "K",
     "steps between VTK files, pictures, frames of a video or of a page (default 1)", INTO(every), .least = 1,
     .most = MOST_STEPS, .needs = "vtk png video html"},
    {ST_CLI_RUN, ST_CLI_WORD, "html", "FILE",
     "write a page that plays the run in a browser, without a server: frames at step 0, every K steps and at the end",
     INTO(html)},
    {ST_CLI_RUN, ST_CLI_WORD, "report", "FILE",
     "write a page (HTML) with pictures, energies, the time of each step and of each part", INTO(report)},
    {ST_CLI_VIEW, ST_CLI_FLAG, "no-browser", NULL, "print the address, but open no browser", INTO(no_browser)},
    {ST_CLI_VIEW, ST_CLI_FLAG, "paused", NULL, "wait for a page to press Play", INTO(paused)},
    {ST_CLI_VIEW, ST_CLI_FLAG, "read-only", NULL, "pages may look, but not change anything", INTO(read_only)},
    {ST_CLI_VIEW, ST_CLI_COUNT, "port", "N", "port of the address (default: any that is free)", INTO(port), .least = 1,
     .most = 65535},
    {ST_CLI_VIEW, ST_CLI_WORD, "token", "WORD",
     "secret in the address, 8 to 128 letters, digits or - _ . ~ (default: a random one)", INTO(token)},
    {ST_CLI_VIEW, ST_CLI_WORD, "bind", "ADDRESS",
     "listen at this address of the machine instead of 127.0.0.1: others who know the token can reach it, and nothing "
     "is "
     "encrypted",
     INTO(bind_address), .needs = "token"},
    {ST_CLI_RUN, ST_CLI_OPTIONAL, "profile", "FILE",
     "print how the time of the steps was spent, by phases and components; with =FILE also write every call to FILE, "
     "in "
     "the trace format of Chrome",
     INTO(profile)},
    {ST_CLI_RUN, ST_CLI_FLAG, "real-time", NULL,
     "begin each step when its time has come, and report deadlines that were missed; see 'settee help real-time'",
     INTO(real_time)},
    {ST_CLI_CHECK, ST_CLI_REAL, "tolerance", "X",
     "largest difference between a derivative and finite differences, relative to its largest entry", INTO(tolerance),
     .least = 1e-30, .most = MOST_REAL},
    {ST_CLI_MESH, ST_CLI_WORD, "output", "FILE", "write the mesh to FILE, in the format of its suffix", INTO(output),
     .letter = 'o'},
    {ST_CLI_RUN | ST_CLI_CHECK | ST_CLI_MATRIX | ST_CLI_MESH, ST_CLI_FLAG, "json", NULL,
     "print the summary as JSON on standard output, and nothing else there", INTO(json)},
    {SCENES | ST_CLI_MESH, ST_CLI_FLAG, "quiet", NULL, "no progress, no summary; only error messages", INTO(quiet),
     .letter = 'q'},
    {SCENES, ST_CLI_FLAG, "strict", NULL, "unknown components and attributes and unreadable values are errors",
     INTO(strict)},
    {SCENES, ST_CLI_FLAG, "no-compat", NULL, "compute the right result where SOFA's has a known defect",
     INTO(no_compat)},
    {SCENES, ST_CLI_FLAG, "fast", NULL, "round otherwise than SOFA where that is faster", INTO(fast)},
    {ST_CLI_INFO, ST_CLI_FLAG, "json", NULL, "print everything as JSON", INTO(json), .excludes = "markdown"},
    {ST_CLI_INFO, ST_CLI_FLAG, "markdown", NULL, "print everything as Markdown, the reference manual", INTO(markdown),
     .excludes = "names"},
    {ST_CLI_INFO, ST_CLI_FLAG, "names", NULL, "print only the names, one per line", INTO(names), .excludes = "json"},
    {ST_CLI_INFO, ST_CLI_FLAG, "missing", NULL, "print the components of SOFA's core that are not known, one per line",
     INTO(missing), .excludes = "json"},
    {ST_CLI_HELP, ST_CLI_FLAG, "man", NULL, "print the manual page (roff)", INTO(man)},
    {ST_CLI_HELP, ST_CLI_FLAG, "markdown", NULL, "print all of this as Markdown", INTO(markdown), .hidden = true},
    {ST_CLI_HELP, ST_CLI_FLAG, "completion", NULL, "print the completion script for bash", INTO(completion)},
    {ST_CLI_TOP, ST_CLI_FLAG, "version", NULL, "print the version", INTO(version)},
    {ST_CLI_TOP, ST_CLI_FLAG, "verbose", NULL, "with --version: the compiler, the number type and the libraries, too",
     INTO(verbose), .needs = "version"},
    {EVERYWHERE, ST_CLI_FLAG, "help", NULL, "print this help", INTO(help), .letter = 'h'},
    {0},
};

const st_cli_command st_cli_commands[] = {
    {ST_CLI_RUN, "run", "SCENE", "simulate a scene",
     "Loads a SOFA scene (.scn, XML; - is standard input), initializes it and makes N steps. Progress and messages go "
     "to standard error, "
     "the summary to standard output.\n"
     "\n"
     "Files are written under another name and renamed when they are complete. A run that fails stops and says at "
     "which step; what was asked for is then written for the last good state. The same happens when the run is "
     "interrupted (Ctrl-C), after the current step; a second Ctrl-C stops at once. Steps of --dump-at that were not "
     "reached are left out.",
     st_cli_run},
    {ST_CLI_VIEW, "view", "SCENE", "watch a scene in the browser",
     "Loads a scene, prints an address on standard output and opens it in the browser: a page in which the scene "
     "moves, "
     "can be stopped, looked into and changed. Ctrl-C ends it. See docs/viewer.md.\n"
     "\n"
     "Only this machine can reach the address, and only with the token in it. To see a scene that runs on another "
     "machine, forward the port: ssh -L 8080:127.0.0.1:8080 MACHINE settee view SCENE --no-browser --port 8080. "
     "Components of the scene write no files.",
     st_cli_view},
    {ST_CLI_CHECK, "check", "SCENE", "look for mistakes in a scene",
     "Loads and initializes a scene, prints every message, the energies, the total mass and its center, and compares "
     "the derivative of each force, mass and mapping with finite differences at the present state. Derivatives that a "
     "component declares inexact are shown, but do not count as mistakes. Components that move otherwise than in SOFA, "
     "because a defect is corrected, are named. The scene counts as invalid when it cannot be loaded or initialized, "
     "or when an error was reported. What often goes wrong with contacts is a warning: distances, normals and holes of "
     "surfaces, models that overlap, missing corrections. Components of the scene write no files.\n"
     "\n"
     "A force that does nothing at the present state is moved to where it acts, or shown as untested; potential "
     "energies are compared with forces. Then follows what became of each component: as in SOFA, without effect here, "
     "invalid, or missing; and a verdict in one line: this scene behaves as in SOFA, or what will not.",
     st_cli_check},
    {ST_CLI_MATRIX, "matrix", "SCENE", "write or summarize a matrix of a scene",
     "Loads a scene, makes N steps and writes a matrix or a vector of its linear system. A, b and x are those of the "
     "last step. M, B and K are without factors and without constraints, at the state of the last force evaluation; "
     "with --component they are those of one force or mass, or the geometric stiffness of one mapping, whose Jacobian "
     "is J.\n"
     "\n"
     "The summary shows size, entries, symmetry, definiteness, an estimate of the condition number, bandwidth and the "
     "fill of a factorization after ordering. The picture shows the largest entry under each pixel, from dark (large) "
     "to light (a millionth of the largest); zero is white. Components of the scene write no files.",
     st_cli_matrix},
    {ST_CLI_INFO, "info", "[NAME]", "list components, or describe one",
     "Without a name: all components by kind. With the name of a component, also a former one: what it does, its "
     "templates and its attributes with their types and default values.",
     st_cli_info},
    {ST_CLI_MESH, "mesh", "FILE", "measure a mesh file, or convert it",
     "Reads a mesh and prints its points and elements, its bounding box, lengths, areas and volumes, elements that are "
     "inverted or flat, a histogram of aspect ratios (1 is a regular triangle or tetrahedron, or equal edges), and its "
     "boundary. The suffix of a file name decides the format: msh (Gmsh), vtk, vtu, obj, stl and off are read and "
     "written; vtp, xsp, trian and gid are read.\n"
     "\n"
     "With -o the mesh is written in another format, with all digits. What that format cannot hold is left out, with a "
     "warning; obj, stl and off get the boundary of volumes.",
     st_cli_mesh},
    {ST_CLI_NEW, "new", "body FILE | plugin NAME", "write a scene or a plug-in to start from",
     "body: makes a scene in which the closed surface in FILE (.stl, .obj, .off, .vtk, .msh) is a soft body, held at "
     "one "
     "end: heart.scn in the present folder for heart.stl. Grid, mass, stiffness and the end that is held follow from "
     "the "
     "size of the surface; a surface longer than 2 is taken as in millimeters.\n"
     "\n"
     "plugin: makes a folder NAME in the present one with a force field NAMEForceField in C, a scene that uses it, and "
     "a "
     "Makefile: 'make' builds the plug-in against the installed headers, 'make run' simulates the scene, 'make test' "
     "compares the derivatives with finite differences.",
     st_cli_new},
    {ST_CLI_HELP, "help", "[COMMAND]", "explain a command or a topic", "Explains the program, a command or a topic.",
     st_cli_help},
    {0},
};

const st_cli_topic st_cli_topics[] = {
    {"exit", "Exit codes",
     "    0    all went well\n"
     "    1    the simulation failed, a derivative is wrong, or output could not be written\n"
     "    2    the command line is wrong\n"
     "    3    the scene or mesh is invalid: missing, unreadable, or it cannot be initialized\n"
     "    4    it ran, but errors were reported: results may not be what the scene means\n"
     "    130  interrupted (Ctrl-C); 143 when terminated\n"
     "\n"
     "Mistakes in a scene that SOFA tolerates, such as an unknown component or a file that is missing, do not stop a "
     "run; with --strict they do, and the code is 3."},
    {"messages", "Messages",
     "Messages go to standard error, with the place in the scene file and the component:\n"
     "\n"
     "    scene.scn:12: warning: UniformMass(mass) at /Liver/mass: totalMass is not positive\n"
     "\n"
     "A message that repeats is counted, and printed once more at the end with its count. On a terminal, messages are "
     "colored unless NO_COLOR is set. Info messages come from components with printLog=\"1\"."},
    {"dumps", "Dumps",
     "A dump is a text file. For each requested step, --dump-states writes one record for every mechanical state of "
     "the scene, depth first:\n"
     "\n"
     "    STEP <step> TIME <time> STATE <path> <template> <count> <role>\n"
     "    <coordinates of one degree of freedom, 17 digits>\n"
     "    ...\n"
     "\n"
     "The path is the component's, such as /Liver/dofs, with blanks written as _. The template is Vec1, Vec2, Vec3, "
     "Vec6, Rigid2 or Rigid3. The role is independent (integrated), mapped (follows others) or static (no integrator). "
     "--dump-topology writes the meshes with which the next step begins: one record for every topology, then one more "
     "for each node below a mapping that uses the "
     "topology of a node above it, as SOFA's recorder does:\n"
     "\n"
     "    STEP <step> TIME <time> TOPOLOGY <path> - <number of points> -\n"
     "    Edges <count> <index> <index> ...\n"
     "    Triangles ...\n"
     "    Quads ...\n"
     "    Tetrahedra ...\n"
     "    Hexahedra ..."},
    {"profile", "Where the time goes",
     "--profile prints a tree: phases of the steps (collision, force, product, assembly, factorization, solve, "
     "mapping, "
     "compliance, constraints), and in each the components that worked in it, with their seconds, their share of all "
     "steps, milliseconds per step, calls, and the data that they had to read and write at least, where it is known. A "
     "whole includes its parts; other is what is in no phase. Timing components costs two looks at the clock a call. "
     "Contact responses, which come and go, are counted by class.\n"
     "\n"
     "    settee run liver.scn --profile=trace.json\n"
     "\n"
     "also writes each call to trace.json, for chrome://tracing, ui.perfetto.dev or speedscope: one line an event, "
     "some "
     "hundred bytes. Components on mapped states, which may run at the same time as others, have a row of their own."},
    {"real-time", "Real time",
     "--real-time begins each step when the time that the scene has simulated has passed on the clock, as a person or "
     "a "
     "haptic device needs it. A step that ends later than the next one should begin misses its deadline; the steps "
     "after "
     "it move by as much, and do not hurry to catch up. The summary says how many deadlines were missed, by how much "
     "at "
     "most, and the time of a step: median, 99 % and 99.9 % of all steps (to 1 %), and the longest one. Files that are "
     "written between two steps take their time, too."},
    {"sweeps", "Sweeps",
     "--set changes an attribute of the scene after it was loaded:\n"
     "\n"
     "    settee run liver.scn --set /Liver/FEM.youngModulus=5000 --set /.dt=0.005\n"
     "\n"
     "With several values the scene is run once for each; with several such options, for each combination:\n"
     "\n"
     "    settee run liver.scn -q --set /Liver/FEM.youngModulus=1e3,2e3,5e3 --png last.png --into moduli\n"
     "\n"
     "Run k works in the folder moduli/k, such as moduli/0002: files that options name are written there, and what it "
     "prints is in log.txt. A table with the values, the exit code, the time and the energies of each run is printed "
     "at the end and written to moduli/summary.csv. As many runs at a time as there are cores; the exit code is the "
     "first one that is not 0."},
    {"json", "Summary in JSON",
     "With --json, run prints one object: settee (version), scene, status (ok, errors, failed, interrupted, invalid, "
     "unwritten), exit_code, steps, steps_asked, dt, time, simulated_seconds, load_seconds, init_seconds, "
     "step_seconds, wall_seconds, steps_per_second, real_time_factor, real_time with --real-time (deadlines_missed, "
     "worst_late_ms, median_ms, p99_ms, p99_9_ms, "
     "longest_ms), energy (kinetic, potential, total), warnings, "
     "errors, messages, files, vtk_files with --vtk, contacts, and profile with --profile: a list of parts with part, "
     "kind (phase, component), seconds, share, ms_per_step, calls, bytes and parts. A message has severity, "
     "file, "
     "line, component, path, text and count. A contact has model1, model2, element1, element2, point1, point2, normal, "
     "gap, force, normal_force, tangential_force and motion (open, sticks, slides). Numbers that are not finite are "
     "null. The numbers of the run are absent when it "
     "did not start.\n"
     "\n"
     "check prints components, inert, energy, mass (total, and the center x, y, z), derivatives (path, class, what, "
     "error, verdict, note), status, exit_code, warnings, errors and messages.\n"
     "\n"
     "mesh prints mesh, points, unused_points, pieces, box, aspect_limits (upper ends of the bins), for each kind of "
     "element count, total, least, most, inverted, flat, best_aspect, mean_aspect, worst_aspect, worst and histogram, "
     "boundary (faces, area, edges, shared_faces, shared_edges, closed, enclosed), output, status, exit_code and "
     "messages."},
    {"pictures", "Pictures",
     "Pictures are drawn without a window or a graphics card. What they show is what the VisualStyle of the scene "
     "says, "
     "visual models where there is none; bodies without a visual model are drawn by their mesh, edges, springs or "
     "points. --show switches more on, and with no- before a word off:\n"
     "\n"
     "    visual      visual models, and bodies that have none\n"
     "    behavior    meshes and points of bodies that have visual models, too\n"
     "    springs     springs, beams and loads of bodies that are shown otherwise\n"
     "    collision   collision models\n"
     "    wireframe   the sides of triangles instead of their faces\n"
     "    normals     normals of visual models\n"
     "    forces      the force on each degree of freedom, red\n"
     "    velocities  the velocity of each degree of freedom, green\n"
     "    contacts    contact points, normals and forces, in bodies that one can see through\n"
     "    fixed       degrees of freedom that constraints hold\n"
     "    rois        regions of interest and the points in them\n"
     "    frames      axes of rigid bodies\n"
     "    boxes       the box around each body\n"
     "    labels      numbers of the degrees of freedom\n"
     "    trails      the way that the degrees of freedom have gone during the run\n"
     "    vectors     vectors of VisualVectorField\n"
     "\n"
     "With --color bodies are drawn by their mesh in the colors of a field, with a color bar.\n"
     "\n"
     "The camera is that of --view, --eye, --look-at or --fit, else that of the scene (a Camera component, or a file "
     "SCENE.view with seven numbers: position of the eye, and its orientation as a quaternion), else everything fits."},
    {"scripts", "Scripts as scenes",
     "A scene may be a Python script (.py, .py3, .pyscn, .py3scn) with a function createScene(root), as for SOFA: run, "
     "view, "
     "check and matrix take it like a .scn file, with the same options. Several values of --set, and loading it again "
     "in "
     "the viewer, are for .scn files alone.\n"
     "\n"
     "    settee run finger.py -n 200 --png finger.png --argv 3 soft\n"
     "\n"
     "The script is run in its own folder, by the Python that SETTEE_PYTHON names; otherwise by the python3 of the "
     "PATH, "
     "or the system's when that one is older than 3.11 or has no NumPy. The packages Sofa and settee are found beside "
     "this "
     "program. sys.argv is the name of the script, then what follows --argv. See docs/from-sofapython3.md."},
    {"environment", "Environment and files",
     "Files named in a scene are looked for in the scene's own folder, in each --data-path, in the folders of "
     "SETTEE_DATA_PATH (colons between them), and in share/settee next to the folder of the program. Plug-ins are "
     "looked for in each --plugin-path, in the folders of SETTEE_PLUGIN_PATH, and in lib/settee/plugins next to the "
     "folder of the program.\n"
     "\n"
     "NO_COLOR, when set, turns colors off."},
    {"examples", "Examples",
     "Simulate two seconds and look at the result:\n"
     "\n"
     "    settee run liver.scn -n 200 --dt 0.01 --png liver.png --size 1280x720\n"
     "\n"
     "Make an animation for ParaView, one frame every ten steps:\n"
     "\n"
     "    settee run liver.scn -n 1000 --vtk frames --every 10\n"
     "\n"
     "Make a video of the stress, and pictures of every fifth step:\n"
     "\n"
     "    settee run liver.scn -n 200 --video stress.mp4 --color vonMises --every 2\n"
     "    settee run liver.scn -n 200 --png frames/%04d.png --every 5 --show fixed,velocities\n"
     "\n"
     "Compare the result of two runs to the last digit:\n"
     "\n"
     "    settee run liver.scn -q --dump-states one.txt\n"
     "    settee run liver.scn -q --dump-states two.txt --threads 2 && cmp one.txt two.txt\n"
     "\n"
     "Measure a mesh, and convert it to a surface:\n"
     "\n"
     "    settee mesh liver.msh -o liver.stl\n"
     "\n"
     "Look at the matrix of the first step, and read it into Python with scipy.sparse.load_npz:\n"
     "\n"
     "    settee matrix liver.scn --format png -o pattern.png\n"
     "    settee matrix liver.scn --which K --component /Liver/fem --format npz -o K.npz\n"
     "\n"
     "Find out what an attribute means:\n"
     "\n"
     "    settee info EulerImplicitSolver"},
    {0},
};

const st_cli_command *st_cli_find_command(const char *name) {
    for (const st_cli_command *c = st_cli_commands; c->name; c++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}
