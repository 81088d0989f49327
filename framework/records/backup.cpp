// SPDX-License-Identifier: Apache-2.0
#include "framework/records/backup.hpp"

#include <SQLiteCpp/Backup.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "framework/records/internal/database.hpp"
#include "framework/records/records.hpp"
#include "framework/records/submission_queue.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

Error system_error(const fs::path& path, std::string_view what) {
  return failure("{}: {}: {}", path.string(), what, std::strerror(errno));
}

fs::path log_of(const fs::path& database) { return database.string() + "-wal"; }

bool is_there(const fs::path& path) {
  std::error_code code;
  return fs::exists(fs::symlink_status(path, code));
}

// An empty file that only its owner may read; removed with this, with what SQLite leaves beside it.
class DraftFile {
 public:
  // beside: what it becomes, in the same folder. Errors (kInput): it cannot be made there.
  static Result<DraftFile> make(const fs::path& beside) {
    std::string path = beside.string() + ".XXXXXX";
    const Descriptor file(::mkostemp(path.data(), O_CLOEXEC));
    if (file.number() < 0)
      return input_error("{}: cannot be written: {}", beside.string(), std::strerror(errno));
    return DraftFile(path);
  }
  explicit DraftFile(fs::path path) : path_(std::move(path)) {}
  DraftFile(DraftFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  DraftFile& operator=(DraftFile&&) = delete;
  ~DraftFile() {
    if (path_.empty()) return;
    std::error_code code;
    for (const char* ending : {"", "-wal", "-shm"}) fs::remove(path_.string() + ending, code);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// To the disk itself.
Status flush(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0 || ::fsync(file.number()) != 0)
    return system_error(path, "cannot be written to disk");
  return Done{};
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : "."; }

// Errors (kFailure): damaged.
Status check_whole(SQLite::Database& database, const fs::path& path) {
  const std::string finding = database.execAndGet("PRAGMA integrity_check(1)").getString();
  if (finding != "ok") return failure("{}: is a damaged database: {}", path.string(), finding);
  SQLite::Statement broken(database, "PRAGMA foreign_key_check");
  if (broken.executeStep())
    return failure("{}: is a damaged database: a row of {} belongs to no row of {}", path.string(),
                   broken.getColumn(0).getString(), broken.getColumn(2).getString());
  return Done{};
}

// name: of the copy, for errors.
Status copy_and_check(SQLite::Database& from, const fs::path& path, const fs::path& name) {
  try {
    SQLite::Database to(path.string(), SQLite::OPEN_READWRITE, kBusyTimeoutMs);
    if (SQLite::Backup(to, from).executeStep(-1) != SQLITE_DONE)
      return failure("{}: another program holds up the copy", name.string());
    to.exec("PRAGMA journal_mode = DELETE");  // one file, that can be read where nothing can be written
    return check_whole(to, name);
  } catch (const SQLite::Exception& exception) {
    return database_error(name, exception);
  }
}

// A lock on a database that no other process has open. SQLite holds one on these bytes of the file for as
// long as a connection is open (sqlite.org/fileformat2.html, "The Lock-Byte Page").
class LoneLock {
 public:
  // Errors (kInput): another process has it open; which.
  static Result<LoneLock> take(const fs::path& database) {
    LoneLock lock(::open(database.c_str(), O_RDWR | O_CLOEXEC));
    if (lock.file_->number() < 0)
      return input_error("{}: cannot be written: {}", database.string(), std::strerror(errno));
    struct flock wanted = bytes(), held = bytes();
    if (::fcntl(lock.file_->number(), F_SETLK, &wanted) == 0) return lock;
    const bool is_known = ::fcntl(lock.file_->number(), F_GETLK, &held) == 0 && held.l_pid > 0;
    return input_error("{}: {} uses it; end it first", database.string(),
                       is_known ? fmt::format("process {}", held.l_pid) : std::string("another process"));
  }

 private:
  explicit LoneLock(int number) : file_(std::make_unique<Descriptor>(number)) {}
  static struct flock bytes() {
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    range.l_start = 1 << 30;
    range.l_len = 512;
    return range;
  }
  std::unique_ptr<Descriptor> file_;
};

// Whether no runner lives; a database that cannot be read has none that could work at it. What its log holds
// is in the file itself from then on.
Status check_runners(const fs::path& path) {
  const auto records = Records::open(path);
  if (!records.ok()) return Done{};
  const auto runners = read_runners(*records);
  if (!runners.ok() || runners->empty()) return Done{};
  return input_error("{}: the runner of process {} works at it; end it first", path.string(),
                     runners->front().pid);
}

// "mash.db.before-restore-2": the first that is free.
fs::path kept_name(const fs::path& database) {
  for (int i = 1;; ++i)
    if (const fs::path name = fmt::format("{}.before-restore-{}", database.string(), i);
        !is_there(name) && !is_there(log_of(name)))
      return name;
}

// As a backup: it holds hashes of passwords and private submissions.
void let_only_its_owner_read(const fs::path& file) {
  std::error_code code;
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write, code);
}

// Moves the database out of the way, with the log of one that was killed: another's log would ruin the next.
Status keep(const fs::path& database, const fs::path& kept) {
  std::error_code code;
  fs::create_hard_link(database, kept, code);
  if (!code && is_there(log_of(database))) fs::rename(log_of(database), log_of(kept), code);
  if (code) return failure("{}: cannot be kept as {}: {}", database.string(), kept.string(), code.message());
  fs::remove(database.string() + "-shm", code);
  for (const fs::path& file : {kept, log_of(kept)})
    if (is_there(file)) let_only_its_owner_read(file);
  return Done{};
}

// The owner of the database or, where there is none, of its folder.
Status give_to_owner(const fs::path& draft, const fs::path& database) {
  struct stat owner {};
  const fs::path model = is_there(database) ? database : folder_of(database);
  if (::stat(model.c_str(), &owner) != 0) return system_error(model, "cannot be looked at");
  if (::geteuid() == 0 && ::chown(draft.c_str(), owner.st_uid, owner.st_gid) != 0)
    return system_error(draft, "cannot be given to its owner");
  return Done{};
}

// Copies the file and brings it up to date. Errors: those of restore_records that are the copy's.
Status write_draft(const fs::path& copy, const fs::path& draft) {
  std::error_code code;
  if (!fs::exists(copy, code)) return input_error("{}: there is no such file", copy.string());
  if (!fs::is_regular_file(copy, code)) return input_error("{}: is no file, expected a copy", copy.string());
  if (fs::file_size(copy, code) == 0) return input_error("{}: is empty, expected a copy", copy.string());
  if (is_there(log_of(copy)))
    return input_error("{}: {} lies beside it: it is a database in use; mash server backup copies such a one",
                       copy.string(), log_of(copy).filename().string());
  fs::copy_file(copy, draft, fs::copy_options::overwrite_existing, code);
  if (code) return failure("{}: cannot be copied: {}", copy.string(), code.message());
  let_only_its_owner_read(draft);               // no matter who may read the copy
  const auto named = [&](const Error& error) {  // errors name the copy, not the draft of it
    std::string message = error.message;
    if (message.starts_with(draft.string())) message.replace(0, draft.string().size(), copy.string());
    return Error{ErrorKind::kInput, message};
  };
  const auto database = open_database(draft, FileFrom::kElsewhere);
  if (!database.ok()) return named(database.error());
  const Status whole = with_database(**database, [&](SQLite::Database& opened) -> Status {
    MASH_TRY(check_whole(opened, draft));
    opened.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return Done{};
  });
  if (!whole.ok()) return named(whole.error());
  return Done{};
}

}  // namespace

