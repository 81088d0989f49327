// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/records/records.hpp"

namespace mash {

// What this machine is, for the records and `mash doctor`.
MachineInfo this_machine();

}  // namespace mash
