// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/dataset/reader.hpp"

namespace mash {

// Handwritten digits in the four IDX files of MNIST, plain or .gz (LeCun, Cortes, Burges 1998), and other
// sets of that form, such as EMNIST. Keys: path, the folder; classes, their number; files, the beginning of
// the files' names where the folder has several sets.
Result<Dataset> read_mnist(Settings& settings, const ReadRequest& request);

}  // namespace mash
