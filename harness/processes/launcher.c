// launcher PARENT_PID [PROGRAM ARG...]: starts one program and tells, over the socket that is its standard
// input, when it ended, how, and how much memory it ever held:
//   "pid N\n", then "ended EXIT_CODE PEAK_RSS_KIB\n" (a signal n is exit code 128 + n).
// Then it keeps the ended process unreaped until the other end closes the socket, so that its pid can't be
// given to anybody else while the harness may still send it a signal.
//
// Why a program between the harness and a sender: the kernel's peak RSS of a process starts at the memory of
// the process that forked it, and survives exec. Forked from a harness of 300 MB, /bin/true weighs 300 MB.
// Forked from here it starts at this program's few hundred KiB (the floor: run it without PROGRAM). VmHWM in
// /proc starts at exec and would be right too, but is gone when the process has ended.
//
// The program leads a process group of its own: signals go to the group, as a pod's signals go to everything in
// it, what is left of the group dies when the program ends, and Ctrl-C at the terminal reaches the harness only.
// Nothing outlives the harness: the launcher dies with the thread that started it, the program with the launcher.
// (Children of a killed harness's program may: the next start of the harness ends those, see run_lock.h.)
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { control = 3 };

static void die_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(125);  // it ended before the line above
}

static void run(pid_t launcher, char** argv) {
  die_with(launcher);
  setpgid(0, 0);
  if (argv[0] == NULL) _exit(0);
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execvp(argv[0], argv);
  dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
  _exit(127);
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "launcher: wants PARENT_PID [PROGRAM ARG...]\n");
    return 125;
  }
  die_with((pid_t)atoi(argv[1]));
  setpgid(0, 0);
  dup3(STDIN_FILENO, control, O_CLOEXEC);
  syscall(SYS_close_range, control + 1, ~0U, 0);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  close(nothing);

  const pid_t launcher = getpid();
  const pid_t program = fork();
  if (program == 0) run(launcher, argv + 2);
  if (program < 0) return 125;
  close(STDOUT_FILENO);
  close(STDERR_FILENO);
  setpgid(program, program);  // both sides: whoever comes first
  dprintf(control, "pid %d\n", (int)program);

  siginfo_t how;
  struct rusage used;
  memset(&used, 0, sizeof used);
  // The raw call: it gives the resource use of a process that it leaves unreaped; wait4 can't.
  while (syscall(SYS_waitid, P_PID, program, &how, WEXITED | WNOWAIT, &used) != 0 && errno == EINTR) {
  }
  kill(-program, SIGKILL);
  const int code = how.si_code == CLD_EXITED ? how.si_status : 128 + how.si_status;
  dprintf(control, "ended %d %ld\n", code, used.ru_maxrss);
  char byte;
  while (read(control, &byte, 1) > 0) {
  }
  return 0;
}
