// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace mash {

// Prints the document that --json asks for. Names of files may be any bytes: those that are no UTF-8 become
// U+FFFD.
inline void print_json(const nlohmann::ordered_json& json, int indent = 2) {
  fmt::print("{}\n", json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace mash
