package e2e

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// caller is an observer that uses what it observes, at each thing that it is told.
type caller struct {
	use  func(ctx context.Context)
	mu   sync.Mutex
	told map[string]int
}

type insideCaller struct{}

func (c *caller) back(ctx context.Context, what string) {
	if ctx.Value(insideCaller{}) != nil {
		return // of a call that it made itself
	}
	c.mu.Lock()
	c.told[what]++
	c.mu.Unlock()
	if c.use != nil {
		c.use(context.WithValue(ctx, insideCaller{}, true))
	}
}

func (c *caller) Start(ctx context.Context, op observe.Operation) (context.Context, func(observe.End)) {
	c.back(ctx, "start")
	return ctx, func(observe.End) { c.back(ctx, "end") }
}

func (c *caller) Observe(ctx context.Context, _ observe.Event) { c.back(ctx, "event") }

// TestObserverCallsBack: no lock is held while an observer is told, so that it may ask
// the client, its limiter, the node and the wallet whatever it wants.
func TestObserverCallsBack(t *testing.T) {
	s, err := sandbox.Start(sandbox.Config{InstantConfirmation: true, NoLimits: true})
	require.NoError(t, err)
	defer s.Close()
	o := &caller{told: map[string]int{}}
	limiter := ratelimit.New(ratelimit.Budget{Requests: 10_000, Per: time.Minute})
	service, err := lending.New(lending.Config{
		BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)),
		Options: walletfi.Options{Observer: o, Limiter: func(ratelimit.Scope) ratelimit.Limiter { return limiter }},
	})
	require.NoError(t, err)
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC)), Observer: o})
	require.NoError(t, err)
	key, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	w, err := wallet.New(wallet.Config{
		Signer: key, Submitter: node, Confirmer: node, Heights: node, Observer: o,
		Guard: signing.NewGuard(signing.Policy{Pins: map[string][]signing.PublicKey{"lending": {signing.MustPublicKey(s.ProgramID(sandbox.Lending))}}, AllowBlind: []string{"lending"}}),
	})
	require.NoError(t, err)
	defer w.Close()
	o.use = func(ctx context.Context) {
		_, _ = service.ListPools(ctx)
		_, _ = node.BlockHeight(ctx)
		_, _ = w.Unsettled(ctx)
		_, _ = w.Outcome(ctx, "order")
		limiter.Usage()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	built, err := service.BuildDeposit(ctx, lending.DepositRequest{
		Owner: s.WalletAddress(), Mint: s.Mint("USDC"), DepositType: lending.DepositProtected, Amount: 1_000_000,
	})
	require.NoError(t, err)
	result, err := w.Execute(ctx, built.Unsigned(), wallet.ExecuteOptions{Key: "order"})
	require.NoError(t, err)
	require.Equal(t, wallet.StateConfirmed, result.Steps[0].State)
	for what, least := range map[string]int{"start": 10, "end": 10, "event": 1} {
		require.GreaterOrEqual(t, o.told[what], least, what)
	}
}
