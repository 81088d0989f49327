// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace mash {

// The style sheet of all reports: light and dark by the reader's preference, paper without shadows or
// scrolling. Text has a contrast of at least 4.5 to its ground in both (WCAG 2.1, criterion 1.4.3).
extern const std::string_view kStyle;

}  // namespace mash
