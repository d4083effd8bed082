package e2e

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
)

// desk is a trader at the three services that share the sandbox's pools.
type desk struct {
	*sandbox.Sandbox
	swap     *swap.Client
	amm      *amm.Client
	provider *providerswap.Client
	node     *rpcnode.Client
	me       string

	told int // violations that violated has told
}

// deskConfig holds a test's changes of a desk.
type deskConfig struct {
	sandbox       sandbox.Config
	swap          swap.Config
	amm           amm.Config
	skipPreflight bool
	inMemory      bool // amm and the node, for simulated time
}

// stillMarket moves by Advance alone and confirms at once.
var stillMarket = sandbox.Config{ManualClock: true, InstantConfirmation: true, NoLimits: true}

func newDesk(t *testing.T, c deskConfig) *desk {
	t.Helper()
	return openDesk(t, flows.Start(t, c.sandbox), c)
}

func openDesk(t *testing.T, s *sandbox.Sandbox, c deskConfig) *desk {
	t.Helper()
	d := &desk{Sandbox: s, me: s.WalletAddress()}
	var err error
	var client *http.Client // nil for the network
	if c.inMemory {
		client = &http.Client{Transport: s.Transport()}
		c.amm.Options.HTTPClient = client
	}
	c.swap.BaseURL, c.swap.APIKey = s.URL(sandbox.Swap), walletfi.NewSecret(s.APIKey(sandbox.Swap))
	d.swap, err = swap.New(c.swap)
	require.NoError(t, err)
	c.amm.TradeURL, c.amm.DataURL, c.amm.Pause = s.URL(sandbox.AMM), s.AMM().DataURL(), new(time.Duration(0))
	d.amm, err = amm.New(c.amm)
	require.NoError(t, err)
	d.provider, err = providerswap.New(providerswap.Config{
		BaseURL: s.URL(sandbox.ProviderSwap), APIKey: walletfi.NewSecret(s.APIKey(sandbox.ProviderSwap)),
	})
	require.NoError(t, err)
	d.node, err = rpcnode.New(rpcnode.Config{
		URL: walletfi.NewSecret(s.URL(sandbox.RPC)), SkipPreflight: c.skipPreflight, HTTPClient: client,
	})
	require.NoError(t, err)
	return d
}

// hook is a submitter that calls a function before each transaction, counted
// from 1.
type hook struct {
	walletfi.Submitter
	before func(n int)
	sent   int
}

func (h *hook) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	h.sent++
	h.before(h.sent)
	return h.Submitter.Submit(ctx, tx)
}

// through makes a wallet that sends by a submitter. It does not simulate: what
// the ledger does is tested.
func (d *desk) through(t *testing.T, by walletfi.Submitter) *wallet.Wallet {
	t.Helper()
	key, err := signing.NewLocalKey(d.Wallet())
	require.NoError(t, err)
	policy := flows.Policy(d.Sandbox)
	policy.Unsimulated = policy.AllowBlind // it would be seen that the market has moved
	w, err := wallet.New(wallet.Config{
		Signer: key, Guard: signing.NewGuard(policy),
		Submitter: by, Confirmer: d.node, Heights: d.node, PollEvery: time.Millisecond,
	})
	require.NoError(t, err)
	return w
}

func (d *desk) held(symbol string) uint64 { return d.Ledger().TokenBalance(d.me, d.Mint(symbol)) }

func (d *desk) hits(service sandbox.Service, method, pattern string) int {
	return d.Hits()[sandbox.Route{Service: service, Method: method, Pattern: pattern}]
}

// violated returns the violations since it was last asked.
func (d *desk) violated() []sandbox.Violation {
	all := d.Violations()
	defer func() { d.told = len(all) }()
	return all[d.told:]
}

// push trades so much on these venues that their price is gone.
func (d *desk) push(t *testing.T, from, to string, amount walletfi.Amount, venues ...string) {
	t.Helper()
	for _, venue := range venues {
		if from == "SOL" {
			require.NoError(t, d.Ledger().FundWallet(d.me, uint64(amount)))
		} else {
			require.NoError(t, d.Ledger().FundToken(d.me, d.Mint(from), uint64(amount)))
		}
		quote, err := d.swap.GetQuote(t.Context(), swap.QuoteRequest{
			InputMint: d.Mint(from), OutputMint: d.Mint(to), Amount: amount, Slippage: walletfi.SlippageBps(100),
			DEXes: []string{venue}, OnlyDirectRoutes: new(true),
		})
		require.NoError(t, err, venue)
		built, err := d.swap.BuildSwap(t.Context(), swap.BuildRequest{Owner: d.me, Quote: quote})
		require.NoError(t, err)
		flows.Land(t, d.Sandbox, built.Unsigned())
	}
}

