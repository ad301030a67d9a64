#include "run/invocation.hpp"

#include "base/printable.hpp"

namespace elmx {

std::string command_line(char** argv) {
  std::string command;
  for (char** word = argv; *word != nullptr; ++word) command += (command.empty() ? "" : " ") + shell_word(*word);
  return command;
}

Invocation invocation(const Common& common) {
  Invocation how;
  how.command = command_line(common.argv);
  std::error_code failed;
  const std::filesystem::path here = std::filesystem::current_path(failed);
  if (failed) throw ConfigError("the working folder", failed.message() + "; start elmx in a folder that exists");
  how.folder = printable(here.string());
  how.data_folder = printable((here / common.data()).lexically_normal().string());
  return how;
}

}  // namespace elmx
