/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASH_ABI_HOST_H
#define MASH_ABI_HOST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What every function of a heuristic returns. */
enum {
  MASH_OK = 0,
  MASH_ERROR = 1,         /* the call failed; the text is what set_error was given */
  MASH_OUT_OF_MEMORY = 2, /* the call failed for want of memory */
  MASH_UNSUPPORTED = 3    /* create, dim: it cannot work with these parameters, or on this view size */
};

/* What the host offers a heuristic. The host's own, constant; valid from the start of `create` until
 * `destroy` returns (or until `create` returns, when that fails). */
typedef struct mash_host {
  uint32_t struct_size; /* sizeof(mash_host_t) of the host */
  uint32_t abi_version; /* MASH_ABI_VERSION of the host */
  void* context;        /* the host's own; pass it back unchanged */

  /* Says in words why the call in progress fails: the last text before the call returns counts. The host
   * copies `text` (UTF-8, NUL-terminated, one line, cut at 1000 bytes) before it returns; NULL is "". [that
   * call's thread; inside any call of the instance] Cannot fail. */
  void (*set_error)(void* context, const char* text);

  /* Writes a line to the host's log, of which a check of the heuristic shows the first lines, each once; a host
   * that trains or predicts drops it. The host copies `text`, as above. [that call's thread; inside any call
   * of the instance] Cannot fail. */
  void (*log)(void* context, const char* text);

  /* Returns the host's table for a named extension ("mash.sequence/1"), or NULL when it has none.
   * The table is the host's and lives as long as the host struct.
   * [that call's thread; inside any call of the instance] Cannot fail. */
  const void* (*get_extension)(void* context, const char* name);
} mash_host_t;

#ifdef __cplusplus
}
#endif
#endif
