// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/frame/visit.hpp"

// Pages on measurement: experiments, data sets, and what nobody covers yet. Each answers one row of the table
// in site.cpp; parts: what its address leaves open.
namespace mash::server {

Response show_experiments(Visit& visit, const Parts& parts);
Response show_experiment(Visit& visit, const Parts& parts);
Response show_datasets(Visit& visit, const Parts& parts);
Response show_uncovered(Visit& visit, const Parts& parts);

}  // namespace mash::server
