package framelog

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

var lockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

// Flags of LockFileEx: exclusive, and fail at once.
const lockFlags = 2 | 1

// lockFile takes the lock that ends with the process.
func lockFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	var overlapped syscall.Overlapped
	ok, _, err := lockFileEx.Call(file.Fd(), lockFlags, 0, 1, 0, uintptr(unsafe.Pointer(&overlapped)))
	if ok == 0 {
		file.Close()
		return nil, fmt.Errorf("%w: %s: %w", ErrLocked, path, err)
	}
	return file, nil
}

// lockHandle does nothing: a lock there bars its holder's reads by other handles,
// and the lock's file cannot be removed while it is open.
func lockHandle(File, string) error { return nil }

// syncDir does nothing: Windows has no sync of a folder.
func syncDir(*os.File) error { return nil }
