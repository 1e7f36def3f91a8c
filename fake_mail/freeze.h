// The moment at which the provider stops: by hand, or in the middle of a delivery named beforehand.
//
// Ownership: a value; copying it allocates only while a delivery is named.
#pragma once

#include <cstdint>
#include <vector>

#include "fake_mail/answer.h"

namespace fake_mail {

class Freeze {
 public:
  // A number that has been delivered already never freezes anything.
  void at_delivery(std::int64_t number) { deliveries_.push_back(number); }
  void now() { frozen_ = true; }
  void thaw() { frozen_ = false; }
  bool frozen() const { return frozen_; }

  // Delivery `number` is made. If it is a named one, everything freezes and its answer, a 200
  // whatever chance had in mind, is withheld.
  void on_delivery(std::int64_t number, Answer& answer) {
    if (deliveries_.empty() || std::erase(deliveries_, number) == 0) return;
    frozen_ = true;
    answer.status = status::ok;
    answer.withheld = true;
  }

 private:
  std::vector<std::int64_t> deliveries_;
  bool frozen_ = false;
};

}  // namespace fake_mail
