#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace elmx {

/// Reads XML strictly: one root element, all elements closed in order, attributes quoted and unique, &
/// and < only as markup. A document type before the root is skipped; comments, processing instructions and
/// CDATA are errors.
class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) { read(); }

  /// Returns "" for well-formed XML, otherwise the error and its place.
  const std::string& error() const { return error_; }
  /// Returns the values of the attribute `name`, in order, of elements `element` ("" = all).
  std::vector<std::string> values(const std::string& name, const std::string& element = "") const {
    std::vector<std::string> found;
    for (const Attribute& a : attributes_) {
      if (a.name == name && (element.empty() || a.element == element)) found.push_back(a.value);
    }
    return found;
  }
  std::size_t count(const std::string& element) const {
    return static_cast<std::size_t>(std::count(elements_.begin(), elements_.end(), element));
  }

 private:
  struct Attribute {
    std::string element, name, value;
  };

  std::string_view rest() const { return text_.substr(std::min(place_, text_.size())); }
  bool at(std::string_view word) const { return rest().starts_with(word); }
  bool fail(const std::string& what) {
    if (error_.empty()) error_ = what + " at byte " + std::to_string(place_) + ": " + std::string(rest().substr(0, 40));
    return false;
  }
  static bool blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  void pass_blanks() {
    while (place_ < text_.size() && blank(text_[place_])) ++place_;
  }
  std::string name() {
    const std::size_t begin = place_;
    while (place_ < text_.size() && !blank(text_[place_]) &&
           std::string_view("=/><\"'&").find(text_[place_]) == std::string_view::npos)
      ++place_;
    return std::string(text_.substr(begin, place_ - begin));
  }

  /// Reads up to `end`; no markup except entities.
  bool characters(std::string_view end) {
    for (; place_ < text_.size() && end.find(text_[place_]) == std::string_view::npos; ++place_) {
      if (text_[place_] == '<') return fail("<");
      const auto byte = static_cast<unsigned char>(text_[place_]);
      if (byte < ' ' && !blank(text_[place_])) return fail("control character");
      if (text_[place_] != '&') continue;
      const std::string_view entity = text_.substr(place_ + 1, text_.find(';', place_) - place_ - 1);
      static const std::set<std::string_view> known = {"amp", "lt", "gt", "quot", "apos", "#39"};
      if (known.count(entity) == 0) return fail("&");
    }
    return true;
  }

  bool attribute(const std::string& element, std::set<std::string>& seen) {
    const std::string attribute_name = name();
    if (attribute_name.empty()) return fail("no attribute");
    if (!seen.insert(attribute_name).second) return fail("attribute " + attribute_name + " twice");
    pass_blanks();
    if (!at("=")) return fail("attribute without a value");
    ++place_;
    pass_blanks();
    if (!at("\"") && !at("'")) return fail("value without quotes");
    const std::string_view quote = text_.substr(place_++, 1);
    const std::size_t begin = place_;
    if (!characters(quote)) return false;
    attributes_.push_back({element, attribute_name, std::string(text_.substr(begin, place_ - begin))});
    return place_++ < text_.size() || fail("end within a value");
  }

  /// Reads from "<" to the end of the tag.
  bool tag() {
    ++place_;
    if (at("/")) {
      ++place_;
      const std::string closed = name();
      pass_blanks();
      if (open_.empty() || open_.back() != closed) return fail("</" + closed + "> closes no open element");
      open_.pop_back();
    } else {
      const std::string element = name();
      if (element.empty() || element[0] == '!' || element[0] == '?') return fail("no element");
      elements_.push_back(element);
      std::set<std::string> seen;
      for (pass_blanks(); place_ < text_.size() && !at("/") && !at(">"); pass_blanks()) {
        if (!attribute(element, seen)) return false;
      }
      if (at("/"))
        ++place_;
      else
        open_.push_back(element);
    }
    if (!at(">")) return fail("tag without its end");
    ++place_;
    return true;
  }

  void read() {
    if (at("<!DOCTYPE")) place_ = std::min(text_.find('>'), text_.size() - 1) + 1;
    pass_blanks();
    if (!at("<")) fail("no root element");
    while (error_.empty()) {
      if (!at("<") || !tag() || open_.empty()) break;
      if (!characters("<")) break;
    }
    if (error_.empty() && !open_.empty()) fail("<" + open_.back() + "> is not closed");
    pass_blanks();
    if (error_.empty() && place_ != text_.size()) fail("more than one root element");
  }

  std::string_view text_;
  std::size_t place_ = 0;
  std::string error_;
  std::vector<std::string> open_, elements_;
  std::vector<Attribute> attributes_;
};

}  // namespace elmx
