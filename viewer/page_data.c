// The page, put into the program by the assembler: the build names its file.
//
// SPDX-License-Identifier: Apache-2.0
#include "page_data.h"

__asm__(".pushsection .rodata\n"
        ".global st_viewer_page_start\n"
        ".global st_viewer_page_end\n"
        "st_viewer_page_start:\n"
        ".incbin \"" SETTEE_PAGE_FILE "\"\n"
        "st_viewer_page_end:\n"
        ".byte 0\n"
        ".popsection\n");
