// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/readers/mnist.hpp"

#include <filesystem>
#include <string>
#include <utility>

#include "framework/dataset/data_path.hpp"
#include "framework/dataset/idx.hpp"
#include "framework/dataset/source.hpp"

namespace mash {
namespace {

struct Side {
  const char* images;
  const char* labels;
};
constexpr Side kTrainFiles{"train-images-idx3-ubyte", "train-labels-idx1-ubyte"};
constexpr Side kTestFiles{"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};

Status read_mnist_side(const std::filesystem::path& folder, const Side& files, Dataset& dataset,
                       Split& split) {
  MASH_ASSIGN(const auto images_path, find_plain_or_gz(folder, files.images));
  MASH_ASSIGN(const auto labels_path, find_plain_or_gz(folder, files.labels));
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
  return Done{};
}

}  // namespace

Result<Dataset> read_mnist(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const auto folder, find_data_path(settings, request.name));
  MASH_ASSIGN(const std::int64_t num_classes, settings.integer("classes", 10, 1, 256));
  MASH_TRY(settings.finish("data set mnist"));
  Dataset dataset;
  for (std::int64_t i = 0; i < num_classes; ++i) dataset.class_names.push_back(std::to_string(i));
  request.work.progress.start("reading mnist", 2, "sides");
  MASH_TRY(read_mnist_side(folder, kTrainFiles, dataset, dataset.train));
  request.work.progress.advance(1);
  MASH_TRY(read_mnist_side(folder, kTestFiles, dataset, dataset.test));
  request.work.progress.finish();
  return dataset;
}

}  // namespace mash
