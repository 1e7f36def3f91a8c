#include "fake_mail/string_pool.h"

#include <functional>

namespace fake_mail {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 16U;
constexpr std::size_t text_bytes_max = block_bytes - 3;  // with its length it must fit one block
constexpr std::size_t first_slots = 8;

}  // namespace

StringPool::StringPool() : slots_(first_slots, 0) {
  number_of("");
}

std::uint32_t StringPool::number_of(std::string_view text) {
  text = text.substr(0, text_bytes_max);
  const std::size_t slot = slot_of(text);
  if (slots_[slot] != 0) return slots_[slot] - 1;
  const auto number = static_cast<std::uint32_t>(starts_.size());
  starts_.push_back(store(text));
  slots_[slot] = number + 1;
  if (starts_.size() * 4 > slots_.size() * 3) grow();
  return number;
}

std::string_view StringPool::text(std::uint32_t number) const {
  const std::uint32_t start = starts_[number];
  const std::string& block = blocks_[start >> 16U];
  const std::size_t at = start & 0xffffU;
  const std::size_t length = static_cast<std::size_t>(static_cast<unsigned char>(block[at])) << 8U |
                             static_cast<unsigned char>(block[at + 1]);
  return std::string_view(block).substr(at + 2, length);
}

std::size_t StringPool::slot_of(std::string_view wanted) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = std::hash<std::string_view>{}(wanted)&mask;
  while (slots_[slot] != 0 && text(slots_[slot] - 1) != wanted) slot = (slot + 1) & mask;
  return slot;
}

std::uint32_t StringPool::store(std::string_view text) {
  if (blocks_.empty() || blocks_.back().size() + 2 + text.size() > block_bytes)
    blocks_.emplace_back();
  std::string& block = blocks_.back();
  const auto start = static_cast<std::uint32_t>((blocks_.size() - 1) << 16U | block.size());
  block.push_back(static_cast<char>(text.size() >> 8U));
  block.push_back(static_cast<char>(text.size() & 0xffU));
  block.append(text);
  return start;
}

void StringPool::grow() {
  slots_ = std::vector<std::uint32_t>(slots_.size() * 2, 0);
  for (std::uint32_t number = 0; number < starts_.size(); ++number)
    slots_[slot_of(text(number))] = number + 1;
}

}  // namespace fake_mail
