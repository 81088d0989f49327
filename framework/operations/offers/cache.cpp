// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/cache.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "classifiers/model/model_file.hpp"
#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/raw_values.hpp"

namespace mash {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

fs::path file_of(const fs::path& prefix, std::uint64_t seed) {
  return fmt::format("{}-{}", prefix.string(), seed);
}

// Begins every file: one of an earlier version is no file. Version 5 scales scores with one example in doubt,
// and draws what is offered without its name.
constexpr std::string_view kFormat = "mash offer 5\n";

// With a hash in front: half a file, or one with a wrong bit, is no file.
Status write(const fs::path& path, const Json& json) {
  std::string bytes;
  Json::to_cbor(json, bytes);
  return write_file_atomically(path, std::string(kFormat) + sha256(bytes) + bytes, Flush::kLater);
}

std::optional<Json> read(const fs::path& path) {
  constexpr std::size_t kHashSize = 64, kHeadSize = kFormat.size() + kHashSize;
  const auto content = read_file(path);
  if (!content.ok() || content->size() < kHeadSize || !content->starts_with(kFormat)) return std::nullopt;
  const std::string bytes = content->substr(kHeadSize);
  if (content->substr(kFormat.size(), kHashSize) != sha256(bytes)) return std::nullopt;
  return Json::from_cbor(bytes);
}

template <class T>
Json binary(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return Json::binary({begin, begin + bytes.size()});
}

template <class T>
std::vector<T> values_of(const Json& json) {
  const auto& bytes = json.get_binary();
  return values_from_bytes<T>(bytes.data(), bytes.size());
}

}  // namespace

Result<StrongClassifier> base_of(const PoolSeed& pool) {
  MASH_ASSIGN(const Model model, parse_model(pool.base));
  if (!model.is_sum()) return failure("offer test: the pool's model is no sum of hypotheses");
  return model.sum();
}

OfferCache::OfferCache(const fs::path& folder, const std::string& pool_key, const std::string& newcomer_key)
    : pool_(folder / pool_key), newcomer_(folder / newcomer_key) {}

std::optional<PoolSeed> OfferCache::find_pool(std::uint64_t seed) const {
  const auto json = read(file_of(pool_, seed));
  if (!json) return std::nullopt;
  PoolSeed pool{json->at("base").get<std::string>(),
                json->at("base_loss").get<double>(),
                json->at("base_scale").get<double>(),
                values_of<float>(json->at("control")),
                {},
                json->at("has_met_faults").get<bool>()};
  for (const auto& placebo : json->at("placebos"))
    pool.placebo_gains[placebo.at(0).get<std::uint32_t>()] = placebo.at(1).get<double>();
  return pool;
}

std::optional<NewcomerSeed> OfferCache::find_newcomer(std::uint64_t seed) const {
  const auto json = read(file_of(newcomer_, seed));
  if (!json) return std::nullopt;
  return NewcomerSeed{values_of<std::uint32_t>(json->at("won")), values_of<float>(json->at("treated")),
                      json->at("has_met_faults").get<bool>()};
}

Status OfferCache::keep(std::uint64_t seed, const PoolSeed& pool) const {
  Json placebos = Json::array();
  for (const auto& [num_offered, gain] : pool.placebo_gains) placebos.push_back({num_offered, gain});
  return write(file_of(pool_, seed), {{"base", pool.base},
                                      {"base_loss", pool.base_loss},
                                      {"base_scale", pool.base_scale},
                                      {"control", binary(pool.control)},
                                      {"placebos", placebos},
                                      {"has_met_faults", pool.has_met_faults}});
}

Status OfferCache::keep(std::uint64_t seed, const NewcomerSeed& newcomer) const {
  return write(file_of(newcomer_, seed), {{"won", binary(newcomer.won)},
                                          {"treated", binary(newcomer.treated)},
                                          {"has_met_faults", newcomer.has_met_faults}});
}

Status OfferCache::forget(std::uint64_t seed, KeptPart part) const {
  for (const fs::path& prefix : {newcomer_, pool_}) {
    if (part == KeptPart::kNewcomer && prefix == pool_) continue;
    const fs::path file = file_of(prefix, seed);
    std::error_code code;
    fs::remove(file, code);
    if (code) return failure("{}: cannot be removed: {}", file.string(), code.message());
  }
  return Done{};
}

}  // namespace mash
