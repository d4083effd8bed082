package linear

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/walletfi/walletfi-go/wallet"
)

// tornSubject is a file journal whose process dies in the middle of its writes: the
// disk has all that was answered for, and any part of what was written since. A disk
// that lies has any part of all.
func tornSubject(lies bool) subject {
	return subject{name: "file, torn", needs: []string{"crash"}, start: func(t *testing.T, seed uint64) *fleet {
		dir := t.TempDir()
		rng := rand.New(rand.NewPCG(seed, 2))
		now := openTorn(t, filepath.Join(dir, "journal"))
		f := sharing(3, func(int) wallet.Journal { return now })
		f.alone = true
		next := 0
		f.crash = func(int) {
			// One process is all there is: everybody waits for the next.
			for _, p := range f.processes {
				p.mu.Lock()
				defer p.mu.Unlock()
			}
			next++
			path := filepath.Join(dir, fmt.Sprintf("journal.%d", next))
			now.tear(t, path, rng, lies)
			now = openTorn(t, path)
			for _, p := range f.processes {
				p.journal = now
			}
		}
		return f
	}}
}

// tornFile is a file journal of which only the bytes are sure that were in the file
// when a Store was answered for last, or an entry was shown. It takes the file for one that grows at its end,
// or is replaced as a whole.
type tornFile struct {
	mortal
	path string
	sure int64
}

func openTorn(t *testing.T, path string) *tornFile {
	journal, err := wallet.OpenFileJournal(path)
	if err != nil {
		t.Errorf("the file does not open after a crash: %v", err)
		panic(err)
	}
	t.Cleanup(func() { _ = journal.Close() })
	f := &tornFile{mortal: mortal{Journal: journal}, path: path}
	if info, err := os.Stat(path); err == nil {
		f.sure = info.Size() // what is read from the disk is on it
	}
	return f
}

// said holds what a caller hears. If it heard of an entry, what is in the file is sure.
func (f *tornFile) said(entry bool, err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead {
		return errDied
	}
	if info, statErr := os.Stat(f.path); statErr == nil && entry {
		f.sure = info.Size()
	}
	return err
}

func (f *tornFile) Load(ctx context.Context, key string) (wallet.Entry, error) {
	e, err := f.Journal.Load(ctx, key)
	return e, f.said(e.Version > 0, err)
}

func (f *tornFile) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	err := f.Journal.Store(ctx, was, e)
	return f.said(err == nil || errors.Is(err, wallet.ErrFenced), err)
}

func (f *tornFile) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	return func(yield func(wallet.Entry, error) bool) {
		for e, err := range f.Journal.List(ctx, q) {
			if !yield(e, f.said(err == nil, err)) {
				return
			}
		}
		if err := f.said(false, nil); err != nil {
			yield(wallet.Entry{}, err)
		}
	}
}

// tear ends the journal and leaves at path what a disk may have of its file.
func (f *tornFile) tear(t *testing.T, path string, rng *rand.Rand, lies bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dead = true
	b, err := os.ReadFile(f.path)
	if err != nil {
		t.Error(err)
	}
	keep := min(f.sure, int64(len(b)))
	if lies {
		keep = 0
	}
	keep += rng.Int64N(int64(len(b)) - keep + 1)
	if err := os.WriteFile(path, b[:keep], 0o600); err != nil {
		t.Error(err)
	}
}
