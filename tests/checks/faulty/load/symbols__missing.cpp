// SPDX-License-Identifier: Apache-2.0
// Compiled without MASH_HEURISTIC at its end.
int nothing_that_the_host_knows = 1;
