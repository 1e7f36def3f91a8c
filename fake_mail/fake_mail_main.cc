// The fake mail provider: says where it listens, then serves until SIGTERM or SIGINT.
#include <fmt/core.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "fake_mail/control_server.h"
#include "fake_mail/http_listener.h"
#include "fake_mail/mail_server.h"
#include "fake_mail/service.h"

namespace {

// Hundreds of threads that mostly wait: 8 MiB of address space each would be for nothing.
constexpr std::size_t thread_stack_bytes = 256 * 1024;

enum Exit { exit_ok = 0, exit_refused = 3 };

struct Options {
  fake_mail::MailServerOptions mail;
  int control_port = 0;
  bool stay = false;
};

void make_threads_small() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, thread_stack_bytes);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

// Ends with the thread that started it. Source: prctl(2), PR_SET_PDEATHSIG.
void end_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) std::raise(SIGTERM);  // it was gone before the call
}

int serve(const Options& options) {
  fake_mail::Service service;
  const auto mail = fake_mail::MailServer::start(service, options.mail);
  if (!mail) {
    fmt::print(stderr, "fake_mail: {}\n", mail.error());
    return exit_refused;
  }
  const auto control = fake_mail::ControlServer::start(service, options.control_port);
  if (!control) {
    fmt::print(stderr, "fake_mail: {}\n", control.error());
    return exit_refused;
  }
  fmt::print("{{\"event\":\"listening\",\"port\":{},\"control_port\":{}}}\n", (*mail)->port(),
             (*control)->port());
  std::fflush(stdout);

  sigset_t end;
  sigemptyset(&end);
  sigaddset(&end, SIGTERM);
  sigaddset(&end, SIGINT);
  int signal = 0;
  sigwait(&end, &signal);
  service.stop();
  return exit_ok;
}

}  // namespace

int main(int argc, char** argv) {
  const pid_t parent = getppid();
  Options options;
  CLI::App app(
      "A mail provider on 127.0.0.1 that keeps a ledger of every request and does what it is told "
      "to.");
  app.add_option("--port", options.mail.port, "port for mail; 0: any free one")
      ->check(CLI::Range(0, 65535));
  app.add_option("--control-port", options.control_port, "port of the control API; 0: any free one")
      ->check(CLI::Range(0, 65535));
  app.add_option("--threads", options.mail.threads, "connections served at one time")
      ->check(CLI::Range(1, fake_mail::threads_max))
      ->capture_default_str();
  CLI::Option* certificate = app.add_option("--cert", options.mail.certificate,
                                            "PEM file; mail is then served over https");
  CLI::Option* key =
      app.add_option("--key", options.mail.key, "PEM file of the certificate's private key");
  certificate->needs(key);
  key->needs(certificate);
  app.add_flag("--stay", options.stay, "go on when the parent process ends");
  app.footer(
      "Exit codes: 0 ended by SIGTERM or SIGINT; 3 refused (arguments, certificate, a port that is "
      "taken).");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    fmt::print(stderr, "fake_mail: {}; see fake_mail --help\n", error.what());
    return exit_refused;
  }

  // Before any thread exists, so that every thread inherits it and sigwait gets the signal.
  sigset_t end;
  sigemptyset(&end);
  sigaddset(&end, SIGTERM);
  sigaddset(&end, SIGINT);
  pthread_sigmask(SIG_BLOCK, &end, nullptr);
  if (!options.stay) end_with(parent);
  make_threads_small();
  return serve(options);
}
