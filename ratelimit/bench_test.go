package ratelimit_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/ratelimit"
)

// BenchmarkPermit is a permit and its done without a queue, under the limits
// that a client has: no budget, one, two, and a pause.
func BenchmarkPermit(b *testing.B) {
	day := 24 * time.Hour
	budgets := []ratelimit.Budget{{Requests: math.MaxInt, Per: time.Minute}, {Requests: math.MaxInt, Per: day}}
	for n := range len(budgets) + 1 {
		b.Run(fmt.Sprint("budgets=", n), func(b *testing.B) {
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			l := ratelimit.New(budgets[:n]...)
			b.ReportAllocs()
			for b.Loop() {
				done, err := l.Permit(ctx, time.Minute)
				if err != nil {
					b.Fatal(err)
				}
				done(b.Context(), true)
			}
		})
	}
	b.Run("pacer", func(b *testing.B) {
		l := ratelimit.NewPacer(1)
		b.ReportAllocs()
		for b.Loop() {
			done, err := l.Permit(b.Context(), time.Minute)
			if err != nil {
				b.Fatal(err)
			}
			done(b.Context(), true)
		}
	})
}

// BenchmarkRefusal is the cost of a call that finds no slot and does not wait.
func BenchmarkRefusal(b *testing.B) {
	l := ratelimit.New(ratelimit.Budget{Requests: 1, Per: time.Hour})
	done, err := l.Permit(b.Context(), 0)
	require.NoError(b, err)
	done(b.Context(), true)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Permit(b.Context(), 0); err == nil {
			b.Fatal("a second request in the hour")
		}
	}
}

// TestPermitAllocatesNothing holds the allocations of BenchmarkPermit.
func TestPermitAllocatesNothing(t *testing.T) {
	for n := range 3 {
		t.Run(fmt.Sprint(n, " budgets"), func(t *testing.T) {
			budgets := []ratelimit.Budget{{Requests: 1 << 20, Per: time.Minute}, {Requests: 1 << 20, Per: 24 * time.Hour}}
			l := ratelimit.New(budgets[:n]...)
			call := func() {
				done, err := l.Permit(t.Context(), 0)
				if err != nil {
					t.Fatal(err)
				}
				done(t.Context(), true)
			}
			for range 2000 { // the ring of releases grows to its end
				call()
			}
			require.Zero(t, testing.AllocsPerRun(1000, call))
		})
	}
}
