// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/readers/mnist.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "framework/dataset/data_path.hpp"
#include "framework/dataset/idx.hpp"
#include "framework/dataset/source.hpp"

namespace mash {
namespace {

// The names of a side's two files: these, or with any beginning (emnist-letters-train-images-idx3-ubyte), and
// with '.' for '-' (train-images.idx3-ubyte).
struct Side {
  std::array<std::string_view, 2> images, labels;  // ends of names
};
constexpr Side kTrainFiles{{"train-images-idx3-ubyte", ""}, {"train-labels-idx1-ubyte", ""}};
constexpr Side kTestFiles{{"t10k-images-idx3-ubyte", "test-images-idx3-ubyte"},
                          {"t10k-labels-idx1-ubyte", "test-labels-idx1-ubyte"}};

// The name without .gz and with '-' for '.'.
std::string plain_name(const std::filesystem::path& file) {
  std::string name = (file.extension() == ".gz" ? file.stem() : file.filename()).string();
  std::ranges::replace(name, '.', '-');
  return name;
}

// The file whose name begins with `beginning` and has one of the ends.
Result<std::filesystem::path> find_idx(const std::filesystem::path& folder, const std::string& beginning,
                                       const std::array<std::string_view, 2>& ends) {
  MASH_ASSIGN(const auto entries, list_folder(folder));
  std::vector<std::filesystem::path> found;
  for (std::filesystem::path entry : entries) {
    const std::string name = plain_name(entry);
    std::error_code code;  // archives hold each file in a folder of its name, beside it or not
    if (std::filesystem::is_directory(entry, code)) entry /= entry.filename();
    if (!std::filesystem::is_regular_file(entry, code)) continue;
    const bool has_end =
        std::ranges::any_of(ends, [&](std::string_view end) { return !end.empty() && name.ends_with(end); });
    // A file and the same one packed: the plain one stands first in the order of names.
    if (has_end && name.starts_with(beginning) && (found.empty() || plain_name(found.back()) != name))
      found.push_back(entry);
  }
  if (found.size() == 1) return found[0];
  // Those of MNIST itself stand beside others.
  for (const auto& file : found)
    if (beginning.empty() && plain_name(file) == ends[0]) return file;
  if (found.empty())
    return find_plain_or_gz(folder, beginning.empty() ? ends[0] : beginning + "*" + std::string(ends[0]));
  return input_error(
      "{}: found {} and {}, expected one file whose name ends with {}; the key 'files' says how names begin",
      folder.string(), found[0].filename().string(), found[1].filename().string(), ends[0]);
}

// The number of classes: as the key says, those of MNIST, or for files with other names as many as their
// labels need.
struct NumClasses {
  std::size_t most = 256;
  bool is_open = false;
};

NumClasses num_classes_of(const std::filesystem::path& folder, const std::string& beginning) {
  const auto labels = find_idx(folder, beginning, kTrainFiles.labels);
  if (labels.ok() && plain_name(*labels) != kTrainFiles.labels[0]) return {256, true};
  return {10};
}

// beginning: of the names of its files.
Status read_mnist_side(const std::filesystem::path& folder, const std::string& beginning, const Side& files,
                       Dataset& dataset, Split& split) {
  MASH_ASSIGN(const auto images_path, find_idx(folder, beginning, files.images));
  MASH_ASSIGN(const auto labels_path, find_idx(folder, beginning, files.labels));
  MASH_ASSIGN(const LoadedSource labels, read_source(labels_path));
  MASH_ASSIGN(split.labels, parse_idx_labels(labels, dataset.num_classes()));
  MASH_ASSIGN(const LoadedSource images, read_source(images_path));
  MASH_ASSIGN(IdxImages parsed, parse_idx_images(images));
  if (parsed.num_images != split.labels.size())
    return input_error("{}: byte 4: found {} images, expected {}, as many as there are labels in {}",
                       images.place(), parsed.num_images, split.labels.size(), labels.place());
  if (dataset.shape.width != 0 && dataset.shape != parsed.shape)
    return input_error("{}: byte 8: found images of {}x{}, expected {}x{} as on the training side",
                       images.place(), parsed.shape.width, parsed.shape.height, dataset.shape.width,
                       dataset.shape.height);
  dataset.shape = parsed.shape;
  dataset.sources.push_back(images.file);
  dataset.sources.push_back(labels.file);
  split.num_examples = parsed.num_images;
  split.pixels = std::move(parsed.pixels);
  name_rows(std::uint32_t(dataset.sources.size() - 2), split);  // of the images; then come the labels
  return Done{};
}

}  // namespace

Result<Dataset> read_mnist(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const auto folder, find_data_path(settings, request.name));
  MASH_ASSIGN(const std::string beginning, settings.text("files", ""));
  MASH_ASSIGN(const std::int64_t asked, settings.integer("classes", 10, 1, 256));
  MASH_TRY(settings.finish("data set mnist"));
  const NumClasses num_classes =
      settings.has("classes") ? NumClasses{std::size_t(asked)} : num_classes_of(folder, beginning);
  Dataset dataset;
  for (std::size_t i = 0; i < num_classes.most; ++i) dataset.class_names.push_back(std::to_string(i));
  request.work.progress.start("reading mnist", 2, "sides");
  MASH_TRY(read_mnist_side(folder, beginning, kTrainFiles, dataset, dataset.train));
  request.work.progress.advance(1);
  MASH_TRY(read_mnist_side(folder, beginning, kTestFiles, dataset, dataset.test));
  request.work.progress.finish();
  if (num_classes.is_open) {
    const auto largest = [](const Split& side) { return *std::ranges::max_element(side.labels); };
    dataset.class_names.resize(std::max(largest(dataset.train), largest(dataset.test)) + std::size_t(1));
  }
  return dataset;
}

}  // namespace mash
