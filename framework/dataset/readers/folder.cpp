// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/readers/folder.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "framework/base/utf8.hpp"
#include "framework/dataset/data_path.hpp"
#include "framework/dataset/picture_block.hpp"
#include "framework/dataset/picture_layout.hpp"
#include "framework/dataset/picture_list.hpp"
#include "framework/dataset/resize.hpp"
#include "framework/dataset/source.hpp"

namespace mash {
namespace {

enum class Channels { kAuto, kGrey, kColour };
constexpr std::array kChannels{Choice{"auto", Channels::kAuto}, Choice{"grey", Channels::kGrey},
                               Choice{"rgb", Channels::kColour}, Choice{"1", Channels::kGrey},
                               Choice{"3", Channels::kColour}};

constexpr std::array kFilms{Choice{"auto", Films::kAuto}, Choice{"true", Films::kYes},
                            Choice{"false", Films::kNo}};
constexpr std::array kTestSides{Choice{"auto", TestSide::kAuto}, Choice{"test", TestSide::kTest},
                                Choice{"validation", TestSide::kValidation}};

// The layout, and the list that it comes from where there is one.
struct FoundPictures {
  PictureLayout layout;
  std::vector<SourceFile> list;
};

Result<FoundPictures> find(const PicturePlace& place, Films films) {
  FoundPictures found;
  if (place.list.empty()) {
    MASH_ASSIGN(found.layout, find_pictures(place.folder, films));
    return found;
  }
  MASH_ASSIGN(const LoadedSource list, read_source(place.list));
  MASH_ASSIGN(found.layout, parse_picture_list(list, place.folder));
  found.list.push_back(list.file);
  return found;
}

// "pictures/" names the folder "pictures", and "." has a name too.
std::string name_of(const PicturePlace& place) {
  if (!place.list.empty()) return printable(place.list.stem().string());
  std::error_code code;
  const std::filesystem::path whole = std::filesystem::canonical(place.folder, code);
  return printable((code ? place.folder : whole).filename().string());
}

// The images of one are a group.
void add_frames(const std::vector<PictureEntry>& entries, std::uint32_t num_cameras, Split& split) {
  for (const PictureEntry& entry : entries) {
    split.frames.push_back({entry.place, entry.place % num_cameras});
    split.groups.push_back(entry.sequence);
  }
}

// num_left_out: pictures; of films the whole film, for whose first broken one the reason is shown.
void warn_of_broken(const PictureBlock& train, const PictureBlock& test, std::size_t num_left_out,
                    Dataset& dataset) {
  std::vector<std::string> broken = train.broken;
  broken.insert(broken.end(), test.broken.begin(), test.broken.end());
  for (const std::string& warning : warnings_of_broken(broken, num_left_out, "skip_broken"))
    dataset.warnings.push_back(warning);
}

// The path of a picture below the folder of its data set; the whole path where it lies elsewhere.
std::string name_below(const std::filesystem::path& folder, const std::filesystem::path& picture) {
  const std::filesystem::path below = picture.lexically_relative(folder);
  return (below.empty() || *below.begin() == ".." ? picture : below).generic_string();
}

// Both sides with their files.
void take_pictures(PictureBlock train, PictureBlock test, const std::filesystem::path& folder,
                   Dataset& dataset) {
  for (PictureBlock* block : {&train, &test})
    for (SourceFile& source : block->sources) {
      source.name = name_below(folder, source.path);
      block->split.files.push_back(std::uint32_t(dataset.sources.size()));
      dataset.sources.push_back(std::move(source));
    }
  dataset.train = std::move(train.split);
  dataset.test = std::move(test.split);
}

// folder: the path of the data set.
Status put_together(PictureBlock train, PictureBlock test, const PictureLayout& layout,
                    const std::filesystem::path& folder, Dataset& dataset) {
  if (train.entries.empty())
    return input_error("{}: none of the {} pictures can be read, expected some to train on",
                       layout.train.front().path.parent_path().string(), layout.train.size());
  if (layout.cameras) {
    dataset.shape.num_cameras = std::uint32_t(layout.cameras->names.size());
    add_frames(train.entries, dataset.shape.num_cameras, train.split);
    add_frames(test.entries, dataset.shape.num_cameras, test.split);
  }
  warn_of_broken(train, test,
                 layout.train.size() + layout.test.size() - train.entries.size() - test.entries.size(),
                 dataset);
  take_pictures(std::move(train), std::move(test), folder, dataset);
  return Done{};
}

// Lists the pictures of each side in the order of their names, compared as texts, byte by byte: as users list
// the files of a folder. The classes take turns in the data set itself.
void list_by_names(Dataset& dataset) {
  list_examples(dataset);
  for (Split* side : {&dataset.train, &dataset.test}) {
    std::vector<std::size_t> by_name(side->num_examples);
    std::iota(by_name.begin(), by_name.end(), std::size_t(0));
    std::ranges::stable_sort(by_name, {}, [&](std::size_t n) -> const std::string& {
      return dataset.sources.at(side->files.at(n)).name;
    });
    const std::uint32_t first = side->listed.empty() ? 0 : side->listed.front();
    for (std::size_t i = 0; i < by_name.size(); ++i) side->listed[by_name[i]] = first + std::uint32_t(i);
  }
}

}  // namespace

Result<Dataset> read_folder(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const PicturePlace place, find_picture_place(settings, request.name));
  MASH_ASSIGN(const Channels channels, settings.one_of("channels", Channels::kAuto, kChannels));
  MASH_ASSIGN(const Films films, settings.one_of("films", Films::kAuto, kFilms));
  MASH_ASSIGN(const TestSide test_side, settings.one_of("test_side", TestSide::kAuto, kTestSides));
  const std::string test_side_where = settings.where("test_side");
  PictureOptions options;
  MASH_ASSIGN(options.resize, read_resize(settings));
  MASH_ASSIGN(options.skip_broken, settings.boolean("skip_broken", false));
  MASH_TRY(settings.finish("data set folder"));
  options.advice_for_sizes =
      "; 'resize: 64' in the data set brings them all to 64x64, 'resize: {width: 64, height: 48, mode: "
      "fit}' to another size without distortion";
  if (!options.skip_broken)
    options.advice_for_broken = "; 'skip_broken: true' in the data set leaves such pictures out";

