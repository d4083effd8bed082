package framelog

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// waitsForDisk returns once a goroutine waits for the disk in a function, or has ended.
func waitsForDisk(function string, ended <-chan error) {
	all := make([]byte, 1<<20)
	for len(ended) == 0 {
		for one := range strings.SplitSeq(string(all[:runtime.Stack(all, true)]), "\n\n") {
			waits := strings.Contains(one, "[select") || strings.Contains(one, "[chan send")
			if waits && strings.Contains(one, function) {
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
	l.disk <- struct{}{}
	go func() { ended <- first() }()
	waitsForDisk("(*Log).wait", ended)
	l.Mark() // the next is not written with it
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
	<-l.disk
	for range cap(ended) {
		require.NoError(t, <-ended)
	}
	require.ErrorIs(t, l.file.Sync(), os.ErrClosed)
	require.Equal(t, []string{"first", "second"}, again(t, l))
}

// TestCompactionThatComesTooLate: one that waited while the log was closed does not touch
// the file: another process may have it, and what was to replace it lacks what that one
// has written.
func TestCompactionThatComesTooLate(t *testing.T) {
	l, _ := opened(t)
	require.NoError(t, l.Append([]byte("first")))
	l.disk <- struct{}{} // a write under way
	compacted, closed := make(chan error, 1), make(chan error, 1)
	go func() { compacted <- compact(l) }()
	waitsForDisk("(*Log).Replace", compacted)
	go func() { closed <- l.Close() }()
	waitsForDisk("(*Log).Close", closed)
	require.Empty(t, compacted)
	require.Empty(t, closed)
	<-l.disk
	require.ErrorIs(t, <-compacted, ErrClosed)
	require.NoError(t, <-closed)
	require.NoFileExists(t, l.cfg.Path+".new")
	next, seen := opened(t, func(cfg *Config) { cfg.Path = l.cfg.Path })
	require.Equal(t, []string{"first"}, *seen)
	require.NoError(t, next.Append([]byte("of the next")))
	other, err := os.Create(l.cfg.Path + ".new") // that of the next
	require.NoError(t, err)
	require.NoError(t, other.Close())
	require.ErrorIs(t, compact(l), ErrClosed)
	require.FileExists(t, l.cfg.Path+".new")
	require.Equal(t, []string{"first", "of the next"}, again(t, next))
}

// slowFile takes nothing until it is told how a write ends.
type slowFile struct {
	File
	begun chan struct{}
	end   chan error
}

func (f *slowFile) WriteAt([]byte, int64) (int, error) {
	close(f.begun)
	return 0, <-f.end
}

// TestWriteBehindOneThatFails: what was accepted while a write failed is not tried, also
// if the log is closed meanwhile: it would come after a frame of which nobody knows how
// much is there.
func TestWriteBehindOneThatFails(t *testing.T) {
	for name, closing := range map[string]bool{"open": false, "being closed": true} {
		t.Run(name, func(t *testing.T) {
			l, _ := opened(t)
			slow := &slowFile{l.file, make(chan struct{}), make(chan error)}
			l.file = slow
			first, err := l.Queue([]byte("first"))
			require.NoError(t, err)
			failed, closed := make(chan error, 1), make(chan error, 1)
			go func() { failed <- first() }()
			<-slow.begun
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
			slow.end <- syscall.EIO
			err = second()
			require.ErrorContains(t, err, "takes nothing more")
			require.ErrorIs(t, err, syscall.EIO)
			require.ErrorIs(t, <-failed, syscall.EIO)
			if closing {
				require.NoError(t, <-closed)
				require.ErrorIs(t, l.Append([]byte("third")), ErrClosed)
			}
		})
	}
}

// TestNoneWritesForOthersForEver: a caller whose own entry is on disk returns, however
// many come after it.
func TestNoneWritesForOthersForEver(t *testing.T) {
	l, _ := opened(t)
	first, err := l.Queue([]byte("first"))
	require.NoError(t, err)
	ended := make(chan error, 2)
	l.disk <- struct{}{}
	go func() { ended <- first() }()
	waitsForDisk("(*Log).wait", ended)
	l.Mark() // the next is not written with it
	second, err := l.Queue([]byte("second"))
	require.NoError(t, err)
	<-l.disk
	require.NoError(t, <-ended, "nobody has asked for the second to be written")
	require.Len(t, l.waiting, 1, "it is the turn of the second")
	require.NoError(t, second())
	require.Empty(t, l.waiting)
	require.Equal(t, []string{"first", "second"}, again(t, l))
}

// TestMark: it parts what was queued before from what is queued after, also if neither
// is written yet.
func TestMark(t *testing.T) {
	l, _ := opened(t)
	before := l.end
	place, err := l.Mark()()
	require.NoError(t, err)
	require.Equal(t, before, place, "nothing is queued")
	first, err := l.Queue([]byte("first"))
	require.NoError(t, err)
	mark := l.Mark()
	second, err := l.Queue([]byte("second"))
	require.NoError(t, err)
	require.Len(t, l.waiting, 2)
	ended := make(chan error, 1)
	go func() { ended <- second() }()
	require.NoError(t, first())
	require.NoError(t, <-ended)
	cut, err := mark()
	require.NoError(t, err)
	require.Equal(t, uint64(1), cut.Frames)
	require.Equal(t, uint64(2), l.end.Frames)
	old, err := l.Replace(cut, nil, [][]byte{[]byte("for the first")})
	require.NoError(t, err)
	require.NoError(t, old.Close())
	place, err = l.Mark()()
	require.NoError(t, err)
	require.Equal(t, l.end, place, "in the new file")
	require.Equal(t, []string{"for the first", "second"}, again(t, l))
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
