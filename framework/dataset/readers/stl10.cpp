// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/readers/stl10.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"
#include "framework/dataset/data_path.hpp"
#include "framework/dataset/source.hpp"

namespace mash {
namespace {

constexpr ImageShape kStlShape{96, 96, 3};
constexpr std::size_t kStlSide = 96;
constexpr std::size_t kStlPlane = kStlSide * kStlSide;
constexpr std::size_t kStlRecord = 3 * kStlPlane;
constexpr std::int64_t kNumFolds = 10;

Result<LoadedSource> read_part(const std::filesystem::path& folder, std::string_view name, Dataset& dataset) {
  MASH_ASSIGN(const auto path, find_plain_or_gz(folder, name));
  MASH_ASSIGN(LoadedSource source, read_source(path));
  dataset.sources.push_back(source.file);
  return source;
}

Status read_class_names(const LoadedSource& source, Dataset& dataset) {
  if (!is_utf8(source.bytes))
    return input_error("{}: found bytes that are not UTF-8, expected text", source.place());
  std::istringstream lines(source.bytes);
  std::set<std::string> seen;
  for (std::string name; lines >> name;) {
    if (!is_line_of_text(name) || !seen.insert(name).second)
      return input_error("{}: found class name '{}', expected another name on each line", source.place(),
                         printable(name));
    dataset.class_names.push_back(name);
  }
  if (dataset.class_names.empty() || dataset.class_names.size() > 255)
    return input_error("{}: found {} class names, expected 1 to 255, one on each line", source.place(),
                       dataset.class_names.size());
  return Done{};
}

Status read_labels(const LoadedSource& source, std::size_t num_classes, Split& split) {
  for (std::size_t i = 0; i < source.bytes.size(); ++i) {
    const auto label = std::uint8_t(source.bytes[i]);
    if (label < 1 || label > num_classes)
      return input_error("{}: byte {}: found label {}, expected 1 to {}", source.place(), i, label,
                         num_classes);
    split.labels.push_back(std::uint16_t(label - 1));
  }
  split.num_examples = split.labels.size();
  return Done{};
}

// The file has a picture's red, green and blue planes one after the other, each by columns.
Status read_pixels(const LoadedSource& source, Split& split) {
  if (source.bytes.size() != split.num_examples * kStlRecord)
    return input_error("{}: found {} bytes, expected {} pictures of {} bytes as there are labels",
                       source.place(), source.bytes.size(), split.num_examples, kStlRecord);
  split.pixels.resize(source.bytes.size());
  for (std::size_t n = 0; n < split.num_examples; ++n) {
    const auto* picture = reinterpret_cast<const std::uint8_t*>(source.bytes.data()) + n * kStlRecord;
    std::uint8_t* pixel = split.pixels.data() + n * kStlRecord;
    for (std::size_t y = 0; y < kStlSide; ++y)
      for (std::size_t x = 0; x < kStlSide; ++x)
        for (std::size_t channel = 0; channel < 3; ++channel)
          *pixel++ = picture[channel * kStlPlane + x * kStlSide + y];
  }
  return Done{};
}

Status read_stl_side(const std::filesystem::path& folder, const std::string& side, Dataset& dataset,
                     Split& split) {
  MASH_ASSIGN(const LoadedSource labels, read_part(folder, side + "_y.bin", dataset));
  MASH_TRY(read_labels(labels, dataset.num_classes(), split));
  MASH_ASSIGN(const LoadedSource pixels, read_part(folder, side + "_X.bin", dataset));
  name_rows(std::uint32_t(dataset.sources.size() - 1), split);
  return read_pixels(pixels, split);
}

// Keeps the training pictures that a line of fold_indices.txt lists.
Status keep_fold(const LoadedSource& source, std::int64_t fold, Split& train) {
  std::istringstream lines(source.bytes);
  std::string line;
  for (std::int64_t i = 0; i <= fold; ++i)
    if (!std::getline(lines, line))
      return input_error("{}: found {} lines, expected {}", source.place(), i, kNumFolds);
  std::istringstream numbers(line);
  std::set<std::size_t> kept;
  for (std::string word; numbers >> word;) {
    const std::size_t index = number_in<std::size_t>(word).value_or(train.num_examples);
    if (index >= train.num_examples || !kept.insert(index).second)
      return input_error("{}:{}: found '{}', expected numbers of training pictures, 0 to {}, once each",
                         source.place(), fold + 1, word, train.num_examples - 1);
  }
  if (kept.empty()) return input_error("{}:{}: found no numbers", source.place(), fold + 1);
  Split chosen;
  chosen.num_examples = kept.size();
  chosen.pixels.reserve(kept.size() * kStlRecord);
  for (const std::size_t index : kept) {
    const auto picture = train.image(index, kStlShape);
    chosen.pixels.insert(chosen.pixels.end(), picture.begin(), picture.end());
    chosen.labels.push_back(train.labels[index]);
    chosen.files.push_back(train.files[index]);
    chosen.rows.push_back(train.rows[index]);
  }
  train = std::move(chosen);
  return Done{};
}

}  // namespace

Result<Dataset> read_stl10(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const auto folder, find_data_path(settings, request.name));
  MASH_ASSIGN(const std::int64_t fold, settings.integer("fold", -1, 0, kNumFolds - 1));
  MASH_TRY(settings.finish("data set stl10"));
  Dataset dataset;
  dataset.shape = kStlShape;
  request.work.progress.start("reading stl10", 2, "sides");
  MASH_ASSIGN(const LoadedSource names, read_part(folder, "class_names.txt", dataset));
  MASH_TRY(read_class_names(names, dataset));
  MASH_TRY(read_stl_side(folder, "train", dataset, dataset.train));
  request.work.progress.advance(1);
  MASH_TRY(read_stl_side(folder, "test", dataset, dataset.test));
  request.work.progress.advance(1);
  if (fold >= 0) {
    MASH_ASSIGN(const LoadedSource folds, read_part(folder, "fold_indices.txt", dataset));
    MASH_TRY(keep_fold(folds, fold, dataset.train));
  }
  request.work.progress.finish();
  return dataset;
}

}  // namespace mash