// trades are the same trade at each service, at 10 basis points of slippage.
var trades = map[string]func(t *testing.T, d *desk) walletfi.Unsigned{
	"swap": func(t *testing.T, d *desk) walletfi.Unsigned {
		quote, err := d.swap.GetQuote(t.Context(), swap.QuoteRequest{
			InputMint: d.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 50_000_000, Slippage: walletfi.SlippageBps(10),
		})
		require.NoError(t, err)
		built, err := d.swap.BuildSwap(t.Context(), swap.BuildRequest{Owner: d.me, Quote: quote})
		require.NoError(t, err)
		return built.Unsigned()
	},
	"swap's order": func(t *testing.T, d *desk) walletfi.Unsigned {
		built, err := d.swap.BuildOrder(t.Context(), swap.OrderRequest{
			Owner:     d.me,
			InputMint: d.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 50_000_000, Slippage: walletfi.SlippageBps(10),
		})
		require.NoError(t, err)
		return built.Unsigned()
	},
	"amm": func(t *testing.T, d *desk) walletfi.Unsigned { return d.ammSwap(t, "SOL", amm.TxVersionV0) },
	"providerswap": func(t *testing.T, d *desk) walletfi.Unsigned {
		built, err := d.provider.BuildSwap(t.Context(), providerswap.BuildRequest{Owner: d.me, QuoteRequest: providerswap.QuoteRequest{
			InputMint: d.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 50_000_000, Slippage: walletfi.SlippageBps(10),
		}})
		require.NoError(t, err)
		return built.Unsigned()
	},
	"providerswap v1": func(t *testing.T, d *desk) walletfi.Unsigned {
		built, err := d.provider.BuildSwapV1(t.Context(), providerswap.BuildV1Request{Owner: d.me, MinReceive: 1, QuoteV1Request: providerswap.QuoteV1Request{
			Provider: "atlas", QuotesV1Request: providerswap.QuotesV1Request{
				InputMint: d.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 50_000_000, Slippage: walletfi.SlippageBps(10),
			},
		}})
		require.NoError(t, err)
		return built.Unsigned()
	},
}

func (d *desk) ammSwap(t *testing.T, to string, version amm.TxVersion) walletfi.Unsigned {
	t.Helper()
	quote, err := d.amm.QuoteBaseIn(t.Context(), amm.QuoteRequest{
		InputMint: d.Mint("USDC"), OutputMint: d.Mint(to), Amount: 50_000_000, Slippage: walletfi.SlippageBps(10), TxVersion: version,
	})
	require.NoError(t, err)
	built, err := d.amm.BuildSwap(t.Context(), amm.BuildRequest{Quote: quote, Owner: d.me})
	require.NoError(t, err)
	return built.Unsigned()
}

// TestSlippageFails: the market moves between the build and its execution. A
// node that simulates sends nothing; without that the ledger itself refuses,
// and all that is gone is the fee.
func TestSlippageFails(t *testing.T) {
	for name, build := range trades {
		for _, skip := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				d := newDesk(t, deskConfig{sandbox: stillMarket, skipPreflight: skip})
				built := build(t, d)
				d.push(t, "USDC", "SOL", 300_000_000_000, "atlas", "delta", "prism", "tidal", "quill")
				usdc, lamports := d.held("USDC"), d.Ledger().Balance(d.me)
				result, err := d.through(t, d.node).Execute(t.Context(), built, wallet.ExecuteOptions{})
				failed := wiretest.As[*wallet.StepError](t, err)
				require.ErrorIs(t, err, walletfi.ErrRejected)
				require.Zero(t, failed.Index)
				require.Equal(t, result.Steps[0].Signature, failed.Signature)
				require.Equal(t, usdc, d.held("USDC"))
				onLedger := d.Ledger().TransactionStatus(failed.Signature)
				require.Equal(t, skip, onLedger.Found)
				if !skip {
					require.Equal(t, wallet.StateNotSent, failed.State)
					require.ErrorContains(t, err, "0x1771")
					require.Equal(t, lamports, d.Ledger().Balance(d.me))
					return
				}
				require.Equal(t, wallet.StateFailed, failed.State)
				require.Contains(t, failed.Error(), `"Custom":6001`)
				require.Contains(t, onLedger.Err, "0x1771")
				require.Equal(t, lamports-onLedger.Fee, d.Ledger().Balance(d.me))
			})
		}
	}
}

