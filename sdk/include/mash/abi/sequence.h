/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASH_ABI_SEQUENCE_H
#define MASH_ABI_SEQUENCE_H

#include "heuristic.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The extension, of the heuristic and of the host, for pictures that follow each other in time, such as the
 * frames of a film. Several cameras may look at the same scene: their pictures of a moment come one after the
 * other, in the cameras' order, and all belong to one sequence. */
#define MASH_SEQUENCE "mash.sequence/1"

/* Of a heuristic (get_extension of its descriptor) that looks at earlier pictures as well. A feature's value
 * then depends on the parameters, the view's pixels, and those of as many pictures before it in its sequence
 * as there are, at most `looks_back`. */
typedef struct mash_sequence {
  uint32_t struct_size; /* sizeof(mash_sequence_t) of the plugin */
  uint32_t looks_back;  /* pictures, at most MASH_MAX_LOOKS_BACK */
} mash_sequence_t;

#define MASH_MAX_LOOKS_BACK 255

/* Where a picture stands in its sequence. A picture that stands alone is a sequence of one: all are 0, but
 * is_last is 1. */
typedef struct mash_frame {
  uint32_t num_before; /* pictures of this sequence that `prepare` was shown right before this one, or
                          looks_back where they are more; 0: forget what was seen before */
  uint32_t camera;     /* that took it, < num_cameras */
  uint32_t is_last;    /* 1: `prepare` is not shown another one after it; the sequence itself may go on */
} mash_frame_t;

/* Of the host. A host shows the pictures of a sequence in order. It may begin in the middle, and then shows
 * as many before the first that it wants features of as the heuristic looks back: these are prepared and
 * released, without a `compute`. */
typedef struct mash_frames {
  uint32_t struct_size; /* sizeof(mash_frames_t) of the host */
  uint32_t reserved;    /* 0 */

  /* How many cameras took the pictures, at least 1. context: that of mash_host_t.
   * [that call's thread; inside any call of the instance] Cannot fail. */
  uint32_t (*num_cameras)(void* context);

  /* The frame that the picture of the last `prepare` is. context: that of mash_host_t.
   * [the instance's thread; inside prepare and until release] Cannot fail. */
  mash_frame_t (*frame)(void* context);
} mash_frames_t;

#ifdef __cplusplus
}
#endif
#endif
