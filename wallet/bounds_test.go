package wallet_test

import (
	"context"
	"errors"
	"iter"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// bounds notes the contexts of the calls that a wallet makes.
type bounds struct {
	mu    sync.Mutex
	calls map[string][]context.Context
	left  map[string][]time.Duration // until the deadline, when the call began
	begun map[string][]time.Time
	open  bool // a call began when one of an earlier instant was not over
}

func newBounds() *bounds {
	return &bounds{
		calls: map[string][]context.Context{}, left: map[string][]time.Duration{}, begun: map[string][]time.Time{},
	}
}

func (b *bounds) note(ctx context.Context, call string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	deadline, ok := ctx.Deadline()
	if !ok {
		call += " without a bound"
	}
	for i, earlier := range b.calls[call] {
		still := earlier.Err() == nil && time.Since(b.begun[call][i]) > 0
		b.open = b.open || still && call != "effects" // whose tries share one
	}
	b.begun[call] = append(b.begun[call], time.Now())
	b.calls[call] = append(b.calls[call], ctx)
	b.left[call] = append(b.left[call], time.Until(deadline))
}

// boundChain, boundJournal and boundEffects note what they are asked.
type boundChain struct {
	*chain
	*bounds
	silent bool // it answers no status before the call's end
}

func (c boundChain) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	c.note(ctx, "submit")
	return c.chain.Submit(ctx, tx)
}

func (c boundChain) SignatureStatuses(ctx context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	c.note(ctx, "statuses")
	if c.silent {
		<-ctx.Done()
		return walletfi.SignatureStatuses{}, ctx.Err()
	}
	return c.chain.SignatureStatuses(ctx, signatures)
}

func (c boundChain) SignatureStatus(ctx context.Context, signature string) (walletfi.SignatureStatus, error) {
	c.note(ctx, "status")
	return c.chain.SignatureStatus(ctx, signature)
}

func (c boundChain) Head(ctx context.Context) (walletfi.Head, error) {
	c.note(ctx, "head")
	return c.chain.Head(ctx)
}

func (c boundChain) FindMessage(ctx context.Context, _ walletfi.MessageSearch) (walletfi.FoundMessage, error) {
	c.note(ctx, "find")
	return walletfi.FoundMessage{}, nil
}

func (c boundChain) Effects(ctx context.Context, signature string) (*walletfi.Effects, error) {
	c.note(ctx, "effects")
	return nil, walletfi.ErrNotFound
}

type boundJournal struct {
	wallet.Journal
	*bounds
}

func (j boundJournal) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if e.State != wallet.KeyClaimed { // that one is the caller's to bound
		j.note(ctx, "store")
	}
	return j.Journal.Store(ctx, was, e)
}

func (j boundJournal) Renew(ctx context.Context, holder string, lease time.Duration) error {
	if lease == 0 {
		j.note(ctx, "end of the lease")
	}
	return j.Journal.Renew(ctx, holder, lease)
}

func (j boundJournal) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	if _, ok := ctx.Deadline(); ok {
		j.note(ctx, "list")
	}
	return j.Journal.List(ctx, q)
}

// require holds what was noted against the bounds: each call has its own, which is
// over when the call is.
func (b *bounds) require(t *testing.T, want map[string]time.Duration) {
	t.Helper()
	for call, bound := range want {
		require.NotEmpty(t, b.calls[call], call)
		require.Equal(t, bound, b.left[call][0], call)
		for i, left := range b.left[call] {
			require.LessOrEqual(t, left, bound, call) // that of effects is for all tries
			require.Error(t, b.calls[call][i].Err(), "%s: the call is over, and its timer runs on", call)
		}
	}
	for call := range b.calls {
		require.Contains(t, want, call)
	}
}

