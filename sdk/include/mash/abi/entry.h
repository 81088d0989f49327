/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASH_ABI_ENTRY_H
#define MASH_ABI_ENTRY_H

#include "heuristic.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MASH_ABI_VERSION 1u

#if defined(__GNUC__)
#define MASH_EXPORT __attribute__((visibility("default")))
#else
#define MASH_EXPORT
#endif

/* The handshake: constant data, so that the host reads it before any code of the plugin's runs on its
 * behalf. A host refuses another abi_version or any size that differs from its own. */
typedef struct mash_plugin_info {
  uint32_t abi_version;    /* MASH_ABI_VERSION */
  uint32_t plugin_size;    /* sizeof(mash_plugin_info_t) */
  uint32_t heuristic_size; /* sizeof(mash_heuristic_t) */
  uint32_t parameter_size; /* sizeof(mash_parameter_t) */
  uint32_t host_size;      /* sizeof(mash_host_t) */
  uint32_t image_size;     /* sizeof(mash_image_t) */
  uint32_t num_heuristics; /* >= 1 */
  const mash_heuristic_t* const* heuristics;
} mash_plugin_info_t;

/* The one symbol that a plugin exports. */
extern MASH_EXPORT const mash_plugin_info_t mash_plugin;

/* The first members of a mash_plugin_info_t initialiser. */
#define MASH_PLUGIN_HANDSHAKE                                                                 \
  MASH_ABI_VERSION, (uint32_t)sizeof(mash_plugin_info_t), (uint32_t)sizeof(mash_heuristic_t), \
      (uint32_t)sizeof(mash_parameter_t), (uint32_t)sizeof(mash_host_t), (uint32_t)sizeof(mash_image_t)

#ifdef __cplusplus
}
#endif
#endif
