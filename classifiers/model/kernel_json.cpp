// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/kernel_json.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "classifiers/model/input_json.hpp"
#include "classifiers/model/rows_json.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<KernelKind, const char*>, 3> kKernelNames{
    {{KernelKind::kLinear, "linear"}, {KernelKind::kPolynomial, "polynomial"}, {KernelKind::kRbf, "rbf"}}};
constexpr std::uint32_t kMostDegree = 100;

Json json_of_kernel(const Kernel& kernel) {
  Json json;
  for (const auto& [kind, name] : kKernelNames)
    if (kind == kernel.kind) json["name"] = name;
  if (kernel.kind != KernelKind::kLinear) json["gamma"] = kernel.gamma;
  if (kernel.kind == KernelKind::kPolynomial) {
    json["offset"] = kernel.offset;
    json["degree"] = kernel.degree;
  }
  return json;
}

Result<Kernel> kernel_in(const Json& document) {
  const auto found = document.find("kernel");
  if (found == document.end() || !found->is_object())
    return input_error("/kernel: expected an object with the name of a kernel");
  JsonReader reader(*found, "/kernel");
  const std::string name = reader.text("name");
  MASH_TRY(reader.status());
  Kernel kernel;
  bool is_known = false;
  for (const auto& [kind, known] : kKernelNames)
    if (name == known) {
      kernel.kind = kind;
      is_known = true;
    }
  if (!is_known) reader.fail("name", "linear, polynomial or rbf");
  if (kernel.kind != KernelKind::kLinear) {
    kernel.gamma = reader.number("gamma");
    if (reader.status().ok() && !(kernel.gamma > 0)) reader.fail("gamma", "a number above 0");
  }
  if (kernel.kind == KernelKind::kPolynomial) {
    kernel.offset = reader.number("offset");
    if (reader.status().ok() && kernel.offset < 0) reader.fail("offset", "a number that is 0 or more");
    kernel.degree = reader.count("degree", kMostDegree);
    if (reader.status().ok() && kernel.degree == 0) reader.fail("degree", "a whole number that is 1 or more");
  }
  MASH_TRY(reader.status());
  return kernel;
}

// No score is larger in size.
double machines_limit(const KernelModel& model) {
  double sum = double(model.num_classes());
  for (const double bias : model.biases) sum += std::abs(bias);
  for (const double coefficient : model.coefficients)
    sum += std::abs(coefficient) * (model.kernel.kind == KernelKind::kRbf ? 1 : kLargestKernel);
  return sum;
}

}  // namespace

void put_keys(const KernelModel& model, Json& document) {
  document["kernel"] = json_of_kernel(model.kernel);
  document["largest_score"] = model.largest_score;
  put_inputs(model, document, [](std::size_t, Json&) {});
  document["biases"] = model.biases;
  document["vectors"] = Json::array();
  const std::size_t num_others = model.num_classes() - 1;
  for (std::size_t s = 0; s < model.classes.size(); ++s) {
    const auto first = model.coefficients.begin() + std::ptrdiff_t(s * num_others);
    document["vectors"].push_back(
        {{"class", model.classes[s]},
         {"coefficients", std::vector<double>(first, first + std::ptrdiff_t(num_others))},
         {"numbers", text_of_row(model.rows, s)}});
  }
}

Result<KernelModel> parse_kernel(const Json& document, ModelHead head) {
  KernelModel model;
  static_cast<ModelHead&>(model) = std::move(head);
  const std::size_t num_classes = model.num_classes();
  MASH_ASSIGN(model.kernel, kernel_in(document));
  JsonReader reader(document, "");
  model.biases = reader.finite_numbers("biases", num_classes * (num_classes - 1) / 2);
  MASH_TRY(reader.status());
  MASH_TRY(parse_inputs(document, model, [](JsonReader&) {}));
  model.rows.num_columns = model.inputs.size();
  for (const Json& object : reader.list("vectors")) {
    JsonReader vector(object, fmt::format("/vectors/{}", model.classes.size()));
    const std::uint32_t label = vector.count("class", num_classes - 1);
    const auto coefficients = vector.finite_numbers("coefficients", num_classes - 1);
    read_row(vector, model, model.rows);
    MASH_TRY(vector.status());
    model.classes.push_back(std::uint16_t(label));
    model.coefficients.insert(model.coefficients.end(), coefficients.begin(), coefficients.end());
  }
  MASH_TRY(reader.status());
  if (const double largest = machines_limit(model); !(largest <= kLargestScore))
    return input_error("/vectors: found coefficients with which scores reach {:g}, expected at most {:g}",
                       largest, kLargestScore);
  return model;
}

}  // namespace mash
