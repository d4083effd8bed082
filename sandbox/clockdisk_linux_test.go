package sandbox_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/sandbox"
)

// slowFile is a path that takes long to open for writing: nobody reads the pipe yet.
func slowFile(t *testing.T, takes time.Duration) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "slow")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	reader := time.AfterFunc(takes, func() {
		if f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil {
			t.Cleanup(func() { f.Close() })
		}
	})
	t.Cleanup(func() { reader.Stop() })
	return path
}

// TestAdvanceUntilWaitsForADisk: while a write of the program hangs in its disk, the
// clock stands, and does not run to the end because nobody asks it anything. Then the
// program goes on at the time at which it wrote.
func TestAdvanceUntilWaitsForADisk(t *testing.T) {
	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
	require.NoError(t, err)
	defer s.Close()
	var tick func()
	tick = func() { s.Options().Clock.AfterFunc(time.Hour, tick) } // others wait for the clock meanwhile
	tick()
	path := slowFile(t, time.Second)
	from, written := s.Now(), make(chan time.Time, 1)
	s.Options().Clock.AfterFunc(90*time.Minute, func() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			f.Close()
		}
		written <- s.Now()
	})
	require.NoError(t, s.AdvanceUntil(t.Context(), 480*time.Hour, func() bool { return len(written) > 0 }))
	require.Equal(t, 90*time.Minute, (<-written).Sub(from))
}

// TestAdvanceUntilLeavesInputAlone: a goroutine that waits for input may wait for ever.
func TestAdvanceUntilLeavesInputAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "input")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	input, err := syscall.Open(path, syscall.O_RDWR, 0)
	require.NoError(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = syscall.Read(input, make([]byte, 1))
	}()
	defer func() {
		_, _ = syscall.Write(input, []byte{1})
		<-ended
		syscall.Close(input)
	}()
	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
	require.NoError(t, err)
	defer s.Close()
	const calls = 20
	begun := time.Now()
	for range calls {
		fired := make(chan struct{}, 1)
		s.Options().Clock.AfterFunc(time.Hour, func() { fired <- struct{}{} })
		require.NoError(t, s.AdvanceUntil(t.Context(), 2*time.Hour, func() bool { return len(fired) > 0 }))
	}
	require.Less(t, time.Since(begun), 8*time.Second, "half a second is waited once, not in each call")
}
