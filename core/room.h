// Memory that standard containers have asked for, as far as their capacity tells.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace core {

// Without what the items themselves have asked for.
template <typename T>
std::size_t room(const std::vector<T>& items) {
  return items.capacity() * sizeof(T);
}

// A short text lies inside the string itself.
inline std::size_t room(const std::string& text) {
  return text.capacity() > std::string().capacity() ? text.capacity() + 1 : 0;
}

}  // namespace core
