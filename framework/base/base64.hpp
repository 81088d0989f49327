// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mash {

// Bytes as text, and back (RFC 4648, section 4). Nothing for a text that is not the base64 of any bytes.
std::string base64(std::string_view bytes);
std::optional<std::string> bytes_of_base64(std::string_view text);

}  // namespace mash
