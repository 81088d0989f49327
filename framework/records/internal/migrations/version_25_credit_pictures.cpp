// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// A part of a credit for each test picture, so that the error of a difference of two credits holds the choice
// of the pictures. Credits of former versions have no such parts.
const char* const kCreditPicturesSql = R"sql(
ALTER TABLE credit_parts ADD COLUMN of_pictures BLOB NOT NULL DEFAULT x'';
)sql";

}  // namespace mash
