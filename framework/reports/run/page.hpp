// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/records/run_record.hpp"
#include "framework/render/page.hpp"

namespace mash {

// Whether the data are those that the run was made on. Errors (kInput): they are others.
Status check_data(const RunRecord& record, const Dataset& dataset);

// The report of a run as one page that needs nothing else: no network, no script. dataset: the one of the
// run, for the pictures of its test side. contribution: what its families contribute (pool_sections); may be
// empty. Errors: those of check_data, and of the encoder of pictures.
Result<page::Piece> run_page(const RunRecord& record, const Dataset& dataset,
                             std::span<const page::Section> contribution = {});

}  // namespace mash