// TestEveryCallIsBounded: whatever the wallet asks of others ends, as its documentation
// says after how long.
func TestEveryCallIsBounded(t *testing.T) {
	const store, ask, try, effects = 10 * time.Second, 5 * time.Second, 2 * time.Second, 10 * time.Second
	pay := func(t *testing.T, r *rig) error {
		_, err := r.wallet.Execute(t.Context(), r.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
		return err
	}
	t.Run("a node", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBounds()
			r := newRigWith(t, func(c *wallet.Config) {
				node := boundChain{chain: c.Confirmer.(*chain), bounds: b}
				c.Submitter, c.Confirmer, c.Heights, c.Effects, c.Journal = node, node, node, node, boundJournal{c.Journal, b}
				c.Observer = recorded.New(t)
			})
			r.landsAt(8 * time.Second)
			require.NoError(t, pay(t, r))
			require.NoError(t, r.wallet.Close())
			require.False(t, b.open, "each call's context ends with it")
			b.require(t, map[string]time.Duration{
				"store": store, "submit": try, "statuses": ask, "head": ask, "effects": effects, "end of the lease": store, "list": store,
			})
		})
	})
	t.Run("one by one", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBounds()
			r := newRigWith(t, func(c *wallet.Config) {
				c.Confirmer = struct{ walletfi.Confirmer }{boundChain{chain: c.Confirmer.(*chain), bounds: b}}
			})
			r.landsAt(8 * time.Second)
			require.NoError(t, pay(t, r))
			require.NoError(t, r.wallet.Close())
			require.False(t, b.open)
			b.require(t, map[string]time.Duration{"status": ask})
		})
	})
	t.Run("a panel", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBounds()
			r := newRigWith(t, func(c *wallet.Config) {
				nodes := &court{chain: c.Confirmer.(*chain)}
				for i := range 3 {
					nodes.nodes = append(nodes.nodes, boundChain{nodes.chain, b, i == 2})
				}
				c.Confirmer, c.Effects, c.Heights = askless{nodes}, askless{nodes}, nil
			})
			require.NoError(t, pay(t, r))
			require.NoError(t, r.wallet.Close())
			b.require(t, map[string]time.Duration{"statuses": ask, "head": ask, "effects": ask})
		})
	})
	t.Run("a sponsor", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBounds()
			sponsor, err := signing.GenerateLocalKey()
			require.NoError(t, err)
			r := newRigWith(t, func(c *wallet.Config) {
				c.Guard = signing.NewGuard(signing.Policy{Sponsors: []signing.PublicKey{sponsor.PublicKey()}})
				c.Confirmer = boundChain{chain: c.Confirmer.(*chain), bounds: b}
				c.Heights, c.ConfirmTimeout = nil, 40*time.Second
			})
			r.submit = func(int, walletfi.Signed) error { return errLost }
			_, err = r.wallet.Execute(t.Context(), sponsored(t, r, [32]byte(sponsor.PublicKey())), wallet.ExecuteOptions{})
			answersTo(t, err, walletfi.ErrOutcomeUnknown)
			require.InDelta(t, 43, time.Since(r.begun).Seconds(), 6, "of its history nothing is heard")
			require.NoError(t, r.wallet.Close())
			require.False(t, b.open)
			b.require(t, map[string]time.Duration{"find": ask})
		})
	})
}

// TestTheJournalIsAskedAgain: after a write that may have been taken, for as long as a
// write.
func TestTheJournalIsAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBounds()
		r := newRigWith(t, func(c *wallet.Config) { c.Journal = &hesitant{Journal: c.Journal, bounds: b} })
		_, err := r.wallet.Execute(t.Context(), r.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
		answersTo(t, err, walletfi.ErrOutcomeUnknown)
		require.Zero(t, r.submissions())
		b.require(t, map[string]time.Duration{"load": 10 * time.Second})
	})
}

// hesitant does not take the word that a transaction is sent, and then loads nothing.
type hesitant struct {
	wallet.Journal
	*bounds
	asked bool
}

func (j *hesitant) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if e.State == wallet.KeySent {
		j.asked = true
		return errors.New("no answer")
	}
	return j.Journal.Store(ctx, was, e)
}

func (j *hesitant) Load(ctx context.Context, key string) (wallet.Entry, error) {
	if !j.asked {
		return j.Journal.Load(ctx, key)
	}
	j.note(ctx, "load")
	return wallet.Entry{}, errors.New("no answer")
}
