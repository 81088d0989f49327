// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/host.hpp"

#include <algorithm>

namespace mash {

ImageTile ImageTile::from(std::size_t first, std::uint32_t looks_back) const {
  const std::size_t wanted = num_shown + first;
  const std::size_t shown =
      frames.empty() ? 0 : std::min<std::size_t>({frames[wanted].num_before, looks_back, wanted});
  const std::size_t begin = wanted - shown;
  const auto behind = [&](const auto& values) { return values.subspan(std::min(begin, values.size())); };
  return {behind(images), view, behind(numbers), behind(frames), shown};
}

}  // namespace mash
