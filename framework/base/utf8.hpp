// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace mash {

// The number of bytes up to the first that is not part of sound UTF-8 (RFC 3629: no overlong forms, no
// surrogates, nothing beyond U+10FFFF); text.size() where all of it is sound.
std::size_t utf8_prefix(std::string_view text);

inline bool is_utf8(std::string_view text) { return utf8_prefix(text) == text.size(); }

}  // namespace mash
