// A schedule's steps on the model, and what came of each as text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/database/model_database.h"
#include "sim/pg/schedule.h"

namespace sim::pg {

// As committed, a line each.
std::string rows_of(const ModelDatabase& model);

class ModelSide {
 public:
  explicit ModelSide(const Schedule& schedule);

  // Returns: "done: ...", or "waits", and who was carried on by it.
  std::string play(const Step& step);
  std::string rows() const { return rows_of(model_); }

  ModelDatabase& model() { return model_; }
  const ModelDatabase& model() const { return model_; }
  // Of the last step: the answers to its request, and to those that were carried on.
  const std::vector<std::pair<ModelDatabase::Request, core::StoreAnswer>>& answers() const {
    return answers_;
  }
  Expected came_of_it() const { return came_of_it_; }  // of the last step

 private:
  struct Session {
    Step::Kind ending{};
    ModelDatabase::Request request;
  };
  void answered(SessionId session, const core::StoreAnswer& answer);
  std::string carried_on();

  ModelDatabase model_;
  std::vector<Session> sessions_;
  std::vector<std::pair<ModelDatabase::Request, core::StoreAnswer>> answers_;
  Expected came_of_it_ = Expected::done;
};

}  // namespace sim::pg
