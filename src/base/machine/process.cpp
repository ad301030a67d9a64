#include "base/machine/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace elmx {
namespace {

/// The actions of a child process before its program starts: redirect stdin, stdout and stderr to /dev/null
/// and change the working folder.
class Setting {
 public:
  explicit Setting(const std::filesystem::path& folder) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }
  ~Setting() { ::posix_spawn_file_actions_destroy(&actions_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

}  // namespace

std::optional<int> run_program(const std::vector<std::string>& program_and_arguments,
                               const std::filesystem::path& folder) {
  std::vector<char*> argv;
  for (const std::string& argument : program_and_arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const Setting setting(folder);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, argv[0], setting.get(), nullptr, argv.data(), environ);
  // ENOENT may also be the folder's; EACCES: a file of that name in $PATH that is no program.
  if ((error == ENOENT && std::filesystem::is_directory(folder)) || error == EACCES) return std::nullopt;
  if (error != 0) throw std::system_error(error, std::generic_category(), program_and_arguments.front());

  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), program_and_arguments.front());
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace elmx
