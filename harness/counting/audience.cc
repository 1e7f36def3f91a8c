#include "harness/counting/audience.h"

#include <algorithm>
#include <charconv>

namespace harness {
namespace {

std::uint64_t hash_of(std::string_view text) {  // FNV-1a, then mixed
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  hash ^= hash >> 32;
  return hash * 0x9e3779b97f4a7c15U;
}

}  // namespace

Truth truth_named(std::string_view state) {
  if (state == "sent") return Truth::sent;
  if (state == "failed") return Truth::failed;
  if (state == "unknown") return Truth::unknown;
  if (state == "skipped") return Truth::skipped;
  return Truth::open;
}

void Audience::add(const Member& member, std::string_view address) {
  if (!address.empty())
    addresses_.push_back({hash_of(address), static_cast<std::uint32_t>(members_.size())});
  members_.push_back(member);
}

void Audience::seal() {
  std::sort(addresses_.begin(), addresses_.end());
}

std::optional<std::size_t> Audience::find(std::int64_t id) const {
  // Audiences are mostly 1..N: look where the member then is before searching.
  const auto guess = static_cast<std::size_t>(id - 1);
  if (guess < members_.size() && members_[guess].id == id) return guess;
  const auto found = std::ranges::lower_bound(members_, id, {}, &Member::id);
  if (found == members_.end() || found->id != id) return std::nullopt;
  return static_cast<std::size_t>(found - members_.begin());
}

std::optional<std::size_t> Audience::find(std::string_view recipient) const {
  std::int64_t id = 0;
  const char* const end = recipient.data() + recipient.size();
  if (const auto [stop, error] = std::from_chars(recipient.data(), end, id);
      error == std::errc() && stop == end)
    return find(id);
  const std::uint64_t hash = hash_of(recipient);
  const auto found = std::ranges::lower_bound(addresses_, hash, {}, &Address::hash);
  if (found == addresses_.end() || found->hash != hash) return std::nullopt;
  return found->position;
}

bool Audience::became(std::int64_t id, Truth truth) {
  const auto position = find(id);
  if (position) members_[*position].truth = truth;
  return position.has_value();
}

void Audience::opted_out(std::int64_t id, std::int64_t commit_us) {
  if (const auto position = find(id)) members_[*position].opted_out_us = commit_us;
}

}  // namespace harness
