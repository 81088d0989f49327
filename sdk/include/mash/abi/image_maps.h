/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASH_ABI_IMAGE_MAPS_H
#define MASH_ABI_IMAGE_MAPS_H

#include "image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The host's extension for maps that several heuristics need of an image: each is made when the first one
 * asks and then shared by all that look at the image. Ask for it in `create`; a host may have none. */
#define MASH_IMAGE_MAPS "mash.image-maps/1"

/* `image` is the one that `prepare` was given, with the same address. The maps are of the whole image,
 * for any view, row by row without gaps. They are the host's and valid until `release`. Each function
 * may return NULL, for an image of which the host has no maps, or for want of memory. */
typedef struct mash_image_maps {
  uint32_t struct_size; /* sizeof(mash_image_maps_t) of the host */
  uint32_t reserved;    /* 0 */

  /* The integral image of the grey plane: height + 1 rows of width + 1 sums, modulo 2^32; sum (x, y) is over
   * all samples left of x and above y. [the instance's thread; from prepare to release] */
  const uint32_t* (*integral)(const mash_image_t* image);

  /* The same of the squares of the samples, modulo 2^64. [the instance's thread; from prepare to release] */
  const uint64_t* (*integral_of_squares)(const mash_image_t* image);

  /* The differences (-1, 0, 1) of the grey plane: height rows of width pairs dx, dy, each the sample behind
   * less the one before; 0 in the first and last column (dx) and row (dy). [the instance's thread; from
   * prepare to release] */
  const int16_t* (*gradient)(const mash_image_t* image);
} mash_image_maps_t;

#ifdef __cplusplus
}
#endif
#endif
