package main

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go"
)

// now is the time of a clock, nil for real time.
func now(c walletfi.Clock) time.Time {
	if c == nil {
		return time.Now()
	}
	return c.Now()
}

// wait waits until a time of a clock, or until ctx ends.
func wait(ctx context.Context, c walletfi.Clock, until time.Time) error {
	over := make(chan struct{})
	after := func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }
	if c != nil {
		after = c.AfterFunc
	}
	stop := after(until.Sub(now(c)), func() { close(over) })
	defer stop()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
