/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASH_ABI_IMAGE_H
#define MASH_ABI_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A read-only grid of 8-bit samples; sample (x, y) is origin[y * row_stride + x * column_stride].
 * Strides are in bytes, may exceed the packed size and may be odd: never assume alignment. */
typedef struct mash_plane {
  const uint8_t* origin;
  ptrdiff_t row_stride;
  ptrdiff_t column_stride;
} mash_plane_t;

/* One image, owned by the host and constant from `prepare` until `release`.
 * All four planes are always present and have width x height samples: for a grey source red = green =
 * blue = gray; for a colour source gray = (11 red + 16 green + 5 blue) >> 5, exactly. */
typedef struct mash_image {
  uint32_t struct_size;  /* sizeof(mash_image_t) of the host */
  uint32_t num_channels; /* of the source: 1 (grey) or 3 (colour) */
  uint32_t width;        /* pixels, >= 1 */
  uint32_t height;       /* pixels, >= 1 */
  mash_plane_t gray;
  mash_plane_t red;
  mash_plane_t green;
  mash_plane_t blue;
} mash_image_t;

/* The size of a view in pixels. A heuristic's number of features may depend on it and on nothing else. */
typedef struct mash_size {
  uint32_t width;
  uint32_t height;
} mash_size_t;

/* The rectangle of an image that a heuristic sees, always wholly inside the image. */
typedef struct mash_view {
  uint32_t x;
  uint32_t y;
  uint32_t width;
  uint32_t height;
} mash_view_t;

#ifdef __cplusplus
}
#endif
#endif
