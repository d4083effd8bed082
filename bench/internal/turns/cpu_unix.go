//go:build unix

package turns

import (
	"syscall"
	"time"
)

// CPU is the processor time of this process, the garbage collector's included. A
// neighbour on the same machine does not add to it.
func CPU() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return Wall()
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
