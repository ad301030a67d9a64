#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"
#include "report/formats/table.hpp"
#include "report/tables/tables.hpp"

namespace elmx {

struct DrawnFigure {
  std::string caption;
  std::string svg;  ///< "" = not drawn
};

/// The contents of a page about a results folder.
struct Report {
  std::filesystem::path folder;  ///< its name is the title if the experiment has none
  std::vector<Record> records;
  Json experiment = Json::object();   ///< experiment.json; empty if there is none
  Json reading = Json::object();      ///< data.json; empty if there is none
  std::vector<std::string> where;     ///< conditions on the records of summary, tables and figures
  std::vector<Table> published;       ///< further tables in the folder besides the standard ones
  std::vector<std::string> headline;  ///< expected performance of the saved models, and next steps
  RunSummary summary;                 ///< comparison of the methods
  std::vector<Table> tables;          ///< the standard tables
  std::vector<DrawnFigure> figures;
  std::vector<DrawnFigure> further_figures;  ///< folded below the others
  std::string without_figures;               ///< why figures are missing; "" = none is missing
};

/// Returns a page that opens with the summary: one line per data set, published tables, the best method
/// with its table and figures. Everything else is folded below: tables, figures, provenance, config. Long
/// tables and lists are cut, with a note on the omitted part. Throws DataError if an experiment.json does
/// not describe a run.
std::string report_page(const Report& report);

/// A part of a page.
struct PageSection {
  std::string id;
  std::string heading;
  std::string html;
};

/// Returns an HTML5 document that needs no other file, no network and no script, and is well-formed XML
/// except for its document type. The parts of the page are listed below its text.
std::string html_page(const std::string& heading, const std::string& html, const std::vector<PageSection>& parts);

/// Returns <details> that open on a click; the content is HTML.
std::string details(const std::string& summary, const std::string& content);

/// Returns a text with its line breaks.
std::string preformatted(const std::string& text);

/// Returns an <img> with an embedded SVG file and an alternative text. Browsers neither run scripts nor load
/// files for such an image, and its names and styles do not affect the page.
std::string svg_image(const std::string& svg, const std::string& label);

}  // namespace elmx
