// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/image_sequence.hpp"

#include <fmt/ranges.h>

#include <cstdint>
#include <map>

#include "framework/base/number.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/image_file.hpp"
#include "framework/dataset/source.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

using Numbered = std::map<std::uint64_t, fs::path>;

// The number at the end of a name: 12 of "frame-0012".
std::optional<std::uint64_t> last_number(const std::string& name) {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t end = name.find_last_of(kDigits);
  if (end == std::string::npos) return std::nullopt;
  const std::size_t before = name.find_last_not_of(kDigits, end);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return number_in<std::uint64_t>(std::string_view(name).substr(begin, end + 1 - begin));
}

Result<Numbered> numbered(const std::vector<fs::path>& images) {
  Numbered found;
  for (const fs::path& image : images) {
    const auto number = last_number(image.stem().string());
    if (!number)
      return input_error("{}: found no number in the name, expected that of a frame, as in 0012.png",
                         image.string());
    const auto [other, is_new] = found.emplace(*number, image);
    if (!is_new)
      return input_error("{}: found frame {} once more, expected other numbers than that of {}",
                         image.string(), *number, other->second.filename().string());
  }
  return found;
}

struct Entries {
  std::vector<fs::path> images, folders;
};
Result<Entries> list_entries(const fs::path& folder) {
  Entries found;
  MASH_ASSIGN(const std::vector<fs::path> entries, list_folder(folder));
  std::error_code code;
  for (const fs::path& entry : entries) {
    if (fs::is_directory(entry, code))
      found.folders.push_back(entry);
    else if (has_image_extension(entry))
      found.images.push_back(entry);
  }
  return found;
}

Status check_same_numbers(const Numbered& first, const Numbered& other, const fs::path& first_folder,
                          const fs::path& other_folder) {
  for (const auto& [a, b, lacking] :
       {std::tuple(&first, &other, &other_folder), std::tuple(&other, &first, &first_folder)})
    for (const auto& [number, path] : *a)
      if (!b->contains(number))
        return input_error("{}: found no frame {}, expected one beside {}", lacking->string(), number,
                           path.string());
  return Done{};
}

std::string in_words(const std::vector<std::string>& cameras) {
  return cameras.front().empty() ? "one camera" : fmt::format("the cameras {}", fmt::join(cameras, ", "));
}

}  // namespace

Result<std::vector<fs::path>> list_sequence(const fs::path& folder, std::optional<Cameras>& cameras) {
  MASH_ASSIGN(const Entries entries, list_entries(folder));
  if (entries.images.empty() == entries.folders.empty())
    return input_error("{}: found {}, expected the images of a sequence, or a folder of them for each camera",
                       folder.string(), entries.images.empty() ? "neither images nor folders" : "both");
  if (entries.folders.size() > kMaxCameras)
    return input_error("{}: found {} cameras, expected at most {}", folder.string(), entries.folders.size(),
                       kMaxCameras);
  std::vector<std::string> names;
  std::vector<Numbered> frames;
  if (entries.folders.empty()) {
    names.emplace_back();
    MASH_ASSIGN(frames.emplace_back(), numbered(entries.images));
  }
  for (const fs::path& camera : entries.folders) {
    names.push_back(camera.filename().string());
    MASH_ASSIGN(const Entries of_camera, list_entries(camera));
    if (of_camera.images.empty())
      return input_error("{}: found no images, expected those of a camera", camera.string());
    MASH_ASSIGN(frames.emplace_back(), numbered(of_camera.images));
    MASH_TRY(check_same_numbers(frames.front(), frames.back(), entries.folders.front(), camera));
  }
  if (!cameras) cameras = {names, folder};
  if (cameras->names != names)
    return input_error("{}: found {}, expected {} as in {}", folder.string(), in_words(names),
                       in_words(cameras->names), cameras->seen_in.string());
  std::vector<fs::path> images;
  for (const auto& [number, path] : frames.front())
    for (const Numbered& of_camera : frames) images.push_back(of_camera.at(number));
  return images;
}

}  // namespace mash
