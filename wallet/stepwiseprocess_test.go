package wallet_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// hold holds what a journal is given against the ledger.
func (st *stairs) hold(e wallet.Entry) {
	if e.Ledger != nil {
		return // no payment's
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	if e.Spend != nil {
		st.holdSpend(e.Spend)
		return
	}
	for i, s := range e.Steps {
		if i > 0 && e.Steps[i-1].State != wallet.KeyConfirmed {
			require.Empty(st.t, s.Own, "it is signed before the one before it is confirmed")
		}
	}
	st.stored = append(st.stored, e)
}

// heldJournal tells all that it takes.
type heldJournal struct {
	wallet.Journal
	st *stairs
}

func (j heldJournal) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	j.st.hold(e)
	return j.Journal.Store(ctx, was, e)
}

// climber is the ledger as a process reaches it.
type climber struct {
	*stairs
	*process
}

func (c climber) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	return mortalDoor{c.chain, c.process}.Submit(ctx, tx)
}

func (c climber) Simulate(ctx context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	if err := c.step(); err != nil {
		return nil, err
	}
	return c.stairs.Simulate(ctx, r)
}

func (c climber) Build(ctx context.Context) (walletfi.Unsigned, error) {
	if err := c.step(); err != nil {
		return walletfi.Unsigned{}, err
	}
	return c.stairs.Build(ctx)
}

// mortal is a wallet in a process that dies at a step, 0 for one that does not.
func (st *stairs) mortal(journal wallet.Journal, at int64) (context.Context, *wallet.Wallet, climber) {
	ctx, die := context.WithCancel(soon(st.t))
	c := climber{st, &process{die: die}}
	policy := signing.Policy{Pins: map[string][]signing.PublicKey{"test": {signing.PublicKey(stepProgram)}}, Simulator: c}
	r := newRigWith(st.t, func(cfg *wallet.Config) {
		cfg.Guard, cfg.Signer, cfg.Lease = signing.NewGuard(policy), st, 2*time.Second
		cfg.Journal, cfg.Submitter, cfg.Confirmer, cfg.Heights = mortalJournal{heldJournal{journal, st}, c.process}, c, c, c
		cfg.Spend = st.limits
		cfg.Effects, cfg.Fees, cfg.FeeReader = c, st.fees, &feeMarket{global: []uint64{0}}
	})
	c.steps.Store(0)
	c.at.Store(at)
	return ctx, r.wallet, c
}

// sale is an order that is not sent by itself.
type sale struct{ climber climber }

func (s sale) Build(ctx context.Context) (walletfi.Unsigned, error) { return s.climber.Build(ctx) }
func (s sale) Asked() map[string]string                             { return s.climber.Asked() }

// goOn calls for the key "sell": by Place, or by Execute with a set that is built again.
func (st *stairs) goOn(ctx context.Context, w *wallet.Wallet, c climber, place bool) (*wallet.Result, error) {
	var guard []signing.Option
	if st.nonce > 0 {
		guard = append(guard, signing.WithNonce(stepNonce))
	}
	if place {
		placed, err := w.Place(ctx, sale{c}, wallet.PlaceOptions{Key: "sell", Guard: guard})
		return &placed.Result, err
	}
	u, err := c.Build(ctx)
	if err != nil {
		return &wallet.Result{}, err
	}
	return w.Execute(ctx, u, wallet.ExecuteOptions{Key: "sell", Guard: guard})
}

func newKey(t *testing.T) *signing.LocalKey {
	t.Helper()
	key, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	return key
}

// stopAfter has the guard refuse what comes after so many confirmations.
func (st *stairs) stopAfter(n int) {
	names := st.names
	st.names = func(tx walletfi.Signed) string {
		signature := names(tx)
		if len(st.executed) >= n {
			st.takes = 20_000_000
		}
		return signature
	}
}
