// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "framework/base/work_context.hpp"
#include "framework/operations/site/settings.hpp"

namespace mash {

// Checks, before anything is made, the boards that the settings name, and that the user nobody could reach
// the folder where root will run the site. Errors (kInput): there is no such experiment; a folder above it
// lets only its owner in.
Status check_serve_settings(const ServeSettings& settings);

// Makes what the folder lacks: the database, and the boards that the settings name. A board whose experiment
// has changed gets a new version, and a remark says what to do then; another one names the boards whose
// private pictures anybody can have. Errors (kInput): the folder cannot be made, or there is no such
// experiment.
Status prepare_site(const ServeSettings& settings, Remarks& remarks);

// Makes an operator where there is none, and returns their token, which is kept nowhere.
Result<std::optional<std::string>> make_first_operator(const ServeSettings& settings);

// Runs mash-server and the runners, which lie beside this program, until the flag is raised. Starts a program
// again where it ends (restart_policy.hpp). Where root runs this, the programs become the user nobody, who
// then owns the folder. Errors (kFailure): a program cannot be started, or ends again and again.
Status run_site(const ServeSettings& settings, const WorkContext& work);

// The two programs that a site consists of.
enum class SitePart { kServer, kRunner };

// Checks that both programs lie beside this one, where run_site and become_part look for them. Errors
// (kFailure): one is not there.
Status check_site_programs();

// Turns this process into the program `part`, with the rights that the process has. It is for systems that
// start and watch programs themselves. Returns only on an error. Errors (kFailure): there is no such program
// beside this one.
Error become_part(SitePart part, const ServeSettings& settings);

}  // namespace mash
