package signer

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
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
	for _, number := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EFBIG} {
		if errors.Is(err, number) {
			return true
		}
	}
	failed, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	code := failed.Code()
	return code == sqlite3.SQLITE_IOERR_WRITE || code&0xff == sqlite3.SQLITE_FULL || code&0xff == sqlite3.SQLITE_READONLY
}

// noted stops the signer after an error of a full disk, for who holds deciding.
func (s *Signer) noted(err error) error {
	if isFull(err) && s.stopped == nil {
		s.stopped = &stop{s.time(), err.Error()}
	}
	return err
}

// resume tries whether there is room again, if there was none.
func (s *Signer) resume(ctx context.Context) {
	s.deciding.Lock()
	stopped := s.stopped != nil
	s.deciding.Unlock()
	if stopped {
		_ = s.write(ctx, func(_ context.Context, _ *sql.Tx, after head) (head, error) { return after, nil })
	}
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

// inside reports whether the store has an entry as its newest. A commit that found no room was
// rolled back, or is whole.
func (s *Signer) inside(ctx context.Context, newest head) (bool, error) {
	var is head
	err := s.db.QueryRowContext(ctx, "SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1").Scan(&is.seq, &is.hash)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	if err == nil && is != newest && is != s.head {
		err = fmt.Errorf("its newest entry is %d", is.seq)
	}
	return is == newest, err
}

// setAside keeps some of the disk free for a freeze, in a file next to the store.
func (s *Signer) setAside() error {
	const size = 1 << 20
	if info, err := os.Stat(s.reserve); err == nil && info.Size() == size {
		return nil
	}
	text := make([]byte, size)
	_, _ = rand.Read(text) // which no file system compresses
	err := os.WriteFile(s.reserve, text, 0o600)
	if err != nil {
		return errors.Join(fmt.Errorf("signer: the reserve of disk: %w", err), os.Remove(s.reserve))
	}
	return nil
}
