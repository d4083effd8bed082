package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// meter bounds what the search for posts costs in a day, which begins at midnight UTC. What was spent
// is in a file a day, so that a restart forgets nothing.
type meter struct {
	*socialsearch.Meter
	budget socialsearch.Cost
}

// newMeter keeps to a number of posts a day by files in a folder.
func newMeter(posts int, folder string) (*meter, error) {
	budget := socialsearch.CostPostRead * socialsearch.Cost(posts)
	m, err := socialsearch.NewMeter(socialsearch.MeterConfig{
		Budget: budget, Every: 24 * time.Hour,
		StoreOf: func(start time.Time) socialsearch.SpendStore {
			name := "posts-" + start.UTC().Format(time.DateOnly) + ".json"
			return socialsearch.SpendIn(&fileTokens{path: filepath.Join(folder, name)})
		},
	})
	return &meter{m, budget}, err
}

// says what was spent, for an answer.
func (m *meter) says(ctx context.Context) string {
	now, err := m.Current(ctx)
	if err != nil {
		return "what was spent today is not known: the file cannot be read"
	}
	left := max(0, m.budget-now.Spent-now.Reserved)
	return fmt.Sprintf("today (UTC) %v of %v is spent and %v is left: %d more posts at %v each, a user counts as two",
		now.Spent, m.budget, left, left/socialsearch.CostPostRead, socialsearch.CostPostRead)
}

// fileTokens keeps a token in a file of the process's own: the folder is locked by the process.
type fileTokens struct {
	walletfi.MemoryTokenStore // for TryLock, which a meter does not use

	mu   sync.Mutex
	path string
}

func (f *fileTokens) Load(context.Context) (walletfi.Token, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.load()
}

func (f *fileTokens) load() (walletfi.Token, error) {
	text, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return walletfi.Token{}, nil
	}
	if err != nil {
		return walletfi.Token{}, err
	}
	if !json.Valid(text) {
		return walletfi.Token{}, fmt.Errorf("%s is damaged: nothing is spent until it is mended or removed", f.path)
	}
	return walletfi.Token{Access: walletfi.NewSecret(string(text))}, nil
}

func (f *fileTokens) Save(_ context.Context, t walletfi.Token) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.save(t)
}

// save is durable before it returns, and leaves the old file or the new one.
func (f *fileTokens) save(t walletfi.Token) error {
	next, err := os.OpenFile(f.path+".next", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = next.WriteString(t.Access.Reveal())
	if err := errors.Join(err, next.Sync(), next.Close()); err != nil {
		return err
	}
	return os.Rename(next.Name(), f.path)
}

func (f *fileTokens) Replace(_ context.Context, old, next walletfi.Token) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now, err := f.load()
	if err != nil || !now.Same(old) {
		return false, err
	}
	return true, f.save(next)
}
