// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/dataset/reader.hpp"

namespace mash {

// DIAGONAL(d, J, q) of Busa-Fekete & Kegl 2010, section 4.1: the class tells on which side of the diagonal of
// J of its d dimensions a point lies, wrongly for the share q. Keys: features, relevant, noise.
Result<Dataset> generate_diagonal(Settings& settings, const ReadRequest& request);

}  // namespace mash
