// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "framework/render/forest_plot.hpp"
#include "framework/render/scatter_chart.hpp"
#include "server/http/frame/board_cache.hpp"

namespace mash::server {

// Gains with their intervals below each other. rows: places in stand.entries.
Plot gains_plot(const BoardStand& stand, std::span<const std::size_t> rows);

// Cost against gain. On the front are those that add something and that no cheaper one betters; they have
// their names. rows: places in stand.entries of those that are drawn beside the front.
ScatterChart front_chart(const BoardStand& stand, std::span<const std::size_t> rows);
// Draws them all.
ScatterChart front_chart(const BoardStand& stand);
// A chart as a file that needs nothing but itself.
std::string svg_file(const ScatterChart& chart);

}  // namespace mash::server
