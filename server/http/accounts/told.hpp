// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/render/page.hpp"
#include "server/http/frame/visit.hpp"

namespace mash::server {

// The most that each version of each board may have told of its private part, in bits. Errors: the database.
Result<page::Section> told_section(const Visit& visit);

}  // namespace mash::server
