// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

// Texts that are published tell no place of the machine.
namespace mash {

// The last part of a path: "pics" of "/srv/course/pics/".
std::string_view last_part(std::string_view path);

// The text of an experiment with the last part of each path in the place of the path. Paths: the values of
// keys that name a file or folder, and all that begin with a slash, in quotes or not. Comments are left out;
// other text stays.
std::string without_places(std::string_view yaml);

}  // namespace mash
