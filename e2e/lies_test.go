package e2e

import (
	"context"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestLies: each lie of the sandbox about a member that decides is an error that names it,
// in a list beside the record that has it.
func TestLies(t *testing.T) {
	for _, lie := range sandbox.Lies() {
		s, err := sandbox.Start(sandbox.Config{ManualClock: true})
		require.NoError(t, err)
		defer s.Close()
		client, err := lending.New(lending.Config{
			BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)),
		})
		require.NoError(t, err)
		honest, err := client.ListPools(t.Context())
		require.NoError(t, err)
		member := "pools.*.decimals"
		if lie == sandbox.LieFailure {
			member = ""
		}
		s.Fault(sandbox.Route{Service: sandbox.Lending}, sandbox.Fault{Lie: lie, Member: member})
		pools, err := client.ListPools(t.Context())
		switch lie {
		case sandbox.LieZero, sandbox.LieOther: // a number that can be one
			require.NoError(t, err, lie)
		case sandbox.LieFailure:
			require.ErrorIs(t, err, walletfi.ErrRejected, lie)
		default:
			require.ErrorContains(t, err, "decimals", lie)
			require.ErrorIs(t, err, walletfi.ErrDecode, lie)
			if pools != nil {
				require.Len(t, pools.Items, len(honest.Items), lie)
			}
		}
	}
}

// TestLiesOfDeliveries: so is each lie about what a delivery pays, and the handler gets it.
func TestLiesOfDeliveries(t *testing.T) {
	d := newHookDestination(t)
	const wallet = "0x00000000000000000000000000000000000000aa"
	hook := d.watch(t, webhooks.TemplateEVMWalletFilter, webhooks.WalletFilter{Addresses: []string{wallet}})
	d.sandbox.Webhooks().EmitEVM("NET", sandbox.EVMTransaction{From: wallet, To: wallet, Value: "27"})
	honest := d.take()[0]
	require.NoError(t, honest.DecodeErr)
	for _, lie := range sandbox.Lies() {
		member := "transactions.*.value"
		if lie == sandbox.LieFailure {
			member = ""
		}
		wrong, err := sandbox.Lied(honest.Raw, lie, member)
		require.NoError(t, err, lie)
		require.NoError(t, d.sandbox.Webhooks().Deliver(hook, wrong))
		got := d.take()
		require.Len(t, got, 1, lie)
		require.Len(t, got[0].EVM.Transactions, 1, lie)
		switch lie {
		case sandbox.LieZero, sandbox.LieOther: // an amount that can be one
			require.NoError(t, got[0].DecodeErr, lie)
			require.NotEqual(t, honest.EVM.Transactions[0].Value, got[0].EVM.Transactions[0].Value, lie)
		case sandbox.LieFailure:
			require.ErrorIs(t, got[0].DecodeErr, walletfi.ErrDecode, lie)
			require.True(t, got[0].EVM.Transactions[0].Failed(), lie)
		default:
			require.ErrorContains(t, got[0].DecodeErr, "value", lie)
		}
	}
}

// TestLiesOfTheFeed: and one about the price of a trade makes it no trade.
func TestLiesOfTheFeed(t *testing.T) {
	s := flows.Start(t, sandbox.Config{ManualClock: true})
	stream, err := flows.PredictMeta(t, s).Stream(t.Context(), predictmeta.StreamRequest{Subscriptions: []predictmeta.Subscription{
		{Channel: predictmeta.ChannelTrades, Ticker: streamTicker},
	}})
	require.NoError(t, err)
	defer stream.Close()
	next := func() predictmeta.FeedEvent {
		for {
			event, err := stream.Recv(t.Context())
			require.NoError(t, err)
			switch event.(type) {
			case *predictmeta.TradeUpdate, *predictmeta.UnknownMessage:
				return event
			}
		}
	}
	subscribed(t, s, "trades "+streamTicker)
	const honest = `{"type":"trade","ticker":"` + streamTicker + `","price":0.5,"quantity":7,"side":"buy","timestamp":1767225600}`
	for _, lie := range sandbox.Lies() {
		if lie == sandbox.LieFailure {
			continue // a message has no envelope
		}
		wrong, err := sandbox.Lied([]byte(honest), lie, "price")
		require.NoError(t, err, lie)
		s.PredictMeta().Feed().Push(string(wrong))
		switch got := next().(type) {
		case *predictmeta.TradeUpdate:
			require.Contains(t, []sandbox.Lie{sandbox.LieZero, sandbox.LieOther}, lie)
			require.NotEqual(t, "0.5", got.Price.String(), lie)
		case *predictmeta.UnknownMessage:
			require.NotContains(t, []sandbox.Lie{sandbox.LieZero, sandbox.LieOther}, lie)
			require.ErrorContains(t, got.Err, "price", lie)
		}
	}
}

// TestLiesOfWaits: a refusal that says to wait for years, in milliseconds or until a time that is past
// holds an urgent call for ten seconds, or as long as it means.
func TestLiesOfWaits(t *testing.T) {
	for name, row := range map[string]struct {
		header string
		value  func(now time.Time) string
		wait   time.Duration
	}{
		"years": {"Retry-After", func(time.Time) string { return "1000000000" }, 10 * time.Second},
		"milliseconds": {"X-RateLimit-Reset", func(now time.Time) string {
			return strconv.FormatInt(now.Add(30*time.Second).UnixMilli(), 10)
		}, 30 * time.Second},
		"past": {"X-RateLimit-Reset", func(now time.Time) string { return strconv.FormatInt(now.Add(-time.Hour).Unix(), 10) }, 0},
	} {
		s := flows.Start(t, sandbox.Config{ManualClock: true, NoLimits: true})
		options := s.Options()
		options.Retry.MaxRetries = new(0)
		client, err := lending.New(lending.Config{
			BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)), Options: options,
		})
		require.NoError(t, err)
		s.Fault(sandbox.Route{Service: sandbox.Lending}, sandbox.Fault{
			Status: http.StatusTooManyRequests, Header: http.Header{row.header: {row.value(s.Now())}}, Times: 1,
		})
		_, err = client.ListPools(t.Context())
		require.ErrorIs(t, err, walletfi.ErrRateLimited, name)
		s.Advance(row.wait + time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		_, err = client.ListPools(ctx, walletfi.Urgent())
		require.NoError(t, err, name)
	}
}
