package framelog

import (
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// TestCloseWaitsForTheWriter: also between two of its writes, when it holds no disk.
func TestCloseWaitsForTheWriter(t *testing.T) {
	l, _ := opened(t)
	synctest.Test(t, func(t *testing.T) {
		l.writing = make(chan struct{})
		closed := make(chan error, 1)
		go func() { closed <- l.Close() }()
		synctest.Wait()
		require.Empty(t, closed)
		require.NoError(t, l.file.Sync(), "the file is open")
		close(l.writing)
		require.NoError(t, <-closed)
		require.ErrorIs(t, l.file.Sync(), os.ErrClosed)
	})
}

// waitsForLock returns once a goroutine waits for a lock in a function, or has ended.
func waitsForLock(function string, ended <-chan error) {
	all := make([]byte, 1<<20)
	for len(ended) == 0 {
		for one := range strings.SplitSeq(string(all[:runtime.Stack(all, true)]), "\n\n") {
			if strings.Contains(one, "[sync.Mutex.Lock") && strings.Contains(one, function) {
				return
			}
		}
	}
}

// TestCloseWaitsForWhatWasAccepted: a write under way and one that waits behind it
// reach the disk before the file is closed, and nobody is told before.
func TestCloseWaitsForWhatWasAccepted(t *testing.T) {
	l, _ := opened(t)
	first, err := l.Queue([]byte("first"))
	require.NoError(t, err)
	ended := make(chan error, 3)
	l.disk.Lock()
	go func() { ended <- first() }()
	waitsForLock("(*Log).write", ended)
	second, err := l.Queue([]byte("second"))
	require.NoError(t, err)
	go func() { ended <- second() }()
	go func() { ended <- l.Close() }()
	for closing := false; !closing; {
		l.mu.Lock()
		closing = l.broken != nil
		l.mu.Unlock()
	}
	_, err = l.Queue([]byte("late"))
	require.ErrorIs(t, err, ErrClosed)
	require.Empty(t, ended, "who does not wait")
	l.disk.Unlock()
	for range cap(ended) {
		require.NoError(t, <-ended)
	}
	require.ErrorIs(t, l.file.Sync(), os.ErrClosed)
	require.Equal(t, []string{"first", "second"}, again(t, l))
}

// TestCompactionThatComesTooLate: one that waited while the log was closed does not touch
// the file: another process may have it, and a snapshot lacks what that one has written.
func TestCompactionThatComesTooLate(t *testing.T) {
	snapshots := 0
	l, _ := opened(t, func(cfg *Config) {
		cfg.Snapshot = func(func([]byte) error) error { snapshots++; return nil }
	})
	require.NoError(t, l.Append([]byte("first")))
	l.disk.Lock() // a write under way
	compacted, closed := make(chan error, 1), make(chan error, 1)
	go func() { compacted <- l.Compact() }()
	waitsForLock("(*Log).Compact", compacted)
	go func() { closed <- l.Close() }()
	waitsForLock("(*Log).Close", closed)
	require.Empty(t, compacted)
	require.Empty(t, closed)
	l.disk.Unlock()
	require.ErrorIs(t, <-compacted, ErrClosed)
	require.NoError(t, <-closed)
	require.Zero(t, snapshots)
	next, seen := opened(t, func(cfg *Config) { cfg.Path = l.cfg.Path })
	require.Equal(t, []string{"first"}, *seen)
	require.NoError(t, next.Append([]byte("of the next")))
	require.ErrorIs(t, l.Compact(), ErrClosed)
	require.Equal(t, []string{"first", "of the next"}, again(t, next))
}

// TestWriteBehindOneThatFails: what was accepted while a write failed is not tried, also
// if the log is closed meanwhile: it would come after a frame of which nobody knows how
// much is there.
func TestWriteBehindOneThatFails(t *testing.T) {
	for name, closing := range map[string]bool{"open": false, "being closed": true} {
		t.Run(name, func(t *testing.T) {
			l, _ := opened(t)
			reader := slow(t, l)
			first, err := l.Queue([]byte(strings.Repeat("a", 1<<20)))
			require.NoError(t, err)
			failed, closed := make(chan error, 1), make(chan error, 1)
			go func() { failed <- first() }()
			_, err = io.ReadFull(reader, make([]byte, frameHeader))
			require.NoError(t, err, "the first is being written")
			second, err := l.Queue([]byte("second"))
			require.NoError(t, err)
			if closing {
				go func() { closed <- l.Close() }()
				for begun := false; !begun; {
					l.mu.Lock()
					begun = l.broken != nil
					l.mu.Unlock()
				}
			}
			require.NoError(t, reader.Close())
			err = second()
			require.ErrorContains(t, err, "takes nothing more")
			require.ErrorIs(t, err, errors.Unwrap(<-failed))
			if closing {
				require.NoError(t, <-closed)
				require.ErrorIs(t, l.Append([]byte("third")), ErrClosed)
			}
		})
	}
}

// TestTheFirstFailureIsTold: what fails because of it adds nothing.
func TestTheFirstFailureIsTold(t *testing.T) {
	l, _ := opened(t)
	written, err := l.Queue([]byte("queued"))
	require.NoError(t, err)
	first, second := errors.New("first"), errors.New("second")
	l.fail(first)
	l.fail(second)
	for _, err := range []error{written(), l.Append([]byte("late"))} {
		require.EqualError(t, err, "the log takes nothing more: first")
		require.ErrorIs(t, err, first)
	}
	require.Empty(t, again(t, l))
}
