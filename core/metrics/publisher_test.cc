#include "core/metrics/publisher.h"

#include <gtest/gtest.h>
#include <httplib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace core::metrics {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class Folder {
 public:
  Folder() : path(fs::temp_directory_path() / ("sendproof_metrics_" + std::to_string(getpid()))) {
    fs::create_directory(path);
  }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

TEST(Publisher, ThePageSaysWhatIsTrueNow) {
  Metrics metrics("spring");
  Publisher publisher({"127.0.0.1:0", "", ""}, metrics, [](const std::string&) {});
  httplib::Client scraper("127.0.0.1", publisher.port().value());
  const auto before = scraper.Get("/metrics");
  ASSERT_TRUE(before);
  EXPECT_NE(before->body.find("requests_in_flight{campaign=\"spring\"} 0"), std::string::npos);
  EXPECT_EQ(before->get_header_value("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  metrics.request_started();
  const auto after = scraper.Get("/metrics");
  ASSERT_TRUE(after);
  EXPECT_NE(after->body.find("requests_in_flight{campaign=\"spring\"} 1"), std::string::npos);
}

TEST(Publisher, ATakenPortIsSaidAndTheRunGoesOn) {
  Metrics metrics("spring");
  Publisher first({"127.0.0.1:0", "", ""}, metrics, [](const std::string&) {});
  const std::string where = "127.0.0.1:" + std::to_string(first.port().value());
  std::vector<std::string> said;
  Publisher second({where, "", ""}, metrics,
                   [&](const std::string& line) { said.push_back(line); });
  EXPECT_EQ(second.port(), std::nullopt);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_TRUE(said[0].starts_with("METRICS_LISTEN=" + where + ": the port is taken")) << said[0];
}

TEST(Publisher, TheFileIsReplacedAsAWhole) {
  const Folder folder;
  const fs::path file = folder.path / "campaign_sender.prom";
  Metrics metrics("spring");
  Publisher publisher({"", file.string(), ""}, metrics, [](const std::string&) {});
  publisher.write_file();
  EXPECT_EQ(text_of(file), metrics.text());
  metrics.request_started();
  publisher.finish();
  EXPECT_EQ(text_of(file), metrics.text());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), {}), 1);
}

TEST(Publisher, AFileThatCannotBeWrittenIsSaidOnce) {
  const Folder folder;
  const fs::path file = folder.path / "gone" / "x.prom";
  Metrics metrics("spring");
  std::vector<std::string> said;
  Publisher publisher({"", file.string(), ""}, metrics,
                      [&](const std::string& line) { said.push_back(line); });
  publisher.write_file();
  publisher.write_file();
  ASSERT_EQ(said.size(), 1U);
  EXPECT_TRUE(said[0].starts_with("METRICS_FILE=" + file.string() + ": can't be written"));
}

TEST(Publisher, TheLastStateIsPushed) {
  httplib::Server gateway;
  std::string got, path;
  gateway.Put(".*", [&](const httplib::Request& request, httplib::Response&) {
    got = request.body;
    path = request.path;
  });
  const int port = gateway.bind_to_any_port("127.0.0.1");
  std::thread serving([&] { gateway.listen_after_bind(); });
  while (!gateway.is_running()) std::this_thread::yield();
  Metrics metrics("spring");
  std::vector<std::string> said;
  {
    Publisher publisher(
        {"", "", "http://127.0.0.1:" + std::to_string(port) + "/metrics/job/campaign_sender"},
        metrics, [&](const std::string& line) { said.push_back(line); });
    publisher.finish();
  }
  gateway.stop();
  serving.join();
  EXPECT_EQ(path, "/metrics/job/campaign_sender");
  EXPECT_EQ(got, metrics.text());
  EXPECT_TRUE(said.empty());
  Publisher too_late(
      {"", "", "http://127.0.0.1:" + std::to_string(port) + "/metrics/job/campaign_sender"},
      metrics, [&](const std::string& line) { said.push_back(line); });
  too_late.finish();
  EXPECT_EQ(said.size(), 1U);
}

TEST(Destinations, WhatCannotWorkIsRefusedWithAnExample) {
  EXPECT_TRUE(Destinations{}.problems().empty());
  EXPECT_TRUE(
      (Destinations{"0.0.0.0:9464", "", "https://push:9091/metrics/job/x"}).problems().empty());
  for (const char* wrong : {"9464", ":9464", "127.0.0.1:", "127.0.0.1:70000", "127.0.0.1:x"}) {
    const auto problems = Destinations{wrong, "", ""}.problems();
    ASSERT_EQ(problems.size(), 1U) << wrong;
    EXPECT_TRUE(problems[0].starts_with("METRICS_LISTEN=" + std::string(wrong))) << problems[0];
  }
  for (const char* wrong : {"pushgateway:9091/x", "http://", "http://host", "http://u@h/x"})
    EXPECT_EQ((Destinations{"", "", wrong}).problems().size(), 1U) << wrong;
  EXPECT_EQ((Destinations{"", "/nowhere/at/all/x.prom", ""}).problems().size(), 1U);
}

}  // namespace
}  // namespace core::metrics
