// What the commands that simulate do.
#pragma once

#include "harness/cli/commands.h"
#include "harness/cli/simulation_arguments.h"

namespace harness::cli {

Exit execute(const ExploreArguments& arguments, const Terminal& terminal);
Exit execute(const ExhaustArguments& arguments, const Terminal& terminal);
Exit execute(const ReplayArguments& arguments, const Terminal& terminal);
Exit execute(const ShrinkArguments& arguments, const Terminal& terminal);
Exit execute(const DoctorArguments& arguments, const Terminal& terminal);

}  // namespace harness::cli
