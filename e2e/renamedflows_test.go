package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestRenamedWallet deposits and withdraws under the renamed deployment, through the
// caller's node and through its relay.
func TestRenamedWallet(t *testing.T) {
	for _, relay := range []bool{false, true} {
		p := newPurse(t, sandbox.Config{NoLimits: true, InstantConfirmation: true, Deployment: flows.Renamed(t)})
		w, had := p.through(t, relay, true), p.s.Ledger().TokenBalance(p.me, p.usdc)
		result, err := w.Execute(t.Context(), p.deposit(t, 5_000_000), wallet.ExecuteOptions{})
		require.NoError(t, err)
		require.True(t, result.Confirmed())
		result, err = w.Execute(t.Context(), p.withdrawal(t, 2_000_000), wallet.ExecuteOptions{})
		require.NoError(t, err)
		require.True(t, result.Confirmed())
		require.Equal(t, had-3_000_000, p.s.Ledger().TokenBalance(p.me, p.usdc))
		requireSettled(t, w)
		require.Empty(t, p.s.Violations())
	}
}

// TestRenamedDrainer: a service that was taken over gets no signature, whatever its words.
func TestRenamedDrainer(t *testing.T) {
	drainerRefused(t, newPurse(t, sandbox.Config{NoLimits: true, InstantConfirmation: true, Deployment: flows.Renamed(t)}))
}

// TestRenamedLostAnswer: the relay's answer never comes, and the deposit happens once.
func TestRenamedLostAnswer(t *testing.T) {
	p := newPurse(t, sandbox.Config{NoLimits: true, InstantConfirmation: true, Deployment: flows.Renamed(t)})
	p.s.Fault(sandbox.Route{Service: sandbox.BurnClose, Pattern: "/transactions/send"}, sandbox.Fault{Handled: true, Reset: true, Times: 1})
	had := p.s.Ledger().TokenBalance(p.me, p.usdc)
	result, err := p.through(t, true, true).Execute(t.Context(), p.deposit(t, 5_000_000), wallet.ExecuteOptions{})
	require.NoError(t, err)
	require.True(t, result.Confirmed())
	require.Equal(t, had-5_000_000, p.s.Ledger().TokenBalance(p.me, p.usdc), "once")
}

// TestRenamedStoredQuote: a quote that was stored goes back as it came.
func TestRenamedStoredQuote(t *testing.T) {
	s := flows.Start(t, sandbox.Config{NoLimits: true, Deployment: flows.Renamed(t)})
	c, err := swap.New(swap.Config{BaseURL: s.URL(sandbox.Swap), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Swap)), Options: flows.Options(s)})
	require.NoError(t, err)
	for range 2 { // both forms of a quote
		quote, err := c.GetQuote(t.Context(), swap.QuoteRequest{
			InputMint: s.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 1_500_000, Slippage: walletfi.SlippageBps(100),
		})
		require.NoError(t, err)
		require.Equal(t, walletfi.Amount(1_500_000), quote.InAmount)
		kept, err := json.Marshal(quote)
		require.NoError(t, err)
		var again swap.Quote
		require.NoError(t, json.Unmarshal(kept, &again))
		built, err := c.BuildSwap(t.Context(), swap.BuildRequest{Owner: s.WalletAddress(), Quote: &again})
		require.NoError(t, err)
		flows.Land(t, s, built.Unsigned())
	}
	require.Empty(t, s.Violations())
}

// TestRenamedWebhooks takes the deliveries of every chain, and the events of lending.
func TestRenamedWebhooks(t *testing.T) {
	live := flows.Renamed(t)
	everyChain(t, newHookDestinationUnder(t, live))

	got := make(chan []byte, 16)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- body
	}))
	defer server.Close()
	s := flows.Start(t, sandbox.Config{NoLimits: true, InstantConfirmation: true, LendingWebhook: server.URL, Deployment: live})
	signature := landDeposit(t, s)
	body := <-got
	require.NotContains(t, string(body), "depositType")
	c, err := lending.New(lending.Config{BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)), Options: flows.Options(s)})
	require.NoError(t, err)
	event, err := c.ParseUnverifiedWebhook(body)
	require.NoError(t, err)
	require.Equal(t, lending.WebhookDepositCompleted, event.Event)
	deposit, err := event.Deposit()
	require.NoError(t, err)
	require.Equal(t, signature, deposit.Signature)
	require.Equal(t, walletfi.Amount(1_000_000), deposit.Amount)
}

// TestRenamedFeed reads prices from the feed.
func TestRenamedFeed(t *testing.T) {
	s := flows.Start(t, sandbox.Config{ManualClock: true, Deployment: flows.Renamed(t)})
	market := s.PredictMeta().LiveMarket().Ticker
	stream, err := flows.PredictMeta(t, s).Stream(t.Context(), predictmeta.StreamRequest{
		Subscriptions: []predictmeta.Subscription{{Channel: predictmeta.ChannelMarket, Ticker: market}, {Channel: predictmeta.ChannelTrades, Ticker: market}},
	})
	require.NoError(t, err)
	defer stream.Close()
	subscribed(t, s, "market "+market, "trades "+market)
	s.Advance(10 * time.Minute)
	prices := 0
	for prices < 3 {
		event, err := stream.Recv(t.Context())
		require.NoError(t, err)
		if price, ok := event.(*predictmeta.PriceUpdate); ok {
			require.Equal(t, market, price.Ticker)
			require.Positive(t, price.YesPrice.Sign())
			require.LessOrEqual(t, price.YesPrice.Float64(), 1.0)
			prices++
		}
	}
	require.NoError(t, stream.Unsubscribe(predictmeta.ChannelTrades, market))
	subscribed(t, s, "market "+market)
	require.Empty(t, s.Violations())
}
