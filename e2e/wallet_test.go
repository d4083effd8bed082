package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// purse is a wallet, two services that build for it and the ways in which it
// can send.
type purse struct {
	s       *sandbox.Sandbox
	lending *lending.Client
	burn    *burnclose.Client
	node    *rpcnode.Client
	me      string
	usdc    string
}

func newPurse(t *testing.T, c sandbox.Config) *purse {
	t.Helper()
	s := flows.Start(t, c)
	p := &purse{s: s, burn: flows.BurnClose(t, s, burnclose.AuthAPIKey), me: s.WalletAddress(), usdc: s.Mint("USDC")}
	var err error
	p.lending, err = lending.New(lending.Config{BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)), Options: flows.Options(s)})
	require.NoError(t, err)
	p.node, err = rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	require.NoError(t, err)
	return p
}

// through makes a wallet that sends by one way, and simulates or does not.
func (p *purse) through(t *testing.T, relay, simulated bool) *wallet.Wallet {
	t.Helper()
	key, err := signing.NewLocalKey(p.s.Wallet())
	require.NoError(t, err)
	policy := signing.Policy{Pins: map[string][]signing.PublicKey{
		"lending":   {signing.MustPublicKey(p.s.ProgramID(sandbox.Lending))},
		"burnclose": {signing.MustPublicKey(p.s.ProgramID(sandbox.BurnClose))},
	}}
	if !simulated {
		policy.AllowBlind = []string{"lending", "burnclose"}
		policy.Unsimulated = policy.AllowBlind
	} else {
		policy.Simulator, policy.Resolver = p.node, p.node
	}
	c := wallet.Config{
		Signer: key, Guard: signing.NewGuard(policy), Submitter: p.node, Confirmer: p.node, Heights: p.node, PollEvery: 10 * time.Millisecond,
	}
	if relay {
		c.Submitter, c.Confirmer, c.Heights = p.burn, p.burn, nil
	}
	w, err := wallet.New(c)
	require.NoError(t, err)
	return w
}

func (p *purse) deposit(t *testing.T, amount walletfi.Amount) walletfi.Unsigned {
	t.Helper()
	built, err := p.lending.BuildDeposit(t.Context(), lending.DepositRequest{
		Owner: p.me, Mint: p.usdc, DepositType: lending.DepositProtected, Amount: amount,
	})
	require.NoError(t, err)
	return built.Unsigned()
}

func (p *purse) withdrawal(t *testing.T, amount walletfi.Amount) walletfi.Unsigned {
	t.Helper()
	built, err := p.lending.BuildWithdraw(t.Context(), lending.WithdrawRequest{
		Owner: p.me, Mint: p.usdc, WithdrawType: lending.DepositProtected, Amount: amount,
	})
	require.NoError(t, err)
	return built.Unsigned()
}

// TestWallet makes a deposit and takes part of it back, through the caller's
// node and through a relay, with and without simulation.
func TestWallet(t *testing.T) {
	for _, relay := range []bool{false, true} {
		for _, simulated := range []bool{false, true} {
			t.Run(fmt.Sprintf("relay %v, simulated %v", relay, simulated), func(t *testing.T) {
				t.Parallel()
				p := newPurse(t, sandbox.Config{NoLimits: true, InstantConfirmation: true, CompiledInner: relay})
				w, ledger := p.through(t, relay, simulated), p.s.Ledger()
				had := ledger.TokenBalance(p.me, p.usdc)

				result, err := w.Execute(t.Context(), p.deposit(t, 5_000_000), wallet.ExecuteOptions{})
				require.NoError(t, err)
				require.True(t, result.Confirmed())
				require.Equal(t, simulated, result.Report.Simulated)
				require.Equal(t, had-5_000_000, ledger.TokenBalance(p.me, p.usdc))
				account, err := p.lending.GetAccount(t.Context(), p.me)
				require.NoError(t, err)
				require.GreaterOrEqual(t, account.Positions[0].Balance, walletfi.Amount(5_000_000))

				back := p.withdrawal(t, 2_000_000)
				back.Intent.Receive = []walletfi.Asset{{Mint: p.usdc, Amount: 2_000_000}}
				result, err = w.Execute(t.Context(), back, wallet.ExecuteOptions{})
				require.NoError(t, err)
				require.True(t, result.Confirmed())
				require.Equal(t, had-3_000_000, ledger.TokenBalance(p.me, p.usdc))
				if simulated {
					require.Contains(t, result.Report.Arrives, walletfi.Asset{Mint: p.usdc, Amount: 2_000_000})
				}
				requireSettled(t, w)
				require.Empty(t, p.s.Violations())
			})
		}
	}
}

// TestWalletHoldsArrivalAgainstTheIntent: the service gives back less than was
// asked for, which only a simulation shows.
func TestWalletHoldsArrivalAgainstTheIntent(t *testing.T) {
	p := newPurse(t, sandbox.Config{NoLimits: true, InstantConfirmation: true})
	w := p.through(t, false, true)
	require.NoError(t, wiretest.Error(w.Execute(t.Context(), p.deposit(t, 5_000_000), wallet.ExecuteOptions{})))
	short := p.withdrawal(t, 1_999_999)
	short.Intent.Receive = []walletfi.Asset{{Mint: p.usdc, Amount: 2_000_000}}
	result, err := w.Execute(t.Context(), short, wallet.ExecuteOptions{})
	refusal := wiretest.As[*signing.GuardError](t, err)
	require.Equal(t, signing.RuleSimulationArrival, refusal.Rule)
	require.Empty(t, result.Steps)
}

