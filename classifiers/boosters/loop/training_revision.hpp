// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mash {

// Raised when the same settings come to train another model: checkpoints and finished runs of an earlier
// revision are not taken for those of this one. tests/contract/expected_models.csv is of one revision.
inline constexpr int kTrainingRevision = 12;

}  // namespace mash
