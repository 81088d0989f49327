// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offer_cache.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "classifiers/model/model_file.hpp"
#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"

namespace mash {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

fs::path file_of(const fs::path& prefix, std::uint64_t seed) {
  return fmt::format("{}-{}", prefix.string(), seed);
}

// With a hash in front: half a file, or one with a wrong bit, is no file.
Status write(const fs::path& path, const Json& json) {
  std::string bytes;
  Json::to_cbor(json, bytes);
  return write_file_atomically(path, sha256(bytes) + bytes);
}

std::optional<Json> read(const fs::path& path) {
  constexpr std::size_t kHashSize = 64;
  const auto content = read_file(path);
  if (!content.ok() || content->size() < kHashSize) return std::nullopt;
  const std::string bytes = content->substr(kHashSize);
  if (content->substr(0, kHashSize) != sha256(bytes)) return std::nullopt;
  return Json::from_cbor(bytes);
}

Json to_json(const HeldOutResult& result) {
  return {{"losses", result.losses}, {"predicted", result.predicted}};
}

HeldOutResult held_out_result(const Json& json) {
  return {json.at("losses").get<std::vector<double>>(),
          json.at("predicted").get<std::vector<std::uint16_t>>()};
}

}  // namespace

OfferCache::OfferCache(const fs::path& folder, const std::string& pool_key, const std::string& newcomer_key)
    : pool_(folder / pool_key), newcomer_(folder / newcomer_key) {}

std::optional<PoolSeed> OfferCache::find_pool(std::uint64_t seed) const {
  const auto json = read(file_of(pool_, seed));
  if (!json) return std::nullopt;
  const auto base = parse_model(json->at("base").get<std::string>());
  if (!base.ok() || base->additive() == nullptr) return std::nullopt;
  PoolSeed pool{
      *base->additive(), json->at("base_loss").get<double>(), held_out_result(json->at("control")), {}};
  for (const auto& placebo : json->at("placebos"))
    pool.placebo_gains[placebo.at(0).get<std::uint32_t>()] = placebo.at(1).get<double>();
  return pool;
}

std::optional<NewcomerSeed> OfferCache::find_newcomer(std::uint64_t seed) const {
  const auto json = read(file_of(newcomer_, seed));
  if (!json) return std::nullopt;
  return NewcomerSeed{json->at("wins").get<std::uint32_t>(), held_out_result(json->at("treated"))};
}

Status OfferCache::keep(std::uint64_t seed, const PoolSeed& pool) const {
  Json placebos = Json::array();
  for (const auto& [num_offered, gain] : pool.placebo_gains) placebos.push_back({num_offered, gain});
  return write(file_of(pool_, seed), {{"base", serialise(Model(pool.base))},
                                      {"base_loss", pool.base_loss},
                                      {"control", to_json(pool.control)},
                                      {"placebos", placebos}});
}

Status OfferCache::keep(std::uint64_t seed, const NewcomerSeed& newcomer) const {
  return write(file_of(newcomer_, seed),
               {{"wins", newcomer.num_wins}, {"treated", to_json(newcomer.treated)}});
}

}  // namespace mash
