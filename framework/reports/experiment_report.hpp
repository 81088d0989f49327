// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/records/experiment_record.hpp"
#include "framework/render/html.hpp"

namespace mash {

// Whether the data are those that the experiment was run on. Errors (kInput): they are others.
Status check_data(const ExperimentRecord& record, const Dataset& dataset);

// The report of an experiment as one page that needs nothing else: no network, no script. dataset: the one of
// the experiment, for the pictures of its test side. contribution: what its families contribute
// (pool_sections); may be empty. Errors: those of check_data, and of the encoder of pictures.
Result<Html> experiment_page(const ExperimentRecord& record, const Dataset& dataset,
                             std::span<const HtmlSection> contribution = {});

}  // namespace mash
