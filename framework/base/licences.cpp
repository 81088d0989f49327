// SPDX-License-Identifier: Apache-2.0
#include "framework/base/licences.hpp"

#include <algorithm>
#include <string>

#include "framework/base/suggestion.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

constexpr std::size_t kMostLicenceShown = 60;

// Free licences in use for sources, and those of texts and data that let others read and change them.
constexpr std::string_view kLicences[] = {
    "0BSD",
    "AFL-3.0",
    "AGPL-3.0-only",
    "AGPL-3.0-or-later",
    "Apache-2.0",
    "Artistic-2.0",
    "BlueOak-1.0.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSD-3-Clause-Clear",
    "BSL-1.0",
    "CC-BY-4.0",
    "CC-BY-SA-4.0",
    "CC0-1.0",
    "CDDL-1.0",
    "CDDL-1.1",
    "CECILL-2.1",
    "CECILL-B",
    "CECILL-C",
    "ECL-2.0",
    "EPL-1.0",
    "EPL-2.0",
    "EUPL-1.1",
    "EUPL-1.2",
    "GPL-2.0-only",
    "GPL-2.0-or-later",
    "GPL-3.0-only",
    "GPL-3.0-or-later",
    "ISC",
    "LGPL-2.1-only",
    "LGPL-2.1-or-later",
    "LGPL-3.0-only",
    "LGPL-3.0-or-later",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "MS-PL",
    "MulanPSL-2.0",
    "NCSA",
    "OSL-3.0",
    "PostgreSQL",
    "Unlicense",
    "UPL-1.0",
    "WTFPL",
    "Zlib",
};

// The part of an expression in front of its first " OR " or " AND ", which it takes off.
std::string_view take_name(std::string_view& text) {
  std::size_t end = text.size(), rest = text.size();
  for (const std::string_view between : {" OR ", " AND "})
    if (const std::size_t at = text.find(between); at < end) {
      end = at;
      rest = at + between.size();
    }
  const std::string_view name = text.substr(0, end);
  // An expression does not end with the word between two.
  text = rest == text.size() && end < text.size() ? " " : text.substr(rest);
  return name;
}

}  // namespace

Status check_licence(std::string_view text) {
  std::string_view rest = text;
  do {
    const std::string_view name = take_name(rest);
    if (std::ranges::find(kLicences, name) != std::end(kLicences)) continue;
    const std::string meant = did_you_mean(name, kLicences);
    return input_error(
        "found {}, expected the SPDX name of a free licence, by which others may read the source, such as "
        "Apache-2.0, BSD-3-Clause, MIT, MPL-2.0, GPL-3.0-or-later or CC0-1.0{}{}",
        text.empty() ? "none" : fmt::format("'{}'", printable(text, kMostLicenceShown)),
        meant.empty() ? "" : "; ", meant);
  } while (!rest.empty());
  return Done{};
}

}  // namespace mash
