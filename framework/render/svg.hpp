// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/render/html.hpp"

namespace mash {

enum class Scale { kLinear, kLog };

// The round numbers (1, 2 or 5 x 10^k) of an axis that lie in [low, high], about `target` of them at most.
// REQUIRES: low <= high; for kLog 0 < low. Where low = high: that number alone.
std::vector<double> axis_ticks(double low, double high, Scale scale, int target = 6);

// The place that a chart is drawn for: a page on a screen, or on a phone.
enum class Room { kWide, kNarrow };

// A chart as it goes onto a page.
struct Plot {
  std::string id, title, description;  // as of svg::open
  Html wide, narrow;                   // drawn for either room; narrow: empty where `wide` is for both
  Table numbers;                       // what it shows
};

}  // namespace mash

// Elements of charts. Lengths are in the units of the viewBox, about pixels at the usual size.
namespace mash::svg {

// Data to places on the picture.
struct Axis {
  Scale scale = Scale::kLinear;
  double low = 0, high = 1;   // of the data shown
  double begin = 0, end = 1;  // places of low and high

  double place(double value) const;
  // Moves low and high outwards to whole steps of about `target` ticks; one value, and a log axis, stay.
  void widen_to_steps(int target);
};

// "−0.2", "5 %".
std::string tick_label(double value, Format format);

// `label`, or its beginning and three dots where it is wider than `width`.
std::string shortened(const std::string& label, double width);
// About how wide a text is drawn.
double text_width(std::string_view text);

// `id` names the picture within its page; `description` is what somebody hears who cannot see it.
Html open(double width, double height, std::string_view id, std::string_view title,
          std::string_view description);
// The id of a chart that is drawn for this room: no two pictures of a page have the same.
std::string id_in(Room room, std::string_view id);
// A name for machines made of one for people: "share of cuts" becomes "share_of_cuts", and µs are us.
std::string key_of(std::string_view title);
Html line(const char* css_class, double x1, double y1, double x2, double y2);
// The line of a horizontal axis at height y with its ticks, their labels, and its title below.
Html horizontal_axis(const Axis& axis, double y, std::string_view title, Format format);
// The lines of a grid and their labels, left of it. left, right: where the lines begin and end.
Html vertical_axis(const Axis& axis, double left, double right, Format format);

}  // namespace mash::svg
