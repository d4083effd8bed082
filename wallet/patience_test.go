package wallet_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/wallet"
)

// busyNode tells heads and fees once its limit has room, and refuses what cannot wait for that.
type busyNode struct {
	*chain
	until time.Time
	hangs bool // nothing is told
}

func (b *busyNode) enter(ctx context.Context) error {
	if b.hangs {
		<-ctx.Done()
		return ctx.Err()
	}
	if deadline, ok := ctx.Deadline(); ok && deadline.Before(b.until) {
		return &ratelimit.Error{ResetAt: b.until}
	}
	time.Sleep(time.Until(b.until))
	return nil
}

func (b *busyNode) Head(ctx context.Context) (head walletfi.Head, err error) {
	if err := b.enter(ctx); err != nil {
		return walletfi.Head{}, err
	}
	return b.chain.Head(ctx)
}

func (b *busyNode) RecentFees(ctx context.Context, _ []string) (walletfi.RecentFees, error) {
	return walletfi.RecentFees{Prices: []uint64{1000, 2000, 3000, 4000}}, b.enter(ctx)
}

func (b *busyNode) TipAt(ctx context.Context, _ int) (walletfi.Amount, error) {
	return 1000, b.enter(ctx)
}

// withBusy runs a test on a wallet that asks a busy node for its heads, or for what landing costs.
func withBusy(t *testing.T, test func(t *testing.T, r *rig, b *busyNode, place func(context.Context) error)) {
	t.Helper()
	for _, c := range []struct {
		name   string
		config func(*wallet.Config, *busyNode)
	}{
		{"head", func(c *wallet.Config, b *busyNode) { c.Heights = b }},
		{"fees", func(c *wallet.Config, b *busyNode) { c.Fees, c.FeeReader = p75, b }},
		{"tips", func(c *wallet.Config, b *busyNode) { c.Tips, c.TipReader = p75, b }},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &busyNode{}
				r := newRigWith(t, func(cfg *wallet.Config) {
					b.chain = cfg.Submitter.(*chain)
					c.config(cfg, b)
				})
				test(t, r, b, func(ctx context.Context) error {
					_, err := r.wallet.Place(ctx, quoted{r, t}, wallet.PlaceOptions{Key: "a"})
					return err
				})
			})
		})
	}
}

// quoted is an order of a payment that lives for long.
type quoted struct {
	r *rig
	t *testing.T
}

func (q quoted) Build(ctx context.Context) (walletfi.Unsigned, error) {
	u := q.r.pay(q.t, 1)
	head, err := q.r.Head(ctx)
	u.LastValidBlockHeight = head.Height + lifetime
	return u, err
}

// TestFullLimitIsWaitedFor: what the node's own limit cannot take within the bound of one question is asked
// when it can, if the caller has the time for that, and else refused at once.
func TestFullLimitIsWaitedFor(t *testing.T) {
	withBusy(t, func(t *testing.T, r *rig, b *busyNode, place func(context.Context) error) {
		begun := time.Now()
		b.until = begun.Add(30 * time.Second)
		short, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		err := place(short)
		require.ErrorIs(t, err, walletfi.ErrNotSent)
		limited, ok := errors.AsType[*ratelimit.Error](err)
		require.True(t, ok, "%v", err)
		require.Equal(t, b.until, limited.ResetAt)
		require.Equal(t, begun, time.Now())

		require.NoError(t, place(soon(t)))
		require.False(t, time.Now().Before(b.until))

		time.Sleep(2 * time.Second) // the last head is young for a second
		b.until = time.Now().Add(time.Hour)
		_, err = r.wallet.Place(t.Context(), quoted{r, t}, wallet.PlaceOptions{Key: "b"})
		require.ErrorIs(t, err, walletfi.ErrRateLimited)
	})
}

// TestHungQuestionLeavesTheCallersTime: that a question took too long by its own bound does not answer to
// context.DeadlineExceeded while the caller has time.
func TestHungQuestionLeavesTheCallersTime(t *testing.T) {
	withBusy(t, func(t *testing.T, _ *rig, b *busyNode, place func(context.Context) error) {
		b.hangs = true
		err := place(soon(t))
		require.ErrorIs(t, err, walletfi.ErrNotSent)
		require.ErrorIs(t, err, walletfi.ErrUnavailable)
		require.NotErrorIs(t, err, context.DeadlineExceeded)
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, place(short), context.DeadlineExceeded)
	})
}
