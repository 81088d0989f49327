// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/readers/folder.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "framework/base/parallel.hpp"
#include "framework/base/utf8.hpp"
#include "framework/dataset/data_path.hpp"
#include "framework/dataset/image_file.hpp"
#include "framework/dataset/image_sequence.hpp"
#include "framework/dataset/source.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

struct ClassFolder {
  std::string name;
  std::vector<std::vector<fs::path>> sequences;  // in name order; an image that stands alone is one
};

struct ImageEntry {
  fs::path path;
  std::uint16_t label;
  std::uint32_t sequence;
  std::uint32_t place;  // in the sequence
};

// What listing the folders finds beside the classes.
struct Listing {
  std::optional<Cameras> cameras;  // where there are sequences
  std::vector<std::string>& warnings;
};

// What has been decoded of one side.
struct DecodedSide {
  Split split;  // three channels
  std::vector<SourceFile> sources;
  bool all_grey = true;
};

// A class of images, or of folders with a sequence of images each.
Result<ClassFolder> list_class(const fs::path& folder, Listing& listing) {
  ClassFolder listed{folder.filename().string(), {}};
  if (!is_utf8(listed.name))
    return input_error("{}: the name of the class folder is not UTF-8, expected it to be", folder.string());
  MASH_ASSIGN(const std::vector<fs::path> entries, list_folder(folder));
  std::error_code code;
  std::vector<fs::path> folders;
  for (const fs::path& entry : entries) {
    if (fs::is_directory(entry, code))
      folders.push_back(entry);
    else if (has_image_extension(entry))
      listed.sequences.push_back({entry});
  }
  if (listed.sequences.empty())
    for (const fs::path& sequence : folders) {
      MASH_ASSIGN(listed.sequences.emplace_back(), list_sequence(sequence, listing.cameras));
    }
  if (listed.sequences.empty())
    return input_error(
        "{}: found no images in the class folder, expected .png, .jpg, .bmp, .ppm, .pgm, .tif or .webp, or "
        "folders with the numbered images of a sequence each",
        folder.string());
  if (const std::size_t num_other = entries.size() - listed.sequences.size(); num_other > 0)
    listing.warnings.push_back(
        fmt::format("{}: {} entries that are no images were left out", folder.string(), num_other));
  return listed;
}

Result<std::vector<ClassFolder>> list_classes(const fs::path& folder, Listing& listing) {
  std::vector<ClassFolder> classes;
  MASH_ASSIGN(const std::vector<fs::path> entries, list_folder(folder));
  std::error_code code;
  for (const fs::path& entry : entries)
    if (fs::is_directory(entry, code)) {
      MASH_ASSIGN(ClassFolder listed, list_class(entry, listing));
      classes.push_back(std::move(listed));
    }
  if (classes.empty())
    return input_error("{}: found no class folders, expected one folder of images per class",
                       folder.string());
  return classes;
}

// The first image or sequence of each class, then the second of each, and so on: the first n are then of all
// classes.
std::vector<ImageEntry> take_turns(const std::vector<ClassFolder>& classes,
                                   const std::vector<std::string>& names) {
  std::vector<ImageEntry> entries;
  std::size_t longest = 0;
  for (const ClassFolder& folder : classes) longest = std::max(longest, folder.sequences.size());
  std::uint32_t num_sequences = 0;
  for (std::size_t turn = 0; turn < longest; ++turn)
    for (const ClassFolder& folder : classes) {
      if (turn >= folder.sequences.size()) continue;
      const auto position = std::lower_bound(names.begin(), names.end(), folder.name) - names.begin();
      std::uint32_t place = 0;
      for (const fs::path& image : folder.sequences[turn])
        entries.push_back({image, std::uint16_t(position), num_sequences, place++});
      ++num_sequences;
    }
  return entries;
}

// Adds where the images stand in their sequences; those of one are a group.
void add_frames(const std::vector<ImageEntry>& entries, std::uint32_t num_cameras, Split& split) {
  for (const ImageEntry& entry : entries) {
    split.frames.push_back({entry.place, entry.place % num_cameras});
    split.groups.push_back(entry.sequence);
  }
}

