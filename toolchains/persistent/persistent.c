/* Calls the `main` of a program again and again in one process, which saves starting one for each
 * module. It is preloaded into the program, and does nothing to any other one, such as a shell that
 * starts it.
 *
 * A call comes on standard input: the length of its words as 32 bits, and each word with a zero
 * behind it: the files for standard output and standard error, and the program's arguments. The
 * answer on standard output is the value that `main` gave, as 32 bits. What ends the process ends
 * the conversation: whoever started it sees how it ended. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int (*main_function)(int, char **, char **);
typedef int (*start_function)(main_function, int, char **, void (*)(void), void (*)(void),
                              void (*)(void), void *);

/* What it says first, so that nobody takes a program without it for one that answers. */
static const char greeting[4] = {'l', 'p', 'f', '1'};

static main_function program_main;

/* Descriptors that no program thinks of. */
enum { CALLS = 200, ANSWERS = 201 };

static int transfer(int from, int to, void *bytes, size_t length) {
  char *at = bytes;
  while (length > 0) {
    ssize_t moved = from >= 0 ? read(from, at, length) : write(to, at, length);
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) return 0;
    at += moved;
    length -= (size_t)moved;
  }
  return 1;
}

static void redirect(const char *file, int flags, int descriptor) {
  int opened = open(file, flags, 0600);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(125);
  if (opened != descriptor) close(opened);
}

/* One call; what `main` gives. */
static uint32_t call(char *name, char *words, uint32_t length, char **environment) {
  size_t count = 0;
  for (uint32_t at = 0; at < length; at++) count += words[at] == 0;
  char **arguments = calloc(count + 2, sizeof *arguments);
  if (arguments == NULL || count < 2) _exit(125);
  size_t filled = 0;
  for (char *word = words; filled < count; word += strlen(word) + 1) arguments[filled++] = word;
  redirect(arguments[0], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, STDOUT_FILENO);
  redirect(arguments[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, STDERR_FILENO);
  arguments[1] = name;
  int status = program_main((int)count - 1, arguments + 1, environment);
  fflush(NULL);
  free(arguments);
  return (uint32_t)status;
}

static int serve(int count, char **arguments, char **environment) {
  (void)count;
  if (dup2(STDIN_FILENO, CALLS) < 0 || dup2(STDOUT_FILENO, ANSWERS) < 0) _exit(125);
  fcntl(CALLS, F_SETFD, FD_CLOEXEC);
  fcntl(ANSWERS, F_SETFD, FD_CLOEXEC);
  redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  redirect("/dev/null", O_WRONLY, STDOUT_FILENO);
  if (!transfer(-1, ANSWERS, (void *)greeting, sizeof greeting)) _exit(125);
  for (;;) {
    uint32_t length;
    if (!transfer(CALLS, -1, &length, sizeof length)) _exit(0);
    char *words = malloc(length);
    if (words == NULL || !transfer(CALLS, -1, words, length)) _exit(125);
    uint32_t status = call(arguments[0], words, length, environment);
    free(words);
    if (!transfer(-1, ANSWERS, &status, sizeof status)) _exit(0);
  }
}

int __libc_start_main(main_function function, int count, char **arguments, void (*first)(void),
                      void (*last)(void), void (*loader)(void), void *stack) {
  start_function start = (start_function)dlsym(RTLD_NEXT, "__libc_start_main");
  const char *wanted = getenv("LANEPROOF_PERSISTENT");
  const char *name = strrchr(arguments[0], '/');
  name = name == NULL ? arguments[0] : name + 1;
  if (wanted != NULL && strcmp(wanted, name) == 0) {
    unsetenv("LD_PRELOAD");
    unsetenv("LANEPROOF_PERSISTENT");
    program_main = function;
    function = serve;
  }
  return start(function, count, arguments, first, last, loader, stack);
}
