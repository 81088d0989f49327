/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASH_ABI_WHOLE_IMAGE_H
#define MASH_ABI_WHOLE_IMAGE_H

#include "heuristic.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An extension of a heuristic (get_extension of its descriptor): it may look at pixels outside of its view,
 * so that the place of a view in its image counts, as it did in the classic interface. A feature's value then
 * depends on the parameters, the image's pixels and the view's place. */
#define MASH_WHOLE_IMAGE "mash.whole-image/1"

typedef struct mash_whole_image {
  uint32_t struct_size; /* sizeof(mash_whole_image_t) of the plugin */
  uint32_t reserved;    /* 0 */
} mash_whole_image_t;

#ifdef __cplusplus
}
#endif
#endif
