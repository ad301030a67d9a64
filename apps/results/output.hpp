#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment/records/stored_run.hpp"
#include "report/formats/table.hpp"
#include "report/frame/frame.hpp"
#include "report/plots/plot.hpp"
#include "report/tables/headlines.hpp"

namespace elmx {

/// Returns the results of a folder and the predictions imported into it. Prints to stderr what is unfinished
/// or hidden. Throws DataError if the folder has no results.
Frame frame_of(const StoredRun& stored);

/// Writes the tables of a run into its folder, with a remark if they cover only a part of its trials.
std::vector<Table> write_tables_of_run(const Frame& frame, const std::vector<Headline>& headlines,
                                       const PlannedTrials& planned, const std::filesystem::path& folder);

/// Adds a remark to each table whose records cover only a part of the trials.
void say_part(const Frame& frame, const PlannedTrials& planned, std::vector<Table>& tables);

/// Prints the file of the table in the results folder to stderr.
void name_file(const Table& table, const std::filesystem::path& folder, const std::string& format);

/// Writes the figures into the results folder and names them on stderr.
void write_and_name(const std::vector<Figure>& figures, const std::filesystem::path& folder,
                    const PlotFormats& formats = {"svg"});

/// Writes a file to the path `asked`, or if it is "" to `name` in the results folder. Prints "WHAT: FILE" to
/// stderr.
void write_and_name(const std::string& what, const std::filesystem::path& folder, const std::string& name,
                    const std::filesystem::path& asked, const std::string& content);

/// Returns "Next: ..." with commands to use the model, to view the result, and to edit the config: NAME.json
/// if it is in the current folder, as written by `elmx run FILE`. A model of "" stands for none.
std::string next_commands(const std::string& model, const std::string& config, const std::filesystem::path& folder);

/// Returns the first lines of the output of a run, `elmx table` and the report page: the sentences of every
/// headline, then the suggested next commands. Empty if the folder has no headline.
std::vector<std::string> headline_lines(const std::vector<Headline>& headlines, const std::string& config,
                                        const std::filesystem::path& folder);

/// Returns the path of a saved model: `model` itself, or the final model of a results folder. Throws
/// UserError if there is none.
std::filesystem::path model_path(const std::filesystem::path& model);

/// Prints the lines to stdout, with an empty line after them.
void print_lines(const std::vector<std::string>& lines);

/// Prints to stderr which rows and values of a file the reader has left out or imputed.
void print_notes(const Dataset& data);

/// Prints the summary of a run: the headlines, the comparison of the methods, and the table of all methods.
void print_summary(const Frame& frame, const std::vector<Headline>& headlines, const std::filesystem::path& folder);

}  // namespace elmx
