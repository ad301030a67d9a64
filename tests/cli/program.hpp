#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/configs.hpp"
#include "support/paths.hpp"

/// The main() of elmx, where it is linked to the tests (main.cpp); else null.
extern "C" [[gnu::weak]] int __real_main(int argc, char** argv);

namespace elmx {

namespace fs = std::filesystem;

/// The results of a program: exit code (128 + signal if a signal killed it), stdout and stderr.
struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

inline std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  return std::move(content).str();
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Runs the elmx binary in its own working folder, which is empty at the start of a test and removed at its
/// end. Data and results are below that folder unless a test says otherwise. All tests of a process have the
/// same folder, so that what prepared() copies has the paths it was made with.
class ProgramTest : public testing::Test {
 protected:
  using Environment = std::map<std::string, std::string>;
  using Arguments = std::vector<std::string>;

  ProgramTest() {
    fs::remove_all(root_);
    fs::create_directories(work());
  }
  ~ProgramTest() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  fs::path work() const { return root_ / "work"; }

  /// Calls `prepare` in the first test of a suite that asks for `name`. Later tests get a copy of the files
  /// that it left in the working folder. Returns what `prepare` returned: the outcome of its last command.
  Outcome prepared(const std::string& name, const std::function<Outcome()>& prepare) const {
    return kept(testing::UnitTest::GetInstance()->current_test_info()->test_suite_name() + ("." + name), prepare);
  }

  /// Does the same for a command: the first test that calls it with the same files in the working folder runs
  /// it.
  Outcome run_once(const Arguments& arguments) const {
    std::string key;
    for (const std::string& argument : arguments) key += argument + '\0';
    for (const auto& [name, content] : snapshot()) key += name + '\0' + content + '\0';
    if (all_kept().outcomes.contains(key)) fs::remove_all(work());  // the command may have removed files
    return kept(key, [&] { return run(arguments); });
  }

  /// Writes a file below the working folder; returns its name.
  std::string write(const std::string& name, std::string_view content) const {
    fs::create_directories((work() / name).parent_path());
    std::ofstream(work() / name, std::ios::binary) << content;
    return name;
  }
  std::string read(const fs::path& name) const { return content_of(work() / name); }
  bool exists(const fs::path& name) const { return fs::exists(work() / name); }