Result<std::uint64_t> backup_records(const fs::path& database, const fs::path& copy) {
  if (is_there(copy)) return input_error("{}: is there already; expected a new file", copy.string());
  MASH_ASSIGN(const DraftFile draft, DraftFile::make(copy));
  MASH_TRY(read_database(database, [&](SQLite::Database& from) -> Status {
    std::error_code code;
    fs::resize_file(draft.path(), 0, code);  // of a look that failed
    return copy_and_check(from, draft.path(), copy);
  }));
  MASH_TRY(flush(draft.path()));
  if (::link(draft.path().c_str(), copy.c_str()) != 0) {
    if (errno == EEXIST) return input_error("{}: is there already; expected a new file", copy.string());
    return system_error(copy, "cannot be written");
  }
  MASH_TRY(flush(folder_of(copy)));
  std::error_code code;
  return std::uint64_t(fs::file_size(copy, code));
}

Result<std::optional<fs::path>> restore_records(const fs::path& copy, const fs::path& database) {
  MASH_ASSIGN(const DraftFile draft, DraftFile::make(database));
  MASH_TRY(write_draft(copy, draft.path()));
  MASH_TRY(give_to_owner(draft.path(), database));
  MASH_TRY(flush(draft.path()));
  std::optional<fs::path> kept;
  std::optional<LoneLock> lock;
  if (is_there(database)) {
    MASH_TRY(LoneLock::take(database));
    MASH_TRY(check_runners(database));  // opens and closes it, which ends a lock of this process
    MASH_ASSIGN(LoneLock taken, LoneLock::take(database));
    lock.emplace(std::move(taken));
    kept = kept_name(database);
    MASH_TRY(keep(database, *kept));
  }
  if (::rename(draft.path().c_str(), database.c_str()) != 0)
    return system_error(database, "cannot be replaced");
  MASH_TRY(flush(folder_of(database)));
  return kept;
}

}  // namespace mash
