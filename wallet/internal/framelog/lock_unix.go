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
	if err := lockHandle(file, path); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// lockHandle locks an open file until it is closed.
func lockHandle(file File, path string) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("%w: %s", ErrLocked, path)
	}
	return err
}

// syncDir makes a new name in a folder durable.
func syncDir(folder *os.File) error { return folder.Sync() }
