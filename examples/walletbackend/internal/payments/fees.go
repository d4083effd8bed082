package payments

import (
	"context"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/amm"
)

// fees says how much transactions pay to land soon, in microlamports per compute unit.
type fees struct {
	client *amm.Client

	mu    sync.Mutex
	level uint64
	at    time.Time
}

// recentFees is how old a level may be for recent: the service wants a pause
// between requests, for which no one should wait.
const recentFees = 10 * time.Second

// recent returns a level that may be a few seconds old.
func (f *fees) recent(ctx context.Context) (uint64, error) {
	f.mu.Lock()
	level, at := f.level, f.at
	f.mu.Unlock()
	if time.Since(at) < recentFees {
		return level, nil
	}
	return f.now(ctx)
}

// now asks for the level.
func (f *fees) now(ctx context.Context) (uint64, error) {
	fee, err := f.client.GetAutoFee(ctx)
	if err != nil {
		return 0, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.level, f.at = fee.Default.Medium, time.Now()
	return f.level, nil
}
