// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/operations/site/settings.hpp"
#include "framework/records/boards.hpp"

// Words and times of a board, as an operator writes them.
namespace mash {

// The terms after the change. Errors (kInput), which name the key: a text is no line of text or is too long,
// a time is none or names no zone, the board would close before it opens, or the points are no scale.
Result<BoardTerms> changed_terms(BoardTerms terms, const TermsChange& change);

}  // namespace mash