// TestLaterTransactionSlips: the wallet says which of two transactions failed,
// and the first one's tokens are there.
func TestLaterTransactionSlips(t *testing.T) {
	for _, skip := range []bool{false, true} {
		d := newDesk(t, deskConfig{sandbox: stillMarket, skipPreflight: skip})
		built := d.ammSwap(t, "DUST", amm.TxVersionLegacy)
		require.Len(t, built.Transactions, 2)
		by := &hook{Submitter: d.node, before: func(n int) {
			if n == 2 {
				d.push(t, "SOL", "DUST", 20_000_000_000, "atlas")
			}
		}}
		usdc := d.held("USDC")
		result, err := d.through(t, by).Execute(t.Context(), built, wallet.ExecuteOptions{})
		failed := wiretest.As[*wallet.StepError](t, err)
		require.ErrorIs(t, err, walletfi.ErrRejected)
		require.NotErrorIs(t, err, wallet.ErrExpired)
		require.Equal(t, 1, failed.Index)
		require.Equal(t, wallet.StateConfirmed, result.Steps[0].State)
		want := wallet.StateNotSent
		if skip {
			want = wallet.StateFailed
		}
		require.Equal(t, want, result.Steps[1].State)
		require.Equal(t, want, failed.State)
		require.Equal(t, usdc-50_000_000, d.held("USDC"), "the first was executed")
	}
}

// TestLaterTransactionExpires: the first transaction's confirmation takes so
// long that the second's blockhash is gone. amm tells no last valid height.
// What is left is swapped by a new quote.
func TestLaterTransactionExpires(t *testing.T) {
	s := flows.Start(t, stillMarket)
	synctest.Test(t, func(t *testing.T) {
		laterExpires(t, openDesk(t, s, deskConfig{inMemory: true}))
	})
}

func laterExpires(t *testing.T, d *desk) {
	built := d.ammSwap(t, "DUST", amm.TxVersionLegacy)
	require.Zero(t, built.LastValidBlockHeight)
	by := &hook{Submitter: d.node, before: func(n int) {
		if n == 2 {
			d.Advance(2 * time.Minute)
		}
	}}
	w, dust := d.through(t, by), d.held("DUST")
	result, err := w.Execute(t.Context(), built, wallet.ExecuteOptions{})
	expired := wiretest.As[*wallet.StepError](t, err)
	require.ErrorIs(t, err, wallet.ErrExpired)
	require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	require.ErrorContains(t, err, "ask for a new quote")
	require.Equal(t, 1, expired.Index)
	require.Equal(t, []wallet.State{wallet.StateConfirmed, wallet.StateExpired}, []wallet.State{result.Steps[0].State, result.Steps[1].State})
	require.Less(t, by.sent, 20, "the same bytes again, until it is proven")
	require.False(t, d.Ledger().TransactionStatus(expired.Signature).Found)
	requireSettled(t, w)
	require.Equal(t, dust, d.held("DUST"))

	left := d.held("SOL") // wrapped, as the first transaction left it
	require.NotZero(t, left)
	quote, err := d.amm.QuoteBaseIn(t.Context(), amm.QuoteRequest{
		InputMint: walletfi.NativeMint, OutputMint: d.Mint("DUST"), Amount: walletfi.Amount(left), Slippage: walletfi.SlippageBps(10),
	})
	require.NoError(t, err)
	rest, err := d.amm.BuildSwap(t.Context(), amm.BuildRequest{
		Quote: quote, Owner: d.me, WrapSOL: new(false), InputAccount: d.Ledger().AssociatedAccount(d.me, walletfi.NativeMint),
	})
	require.NoError(t, err)
	result, err = w.Execute(t.Context(), rest.Unsigned(), wallet.ExecuteOptions{})
	require.NoError(t, err)
	require.True(t, result.Confirmed())
	require.Equal(t, dust+uint64(quote.OutAmount), d.held("DUST"))
	require.Zero(t, d.held("SOL"))
	require.Empty(t, d.Violations())
}

// TestLaterTransactionExpiresByHeight: where the last valid height is told, the
// second one is not even handed to the submitter. The first one is confirmed only
// by the slots that pass while its submitter takes its time.
func TestLaterTransactionExpiresByHeight(t *testing.T) {
	d := newDesk(t, deskConfig{sandbox: sandbox.Config{ManualClock: true, NoLimits: true}})
	built := d.ammSwap(t, "DUST", amm.TxVersionLegacy)
	built.LastValidBlockHeight = d.Ledger().BlockHeight() + 150
	by := &slow{d}
	result, err := d.through(t, by).Execute(t.Context(), built, wallet.ExecuteOptions{})
	require.ErrorIs(t, err, wallet.ErrStopped)
	require.ErrorContains(t, err, "ask for a new quote")
	require.Equal(t, wallet.StateNotSent, result.Steps[1].State)
	require.Equal(t, 1, d.hits(sandbox.RPC, "POST", "sendTransaction"))
}

// slow is a submitter that takes two minutes of the sandbox's time to answer.
type slow struct{ d *desk }

func (s *slow) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	defer s.d.Advance(2 * time.Minute)
	return s.d.node.Submit(ctx, tx)
}
