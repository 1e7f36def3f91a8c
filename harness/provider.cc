#include "harness/provider.h"

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <nlohmann/json.hpp>

#include "fake_mail/control_client.h"

namespace harness {
namespace {

constexpr std::chrono::seconds listens_within{10};

struct Ports {
  int mail = 0;
  int control = 0;
};

// Only the first line counts: {"event":"listening","port":40001,"control_port":40002}
Ports ports_in(std::string_view line) {
  const auto object = nlohmann::json::parse(line, nullptr, false);
  if (!object.is_object()) return {};
  return {object.value("port", 0), object.value("control_port", 0)};
}

}  // namespace

Provider::Provider() = default;
Provider::~Provider() = default;

std::expected<std::unique_ptr<Provider>, std::string> Provider::start(
    const fake_mail::Behaviour& behaviour, std::int64_t connections,
    const std::filesystem::path& log) {
  const std::string program = (program_folder() / "fake_mail").string();
  if (auto found = find_program(program); !found) return std::unexpected(found.error());
  const auto listening = std::make_shared<std::promise<Ports>>();
  const auto told = std::make_shared<bool>(false);
  const auto tell = [listening, told](Ports ports) {
    if (!std::exchange(*told, true)) listening->set_value(ports);
  };
  auto ports = listening->get_future();
  std::unique_ptr<Provider> provider(new Provider);
  auto process = Process::start({.argv = {program, "--port", "0", "--control-port", "0",
                                          "--threads", std::to_string(connections)},
                                 .stderr_file = log,
                                 .on_line = [tell](std::string_view line) { tell(ports_in(line)); },
                                 .on_end = [tell](const Ended&) { tell({}); }});
  if (!process) return std::unexpected(process.error());
  provider->process_ = std::move(*process);
  const bool in_time = ports.wait_for(listens_within) == std::future_status::ready;
  const Ports found = in_time ? ports.get() : Ports{};
  if (found.mail == 0 || found.control == 0)
    return std::unexpected(
        fmt::format("{} does not listen: {}", program, provider->process_->last_words()));
  provider->port_ = found.mail;
  provider->control_ = std::make_unique<fake_mail::ControlClient>(found.control);
  if (auto done = provider->ask([&](auto& control) { control.set_behaviour(behaviour); }); !done)
    return std::unexpected(done.error());
  return provider;
}

std::string Provider::mail_url(const std::string& owner) const {
  return fmt::format("http://127.0.0.1:{}/{}/send", port_, owner);
}

template <typename Call>
auto Provider::ask(Call&& call)
    -> std::expected<decltype(call(std::declval<fake_mail::ControlClient&>())), std::string> {
  try {
    if constexpr (std::is_void_v<decltype(call(*control_))>) {
      call(*control_);
      return {};
    } else {
      return call(*control_);
    }
  } catch (const fake_mail::ControlError& error) {
    return std::unexpected(std::string(error.what()));
  }
}

Provider::Done Provider::set_trigger(std::int64_t accept, bool freeze) {
  return ask([&](auto& control) { control.set_trigger(accept, freeze); });
}

std::expected<std::optional<std::string>, std::string> Provider::wait_for(std::int64_t accept,
                                                                          core::Duration at_most) {
  return ask([&](auto& control) -> std::optional<std::string> {
    const auto waited = control.wait_for_accepts(accept, at_most);
    if (!waited.reached) return std::nullopt;
    return waited.owner;
  });
}

Provider::Done Provider::freeze() {
  return ask([](auto& control) { control.freeze(); });
}

Provider::Done Provider::thaw(const std::vector<std::string>& killed) {
  return ask([&](auto& control) { control.thaw(killed); });
}

Provider::Done Provider::outage(core::Duration lasts) {
  return ask([&](auto& control) { control.outage(lasts); });
}

Provider::Done Provider::advance(core::Duration by) {
  return ask([&](auto& control) { control.advance_clock(by); });
}

std::expected<fake_mail::Counters, std::string> Provider::counters() {
  return ask([](auto& control) { return control.counters(); });
}

Provider::Done Provider::write_ledger(const std::filesystem::path& file) {
  return ask(
      [&](auto& control) { control.write_ledger(std::filesystem::absolute(file).string()); });
}

}  // namespace harness
