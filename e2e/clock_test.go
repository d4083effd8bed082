package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
)

// bot is a program whose every wait is the sandbox's.
type bot struct {
	s        *sandbox.Sandbox
	swap     *swap.Client
	amm      *amm.Client
	accounts *smartaccount.Client
	wallet   *wallet.Wallet
	key      *signing.LocalKey
	guard    *signing.Guard
	trades   int
	seen     []string // what it did, and on what day of the sandbox
}

func newBot(t *testing.T) *bot {
	t.Helper()
	s := flows.Start(t, sandbox.Config{ManualClock: true})
	b := &bot{s: s}
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC)), Clock: s.Options().Clock})
	require.NoError(t, err)
	b.swap, err = swap.New(swap.Config{
		BaseURL: s.URL(sandbox.Swap), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Swap)), Options: s.Options(),
		Budgets: []ratelimit.Budget{{Requests: 2, Per: time.Minute}}, Freshness: swap.Freshness{MaxAge: 90 * time.Second},
	})
	require.NoError(t, err)
	b.amm, err = amm.New(amm.Config{TradeURL: s.URL(sandbox.AMM), DataURL: s.AMM().DataURL(), Options: s.Options()})
	require.NoError(t, err)
	b.accounts, err = smartaccount.New(smartaccount.Config{BaseURL: s.URL(sandbox.SmartAccount), Options: s.Options()})
	require.NoError(t, err)
	b.key, err = signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	b.guard = signing.NewGuard(flows.Policy(s))
	b.wallet, err = wallet.New(wallet.Config{
		Signer: b.key, Guard: b.guard,
		Submitter: node, Confirmer: node, Heights: node, Clock: s.Options().Clock,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.wallet.Close()) })
	access, refresh := s.SmartAccount().SignIn("bot@example.com")
	require.NoError(t, b.accounts.SetToken(t.Context(), walletfi.Token{
		Access: walletfi.NewSecret(access), Refresh: walletfi.NewSecret(refresh), Expiry: s.Now().Add(time.Hour),
	}))
	return b
}

func (b *bot) note(what string) {
	b.seen = append(b.seen, fmt.Sprintf("%s at %s", what, b.s.Now().Format(time.DateOnly))) // backoff is random
}

// day is the work of a day: five requests of its minute wait for the
// limit, a failed request its backoff, the token has expired, an order
// fills over time, and a transaction waits for its slots.
func (b *bot) day(ctx context.Context) error {
	b.s.Fault(sandbox.Route{Service: sandbox.Swap, Method: http.MethodGet, Pattern: "/quote"}, sandbox.Fault{Status: 503, Times: 1})
	quote, err := b.swap.GetQuote(ctx, swap.QuoteRequest{
		InputMint: b.s.Mint("USDC"), OutputMint: b.s.Mint("USDT"), Amount: 1_000_000, Slippage: walletfi.SlippageBps(100),
	})
	if err != nil {
		return fmt.Errorf("quote: %w", err)
	}
	b.note("quote")
	built, err := b.swap.BuildSwap(ctx, swap.BuildRequest{Quote: quote, Owner: b.s.WalletAddress()})
	if err != nil {
		return fmt.Errorf("build: %w", err)
	}
	result, err := b.wallet.Execute(ctx, built.Unsigned(), wallet.ExecuteOptions{})
	if err != nil {
		return fmt.Errorf("execute: %w", err)
	}
	b.note("confirmed")
	if err := b.order(ctx); err != nil {
		return fmt.Errorf("order: %w", err)
	}
	b.note("order closed")
	for range 3 { // the pause between two requests
		if _, err := b.amm.QuoteBaseIn(ctx, amm.QuoteRequest{InputMint: b.s.Mint("USDC"), OutputMint: b.s.Mint("SOL"), Amount: 1_000_000, Slippage: walletfi.SlippageBps(50)}); err != nil {
			return fmt.Errorf("amm: %w", err)
		}
	}
	if _, err := b.accounts.ListAccounts(ctx); err != nil {
		return fmt.Errorf("accounts: %w", err)
	}
	b.note("accounts")
	if result.Confirmed() {
		b.trades++
	}
	return nil
}

// order has an intent filled over time.
func (b *bot) order(ctx context.Context) error {
	intent, err := b.swap.BuildIntent(ctx, swap.IntentRequest{
		InputMint: b.s.Mint("USDC"), OutputMint: b.s.Mint("USDT"), Amount: 3_000_000, Slippage: walletfi.SlippageBps(100), Owner: b.s.WalletAddress(),
	})
	if err != nil {
		return err
	}
	txs, _, err := b.guard.SignSet(ctx, intent.Unsigned(), b.key)
	if err != nil {
		return err
	}
	signed := txs[0].Signed()
	submitted, err := b.swap.SubmitIntent(ctx, swap.SubmitIntentRequest{Transaction: signed.Transaction, Intent: intent})
	if err != nil {
		return err
	}
	_, err = b.swap.WaitOrder(ctx, swap.WaitOrderRequest{Signature: submitted.OpenSignature})
	return err
}

// TestTenDaysOnTheSandboxsClock: what a bot waits for in ten days takes next to no
// real time, and each run is like the other.
func TestTenDaysOnTheSandboxsClock(t *testing.T) {
	var before []string
	for range 2 {
		b := newBot(t)
		begun, from := time.Now(), b.s.Now()
		ended := make(chan error, 1)
		clock := b.s.Options().Clock
		walletfi.Go(t.Context(), clock, func(ctx context.Context) {
			var err error
			for range 10 {
				err = errors.Join(err, b.day(ctx), walletfi.Sleep(ctx, clock, 24*time.Hour))
			}
			ended <- err
		})
		require.NoError(t, b.s.AdvanceUntil(t.Context(), 11*24*time.Hour, func() bool { return len(ended) > 0 }))
		require.NoError(t, <-ended)
		require.Equal(t, 10, b.trades)
		require.GreaterOrEqual(t, b.s.Now().Sub(from), 10*24*time.Hour)
		require.Empty(t, b.s.Violations())
		t.Logf("ten days took %v", time.Since(begun).Round(time.Millisecond))
		require.Len(t, b.seen, 4*10)
		if before != nil {
			require.Equal(t, before, b.seen)
		}
		before = b.seen
	}
}
