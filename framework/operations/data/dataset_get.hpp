// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/net/http_download.hpp"

namespace mash {

struct FileToGet {
  std::string name;  // in the folder of the data set
  RemoteFile remote;
};

// A data set on the web, and what it becomes: the folder of that name among the user's data sets.
struct DatasetToGet {
  std::string name;
  std::vector<FileToGet> files;
};

// One of published_datasets(). mirrors: addresses that are asked in place of the publisher's, for
// MIRROR/NAME/FILE. Errors (kInput): not offered, with what is; a mirror that is no address.
Result<DatasetToGet> published_to_get(const std::string& name, const std::vector<std::string>& mirrors);

// One file of any address whose SHA-256 the user knows. Errors (kInput): no address of a file, no name of a
// data set, no SHA-256.
Result<DatasetToGet> address_to_get(const std::string& address, const std::string& name,
                                    const std::string& sha256);

struct GotDataset {
  std::string name;
  std::filesystem::path folder;
  bool was_there = false;          // whole: nothing was done
  std::uint64_t num_received = 0;  // bytes over the network
  std::vector<std::string> files;  // in the folder, with folders as one
};

// Downloads the data set, unpacks archives (whose only folder, if all is in one, is left out of the paths),
// and puts the folder in its place once all of it is there and checked. Ended in any way before that, the
// next call goes on where it was. Errors: those of download and unpack_archive; kInput: another folder of
// that name is there; kFailure: another process is getting it now.
Result<GotDataset> get_dataset(const DatasetToGet& dataset, const DownloadSettings& settings,
                               const WorkContext& work);

nlohmann::ordered_json to_json(const GotDataset& got);

}  // namespace mash
