// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/records/run_record.hpp"
#include "framework/render/page.hpp"

// Mistakes of a run's classifier on the test side, from what is recorded. Where nothing is recorded (a run
// that was interrupted) a part says so in a sentence.
namespace mash::sections {

page::Piece confusion_matrix(const RunRecord& record);

// The mistakes with the most negative margins, as pictures where `dataset` has images. Errors: those of the
// encoder of pictures. REQUIRES: `dataset` is the one of the run.
Result<page::Piece> worst_mistakes(const RunRecord& record, const Dataset& dataset);

}  // namespace mash::sections
