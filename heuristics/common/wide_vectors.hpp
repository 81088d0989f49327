// SPDX-License-Identifier: Apache-2.0
#pragma once

// A function marked so is compiled for wide vectors as well, and which one runs is chosen when the plugin is
// loaded. Its numbers are the same: neither has fused multiply-adds. Sanitizers cannot look at the choice.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define MASH_WIDE_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define MASH_WIDE_VECTORS
#endif
