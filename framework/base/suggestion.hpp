// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mash {

// The known name that somebody who wrote `word` most likely meant; nothing where none is like it.
std::optional<std::string> closest_name(std::string_view word, std::span<const std::string> known);

}  // namespace mash
