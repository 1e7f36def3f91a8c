// The seam to the delivery provider: one request, one answer.
#pragma once

#include <string_view>

#include "core/answer.h"
#include "core/ids.h"

namespace core {

class Provider {
 public:
  virtual ~Provider() = default;
  // Posts one mail under its idempotency key. Blocks until the answer, a failure, or cancel().
  virtual SendAnswer send(MemberId member, std::string_view address) = 0;
  // Ends a send() that is under way, from any thread: it returns in doubt, or not sent if nothing
  // had left yet.
  virtual void cancel() = 0;
};

}  // namespace core
