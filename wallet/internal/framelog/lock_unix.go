//go:build unix && !solaris && !aix

package framelog

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockFile takes the lock that ends with the process.
func lockFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%w: %s", ErrLocked, path)
		}
		return nil, err
	}
	return file, nil
}

// syncDir makes a new name in a folder durable.
func syncDir(folder *os.File) error { return folder.Sync() }