// Decodes the entries into one block. `shape` is that of the first image of the data set, seen in `first`.
Result<DecodedSide> decode_all(const std::vector<ImageEntry>& entries, const ImageShape& shape,
                               const fs::path& first, Progress& progress) {
  DecodedSide side;
  side.split.num_examples = entries.size();
  side.split.pixels.resize(entries.size() * shape.num_bytes());
  for (const ImageEntry& entry : entries) side.split.labels.push_back(entry.label);
  side.sources.resize(entries.size());
  std::atomic<bool> all_grey{true};
  const auto decode_one = [&](std::size_t i) -> Status {
    MASH_ASSIGN(LoadedSource source, read_source(entries[i].path));
    MASH_ASSIGN(const DecodedImage image, decode_image(source));
    if (image.shape.width != shape.width || image.shape.height != shape.height)
      return input_error("{}: found an image of {}x{}, expected {}x{} as in {}", source.place(),
                         image.shape.width, image.shape.height, shape.width, shape.height, first.string());
    if (!image.is_grey) all_grey = false;
    std::copy(image.pixels.begin(), image.pixels.end(),
              side.split.pixels.begin() + std::ptrdiff_t(i * shape.num_bytes()));
    side.sources[i] = std::move(source.file);
    return Done{};
  };
  std::vector<std::optional<Error>> errors(entries.size());
  Workers().for_ranges(entries.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (const Status status = decode_one(i); !status.ok()) errors[i] = status.error();
    progress.advance(end - begin);
  });
  for (const auto& error : errors)
    if (error) return *error;
  side.all_grey = all_grey;
  return side;
}

struct Layout {
  std::vector<ImageEntry> train;
  std::vector<ImageEntry> test;  // empty where the folder is not divided
  std::optional<Cameras> cameras;
};

// path/train/<class> and path/test/<class>, or path/<class>; a class holds images, or a folder for each
// sequence of them.
Result<Layout> find_layout(const fs::path& path, Dataset& dataset) {
  std::error_code code;
  const bool is_divided = fs::is_directory(path / "train", code) && fs::is_directory(path / "test", code);
  Listing listing{std::nullopt, dataset.warnings};
  MASH_ASSIGN(const auto train, list_classes(is_divided ? path / "train" : path, listing));
  std::vector<ClassFolder> test;
  if (is_divided) {
    MASH_ASSIGN(test, list_classes(path / "test", listing));
  }
  std::set<std::string> names;
  for (const auto& side : {std::cref(train), std::cref(test)})
    for (const ClassFolder& folder : side.get()) names.insert(folder.name);
  if (names.size() > UINT16_MAX)
    return input_error("{}: found {} classes, expected at most {}", path.string(), names.size(), UINT16_MAX);
  dataset.class_names.assign(names.begin(), names.end());
  return Layout{take_turns(train, dataset.class_names), take_turns(test, dataset.class_names),
                std::move(listing.cameras)};
}

}  // namespace

Result<Dataset> read_folder(Settings& settings, const ReadRequest& request) {
  static constexpr std::array<std::string_view, 3> kChannels{"auto", "1", "3"};
  MASH_ASSIGN(const auto path, find_data_path(settings, request.name));
  MASH_ASSIGN(const std::string channels, settings.choice("channels", "auto", kChannels));
  MASH_TRY(settings.finish("data set folder"));
  Dataset dataset;
  MASH_ASSIGN(const Layout layout, find_layout(path, dataset));
  const fs::path first = layout.train.front().path;
  MASH_ASSIGN(const LoadedSource first_source, read_source(first));
  MASH_ASSIGN(const DecodedImage first_image, decode_image(first_source));
  dataset.shape = first_image.shape;

  request.progress.start("reading images", layout.train.size() + layout.test.size(), "images");
  MASH_ASSIGN(DecodedSide train, decode_all(layout.train, dataset.shape, first, request.progress));
  MASH_ASSIGN(DecodedSide test, decode_all(layout.test, dataset.shape, first, request.progress));
  request.progress.finish();
  if (channels == "1" || (channels == "auto" && train.all_grey && test.all_grey)) {
    dataset.shape.num_channels = 1;
    train.split.pixels = to_grey(train.split.pixels);
    test.split.pixels = to_grey(test.split.pixels);
  }
  if (layout.cameras) {
    dataset.shape.num_cameras = std::uint32_t(layout.cameras->names.size());
    add_frames(layout.train, dataset.shape.num_cameras, train.split);
    add_frames(layout.test, dataset.shape.num_cameras, test.split);
  }
  dataset.train = std::move(train.split);
  dataset.test = std::move(test.split);
  dataset.sources = std::move(train.sources);
  dataset.sources.insert(dataset.sources.end(), test.sources.begin(), test.sources.end());
  return dataset;
}

}  // namespace mash
