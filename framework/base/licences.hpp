// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "framework/base/result.hpp"

namespace mash {

// Licences of sources that everybody may read, by their SPDX names (https://spdx.org/licenses).

// Whether the text is the SPDX name of a usual free licence, such as "Apache-2.0", or several of them with
// " OR " or " AND " between, such as "MIT OR Apache-2.0". Errors (kInput): it is not; the message names some,
// and the one that may have been meant.
Status check_licence(std::string_view text);

}  // namespace mash
