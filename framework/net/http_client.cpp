// SPDX-License-Identifier: Apache-2.0
#include "framework/net/http_client.hpp"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

constexpr long kMaxRedirects = 3;

struct FreeHandle {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

CURL* new_handle() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  CURL* handle = code == CURLE_OK ? curl_easy_init() : nullptr;
  if (handle == nullptr) throw std::runtime_error("libcurl cannot be started");
  return handle;
}

template <class Value>
void set(CURL* handle, CURLoption option, Value value) {
  if (curl_easy_setopt(handle, option, value) != CURLE_OK)
    throw std::logic_error("libcurl knows no option " + std::to_string(int(option)));
}

struct Received {
  std::string body;
  std::size_t most_bytes = 0;
  bool is_too_large = false;
};

std::size_t on_body(char* bytes, std::size_t, std::size_t size, void* to) {
  auto& received = *static_cast<Received*>(to);
  received.is_too_large = received.body.size() + size > received.most_bytes;
  if (received.is_too_large) return 0;  // ends the transfer
  received.body.append(bytes, size);
  return size;
}

// "bytes 100-199/500": 100.
std::optional<std::uint64_t> first_byte_in(CURL* handle) {
  curl_header* header = nullptr;
  if (curl_easy_header(handle, "Content-Range", 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
    return std::nullopt;
  std::string_view value = header->value;
  if (!value.starts_with("bytes")) return std::nullopt;
  value.remove_prefix(std::min(value.find_first_of("0123456789"), value.size()));
  return take_number<std::uint64_t>(value);
}

struct Taken {
  CURL* handle;
  const HttpTaker& take;
  std::optional<HttpHead> head = {};
  bool is_refused = false;
};

std::size_t on_piece(char* bytes, std::size_t, std::size_t size, void* to) {
  auto& taken = *static_cast<Taken*>(to);
  if (!taken.head) {
    taken.head.emplace();
    long status = 0;
    curl_off_t length = -1;
    curl_easy_getinfo(taken.handle, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(taken.handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    taken.head->status = int(status);
    if (length >= 0) taken.head->num_bytes = std::uint64_t(length);
    taken.head->first_byte = first_byte_in(taken.handle);
  }
  taken.is_refused = !taken.take(*taken.head, {bytes, size});
  return taken.is_refused ? 0 : size;
}

int on_progress(void* flag, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const StopFlag*>(flag)->raised() ? 1 : 0;
}

bool may_pass(CURLcode code) {
  constexpr CURLcode kPassing[] = {CURLE_COULDNT_RESOLVE_PROXY,
                                   CURLE_COULDNT_RESOLVE_HOST,
                                   CURLE_COULDNT_CONNECT,
                                   CURLE_OPERATION_TIMEDOUT,
                                   CURLE_GOT_NOTHING,
                                   CURLE_SEND_ERROR,
                                   CURLE_RECV_ERROR,
                                   CURLE_PARTIAL_FILE,
                                   CURLE_SSL_CONNECT_ERROR,
                                   CURLE_HTTP2,
                                   CURLE_HTTP2_STREAM};
  return std::find(std::begin(kPassing), std::end(kPassing), code) != std::end(kPassing);
}

HeaderList list_of(const std::vector<std::string>& headers) {
  HeaderList list;
  for (const std::string& header : headers) {
    curl_slist* longer = curl_slist_append(list.get(), header.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    list.release();
    list.reset(longer);
  }
  return list;
}

bool is_loopback(const sockaddr& address) {
  if (address.sa_family == AF_INET)
    return ntohl(reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr) >> 24 == 127;
  if (address.sa_family != AF_INET6) return false;
  const in6_addr& v6 = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&v6) || (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127);
}

// Whether a host is this machine: "localhost", or an address that is, in any way of writing it. Another name
// may lead elsewhere the next time that it is looked up.
bool is_own_machine(std::string host) {
  if (host == "localhost") return true;
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  addrinfo hints{}, *found = nullptr;
  hints.ai_flags = AI_NUMERICHOST;
  if (::getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return false;
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
  return is_loopback(*found->ai_addr);
}

}  // namespace

struct HttpClient::State {
  HttpLimits limits;
  const StopFlag* stop = nullptr;
  std::unique_ptr<CURL, FreeHandle> handle{new_handle()};

  void set_up(const HttpRequest& request, const HeaderList& headers, Received& received, char* error) {
    CURL* curl = handle.get();
    curl_easy_reset(curl);  // keeps connections
    set(curl, CURLOPT_URL, request.url.c_str());
    set(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    set(curl, CURLOPT_USERAGENT, "mash/" MASH_VERSION);
    set(curl, CURLOPT_HTTPHEADER, headers.get());
    set(curl, CURLOPT_ERRORBUFFER, error);
    set(curl, CURLOPT_NOSIGNAL, 1L);
    set(curl, CURLOPT_ACCEPT_ENCODING, "");  // all that the library knows
    set(curl, CURLOPT_CONNECTTIMEOUT_MS, long(1000 * limits.connect_seconds));
    set(curl, CURLOPT_TIMEOUT_MS, long(1000 * limits.answer_seconds));
    set(curl, CURLOPT_WRITEFUNCTION, &on_body);
    set(curl, CURLOPT_WRITEDATA, static_cast<void*>(&received));
    set(curl, CURLOPT_NOPROGRESS, 0L);
    set(curl, CURLOPT_XFERINFOFUNCTION, &on_progress);
    set(curl, CURLOPT_XFERINFODATA, const_cast<void*>(static_cast<const void*>(stop)));
    if (request.asks_directly) set(curl, CURLOPT_NOPROXY, "*");
    if (request.method == HttpRequest::Method::kPost) {
      set(curl, CURLOPT_POST, 1L);
      set(curl, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.size()));
      set(curl, CURLOPT_POSTFIELDS, request.body.c_str());
    } else {
      set(curl, CURLOPT_FOLLOWLOCATION, 1L);
      set(curl, CURLOPT_MAXREDIRS, kMaxRedirects);
      set(curl, CURLOPT_REDIR_PROTOCOLS_STR, request.url.starts_with("https:") ? "https" : "http,https");
    }
  }

  HttpResponse response(Received& received) {
    HttpResponse response;
    long status = 0;
    curl_off_t retry_after = 0;
    char *type = nullptr, *location = nullptr;
    curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(handle.get(), CURLINFO_CONTENT_TYPE, &type);
    curl_easy_getinfo(handle.get(), CURLINFO_REDIRECT_URL, &location);
    curl_easy_getinfo(handle.get(), CURLINFO_RETRY_AFTER, &retry_after);
    response.status = int(status);
    response.content_type = printable(type, 100);
    response.location = printable(location, 300);
    response.retry_after_seconds = double(std::max<curl_off_t>(retry_after, 0));
    response.body = std::move(received.body);
    return response;
  }
};

HttpClient::HttpClient(const HttpLimits& limits, const StopFlag& stop)
    : state_(new State{.limits = limits, .stop = &stop}) {}
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient& HttpClient::operator=(HttpClient&&) noexcept = default;
HttpClient::~HttpClient() = default;

std::variant<HttpResponse, HttpFailure> HttpClient::ask(const HttpRequest& request) {
  const HeaderList headers = list_of(request.headers);
  Received received{{}, state_->limits.body_bytes};
  char error[CURL_ERROR_SIZE] = "";
  state_->set_up(request, headers, received, error);
  const CURLcode code = curl_easy_perform(state_->handle.get());
  if (code == CURLE_OK) return state_->response(received);
  if (code == CURLE_ABORTED_BY_CALLBACK) return HttpFailure{"stopped", false, true};
  if (received.is_too_large)
    return HttpFailure{
        fmt::format("the answer is too large: more than {} MiB", state_->limits.body_bytes >> 20)};
  return HttpFailure{printable(*error ? error : curl_easy_strerror(code)), may_pass(code)};
}

std::variant<HttpResponse, HttpFailure> HttpClient::fetch(const HttpRequest& request, const HttpTaker& take) {
  const HeaderList headers = list_of(request.headers);
  Received nothing;
  char error[CURL_ERROR_SIZE] = "";
  state_->set_up(request, headers, nothing, error);
  CURL* curl = state_->handle.get();
  Taken taken{curl, take};
  set(curl, CURLOPT_ACCEPT_ENCODING, static_cast<const char*>(nullptr));
  set(curl, CURLOPT_TIMEOUT_MS, 0L);
  set(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  set(curl, CURLOPT_LOW_SPEED_TIME, std::max(1L, long(state_->limits.answer_seconds)));
  set(curl, CURLOPT_WRITEFUNCTION, &on_piece);
  set(curl, CURLOPT_WRITEDATA, static_cast<void*>(&taken));
  const CURLcode code = curl_easy_perform(curl);
  if (code == CURLE_OK || taken.is_refused) return state_->response(nothing);
  if (code == CURLE_ABORTED_BY_CALLBACK) return HttpFailure{"stopped", false, true};
  return HttpFailure{printable(*error ? error : curl_easy_strerror(code)), may_pass(code)};
}

Result<HttpAddress> read_http_address(const std::string& text) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url(curl_url(), &curl_url_cleanup);
  const auto part = [&](CURLUPart which) {
    char* value = nullptr;
    const bool is_there = curl_url_get(url.get(), which, &value, 0) == CURLUE_OK;
    const std::string copy = is_there ? value : "";
    curl_free(value);
    return copy;
  };
  const bool is_address = is_line_of_text(text) && text.find_first_of(" \t\\") == std::string::npos &&
                          curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) == CURLUE_OK;
  const std::string scheme = part(CURLUPART_SCHEME);
  if (!is_address || (scheme != "http" && scheme != "https"))
    return input_error("'{}': expected the address of a server, such as https://mash.example.org",
                       printable(text));
  if (!part(CURLUPART_USER).empty() || !part(CURLUPART_PASSWORD).empty() ||
      text.find_first_of("?#") != std::string::npos)
    return input_error("'{}': found more than host, port and path of a server", printable(text));
  return HttpAddress{text.substr(0, text.find_last_not_of('/') + 1), scheme == "https",
                     is_own_machine(part(CURLUPART_HOST))};
}

}  // namespace mash
