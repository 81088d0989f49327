// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "framework/base/result.hpp"

namespace mash {

// Whether a store keeps raw values by the content of pictures (`mash store set values=keep`). They are read
// and added by trainings from then on. A store that was never told does not.
bool keeps_values(const std::filesystem::path& store);
// Tells a store, which is made where it is not there. What it keeps already stays. Errors (kFailure): the
// disk's.
Status set_keeps_values(const std::filesystem::path& store, bool keeps);

}  // namespace mash
