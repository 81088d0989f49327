// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>
#include <string>
#include <string_view>

#include "framework/base/result.hpp"
#include "framework/render/html.hpp"

namespace mash {

// Correlations as colours: from blue (-largest) over white (0) to orange (+largest), as a PNG in a "data:"
// address, a pixel each. pixels: floats; those that are not finite are white. Errors: the encoder's own.
// REQUIRES: largest > 0.
Result<std::string> correlation_map_uri(const cv::Mat& pixels, double largest);
// The colours with their numbers. id: as of svg::open. REQUIRES: largest > 0.
Html correlation_legend_svg(std::string_view id, double largest);

}  // namespace mash
