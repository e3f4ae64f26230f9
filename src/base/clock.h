// A monotonic clock, for timers and profiles. Never enters a result.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BASE_CLOCK_H
#define SETTEE_BASE_CLOCK_H

// Seconds since some fixed moment of the past; never goes back.
double st_clock_seconds(void);

#endif
