package e2e

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// bareWallet is a wallet on the purse's node whose guard has pins alone.
func (p *purse) bareWallet(t *testing.T, c wallet.Config, change func(*signing.Policy)) *wallet.Wallet {
	t.Helper()
	key, err := signing.NewLocalKey(p.s.Wallet())
	require.NoError(t, err)
	policy := signing.Policy{Pins: map[string][]signing.PublicKey{"lending": {signing.MustPublicKey(p.s.ProgramID(sandbox.Lending))}}}
	if change != nil {
		change(&policy)
	}
	c.Signer, c.Guard, c.Submitter, c.Confirmer, c.Heights = key, signing.NewGuard(policy), p.node, p.node, p.node
	w, err := wallet.New(c)
	require.NoError(t, err)
	return w
}

// simulations counts what the node was shown before it was sent.
func (p *purse) simulations() (n int) {
	for route, hits := range p.s.Hits() {
		if route.Pattern == "simulateTransaction" || route.Pattern == "simulateBundle" {
			n += hits
		}
	}
	return n
}

// TestTheWalletsNodeSimulates: the user says nothing of a simulator, and what is signed is
// judged on its outcome.
func TestTheWalletsNodeSimulates(t *testing.T) {
	p := newPurse(t, sandbox.Config{NoLimits: true, InstantConfirmation: true})
	pool, err := rpcnode.NewPool(rpcnode.PoolConfig{Nodes: []*rpcnode.Client{p.node}})
	require.NoError(t, err)
	w := p.bareWallet(t, wallet.Config{PollEvery: 10 * time.Millisecond}, nil)
	result, err := w.Execute(t.Context(), p.deposit(t, 1_000_000), wallet.ExecuteOptions{})
	require.NoError(t, err)
	require.True(t, result.Report.Simulated)
	require.False(t, result.Report.Unresolved)

	key, err := signing.NewLocalKey(p.s.Wallet())
	require.NoError(t, err)
	pins := map[string][]signing.PublicKey{"lending": {signing.MustPublicKey(p.s.ProgramID(sandbox.Lending))}}
	w, err = wallet.New(wallet.Config{
		Signer: key, Guard: signing.NewGuard(signing.Policy{Pins: pins}), Submitter: pool, Confirmer: pool, Heights: pool,
		PollEvery: 10 * time.Millisecond,
	})
	require.NoError(t, err)
	result, err = w.Execute(t.Context(), p.deposit(t, 2_000_000), wallet.ExecuteOptions{})
	require.NoError(t, err)
	require.True(t, result.Report.Simulated)
}

// TestUnsimulated: what only a relay may see is shown to no node, and needs the caller's
// word.
func TestUnsimulated(t *testing.T) {
	p := newPurse(t, sandbox.Config{NoLimits: true, InstantConfirmation: true})
	secret := func(policy *signing.Policy) {
		policy.Unsimulated, policy.Simulator = []string{"lending"}, p.node
	}
	w := p.bareWallet(t, wallet.Config{PollEvery: 10 * time.Millisecond}, secret)
	_, err := w.Execute(t.Context(), p.deposit(t, 1_000_000), wallet.ExecuteOptions{})
	refusal := wiretest.As[*signing.GuardError](t, err)
	require.Equal(t, signing.RuleBlind, refusal.Rule)
	require.Contains(t, refusal.Error(), "Policy.Unsimulated names the service")
	w = p.bareWallet(t, wallet.Config{PollEvery: 10 * time.Millisecond}, func(policy *signing.Policy) {
		secret(policy)
		policy.AllowBlind = []string{"lending"}
	})
	result, err := w.Execute(t.Context(), p.deposit(t, 2_000_000), wallet.ExecuteOptions{})
	require.NoError(t, err)
	require.Len(t, result.Report.Blind, 1)
	require.Zero(t, p.simulations())
}

// TestTablesOfANodeThatIsBehind: a table that a service has just made is not known to
// every node yet.
func TestTablesOfANodeThatIsBehind(t *testing.T) {
	const none = `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1},"value":null}}`
	for name, c := range map[string]struct {
		times int // that it is not known; 0 is for good
		rule  signing.Rule
	}{"for a moment": {3, ""}, "for good": {0, signing.RuleBlind}} {
		t.Run(name, func(t *testing.T) {
			p := newPurse(t, sandbox.Config{NoLimits: true, InstantConfirmation: true})
			w := p.bareWallet(t, wallet.Config{PollEvery: 10 * time.Millisecond, Clock: hurried{}}, nil)
			deposit := p.deposit(t, 1_000_000)
			p.s.Fault(sandbox.Route{Service: sandbox.RPC, Pattern: "getAccountInfo"}, sandbox.Fault{Body: []byte(none), Times: c.times})
			result, err := w.Execute(t.Context(), deposit, wallet.ExecuteOptions{})
			if c.rule == "" {
				require.NoError(t, err)
				require.True(t, result.Report.Simulated)
				return
			}
			require.ErrorIs(t, err, walletfi.ErrNotSent)
			require.Equal(t, c.rule, wiretest.As[*signing.GuardError](t, err).Rule)
		})
	}
}

// hurried is a clock on which a second passes at once.
type hurried struct{}

func (hurried) Now() time.Time { return time.Now() }

func (hurried) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	return time.AfterFunc(d/100, f).Stop
}
