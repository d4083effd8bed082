package e2e

import (
	"context"
	"testing"
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

// placer places orders on a sandbox whose clock goes on by itself meanwhile.
type placer struct {
	*desk
	wallet  *wallet.Wallet
	journal wallet.Journal
}

// newPlacer does not let the node preflight: the ledger's work is tested.
func newPlacer(t *testing.T) *placer {
	t.Helper()
	p := &placer{desk: newDesk(t, deskConfig{sandbox: sandbox.Config{ManualClock: true, NoLimits: true}}), journal: wallet.NewMemoryJournal()}
	var err error
	p.swap, err = swap.New(swap.Config{BaseURL: p.URL(sandbox.Swap), APIKey: walletfi.NewSecret(p.APIKey(sandbox.Swap)), Options: p.Options()})
	require.NoError(t, err)
	p.node, err = rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(p.URL(sandbox.RPC)), Clock: p.Options().Clock, SkipPreflight: true})
	require.NoError(t, err)
	p.restart(t)
	return p
}

// restart makes a new wallet on the same journal.
func (p *placer) restart(t *testing.T) {
	t.Helper()
	key, err := signing.NewLocalKey(p.Wallet())
	require.NoError(t, err)
	policy := flows.Policy(p.Sandbox)
	policy.Resolver, policy.Unsimulated = p.node, policy.AllowBlind // it would be seen that a price has moved
	p.wallet, err = wallet.New(wallet.Config{
		Signer: key, Guard: signing.NewGuard(policy),
		Node: p.node, Journal: p.journal, Clock: p.Options().Clock,
	})
	require.NoError(t, err)
}

// place carries an order out while the clock goes on.
func (p *placer) place(t *testing.T, ctx context.Context, order walletfi.Order, opts wallet.PlaceOptions) (placed *wallet.Placed, err error) {
	t.Helper()
	ended := make(chan struct{}, 1)
	walletfi.Go(ctx, p.Options().Clock, func(ctx context.Context) {
		placed, err = p.wallet.Place(ctx, order, opts)
		ended <- struct{}{}
	})
	require.NoError(t, p.AdvanceUntil(t.Context(), time.Hour, func() bool { return len(ended) > 0 }))
	<-ended
	return placed, err
}

// between builds an order and then lets something happen, before it is signed.
type between struct {
	walletfi.Order
	happens func()
}

func (b between) Build(ctx context.Context) (walletfi.Unsigned, error) {
	u, err := b.Order.Build(ctx)
	if err != nil {
		return u, err
	}
	b.happens()
	return u, err
}

// balances are what the ledger has of the owner's.
type balances map[string]int64

func (p *placer) balances(mints ...string) balances {
	all := balances{walletfi.NativeMint: int64(p.Ledger().Balance(p.me))}
	for _, mint := range mints {
		all[mint] = int64(p.Ledger().TokenBalance(p.me, mint))
	}
	return all
}

// requireNet holds what an order told of its effects against the ledger.
func (p *placer) requireNet(t *testing.T, placed *wallet.Placed, before balances) {
	t.Helper()
	for mint, was := range before {
		gained, lost, known := placed.Net(p.me, mint)
		require.True(t, known, "%v", placed.Result.Steps)
		now := int64(p.Ledger().TokenBalance(p.me, mint))
		if mint == walletfi.NativeMint {
			now = int64(p.Ledger().Balance(p.me))
		}
		require.Equal(t, now-was, int64(gained)-int64(lost), mint)
	}
}

// offer is a way to trade: its order, and what it promises once it is built.
type offer func(out, least *walletfi.Amount) walletfi.Order

