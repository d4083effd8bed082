//go:build !windows && (!unix || solaris || aix)

package framelog

import (
	"fmt"
	"os"
	"runtime"
)

// lockFile refuses: without a lock two processes could use one file.
func lockFile(string) (*os.File, error) {
	return nil, fmt.Errorf("a log file cannot be locked on %s", runtime.GOOS)
}

func lockHandle(File, string) error { return nil }

func syncDir(folder *os.File) error { return folder.Sync() }
