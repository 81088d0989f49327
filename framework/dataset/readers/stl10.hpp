// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/dataset/reader.hpp"

namespace mash {

// STL-10's binary files (Coates, Lee, Ng 2011): train_X.bin, train_y.bin, test_X.bin, test_y.bin and
// class_names.txt, plain or .gz; the pictures without labels are not read. Keys: path, the folder; fold, 0 to
// 9: training on the 1000 pictures of that line of fold_indices.txt, as the publisher's protocol does.
Result<Dataset> read_stl10(Settings& settings, const ReadRequest& request);

}  // namespace mash
