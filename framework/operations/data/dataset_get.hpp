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

// A data set on the web, which becomes the folder with its name among the user's data sets.
struct DatasetToGet {
  std::string name;
  std::vector<FileToGet> files;
};

// One of published_datasets(). mirrors: addresses that are asked, for MIRROR/NAME/FILE, in place of the
// publisher's. Errors (kInput): the data set is not offered (the message lists those that are); a mirror is
// no address.
Result<DatasetToGet> published_to_get(const std::string& name, const std::vector<std::string>& mirrors);

// One file at any address, with its SHA-256, which the user knows. Errors (kInput): `address` is no address
// of a file, `name` cannot name a data set, or `sha256` is no SHA-256.
Result<DatasetToGet> address_to_get(const std::string& address, const std::string& name,
                                    const std::string& sha256);

struct GotDataset {
  std::string name;
  std::filesystem::path folder;
  bool was_there = false;          // the whole data set: nothing was done
  std::uint64_t num_received = 0;  // bytes over the network
  std::vector<std::string> files;  // in the folder, with folders as one
};

// Downloads the data set, unpacks archives, and puts the folder in its place once all of it is there and
// checked. Where everything in an archive is in one folder, that folder is left out of the paths. If the call
// ends early for any reason, the next call goes on where it was. Errors: those of download and
// unpack_archive; kInput: another folder with this name is there; kFailure: another process is getting the
// data set now.
Result<GotDataset> get_dataset(const DatasetToGet& dataset, const DownloadSettings& settings,
                               const WorkContext& work);

nlohmann::ordered_json to_json(const GotDataset& got);

}  // namespace mash
