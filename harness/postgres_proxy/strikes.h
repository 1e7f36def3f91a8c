// The statements of a run that something befalls, counted over all of its connections.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::postgres_proxy {

enum class Fate {
  answered,     // nothing but that its moment is told
  lose,         // it never reaches the server, and the connection breaks
  lose_answer,  // it is done, and the connection breaks before the answer
  ghost,        // the connection breaks, and it reaches the server when it is told to land
  refuse,       // an error that asks to try again, and it never reaches the server
};

struct Strike {
  std::string statement;  // as a scenario names it
  std::int64_t nth = 0;
  Fate fate = Fate::answered;
  std::size_t event = 0;  // whose: for whoever is told
};

// A scenario's name of the statement that the sender prepares under this name; "" for one that no
// scenario can name.
std::string_view scenario_name(std::string_view prepared);

class Strikes {
 public:
  explicit Strikes(std::vector<Strike> strikes);

  // Whether a strike waits for statements prepared under this name.
  bool watch(std::string_view prepared) const;
  // One more of them is on its way to the server. Returns: the strike that befalls it, or nothing.
  const Strike* reached(std::string_view prepared);

 private:
  std::vector<Strike> strikes_;
  std::map<std::string, std::int64_t, std::less<>> seen_;  // by scenario's name
};

}  // namespace harness::postgres_proxy
