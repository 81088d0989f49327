// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/records/records.hpp"

namespace mash {

// Writes the report of an experiment as one HTML file that needs nothing else: no network, no script. The
// file is replaced as a whole or left as it was. dataset: the one of the experiment, for the pictures of its
// test side. Errors: an unknown experiment or another data set (kInput); a file that cannot be written.
Status write_html_report(Records& records, std::int64_t experiment_id, const Dataset& dataset,
                         const std::filesystem::path& path);

}  // namespace mash