  MASH_ASSIGN(FoundPictures found, find(place, films));
  if (const Status chosen = choose_test_side(test_side, found.layout); !chosen.ok())
    return chosen.error().at(test_side_where);
  Dataset dataset;
  dataset.name = name_of(place);
  dataset.class_names = found.layout.class_names;
  dataset.warnings = found.layout.warnings;
  if (test_side == TestSide::kValidation) dataset.judging_side = "validation";
  dataset.sources = std::move(found.list);
  MASH_ASSIGN(dataset.shape, shape_of_pictures(found.layout.train, options));
  const WorkContext& work = request.work;
  work.progress.start("reading images", found.layout.train.size() + found.layout.test.size(), "images");
  MASH_ASSIGN(PictureBlock train, read_pictures(found.layout.train, dataset.shape, options, work));
  MASH_ASSIGN(PictureBlock test, read_pictures(found.layout.test, dataset.shape, options, work));
  work.progress.finish();
  if (channels == Channels::kGrey || (channels == Channels::kAuto && train.all_grey && test.all_grey)) {
    dataset.shape.num_channels = 1;
    turn_grey(train.split);
    turn_grey(test.split);
  }
  MASH_TRY(put_together(std::move(train), std::move(test), found.layout, place.folder, dataset));
  if (place.list.empty()) list_by_names(dataset);  // pictures of a list stay in the order of its lines
  return dataset;
}

}  // namespace mash
