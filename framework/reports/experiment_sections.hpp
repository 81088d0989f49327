// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/records/experiment_record.hpp"
#include "framework/render/html.hpp"

// The parts of the report of an experiment, each from what is recorded. Where nothing is recorded (a run that
// was interrupted) a part says so in a sentence.
namespace mash::sections {

Html key_figures(const ExperimentRecord& record);
Html family_leaderboard(const ExperimentRecord& record);
Html learning_curve(const ExperimentRecord& record);
Html family_bars(const ExperimentRecord& record);
Html confusion_matrix(const ExperimentRecord& record);
// The mistakes with the most negative margins, as pictures where `dataset` has images.
// REQUIRES: `dataset` is the one of the experiment.
Result<Html> worst_mistakes(const ExperimentRecord& record, const Dataset& dataset);
Html reproduction(const ExperimentRecord& record);

}  // namespace mash::sections
