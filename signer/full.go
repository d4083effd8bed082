package signer

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// stop says since when and why the store takes no writes.
type stop struct {
	Since time.Time `json:"since"`
	Why   string    `json:"why"`
}

// isFull reports an error of a file system that has no room, or takes no writes.
func isFull(err error) bool {
	if failed, ok := errors.AsType[*sqlite.Error](err); ok {
		code := failed.Code()
		return code == sqlite3.SQLITE_IOERR_WRITE || code&0xff == sqlite3.SQLITE_FULL || code&0xff == sqlite3.SQLITE_READONLY
	}
	if failed, ok := errors.AsType[interface {
		error
		SQLState() string
	}](err); ok {
		return failed.SQLState() == "53100" // PostgreSQL's disk_full
	}
	number, _ := errors.AsType[syscall.Errno](err)
	return slices.Contains([]syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EFBIG}, number)
}

// noted stops the signer after an error of a full disk, for who holds deciding.
func (s *Signer) noted(err error) error {
	if isFull(err) && s.stopped == nil {
		s.stopped = &stop{s.time(), err.Error()}
	}
	return err
}

// ready reports whether the store may take a write: after one that found no room, not before the
// anchor and the reserve have theirs again.
func (s *Signer) ready() error {
	if s.broken != nil || s.stopped == nil {
		return s.broken
	}
	if err := s.drop(s.head); err != nil {
		return err
	}
	return s.setAside()
}

// newest is the newest entry of the store.
func (s *Signer) newest(ctx context.Context) (h head, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1").Scan(&h.seq, &h.hash)
	return h, err
}

// release gives that up.
func (s *Signer) release() error {
	if s.reserve == "" {
		return nil
	}
	return os.Remove(s.reserve)
}

// setAside keeps some of the disk free for a freeze, in a file next to the store.
func (s *Signer) setAside() error {
	if s.reserve == "" { // the store is on another disk
		return nil
	}
	const size = 1 << 20
	if info, err := os.Stat(s.reserve); err == nil && info.Size() == size {
		return nil
	}
	text := make([]byte, size)
	_, _ = rand.Read(text) // which no file system compresses
	if err := os.WriteFile(s.reserve, text, 0o600); err != nil {
		return errors.Join(fmt.Errorf("signer: the reserve of disk: %w", err), os.Remove(s.reserve))
	}
	return nil
}
