// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mash {

// Revision of training, raised when the same settings begin to train another model. Checkpoints and finished
// runs of an earlier revision are not used for this one. tests/contract/expected_models.csv belongs to one
// revision.
inline constexpr int kTrainingRevision = 15;

}  // namespace mash
