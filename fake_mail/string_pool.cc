#include "fake_mail/string_pool.h"

#include <functional>

namespace fake_mail {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 16U;
constexpr std::size_t text_bytes_max = (std::size_t{1} << 15U) - 1;
constexpr std::size_t first_slots = 8;
constexpr unsigned long_mark = 0x80;  // the length takes two bytes

// A slot: number + 1, and bits of the hash, so that a collision is seen without a look at the text.
constexpr unsigned tag_bits = 6;
constexpr std::uint32_t tag_mask = (std::uint32_t{1} << tag_bits) - 1;

std::size_t hash_of(std::string_view text) {
  return std::hash<std::string_view>{}(text);
}

std::uint32_t tag_of(std::size_t hash) {
  return static_cast<std::uint32_t>(hash >> 58U) & tag_mask;
}

std::uint32_t slot_value(std::uint32_t number, std::size_t hash) {
  return (number + 1) << tag_bits | tag_of(hash);
}

std::uint32_t number_in(std::uint32_t slot_value) {
  return (slot_value >> tag_bits) - 1;
}

unsigned byte_at(const std::string& block, std::size_t at) {
  return static_cast<unsigned char>(block[at]);
}

}  // namespace

StringPool::StringPool() : slots_(first_slots, 0) {
  number_of("");
}

std::uint32_t StringPool::number_of(std::string_view wanted) {
  wanted = wanted.substr(0, text_bytes_max);
  const std::size_t hash = hash_of(wanted);
  std::size_t slot = hash & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = next_slot(slot)) {
    const std::uint32_t number = number_in(slots_[slot]);
    if (slots_[slot] == slot_value(number, hash) && text(number) == wanted) return number;
  }
  const auto number = static_cast<std::uint32_t>(starts_.size());
  starts_.push_back(store(wanted));
  slots_[slot] = slot_value(number, hash);
  if (starts_.size() * 4 > slots_.size() * 3) grow();
  return number;
}

std::string_view StringPool::text(std::uint32_t number) const {
  const std::uint32_t start = starts_[number];
  const std::string& block = blocks_[start >> 16U];
  const std::size_t at = start & 0xffffU;
  const unsigned first = byte_at(block, at);
  if ((first & long_mark) == 0) return std::string_view(block).substr(at + 1, first);
  return std::string_view(block).substr(at + 2, (first ^ long_mark) << 8U | byte_at(block, at + 1));
}

std::size_t StringPool::next_slot(std::size_t slot) const {
  return (slot + 1) & (slots_.size() - 1);
}

std::uint32_t StringPool::store(std::string_view text) {
  const std::size_t bytes = text.size() + 2;
  if (blocks_.empty() || blocks_.back().size() + bytes > block_bytes) blocks_.emplace_back();
  std::string& block = blocks_.back();
  // A pool of a few texts stays small (the simulator copies many), a full block isn't half empty.
  if (block.size() + bytes > block_bytes / 4) block.reserve(block_bytes);
  const auto start = static_cast<std::uint32_t>((blocks_.size() - 1) << 16U | block.size());
  if (text.size() >= long_mark) block.push_back(static_cast<char>(text.size() >> 8U | long_mark));
  block.push_back(static_cast<char>(text.size() & 0xffU));
  block.append(text);
  return start;
}

void StringPool::grow() {
  slots_ = std::vector<std::uint32_t>(slots_.size() * 2, 0);
  for (std::uint32_t number = 0; number < starts_.size(); ++number) {
    const std::size_t hash = hash_of(text(number));
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = next_slot(slot);
    slots_[slot] = slot_value(number, hash);
  }
}

}  // namespace fake_mail
