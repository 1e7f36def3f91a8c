#include "harness/postgres_proxy/strikes.h"

#include <gtest/gtest.h>

#include "core/pg/codec.h"
#include "scenarios/statements.h"

namespace harness::postgres_proxy {
namespace {

template <std::size_t... index>
std::vector<core::StoreCommand> one_of_each(std::index_sequence<index...> /*all*/) {
  return {core::StoreCommand(std::in_place_index<index>)...};
}

// The sender's own names, as it prepares its statements.
TEST(Strikes, EachStatementOfTheSenderHasItsNameInScenarios) {
  auto commands = one_of_each(std::make_index_sequence<std::variant_size_v<core::StoreCommand>>{});
  commands.emplace_back(core::ReadBack{.token = {}, .retries = true});
  for (const core::StoreCommand& command : commands) {
    const std::string_view prepared = core::pg::encode(command, {}).statement.name;
    EXPECT_EQ(scenario_name(prepared), scenarios::kStatements.at(command.index())) << prepared;
  }
  EXPECT_EQ(scenario_name("clock"), "");
  EXPECT_EQ(scenario_name(""), "");
}

TEST(Strikes, CountByNameAndStrikeOnce) {
  Strikes strikes({{"read_back", 2, Fate::lose, 7}, {"plan", 1, Fate::ghost, 8}});
  EXPECT_TRUE(strikes.watch("read_back_batch"));
  EXPECT_TRUE(strikes.watch("plan"));
  EXPECT_FALSE(strikes.watch("sweep"));
  EXPECT_FALSE(strikes.watch("clock"));
  EXPECT_EQ(strikes.reached("read_back_batch"), nullptr);
  ASSERT_NE(strikes.reached("plan"), nullptr);
  const Strike* second = strikes.reached("read_back_retries");
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->event, 7U);
  EXPECT_EQ(strikes.reached("read_back_batch"), nullptr);
}

}  // namespace
}  // namespace harness::postgres_proxy
