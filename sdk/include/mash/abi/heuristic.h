/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASH_ABI_HEURISTIC_H
#define MASH_ABI_HEURISTIC_H

#include "host.h"
#include "image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A heuristic turns a view of an image into `dim` numbers. Its life, as the host enforces it:
 *
 *   create  dim*  ( prepare  compute*  release )*  destroy        (dim is legal anywhere in between)
 *
 * Threads: one instance is used by one thread at a time; several instances of a heuristic may be used by
 * several threads at once, unless the heuristic has the flag MASH_SERIAL.
 * No exception may leave any of these functions. Nothing is allocated on one side and freed on the other. */

typedef struct mash_instance mash_instance_t; /* a heuristic with its parameters; the plugin's own */
typedef struct mash_state mash_state_t;       /* an instance with its eyes on one image; the plugin's own */

enum {
  MASH_PARAMETER_INTEGER = 1, /* whole number in [minimum, maximum] */
  MASH_PARAMETER_REAL = 2,    /* real number in [minimum, maximum] */
  MASH_PARAMETER_CHOICE = 3   /* index into `choices`; minimum and maximum are 0 and num_choices - 1 */
};

enum {
  /* The calls of all serial heuristics in a process are made one at a time (classic heuristics: they use
   * libc's random generators, which belong to the whole process). */
  MASH_SERIAL = 1u
};

/* One setting of a heuristic. All strings are static. An integer "seed" whose default is 0 is where random
 * numbers start, and 0 leaves it to the host, which draws it from its own seed and the heuristic's id. */
typedef struct mash_parameter {
  const char* id;      /* [a-z0-9_]+, unique within the heuristic */
  const char* summary; /* one line, with the unit */
  uint32_t type;       /* MASH_PARAMETER_... */
  uint32_t num_choices;
  double default_value;
  double minimum;
  double maximum;
  const char* const* choices; /* num_choices names, or NULL */
} mash_parameter_t;

/* A heuristic's descriptor: static, constant, valid while the plugin is loaded. */
typedef struct mash_heuristic {
  uint32_t struct_size; /* sizeof(mash_heuristic_t) of the plugin */
  uint32_t flags;       /* MASH_SERIAL or 0 */
  const char* id;       /* [a-z0-9][a-z0-9-]* with an optional "author/" in front */
  const char* version;  /* "major.minor.patch" */
  const char* author;
  const char* summary;                /* one line */
  const char* license;                /* SPDX identifier */
  const mash_parameter_t* parameters; /* num_parameters of them, or NULL */
  uint32_t num_parameters;

  /* Makes an instance from num_values = num_parameters values, in the order of `parameters`, each within
   * its range. The instance is the caller's until `destroy`.
   * [any thread] On failure *out is untouched; MASH_UNSUPPORTED for values that it cannot work with. */
  int32_t (*create)(const mash_host_t* host, const double* values, uint32_t num_values,
                    mash_instance_t** out);

  /* The number of features for views of this size, >= 1. The same size gives the same number for ever.
   * [the instance's thread] On failure *out is untouched; MASH_UNSUPPORTED refuses the size, here alone. */
  int32_t (*dim)(mash_instance_t* instance, mash_size_t view_size, uint32_t* out);

  /* Looks at one view: all work that is per image, not per feature. `image` and `view` stay valid until
   * `release`. At most one state per instance is alive; the heuristic may reuse the instance's own memory.
   * [the instance's thread; no live state] On failure *out is untouched and there is nothing to release. */
  int32_t (*prepare)(mash_instance_t* instance, const mash_image_t* image, const mash_view_t* view,
                     mash_state_t** out);

  /* Writes num_features values to out[0 .. num_features). out[i] is the feature indices[i] < dim, in any
   * order and with repeats; NULL indices mean all features, and then num_features = dim. The value of a
   * feature depends on the parameters and the view's pixels only.
   * [the instance's thread; live state] On failure the content of out is unspecified. */
  int32_t (*compute)(mash_state_t* state, const uint32_t* indices, uint32_t num_features, float* out);

  /* Ends the look at the image. [the instance's thread; live state] Cannot fail. */
  void (*release)(mash_state_t* state);

  /* Frees the instance. [the instance's thread; no live state] Cannot fail. */
  void (*destroy)(mash_instance_t* instance);

  /* Returns the heuristic's table for a named extension, or NULL; may itself be NULL.
   * [any thread] The table is static. */
  const void* (*get_extension)(const char* name);
} mash_heuristic_t;

#ifdef __cplusplus
}
#endif
#endif
