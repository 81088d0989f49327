/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUMS_H
#define SUMS_H

#include <mash/heuristic.h>

inline unsigned int sum_of_line(const Mash::Image& image, unsigned int y, unsigned int width) {
  unsigned int sum = 0;
  for (unsigned int x = 0; x < width; ++x) sum += image.grayLines()[y][x];
  return sum;
}

#endif
