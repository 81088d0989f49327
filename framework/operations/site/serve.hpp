// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "framework/base/work_context.hpp"
#include "framework/operations/site/settings.hpp"

namespace mash {

// Makes what the folder lacks: the database, and the boards that the settings name; one whose experiment has
// changed gets a new version, and a remark says what to do then. Errors (kInput): the folder cannot be made,
// no such experiment.
Status prepare_site(const ServeSettings& settings, Remarks& remarks);

// Makes an operator where there is none, and gives their token: it is kept nowhere.
Result<std::optional<std::string>> make_first_operator(const ServeSettings& settings);

// Runs mash-server and the runners, which lie beside this program, until the flag is raised, and begins one
// that ends again (restart_policy.hpp). Run by root, they become nobody, and the folder nobody's. Errors
// (kFailure): one of them cannot be started, or ends again and again.
Status run_site(const ServeSettings& settings, const WorkContext& work);

// The two programs that a site consists of.
enum class SitePart { kServer, kRunner };

// Whether both lie beside this program, as run_site and become_part want them. Errors (kFailure): one is not
// there.
Status check_site_programs();

// This process becomes that program, with the rights that it has; for those that look after programs
// themselves. Returns only where it cannot. Errors (kFailure): there is no such program beside this one.
Error become_part(SitePart part, const ServeSettings& settings);

}  // namespace mash
