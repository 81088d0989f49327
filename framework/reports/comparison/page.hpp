// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "framework/render/page.hpp"
#include "framework/reports/comparison/comparison.hpp"

namespace mash {

// A comparison as one page that needs nothing else: no network, no script.
page::Piece comparison_page(const ComparisonReport& comparison, std::string_view program_version);

}  // namespace mash
