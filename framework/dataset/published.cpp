// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/published.hpp"

#include <array>

namespace mash {
namespace {

constexpr std::array<std::string_view, 2> kMnistAddresses{"http://yann.lecun.com/exdb/mnist",
                                                          "https://ossci-datasets.s3.amazonaws.com/mnist"};
constexpr std::array<PublishedFile, 4> kMnistFiles{{
    {"train-images-idx3-ubyte.gz", 9912422,
     "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"},
    {"train-labels-idx1-ubyte.gz", 28881, "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"},
    {"t10k-images-idx3-ubyte.gz", 1648877,
     "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"},
    {"t10k-labels-idx1-ubyte.gz", 4542, "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"},
}};

constexpr std::array<std::string_view, 1> kUspsAddresses{"https://hastie.su.domains/ElemStatLearn/datasets"};
constexpr std::array<PublishedFile, 2> kUspsFiles{{
    {"zip.train.gz", 1829071, "66ebf231ab51f2cf6ac1a892d0f98ccffee1079d7a5db638c1f11f366046ca16"},
    {"zip.test.gz", 439208, "8dacc3c6e136af6c3488de9e5113a7daf140c8c2f1f0b61c54ee02f03f1a962f"},
}};

constexpr std::array<PublishedDataset, 2> kPublished{
    {{"mnist", kMnistAddresses, kMnistFiles}, {"usps", kUspsAddresses, kUspsFiles}}};

}  // namespace

std::span<const PublishedDataset> published_datasets() { return kPublished; }

const PublishedDataset* find_published(std::string_view name) {
  for (const PublishedDataset& published : kPublished)
    if (published.name == name) return &published;
  return nullptr;
}

}  // namespace mash
