/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORNERS_H
#define CORNERS_H

#include "sums.h"

static const unsigned int num_corners = 2;

/* The first and the last pixel. */
inline Mash::scalar_t corner_of(const Mash::Image& image, unsigned int corner) {
  return image.grayBuffer()[corner * (image.width() * image.height() - 1)];
}

#endif
