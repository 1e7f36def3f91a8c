#include "harness/postgres_proxy/conversation.h"

#include <utility>

#include "core/assert.h"

namespace harness::postgres_proxy {
namespace {

// Types of messages.
constexpr char bind = 'B';
constexpr char sync = 'S';
constexpr char flush = 'H';
constexpr char query = 'Q';
constexpr char function_call = 'F';
constexpr char ready_for_query = 'Z';

}  // namespace

void Conversation::client_says(std::string_view bytes, Orders& orders) {
  from_client_.add(bytes);
  while (hears_client()) {
    const auto message = from_client_.next(started_);
    if (!message) break;
    take(*message, orders);
  }
  if (from_client_.broken()) end(orders);
}

void Conversation::take(const std::string& message, Orders& orders) {
  if (!started_) return take_before_startup(message, orders);
  const char type = message.front();
  if (type == bind && strikes_->watch(bound_statement(message)))
    bound_.emplace_back(bound_statement(message));
  if (bound_.empty()) return pass(message, orders);
  held_ += message;
  if (type == sync) return whole(orders);
  if (type != flush) return;
  bound_.clear();
  orders.to_server += std::exchange(held_, {});
}

void Conversation::take_before_startup(const std::string& message, Orders& orders) {
  const std::uint32_t code = startup_code(message);
  if (code == ssl_request || code == gss_request) {
    orders.to_client += no_encryption;
    return;
  }
  orders.to_server += message;
  if (code == cancel_request) return;  // the server closes: there is nothing to answer
  started_ = true;
  ++due_;
}

void Conversation::pass(std::string_view message, Orders& orders) {
  const char type = message.front();
  if (type == sync || type == query || type == function_call) ++due_;
  orders.to_server += message;
}

// The statement that was held is there to its Sync.
void Conversation::whole(Orders& orders) {
  strike_ = nullptr;
  for (const std::string& name : std::exchange(bound_, {})) {
    const Strike* due = strikes_->reached(name);
    if (strike_ == nullptr) strike_ = due;
  }
  const bool done =
      strike_ == nullptr || strike_->fate == Fate::answered || strike_->fate == Fate::lose_answer;
  if (strike_ != nullptr) state_ = State::answering;
  before_ = due_;
  if (!done) return strike(orders);
  ++due_;
  orders.to_server += std::exchange(held_, {});
}

void Conversation::strike(Orders& orders) {
  state_ = State::struck;
  orders.struck = strike_->event;
}

void Conversation::server_says(std::string_view bytes, Orders& orders) {
  from_server_.add(bytes);
  while (const auto message = from_server_.next(true)) hear(*message, orders);
  if (from_server_.broken()) end(orders);
}

void Conversation::hear(const std::string& message, Orders& orders) {
  const bool ready = message.front() == ready_for_query;
  if (ready) --due_;
  if (state_ == State::passing || state_ == State::over) {
    orders.to_client += message;
    return;
  }
  // Answers to what the client sent before.
  if (before_ > 0) {
    if (ready) --before_;
    if (!outlives_client()) orders.to_client += message;
    return;
  }
  if (state_ == State::answering || state_ == State::struck) {
    answer_ += message;
    if (ready && state_ == State::answering) strike(orders);
  } else if (state_ == State::refusing) {
    if (ready) {
      orders.to_client += error_message("40P01", "deadlock detected");
      state_ = State::passing;
    }
    orders.to_client += message;
    if (ready) client_says({}, orders);
  } else if (state_ == State::landing && ready) {
    orders.landed = true;
    end(orders);
  }
}

void Conversation::go_on(Orders& orders) {
  ASSERT(state_ == State::struck);
  switch (strike_->fate) {
    case Fate::answered:
      orders.to_client += std::exchange(answer_, {});
      state_ = State::passing;
      if (server_left_) return end(orders);
      return client_says({}, orders);
    case Fate::lose:
    case Fate::lose_answer:
      return end(orders);
    case Fate::ghost:
      orders.close_client = true;
      state_ = State::ghost;
      return;
    case Fate::refuse:
      if (server_left_) return end(orders);
      held_.clear();
      state_ = State::refusing;
      before_ = due_++;
      orders.to_server += sync_message();
      return;
  }
}

void Conversation::land(Orders& orders) {
  ASSERT(ghost());
  if (server_left_) return end(orders);
  state_ = State::landing;
  before_ = due_++;
  orders.to_server += std::exchange(held_, {});
}

void Conversation::client_left(Orders& orders) {
  end(orders);
}

void Conversation::server_left(Orders& orders) {
  server_left_ = true;
  if (state_ == State::answering) return strike(orders);
  if (state_ == State::struck || ghost()) return;  // told at go_on() or land()
  end(orders);
}

void Conversation::end(Orders& orders) {
  state_ = State::over;
  orders.close_client = true;
  orders.close_server = true;
}

}  // namespace harness::postgres_proxy
