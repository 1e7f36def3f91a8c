// The fingerprints that a search has met: a flat table, since a node for each of some millions
// costs the search a quarter of its time.
//
// Ownership: a value. Errors: two worlds of one fingerprint are taken for one; among five million
// that is one chance in a million.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sim {

class Seen {
 public:
  Seen() : places_(1024) {}

  // Returns: it was not there.
  bool insert(std::uint64_t fingerprint) {
    if (fingerprint == empty) fingerprint = 1;
    std::uint64_t& place = place_of(fingerprint);
    if (place == fingerprint) return false;
    place = fingerprint;
    if (++count_ * 2 > places_.size()) grow();
    return true;
  }

 private:
  static constexpr std::uint64_t empty = 0;

  // Fingerprints are hashes already: their low bits say where to begin.
  std::uint64_t& place_of(std::uint64_t fingerprint) {
    const std::size_t last = places_.size() - 1;
    std::size_t at = fingerprint & last;
    while (places_[at] != empty && places_[at] != fingerprint) at = (at + 1) & last;
    return places_[at];
  }
  void grow() {
    std::vector<std::uint64_t> old(places_.size() * 2);
    old.swap(places_);
    for (const std::uint64_t fingerprint : old) {
      if (fingerprint != empty) place_of(fingerprint) = fingerprint;
    }
  }

  std::vector<std::uint64_t> places_;  // as many as a power of two
  std::size_t count_ = 0;
};

}  // namespace sim
