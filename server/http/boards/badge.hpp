// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace mash::server {

enum class BadgeMood { kGood, kPlain, kUnknown };

// A small SVG picture that needs nothing but itself: "mash | text".
std::string badge(std::string_view text, BadgeMood mood);

}  // namespace mash::server
