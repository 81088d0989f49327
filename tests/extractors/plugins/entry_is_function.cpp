// SPDX-License-Identifier: Apache-2.0
extern "C" __attribute__((visibility("default"))) void mash_plugin() {}
