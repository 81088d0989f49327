// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/dataset/reader.hpp"

namespace mash {

// Handwritten digits in the four IDX files of MNIST, plain or .gz (LeCun, Cortes, Burges 1998), and other
// sets of that form. Keys: path, the folder; classes, their number.
Result<Dataset> read_mnist(Settings& settings, const ReadRequest& request);

}  // namespace mash
