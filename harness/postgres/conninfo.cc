#include "harness/postgres/conninfo.h"

#include <libpq-fe.h>

#include <map>

namespace harness::postgres {
namespace {

std::string first_line(const char* text) {
  const std::string_view all = text == nullptr ? "" : text;
  return std::string(all.substr(0, all.find('\n')));
}

std::string quoted(std::string_view value) {
  std::string out = "'";
  for (const char c : value) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

bool plain(std::string_view value) {
  return !value.empty() && value.find_first_of(" '\\\t\n") == std::string_view::npos;
}

using Settings = std::map<std::string, std::string>;

// Those of the connection string, with these in place of its own; an empty one is left out.
std::expected<std::string, std::string> with(const std::string& conninfo, const Settings& instead) {
  char* error = nullptr;
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed(
      PQconninfoParse(conninfo.c_str(), &error), &PQconninfoFree);
  const std::unique_ptr<char, decltype(&PQfreemem)> message(error, &PQfreemem);
  if (!parsed) return std::unexpected(first_line(error));
  std::string out;
  const auto add = [&](const std::string& keyword, std::string_view value) {
    out += (out.empty() ? "" : " ") + keyword + "=" +
           (plain(value) ? std::string(value) : quoted(value));
  };
  for (const PQconninfoOption* option = parsed.get(); option->keyword != nullptr; ++option)
    if (option->val != nullptr && !instead.contains(option->keyword))
      add(option->keyword, option->val);
  for (const auto& [keyword, value] : instead)
    if (!value.empty()) add(keyword, value);
  return out;
}

}  // namespace

std::expected<std::string, std::string> with_database(const std::string& conninfo,
                                                      std::string_view database) {
  return with(conninfo, {{"dbname", std::string(database)}});
}

std::expected<std::string, std::string> with_address(const std::string& conninfo,
                                                     std::string_view host, std::string_view port) {
  return with(conninfo,
              {{"host", std::string(host)}, {"hostaddr", ""}, {"port", std::string(port)}});
}

std::expected<Connection, std::string> connect(const std::string& conninfo) {
  const char* const keywords[] = {"dbname", "connect_timeout", nullptr};
  const char* const values[] = {conninfo.c_str(), "5", nullptr};
  Connection connection(PQconnectdbParams(keywords, values, 1), &PQfinish);
  if (PQstatus(connection.get()) != CONNECTION_OK)
    return std::unexpected(first_line(PQerrorMessage(connection.get())));
  PQsetNoticeProcessor(connection.get(), [](void*, const char*) {}, nullptr);
  return connection;
}

std::expected<int, std::string> server_version(const std::string& conninfo) {
  const auto connection = connect(conninfo);
  if (!connection) return std::unexpected(connection.error());
  return PQserverVersion(connection->get());
}

}  // namespace harness::postgres
