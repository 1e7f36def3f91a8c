// What the provider costs: requests a second over HTTP with connections that stay open, decisions a
// second without it, and memory for each request.
#include <benchmark/benchmark.h>
#include <httplib.h>
#include <malloc.h>

#include <atomic>
#include <thread>
#include <vector>

#include "fake_mail/mail_server.h"
#include "fake_mail/service.h"

namespace fake_mail {
namespace {

void requests_over_http(benchmark::State& state) {
  const int lanes = static_cast<int>(state.range(0));
  constexpr int requests_per_lane = 2'000;
  Service service;
  const auto server =
      *MailServer::start(service, {.port = 0, .threads = lanes + 2, .certificate = {}, .key = {}});
  std::vector<std::unique_ptr<httplib::Client>> clients;
  for (int lane = 0; lane < lanes; ++lane) {
    clients.push_back(std::make_unique<httplib::Client>("127.0.0.1", server->port()));
    clients.back()->set_keep_alive(true);
    clients.back()->set_tcp_nodelay(true);
  }
  std::atomic<std::int64_t> next_member = 1;
  std::atomic<std::int64_t> failed = 0;
  for ([[maybe_unused]] auto _ : state) {
    std::vector<std::thread> senders;
    for (auto& http : clients)
      senders.emplace_back([&] {
        for (int i = 0; i < requests_per_lane; ++i) {
          const std::string member = std::to_string(next_member++);
          const httplib::Headers headers = {{"Idempotency-Key", "spring-2026:" + member}};
          const std::string body = R"({"to":"m)" + member + R"(@example.org","member_id":)" +
                                   member + R"(,"template":"spring"})";
          const auto answer = http->Post("/p1/send", headers, body, "application/json");
          if (!answer || answer->status != 200) ++failed;
        }
      });
    for (std::thread& sender : senders) sender.join();
  }
  if (failed > 0) state.SkipWithError("requests failed");
  state.SetItemsProcessed(state.iterations() * lanes * requests_per_lane);
  service.stop();
}
BENCHMARK(requests_over_http)
    ->Arg(8)
    ->Arg(64)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->MinTime(2.0);

// `keyed`: every request has a key and a member of its own; else all are repeats of 1,000 of them.
void decisions(benchmark::State& state, bool keyed) {
  constexpr std::int64_t requests = 1'200'000;
  double bytes = 0;
  for ([[maybe_unused]] auto _ : state) {
    const struct mallinfo2 before = mallinfo2();
    Provider provider;
    for (std::int64_t i = 0; i < requests; ++i) {
      const std::string member = std::to_string(keyed ? i : i % 1'000);
      provider.answer({"p1", member, "spring-2026:" + member, 1, Arrival(core::Duration(2 * i))});
    }
    const struct mallinfo2 after = mallinfo2();
    bytes = static_cast<double>(after.uordblks + after.hblkhd) -
            static_cast<double>(before.uordblks + before.hblkhd);
  }
  state.SetItemsProcessed(state.iterations() * requests);
  state.counters["bytes_per_request"] = bytes / static_cast<double>(requests);
}
BENCHMARK_CAPTURE(decisions, deliveries, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decisions, repeats, false)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fake_mail
