// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/records/experiment_record.hpp"
#include "framework/render/html.hpp"

// What an experiment's classifier gets wrong on the test side, from what is recorded. Where nothing is
// recorded (a run that was interrupted) a part says so in a sentence.
namespace mash::sections {

Html confusion_matrix(const ExperimentRecord& record);

// The mistakes with the most negative margins, as pictures where `dataset` has images. Errors: those of the
// encoder of pictures. REQUIRES: `dataset` is the one of the experiment.
Result<Html> worst_mistakes(const ExperimentRecord& record, const Dataset& dataset);

}  // namespace mash::sections
