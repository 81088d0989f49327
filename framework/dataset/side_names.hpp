// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace mash {

// A side of a data set by the name that its publisher gives it.
enum class NamedSide { kTrain, kValidation, kTest };

// The side that a folder's name or the split of a list stands for, in any case: train, training, trn; val,
// valid, validation, dev; test, testing, tst; each also with numbers and words such as set, data or images
// before or behind it, as in "training_set", "train2017", "seg_test". Nothing for other names.
std::optional<NamedSide> side_named(std::string_view name);

}  // namespace mash
