// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/numpy.h>

#include <memory>
#include <string>
#include <vector>

#include "framework/extractors/catalogue.hpp"
#include "framework/families/family.hpp"

namespace mash::python {

// The heuristics that are found: those of plugins and folders, then those of the usual folders.
class Heuristics {
 public:
  explicit Heuristics(const std::vector<std::string>& plugins);

  const std::vector<std::string>& plugins() const { return plugins_; }
  Catalogue& catalogue() { return catalogue_; }

 private:
  std::vector<std::string> plugins_;
  Catalogue catalogue_;
};

// A heuristic with its settings.
class Family {
 public:
  Family(std::shared_ptr<Heuristics> heuristics, FamilySpec spec)
      : heuristics_(std::move(heuristics)), spec_(std::move(spec)) {}

  const FamilySpec& spec() const { return spec_; }
  // The number of features on images of this size.
  std::uint32_t dim(std::uint32_t height, std::uint32_t width) const;
  // float32: (dim,) of one image, (n, dim) of n.
  pybind11::array_t<float> extract(const pybind11::object& images, int num_threads) const;

 private:
  std::shared_ptr<Heuristics> heuristics_;
  FamilySpec spec_;
};

// As an experiment file has them: "all", "[{id: hog, cell: 4}, lbp]".
std::vector<Family> families_of(const std::shared_ptr<Heuristics>& heuristics, const std::string& list,
                                std::uint64_t seed, const std::string& called);

void add_heuristics(pybind11::module_& module);

}  // namespace mash::python
