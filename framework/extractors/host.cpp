// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/host.hpp"

#include <algorithm>
#include <string_view>

namespace mash {

ImageTile ImageTile::from(std::size_t first, std::uint32_t looks_back) const {
  const std::size_t wanted = num_shown + first;
  const std::size_t shown =
      frames.empty() ? 0 : std::min<std::size_t>({frames[wanted].num_before, looks_back, wanted});
  const std::size_t begin = wanted - shown;
  const auto behind = [&](const auto& values) { return values.subspan(std::min(begin, values.size())); };
  return {behind(images), views.size() == 1 ? views : behind(views), behind(numbers), behind(frames), shown};
}

ImageTile ImageTile::first(std::size_t num_images) const {
  const auto before = [&](const auto& values) { return values.first(std::min(num_images, values.size())); };
  return {before(images), before(views), before(numbers), before(frames), num_shown};
}

namespace {

constexpr std::string_view kCallsThatMayRefuse[] = {"create", "dim"};

Error already_begun(std::string_view call) {
  return failure("illegal {}: an image is begun, expected end_image first", call);
}

Error nothing_begun(std::string_view call) {
  return failure("illegal {}: no image is begun, expected begin_image first", call);
}

Status check_views(std::string_view call, const ImageTile& tile) {
  if (tile.has_its_views()) return Done{};
  return failure("{}: found {} views of {} images, expected one, or one an image", call, tile.views.size(),
                 tile.images.size());
}

}  // namespace

TileResult HeuristicInstance::extract(const ImageTile& tile, std::span<const std::uint32_t> indices,
                                      std::span<float> out) {
  if (begun_) return {0, already_begun("extract")};
  if (Status checked = check_views("extract", tile); !checked.ok()) return {0, std::move(checked)};
  return do_extract(tile, indices, out);
}

bool is_refusal(const Error& error) {
  return std::ranges::any_of(kCallsThatMayRefuse, [&](std::string_view call) {
    return error.message.find(fmt::format("': {}: {}", call, kRefusal)) != std::string::npos;
  });
}

Status HeuristicInstance::begin_image(const ImageTile& tile) {
  if (begun_) return already_begun("begin_image");
  if (tile.num_wanted() != 1)
    return failure("begin_image: found {} wanted images, expected 1", tile.num_wanted());
  MASH_TRY(check_views("begin_image", tile));
  MASH_TRY(do_begin_image(tile));
  begun_ = tile;
  return Done{};
}

Status HeuristicInstance::more(std::span<const std::uint32_t> indices, std::span<float> out) {
  if (!begun_) return nothing_begun("more");
  return do_more(*begun_, indices, out);
}

Status HeuristicInstance::end_image() {
  if (!begun_) return nothing_begun("end_image");
  begun_.reset();
  return do_end_image();
}

}  // namespace mash
