#include "harness/postgres_proxy/proxy.h"

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "harness/postgres/conninfo.h"
#include "harness/postgres_proxy/link.h"

namespace harness::postgres_proxy {
namespace {

// Where libpq found the server that the DSN names.
std::expected<Address, std::string> address_of(const std::string& dsn) {
  const auto connection = postgres::connect(dsn);
  if (!connection) return std::unexpected(connection.error());
  const std::string numeric = PQhostaddr(connection->get());
  return Address{numeric.empty() ? PQhost(connection->get()) : numeric, PQport(connection->get())};
}

// Of this machine's network namespace: nobody else has it.
std::string own_host() {
  static std::atomic<int> proxies = 0;
  return fmt::format("@sendproof-{}-{}", getpid(), ++proxies);
}

}  // namespace

class Proxy::Loop {
 public:
  Loop(std::string dsn, Address server, std::vector<Strike> strikes, Listener listener)
      : dsn_(std::move(dsn)),
        server_(std::move(server)),
        strikes_(std::move(strikes)),
        listener_(std::move(listener)),
        wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        thread_([this] { run(); }) {}
  ~Loop() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    wake();
    thread_.join();
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  std::expected<std::string, std::string> open(int door) {
    const Address address{host_, std::to_string(door)};
    auto listener = listen_at(address);
    if (!listener) return std::unexpected(listener.error());
    {
      const std::lock_guard lock(mutex_);
      opened_.push_back({door, std::move(*listener)});
    }
    wake();
    return postgres::with_address(dsn_, address.host, address.port);
  }

  void go_on(std::size_t event) {
    {
      const std::lock_guard lock(mutex_);
      goes_on_.push_back(event);
    }
    wake();
  }

  std::expected<void, std::string> land(std::chrono::milliseconds at_most) {
    std::unique_lock lock(mutex_);
    landing_ = Landing::asked;
    wake();
    const auto over = [&] { return landing_ != Landing::asked && landing_ != Landing::begun; };
    if (!changed_.wait_for(lock, at_most, over))
      return std::unexpected(
          fmt::format("a statement made a ghost is not done within {} s", at_most.count() / 1000));
    if (landing_ == Landing::failed)
      return std::unexpected(
          std::string("a statement made a ghost can't be done: the server has closed its session"));
    return {};
  }

 private:
  enum class Landing { none, asked, begun, done, failed };
  struct Door {
    int number;
    Descriptor listener;
  };

  void wake() const {
    const std::uint64_t one = 1;
    (void)!write(wake_.number(), &one, sizeof one);
  }

  void run() {
    std::vector<pollfd> waits;
    while (take_orders()) {
      settle_landing();
      wait_for_all(waits);
      if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR)
        return listener_.on_broken(
            fmt::format("the sender's connections: {}", std::strerror(errno)));
      std::uint64_t woken = 0;
      (void)!read(wake_.number(), &woken, sizeof woken);
      const std::size_t links = links_.size();  // those that were waited for
      auto wait = waits.begin() + 1;
      for (const Door& door : doors_)
        if ((wait++)->revents != 0) let_in(door);
      auto link = links_.begin();
      for (std::size_t i = 0; i < links; ++i, ++link) {
        link->client_is((wait++)->revents);
        link->server_is((wait++)->revents);
      }
    }
  }

  void wait_for_all(std::vector<pollfd>& waits) {
    waits.assign(1, {wake_.number(), POLLIN, 0});
    for (const Door& door : doors_) waits.push_back({door.listener.number(), POLLIN, 0});
    for (const Link& link : links_) {
      waits.push_back(link.of_client());
      waits.push_back(link.of_server());
    }
  }

  // Returns: whether to stay.
  bool take_orders() {
    const std::lock_guard lock(mutex_);
    for (Door& door : opened_) doors_.push_back(std::move(door));
    opened_.clear();
    for (const std::size_t event : std::exchange(goes_on_, {})) {
      const auto link = std::ranges::find(links_, std::optional(event), &Link::struck);
      if (link != links_.end()) link->go_on();
    }
    if (landing_ == Landing::asked) {
      landing_ = Landing::begun;
      for (Link& link : links_)
        if (link.ghost()) link.land();
    }
    return !ends_;
  }

  void let_in(const Door& door) {
    Descriptor client = accept_own(door.listener);
    if (!client.open()) return;
    auto server = connect_to(server_);
    if (!server) return;  // the client sees a connection that breaks
    links_.emplace_back(door.number, std::move(client), std::move(*server), strikes_,
                        listener_.on_strike);
  }

  void remove_ended() {
    lost_ghost_ = lost_ghost_ || std::ranges::any_of(links_, &Link::lost_its_ghost);
    links_.remove_if([](const Link& one) { return one.over(); });
  }

  void settle_landing() {
    remove_ended();
    const std::lock_guard lock(mutex_);
    if (landing_ != Landing::begun || std::ranges::any_of(links_, &Link::landing)) return;
    landing_ = lost_ghost_ ? Landing::failed : Landing::done;
    changed_.notify_all();
  }

  const std::string dsn_;
  const Address server_;
  const std::string host_ = own_host();
  Strikes strikes_;
  const Listener listener_;
  Descriptor wake_;
  std::list<Link> links_;
  std::vector<Door> doors_;
  bool lost_ghost_ = false;

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::vector<Door> opened_;
  std::vector<std::size_t> goes_on_;
  Landing landing_ = Landing::none;
  bool ends_ = false;
  std::thread thread_;  // last: it uses the others
};

std::expected<std::unique_ptr<Proxy>, std::string> Proxy::start(const std::string& dsn,
                                                                std::vector<Strike> strikes,
                                                                Listener listener) {
  auto server = address_of(dsn);
  if (!server) return std::unexpected(server.error());
  return std::unique_ptr<Proxy>(new Proxy(
      std::make_unique<Loop>(dsn, std::move(*server), std::move(strikes), std::move(listener))));
}

Proxy::Proxy(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}
Proxy::~Proxy() = default;

std::expected<std::string, std::string> Proxy::open(int door) {
  return loop_->open(door);
}
void Proxy::go_on(std::size_t event) {
  loop_->go_on(event);
}
std::expected<void, std::string> Proxy::land(std::chrono::milliseconds at_most) {
  return loop_->land(at_most);
}

}  // namespace harness::postgres_proxy
