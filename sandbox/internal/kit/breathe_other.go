//go:build !linux

package kit

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go/internal/pause"
)

// breathe lets other goroutines run for d.
func breathe(ctx context.Context, d time.Duration) error { return pause.For(ctx, d) }
