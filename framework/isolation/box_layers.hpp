// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/isolation/control_group.hpp"

namespace mash {

// A wall of the boxes of this machine, as a program in a box found it.
struct BoxLayer {
  std::string name;
  bool is_needed = true;  // without it nothing is run in a box
  bool is_active = false;
  std::string finding;  // what it keeps out; or why it does not hold, and the cure
};

// Makes a box and has mash-worker try its walls from within. All layers, the needed ones first.
std::vector<BoxLayer> try_box_layers();

// The same, tried once, and remembered while this program runs.
const std::vector<BoxLayer>& box_layers();

// Whether strangers' code may be run in a box here, by box_layers.
// Errors (kFailure): a needed layer does not hold; which, and the cure.
Status check_box();

// A control group for boxes, a layer beside the others; nothing where none can be made, or no box can enter
// it.
std::optional<ControlGroup> make_box_group(const GroupLimits& limits);

}  // namespace mash