// TestWalletSurvivesALostAnswer: the relay and the node carry the transaction
// out, and their answers never come.
func TestWalletSurvivesALostAnswer(t *testing.T) {
	for _, relay := range []bool{false, true} {
		t.Run(fmt.Sprintf("relay %v", relay), func(t *testing.T) {
			t.Parallel()
			p := newPurse(t, sandbox.Config{NoLimits: true, InstantConfirmation: true})
			route := sandbox.Route{Service: sandbox.RPC, Pattern: "sendTransaction"}
			if relay {
				route = sandbox.Route{Service: sandbox.BurnClose, Pattern: "/transactions/send"}
			}
			p.s.Fault(route, sandbox.Fault{Handled: true, Reset: true, Times: 1})
			had := p.s.Ledger().TokenBalance(p.me, p.usdc)
			result, err := p.through(t, relay, true).Execute(t.Context(), p.deposit(t, 5_000_000), wallet.ExecuteOptions{})
			require.NoError(t, err)
			require.True(t, result.Confirmed())
			require.Equal(t, had-5_000_000, p.s.Ledger().TokenBalance(p.me, p.usdc), "once")
		})
	}
}

// TestWalletRefusesADrainer: whichever builder is asked, a service that was
// taken over gets no signature, and nothing moves.
func TestWalletRefusesADrainer(t *testing.T) {
	drainerRefused(t, newPurse(t, sandbox.Config{NoLimits: true, InstantConfirmation: true}))
}

func drainerRefused(t *testing.T, p *purse) {
	ctx := t.Context()
	flows.Land(t, p.s, p.deposit(t, 5_000_000))
	flows.Land(t, p.s, p.referrer(t)) // without it there is nothing to claim
	dust := p.s.Mint("DUST")
	empty, err := p.s.BurnClose().OpenEmptyAccounts(p.me, 3)
	require.NoError(t, err)
	builders := map[string]func() walletfi.Unsigned{
		"deposit":  func() walletfi.Unsigned { return p.deposit(t, 1_000_000) },
		"withdraw": func() walletfi.Unsigned { return p.withdrawal(t, 1_000_000) },
		"claim": func() walletfi.Unsigned {
			built, err := p.lending.BuildReferrerClaim(ctx, lending.ReferrerClaimRequest{Owner: p.me})
			require.NoError(t, err)
			return built.Unsigned()
		},
		"burn": func() walletfi.Unsigned {
			built, err := p.burn.BuildBurn(ctx, burnclose.BurnRequest{Owner: p.me, AssetID: dust})
			require.NoError(t, err)
			return built.Unsigned()
		},
		"close": func() walletfi.Unsigned {
			built, err := p.burn.BuildClose(ctx, burnclose.CloseRequest{Owner: p.me, AssetID: empty[0]})
			require.NoError(t, err)
			return built.Unsigned()
		},
		"close all": func() walletfi.Unsigned {
			built, err := p.burn.BuildCloseAll(ctx, burnclose.CloseAllRequest{Owner: p.me})
			require.NoError(t, err)
			return built.Unsigned()
		},
	}
	thief := p.drain(t)
	before := p.s.Ledger().Balance(p.me)
	for _, simulated := range []bool{false, true} {
		w := p.through(t, false, simulated)
		for name, build := range builders {
			t.Run(fmt.Sprintf("%s, simulated %v", name, simulated), func(t *testing.T) {
				result, err := w.Execute(t.Context(), build(), wallet.ExecuteOptions{})
				require.ErrorIs(t, err, signing.ErrRefused)
				require.NotNil(t, result.Report.Refusal)
				require.Empty(t, result.Steps, "nothing was signed")
			})
		}
	}
	require.Equal(t, before, p.s.Ledger().Balance(p.me))
	require.Zero(t, p.s.Ledger().Balance(thief))
}

// TestWalletRefusesADrainerOfReferrers: a wallet is set up as a referrer once,
// so that this builder has a sandbox of its own.
func TestWalletRefusesADrainerOfReferrers(t *testing.T) {
	p := newPurse(t, sandbox.Config{NoLimits: true, InstantConfirmation: true})
	thief := p.drain(t)
	for _, simulated := range []bool{false, true} {
		result, err := p.through(t, false, simulated).Execute(t.Context(), p.referrer(t), wallet.ExecuteOptions{})
		require.ErrorIs(t, err, signing.ErrRefused)
		require.Empty(t, result.Steps)
	}
	require.Zero(t, p.s.Ledger().Balance(thief))
}

// drain makes every builder answer with a transaction that sends all SOL to a
// thief, whose address it returns.
func (p *purse) drain(t *testing.T) string {
	t.Helper()
	thief, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	attack, err := sandbox.Drain(p.s, thief.PublicKey().String())
	require.NoError(t, err)
	p.s.Attack(attack)
	return thief.PublicKey().String()
}

// referrer asks until the answer, whose shape takes turns, holds a transaction.
func (p *purse) referrer(t *testing.T) walletfi.Unsigned {
	t.Helper()
	for range 10 {
		built, err := p.lending.BuildInitializeReferrer(t.Context(), lending.InitializeReferrerRequest{Owner: p.me, ReferralCode: "friends"})
		require.NoError(t, err)
		if u, ok := built.Unsigned(); ok {
			return u
		}
	}
	t.Fatal("no answer held a transaction")
	return walletfi.Unsigned{}
}

// requireSettled requires that nothing is in doubt.
func requireSettled(t *testing.T, w *wallet.Wallet) {
	t.Helper()
	open, err := w.Unsettled(t.Context())
	require.NoError(t, err)
	require.Empty(t, open)
}
