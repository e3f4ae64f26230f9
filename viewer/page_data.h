// The page as it is served: one HTML file with its styles and its program, made by esbuild from viewer/page.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VIEWER_PAGE_DATA_H
#define SETTEE_VIEWER_PAGE_DATA_H

#include <stddef.h>

extern const char st_viewer_page_start[], st_viewer_page_end[];

static inline size_t st_viewer_page_length(void) { return (size_t)(st_viewer_page_end - st_viewer_page_start); }

#endif
