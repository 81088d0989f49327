// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include "framework/cli/program.hpp"

int main(int argc, char** argv) {
  // A round's buffers are wanted again in the next: giving their pages back in between took up to half of the
  // time that it takes to draw examples. tests/bench/performance.py says the same to the benchmarks.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  return mash::run_program(argc, argv);
}
