package entryfile

import (
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

// syncing is a file that asks before each sync, once it is told to.
type syncing struct {
	framelog.File
	ask chan chan error
}

func (f *syncing) Sync() error {
	if f.ask == nil {
		return f.File.Sync()
	}
	answer := make(chan error)
	f.ask <- answer
	return <-answer
}

// TestNothingIsShownBeforeItIsOnDisk: who asks for a record that is being written waits for
// it, also who would be told that the key is at its version. If the write fails, they get
// its error.
func TestNothingIsShownBeforeItIsOnDisk(t *testing.T) {
	for name, failure := range map[string]error{"written": nil, "not written": syscall.EIO} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "file")
				cfg, slow := configOf(path), &syncing{}
				system := framelog.Calls{}.OrSystem()
				cfg.Calls = system
				cfg.Calls.Open = func(path string, flag int) (framelog.File, error) {
					file, err := system.Open(path, flag)
					if err != nil || filepath.Base(path) != "file.new" {
						return file, err
					}
					slow.File = file
					return slow, nil
				}
				s, err := Open(cfg)
				require.NoError(t, err)
				defer s.Close()
				put(t, s, 0, line("a", 1, "open"))
				put(t, s, 0, line("b", 1, "open"))

				slow.ask = make(chan chan error, 1)
				ended := make(chan error, 4)
				go func() { _, err := s.Put(1, line("a", 2, "open")); ended <- err }()
				synctest.Wait()
				go func() { _, err := s.Get("a"); ended <- err }()
				go func() {
					now, err := s.Put(1, line("a", 3, "open"))
					if err == nil {
						require.Equal(t, uint64(2), now)
					}
					ended <- err
				}()
				go func() {
					var err error
					for _, err = range s.List(true, nil) {
						if err != nil {
							break
						}
					}
					ended <- err
				}()
				r, err := s.Get("b")
				require.NoError(t, err, "what is on disk is shown at once")
				require.Equal(t, uint64(1), r.Version)
				synctest.Wait()
				require.Empty(t, ended)
				answer := <-slow.ask
				slow.ask = nil
				answer <- failure
				for range cap(ended) {
					require.ErrorIs(t, <-ended, failure)
				}
				if _, err := s.Get("a"); failure != nil {
					require.ErrorIs(t, err, failure)
				}
			})
		})
	}
}
