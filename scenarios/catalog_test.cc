#include "scenarios/catalog.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace scenarios {
namespace {
namespace fs = std::filesystem;

class Catalog : public testing::Test {
 protected:
  Catalog() : folder_(fs::path(testing::TempDir()) / ("catalog." + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    write("kill9.toml", "title = \"one\"\n");
    write("overlap.toml", "title = \"two\"\n");
    write("notes.txt", "not a scenario");
  }
  ~Catalog() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  std::string refusal(std::string_view name) {
    return find_scenario(name, {}, folder_).error().message();
  }

  fs::path folder_;
};

TEST_F(Catalog, NamesAreTheTomlFilesAscending) {
  EXPECT_EQ(scenario_names(folder_).value(), (std::vector<std::string>{"kill9", "overlap"}));
}

TEST_F(Catalog, AScenarioIsFoundByName) {
  const Scenario found = find_scenario("kill9", {}, folder_).value();
  EXPECT_EQ(found.name, "kill9");
  EXPECT_EQ(found.title, "one");
}

TEST_F(Catalog, AScenarioIsFoundByPath) {
  EXPECT_EQ(find_scenario((folder_ / "overlap.toml").string(), {}, "/nowhere").value().name,
            "overlap");
}

TEST_F(Catalog, AnUnknownNameIsRefusedWithTheNearest) {
  EXPECT_EQ(refusal("kil9"), "no scenario is named \"kil9\"; did you mean \"kill9\"?");
  EXPECT_EQ(refusal("something-else"),
            "no scenario is named \"something-else\"; known here: kill9, overlap");
}

TEST_F(Catalog, AMissingFileIsRefusedWithItsPath) {
  const std::string path = (folder_ / "none.toml").string();
  EXPECT_EQ(refusal(path), path + ": can't be read: No such file or directory");
  EXPECT_EQ(refusal(folder_.string()),
            folder_.string() + ": is a folder; give a scenario's .toml file");
}

TEST_F(Catalog, AFolderWithoutScenariosIsRefused) {
  EXPECT_EQ(scenario_names("/nowhere").error().message(),
            "/nowhere: no scenarios here: No such file or directory; SENDPROOF_SCENARIOS can name "
            "their folder");
}

TEST_F(Catalog, TheEnvironmentCanNameTheFolder) {
  ASSERT_EQ(setenv("SENDPROOF_SCENARIOS", folder_.c_str(), 1), 0);
  EXPECT_EQ(catalog_folder(), folder_);
  ASSERT_EQ(unsetenv("SENDPROOF_SCENARIOS"), 0);
  EXPECT_TRUE(fs::exists(catalog_folder() / "kill9-at-6000.toml"));
}

}  // namespace
}  // namespace scenarios
