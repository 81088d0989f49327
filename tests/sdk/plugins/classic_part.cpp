// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

// The second source file of a plugin: it includes the header too, and the plugin still has one entry.
Mash::scalar_t classic_part(const Mash::Image& image) { return image.grayBuffer()[0]; }
