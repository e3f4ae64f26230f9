// Runs a fuzz target once on every file of the folders given, so that each input that was ever found interesting is
// tested in every build, with any compiler.
//
//     fuzz_NAME FOLDER ...
//     fuzz_NAME --random SEED BYTES      so many bytes at random, in inputs of 256: the same ones for the same seed
//
// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) return perror(path), 1;
    const long size = ftell(file);
    rewind(file);
    // An exact block, so that a read past the end of the input is seen by the sanitizer.
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
    const size_t got = data && size > 0 ? fread(data, 1, (size_t)size, file) : 0;
    fclose(file);
    printf("%s (%zu bytes)\n", path, got);
    fflush(stdout);
    LLVMFuzzerTestOneInput(data, got);
    free(data);
    return 0;
}

static int replay_folder(const char *folder) {
    DIR *directory = opendir(folder);
    if (!directory) return perror(folder), 1;
    int failures = 0;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.') continue;
        char path[4096];
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path)
            failures += replay_file(path);
    }
    closedir(directory);
    return failures;
}

// xorshift64*, whose low bits are not used
static void replay_random(uint64_t seed, size_t bytes) {
    enum { INPUT = 256 };
    uint64_t x = seed * 0x9E3779B97F4A7C15u + 1;
    for (size_t done = 0; done < bytes; done += INPUT) {
        uint8_t *data = malloc(INPUT);
        if (!data) return;
        for (size_t i = 0; i < INPUT; i++) {
            x ^= x >> 12, x ^= x << 25, x ^= x >> 27;
            data[i] = (uint8_t)((x * 0x2545F4914F6CDD1Du) >> 56);
        }
        LLVMFuzzerTestOneInput(data, INPUT);
        free(data);
    }
    printf("%zu bytes at random\n", bytes);
}

int main(int count, char **folders) {
    int failures = 0;
    if (count == 4 && strcmp(folders[1], "--random") == 0) {
        replay_random(strtoull(folders[2], NULL, 10), strtoull(folders[3], NULL, 10));
        return EXIT_SUCCESS;
    }
    for (int i = 1; i < count; i++) failures += replay_folder(folders[i]);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
