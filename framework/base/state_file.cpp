// SPDX-License-Identifier: Apache-2.0
#include "framework/base/state_file.hpp"

#include <cstdint>
#include <utility>

#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/raw_values.hpp"

namespace mash {
namespace {

constexpr std::size_t kRest = 2 * sizeof(std::uint64_t);  // the size of the document, and a checksum

template <class T>
void append_bytes(std::string& content, std::span<T> values) {
  content.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

}  // namespace

Status save_state(const std::filesystem::path& path, std::string document, std::span<const double> numbers) {
  const std::uint64_t document_size = document.size();
  std::string content = std::move(document);
  content.reserve(content.size() + numbers.size_bytes() + kRest);  // no second copy grows
  append_bytes(content, numbers);
  append_bytes(content, std::span(&document_size, 1));
  const std::uint64_t sum = checksum(std::as_bytes(std::span(content)));
  append_bytes(content, std::span(&sum, 1));
  return write_file_atomically(path, content);
}

std::optional<SavedState> load_state(const std::filesystem::path& path) {
  const auto content = read_file(path, kAnyFileBytes);
  if (!content.ok() || content->size() < kRest) return std::nullopt;
  const auto body = std::as_bytes(std::span(*content)).first(content->size() - sizeof(std::uint64_t));
  std::uint64_t document_size = 0, sum = 0;
  fill_from_bytes(std::span(&sum, 1), body.data() + body.size());
  if (sum != checksum(body)) return std::nullopt;
  fill_from_bytes(std::span(&document_size, 1), body.data() + body.size() - sizeof document_size);
  const std::uint64_t num_bytes = content->size() - kRest;
  if (document_size > num_bytes || (num_bytes - document_size) % sizeof(double) != 0) return std::nullopt;
  return SavedState{content->substr(0, document_size),
                    values_from_bytes<double>(body.data() + document_size, num_bytes - document_size)};
}

}  // namespace mash