// ways are all ways to give USDC for another token in one transaction.
func (p *placer) ways(mint string, amount walletfi.Amount, slippage walletfi.Slippage) map[string]offer {
	usdc := p.Mint("USDC")
	return map[string]offer{
		"swap order": func(out, least *walletfi.Amount) walletfi.Order {
			trade := swap.NewTrade(p.swap, swap.OrderRequest{Owner: p.me, InputMint: usdc, OutputMint: mint, Amount: amount, Slippage: slippage})
			return between{trade, func() { *out, *least = trade.Order.OutAmount, trade.Order.MinOutAmount }}
		},
		"swap quote": func(out, least *walletfi.Amount) walletfi.Order {
			return wallet.OrderFunc(func(ctx context.Context) (walletfi.Unsigned, error) {
				quote, err := p.swap.GetQuote(ctx, swap.QuoteRequest{InputMint: usdc, OutputMint: mint, Amount: amount, Slippage: slippage})
				if err != nil {
					return walletfi.Unsigned{}, err
				}
				*out, *least = quote.OutAmount, quote.OtherAmountThreshold
				built, err := p.swap.BuildSwap(ctx, swap.BuildRequest{Owner: p.me, Quote: quote})
				if err != nil {
					return walletfi.Unsigned{}, err
				}
				return built.Unsigned(), nil
			})
		},
		"amm": func(out, least *walletfi.Amount) walletfi.Order {
			return wallet.OrderFunc(func(ctx context.Context) (walletfi.Unsigned, error) {
				quote, err := p.amm.QuoteBaseIn(ctx, amm.QuoteRequest{InputMint: usdc, OutputMint: mint, Amount: amount, Slippage: slippage})
				if err != nil {
					return walletfi.Unsigned{}, err
				}
				*out, *least = quote.OutAmount, quote.OtherAmountThreshold
				return wallet.OrderOf(p.amm.BuildSwap, amm.BuildRequest{Owner: p.me, Quote: quote}).Build(ctx)
			})
		},
		"providerswap": func(out, least *walletfi.Amount) walletfi.Order {
			order := wallet.OrderOf(p.provider.BuildSwap, providerswap.BuildRequest{
				Owner: p.me, QuoteRequest: providerswap.QuoteRequest{InputMint: usdc, OutputMint: mint, Amount: amount, Slippage: slippage},
			})
			return between{order, func() { *out, *least = order.Answer.OutAmount, order.Answer.MinOutAmount }}
		},
	}
}

// TestSwapsExecuteAtTheMarketsPrice: a price that moves between the quote and the
// execution. Within the slippage another amount arrives than was quoted; beyond it the
// transaction fails, and nothing but its fee has moved. Effects and ledger agree to the
// last unit.
func TestSwapsExecuteAtTheMarketsPrice(t *testing.T) {
	p := newPlacer(t)
	names := p.ways("", 0, walletfi.Slippage{})
	require.Len(t, names, 4)
	for name := range names {
		for _, c := range []struct {
			symbol string
			price  uint64 // afterwards, in millionths of a dollar
			worse  bool
			fails  bool
		}{
			{"SOL", 150_600_000, true, false}, {"SOL", 149_000_000, false, false}, {"SOL", 155_000_000, true, true},
			{"USDT", 1_003_000, true, false}, {"USDT", 1_050_000, true, true},
		} {
			mint := p.Mint(c.symbol)
			start := map[string]uint64{"SOL": 150_000_000, "USDT": 1_000_000}[c.symbol]
			require.NoError(t, p.Market().SetPrice(mint, start))
			var out, least walletfi.Amount
			order := between{p.ways(mint, 20_000_000, walletfi.SlippageBps(100))[name](&out, &least), func() {
				require.NoError(t, p.Market().SetPrice(mint, c.price))
			}}
			before := p.balances(p.Mint("USDC"), p.Mint("USDT"))
			placed, err := p.place(t, t.Context(), order, wallet.PlaceOptions{Key: name + c.symbol + time.Duration(c.price).String()})
			require.Positive(t, least)
			require.Less(t, least, out)
			require.NotEmpty(t, placed.Result.Steps, "%s: %v", name, err)
			p.requireNet(t, placed, before)
			last := placed.Result.Steps[len(placed.Result.Steps)-1].Effects
			gained, _, known := placed.Net(p.me, mint)
			require.True(t, known)
			if c.fails {
				require.ErrorIs(t, err, wallet.ErrFailed, name)
				requireAt(t, err, wallet.StageConfirm)
				require.NotEmpty(t, last.Err)
				require.Empty(t, last.Tokens, "nothing but the fee")
				require.Len(t, last.Lamports, 1)
				require.Equal(t, last.Fee, last.Lamport(p.me).Lost())
				require.Zero(t, gained)
				continue
			}
			require.NoError(t, err, name)
			if c.symbol == "SOL" {
				gained += last.Fee // of the wallet itself, before its fee
			}
			require.Equal(t, c.worse, gained < out, "%s %s: quoted %s, got %s", name, c.symbol, out, gained)
			require.NotEqual(t, out, gained)
			require.GreaterOrEqual(t, gained, least)
		}
	}
	require.Empty(t, p.Violations())
}

func requireAt(t *testing.T, err error, stage wallet.Stage) {
	t.Helper()
	stopped := wiretest.As[*wallet.StageError](t, err)
	require.Equal(t, stage, stopped.Stage)
}
