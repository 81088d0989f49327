// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <bit>
#include <vector>

#include "framework/base/raw_values.hpp"

// Columns of numbers.
namespace mash::rows {

static_assert(std::endian::native == std::endian::little, "blobs are little-endian (docs/records.md)");

// place: the name or the number of the parameter. No values are an empty blob, not NULL.
template <class Place, class T>
void bind_blob(SQLite::Statement& statement, const Place& place, const std::vector<T>& values) {
  const void* data = values.empty() ? static_cast<const void*>("") : values.data();
  statement.bind(place, data, int(values.size() * sizeof(T)));
}

template <class T>
std::vector<T> values_in(const SQLite::Column& blob) {
  return values_from_bytes<T>(blob.getBlob(), std::size_t(blob.getBytes()));
}

}  // namespace mash::rows