  /// Returns every file and folder below the working folder with its content.
  std::map<std::string, std::string> snapshot() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(work())) {
      files[fs::relative(entry.path(), work()).string()] =
          entry.is_regular_file() ? content_of(entry.path()) : "folder";
    }
    return files;
  }

  /// Starts `elmx ARGUMENTS` in the working folder. Variables of `environment` that are "" are unset.
  /// `output` (a descriptor) replaces the file that records stdout. A terminal is also stdin and stderr, and
  /// Ctrl-C typed there reaches the program.
  ///
  /// Nine tenths of the time of a start are the loading of libraries. The process of the tests has loaded
  /// them already, so a copy of it becomes the program, unless the libraries have to read other variables.
  pid_t start(const Arguments& arguments, const Environment& environment = {}, int output = -1) const {
    const bool of_libraries = std::ranges::any_of(environment, [](const auto& variable) {
      return variable.first.starts_with("LD_") || variable.first.find("OMP_") != std::string::npos ||
             variable.first.starts_with("OPENBLAS_");
    });
    if (__real_main == nullptr || of_libraries)
      return start_program(elmx_binary().string(), arguments, environment, output);
    return start_child(elmx_binary().string(), arguments, environment, output, [](std::vector<char*>& argv) {
      for (int descriptor = 3; descriptor < 256; ++descriptor) {
        if ((::fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0) ::close(descriptor);
      }
      const int code = __real_main(static_cast<int>(argv.size()) - 1, argv.data());
      std::fflush(nullptr);
      ::_exit(code);
    });
  }

  /// Starts another program, found in $PATH if it has no folder.
  pid_t start_program(const std::string& program, const Arguments& arguments, const Environment& environment = {},
                      int output = -1) const {
    return start_child(program, arguments, environment, output,
                       [](std::vector<char*>& argv) { ::execvp(argv.front(), argv.data()); });
  }

  static Arguments run_arguments(const std::string& config, const std::string& folder, const Arguments& more = {}) {
    Arguments arguments{"run", config, "-o", folder};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  /// Starts a run and waits until its log says that trials are running.
  pid_t start_and_wait(const std::string& config, const std::string& folder, const Arguments& more = {}) const {
    using namespace std::chrono_literals;
    const pid_t child = start(run_arguments(config, folder, more));
    while (!exists(folder + "/log.txt") || read(folder + "/log.txt").find("trials") == std::string::npos)
      std::this_thread::sleep_for(5ms);
    std::this_thread::sleep_for(100ms);
    return child;
  }

  Outcome finish(pid_t child) const {
    int status = 0;
    ::waitpid(child, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, content_of(root_ / "stdout"), content_of(root_ / "stderr")};
  }

  Outcome run(const Arguments& arguments, const Environment& environment = {}) const {
    return finish(start(arguments, environment));
  }

  /// Checks the contract for bad input: the exit code, one line on stderr that has all of `parts`, nothing on
  /// stdout, and no new or changed file or folder.
  void refuses(int code, const Arguments& arguments, const std::vector<std::string>& parts,
               const Environment& environment = {}) const {
    const auto before = snapshot();
    const Outcome outcome = run(arguments, environment);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(is_one_line(outcome.err)) << outcome.err;
    for (const std::string& part : parts)
      EXPECT_NE(outcome.err.find(part), std::string::npos) << "no " << part << " in " << outcome.err;
    EXPECT_EQ(snapshot(), before);
  }

  static bool is_one_line(const std::string& err) {
    return err.starts_with("elmx: ") && err.find('\n') == err.size() - 1;
  }

 private:
  /// Calls become(argv) in a child process, in the working folder, with its own stdin, stdout and stderr.
  template <class Become>
  pid_t start_child(const std::string& program, const Arguments& arguments, const Environment& environment, int output,
                    const Become& become) const {
    std::vector<char*> argv;
    argv.push_back(const_cast<char*>(program.c_str()));
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    std::fflush(nullptr);  // the child has a copy of what is not written yet
    const pid_t child = ::fork();
    if (child != 0) return child;

    const int out = output >= 0 ? output : ::open((root_ / "stdout").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const int err = ::open((root_ / "stderr").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const int in = ::open("/dev/null", O_RDONLY);
    const bool terminal = ::isatty(out) == 1 && ::setsid() != -1 && ::ioctl(out, TIOCSCTTY, 0) == 0;
    ::dup2(terminal ? out : in, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(terminal ? out : err, STDERR_FILENO);
    ::unsetenv("ELMX_DATA");
    ::unsetenv("ELMX_HOME");
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    ::setenv("GOMP_SPINCOUNT", "4000", 1);  // the program sets it itself, at the cost of another start
    for (const auto& [name, value] : environment)
      value.empty() ? ::unsetenv(name.c_str()) : ::setenv(name.c_str(), value.c_str(), 1);
    if (::chdir(work().c_str()) == 0) become(argv);
    ::_exit(127);
  }

  static fs::path folder_of_process(const std::string& name) {
    return fs::path(testing::TempDir()) / (name + std::to_string(::getpid()));
  }

  /// What prepared() and run_once() copy, until the process ends: folders of files, and outcomes by the place
  /// of their folder.
  struct Kept {
    Kept() {
      fs::remove_all(folder);
      fs::create_directories(folder);
    }
    ~Kept() {
      std::error_code ignored;
      if (::getpid() == owner) fs::remove_all(folder, ignored);
    }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;

    const pid_t owner = ::getpid();
    const fs::path folder = folder_of_process("elmx_kept_");
    std::map<std::string, std::pair<fs::path, Outcome>> outcomes;
  };

  static Kept& all_kept() {
    static Kept all;
    return all;
  }

  Outcome kept(const std::string& key, const std::function<Outcome()>& prepare) const {
    Kept& all = all_kept();
    const auto known = all.outcomes.find(key);
    if (known != all.outcomes.end()) {
      const auto& [files, outcome] = known->second;
      fs::copy(files, work(), fs::copy_options::recursive | fs::copy_options::overwrite_existing);
      return outcome;
    }
    const Outcome outcome = prepare();
    const fs::path files = all.folder / std::to_string(all.outcomes.size());
    fs::copy(work(), files, fs::copy_options::recursive);
    all.outcomes[key] = {files, outcome};
    return outcome;
  }

  const fs::path root_ = folder_of_process("elmx_test_");
};

}  // namespace elmx
