package program

import (
	"errors"

	"golang.org/x/sys/unix"
)

// harden keeps keys out of core dumps, of files that others read and, where the limit of locked memory
// is lifted, of swap. With a limit nothing is locked: the process would end where it reaches it.
func harden() error {
	unix.Umask(0o077)
	err := errors.Join(
		unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}),
		unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0), // nor does a process of the same user read its memory
	)
	var locked unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_MEMLOCK, &locked) == nil && locked.Cur == unix.RLIM_INFINITY {
		err = errors.Join(err, unix.Mlockall(unix.MCL_CURRENT|unix.MCL_FUTURE))
	}
	return err
}
