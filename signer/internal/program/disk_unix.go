//go:build linux || darwin

package program

import "syscall"

// diskFree is how many bytes of the disk of a folder this user may still write.
func diskFree(folder string) (free uint64, known bool) {
	var s syscall.Statfs_t
	if syscall.Statfs(folder, &s) != nil {
		return 0, false
	}
	return uint64(s.Bavail) * uint64(s.Bsize), true
}
