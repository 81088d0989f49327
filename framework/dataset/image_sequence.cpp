// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/image_sequence.hpp"

#include <fmt/ranges.h>

#include <cstdint>
#include <map>
#include <set>

#include "framework/base/number.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/picture_folder.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

using Numbered = std::map<std::uint64_t, fs::path>;

// The digits at the end of a name: "0012" of "frame-0012 (b)". Empty where there are none.
std::string_view last_digits(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t end = name.find_last_of(kDigits);
  if (end == std::string_view::npos) return {};
  const std::size_t before = name.find_last_not_of(kDigits, end);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return name.substr(begin, end + 1 - begin);
}

std::optional<std::uint64_t> last_number(std::string_view name) {
  return number_in<std::uint64_t>(last_digits(name));
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

// Whether they differ in numbers alone, without a gap between these.
bool run_on(const std::vector<fs::path>& images) {
  std::set<std::uint64_t> numbers;
  std::set<std::string> names;
  for (const fs::path& image : images) {
    std::string name = image.stem().string();
    const std::string_view digits = last_digits(name);
    const auto number = number_in<std::uint64_t>(digits);
    if (!number || !numbers.insert(*number).second) return false;
    names.insert(name.erase(std::size_t(digits.data() - name.data()), digits.size()));
  }
  return names.size() == 1 && *numbers.rbegin() - *numbers.begin() == numbers.size() - 1;
}

}  // namespace

Result<std::size_t> length_of_sequence(const fs::path& folder) {
  MASH_ASSIGN(const FolderContent entries, look_into(folder));
  if (entries.folders.empty()) return run_on(entries.pictures) ? entries.pictures.size() : 0;
  if (!entries.pictures.empty()) return std::size_t(0);
  std::size_t length = 0;
  for (const fs::path& camera : entries.folders) {
    MASH_ASSIGN(const FolderContent of_camera, look_into(camera));
    if (!of_camera.folders.empty() || !run_on(of_camera.pictures)) return std::size_t(0);
    length += of_camera.pictures.size();
  }
  return length;
}

Result<std::vector<fs::path>> list_sequence(const fs::path& folder, std::optional<Cameras>& cameras) {
  MASH_ASSIGN(const FolderContent entries, look_into(folder));
  if (entries.pictures.empty() == entries.folders.empty())
    return input_error("{}: found {}, expected the images of a sequence, or a folder of them for each camera",
                       folder.string(), entries.pictures.empty() ? "neither images nor folders" : "both");
  if (entries.folders.size() > kMaxCameras)
    return input_error("{}: found {} cameras, expected at most {}", folder.string(), entries.folders.size(),
                       kMaxCameras);
  std::vector<std::string> names;
  std::vector<Numbered> frames;
  if (entries.folders.empty()) {
    names.emplace_back();
    MASH_ASSIGN(frames.emplace_back(), numbered(entries.pictures));
  }
  for (const fs::path& camera : entries.folders) {
    names.push_back(camera.filename().string());
    MASH_ASSIGN(const FolderContent of_camera, look_into(camera));
    if (of_camera.pictures.empty())
      return input_error("{}: found no images, expected those of a camera", camera.string());
    MASH_ASSIGN(frames.emplace_back(), numbered(of_camera.pictures));
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
