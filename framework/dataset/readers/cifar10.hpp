// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/dataset/reader.hpp"

namespace mash {

// The binary batches of CIFAR-10, plain or .gz (Krizhevsky 2009). Key: path, the folder.
Result<Dataset> read_cifar10(Settings& settings, const ReadRequest& request);

}  // namespace mash
