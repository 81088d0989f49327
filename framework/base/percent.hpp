// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mash {

// `text` as a part of an address: letters and digits of ASCII, "-_.~" and what is in `also_kept` stay, every
// other byte becomes as "%41" (RFC 3986, sections 2.1 and 2.3).
std::string percent_encoded(std::string_view text, std::string_view also_kept = {});

// Back again; any bytes may come out. Nothing where a '%' stands without two hexadecimal digits behind it.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace mash
