/*
 * A disk that takes 10 ms for every flush, whatever this machine has:
 *
 *   gcc -shared -fPIC -o /tmp/slow-flush.so bench/support/slow-flush.c
 *   TMPDIR=/dev/shm SLOW_FLUSH=/tmp/slow-flush.so npm run -s node bench/redirects-beside-creates.ts ../older
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#define FLUSH_MICROSECONDS 10000

int fsync(int file) {
  usleep(FLUSH_MICROSECONDS);
  return syscall(SYS_fsync, file);
}

int fdatasync(int file) {
  usleep(FLUSH_MICROSECONDS);
  return syscall(SYS_fdatasync, file);
}
