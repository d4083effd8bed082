package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
)

// intentOf gives USDC for a token by an intent.
func (p *placer) intentOf(symbol string, amount walletfi.Amount, bps int) *swap.IntentTrade {
	return swap.NewIntentTrade(p.swap, swap.IntentRequest{
		Owner: p.me, InputMint: p.Mint("USDC"), OutputMint: p.Mint(symbol), Amount: amount, Slippage: walletfi.SlippageBps(bps),
	})
}

// TestPlaceIntent: the service is given the signed intent, and fills it in two parts.
// The ledger has the sum of the parts.
func TestPlaceIntent(t *testing.T) {
	p := newPlacer(t)
	for _, symbol := range []string{"USDT", "SOL"} {
		before := p.balances(p.Mint("USDC"), p.Mint("USDT"))
		trade := p.intentOf(symbol, 20_000_000, 50)
		placed, err := p.place(t, t.Context(), trade, wallet.PlaceOptions{Key: symbol})
		require.NoError(t, err)
		require.True(t, placed.End.Filled)
		require.Equal(t, string(swap.OrderClosed), placed.End.State)
		require.Len(t, placed.Fills, 2)
		in, out, ok := placed.End.Amounts()
		require.True(t, ok)
		require.Equal(t, walletfi.Amount(20_000_000), in)
		require.GreaterOrEqual(t, out, trade.Intent.GuaranteedOutAmount)
		p.requireNet(t, placed, before)
		for _, f := range placed.Fills {
			require.NoError(t, f.EffectsErr)
			change := f.Effects.Token(p.me, p.Mint(symbol))
			if symbol == "SOL" {
				change = f.Effects.Lamport(p.me)
			}
			require.Equal(t, f.OutAmount, change.Gained())
		}
		require.Equal(t, walletfi.Amount(20_000_000), placed.Result.Steps[0].Effects.Token(p.me, p.Mint("USDC")).Lost())

		// A program that is started again finds the same, and builds nothing.
		p.restart(t)
		again, err := p.place(t, t.Context(), p.intentOf(symbol, 20_000_000, 50), wallet.PlaceOptions{Key: symbol})
		require.NoError(t, err)
		require.Equal(t, placed.End, again.End)
		require.Equal(t, placed.Fills, again.Fills)
		p.requireNet(t, again, before)
	}
	require.Equal(t, 2, p.hits(sandbox.Swap, "GET", "/intent"))
	require.Equal(t, 2, p.hits(sandbox.Swap, "POST", "/submit-intent"))
	require.Empty(t, p.Violations())
}

// TestPlaceIntentInPart: the price runs away after the first fill. The service pays the
// rest back, in a transaction that it does not name.
func TestPlaceIntentInPart(t *testing.T) {
	p := newPlacer(t)
	usdc, usdt := p.Mint("USDC"), p.Mint("USDT")
	before := p.balances(usdc, usdt)
	trade := p.intentOf("USDT", 20_000_000, 50)
	trade.Wait = swap.WaitOrderRequest{MinWait: 100 * time.Millisecond, MaxWait: 100 * time.Millisecond}
	var status *swap.OrderStatus
	order := awaited{trade, func(ctx context.Context, signature string) {
		for status == nil || len(status.Fills) == 0 {
			status, _ = p.swap.GetOrderStatus(ctx, swap.OrderStatusRequest{Signature: signature})
			require.NoError(t, walletfi.Sleep(ctx, p.Options().Clock, 100*time.Millisecond))
		}
		require.NoError(t, p.Market().SetPrice(usdt, 1_100_000))
	}}
	placed, err := p.place(t, t.Context(), order, wallet.PlaceOptions{Key: "a"})
	require.ErrorIs(t, err, wallet.ErrNotFilled)
	requireAt(t, err, wallet.StageFill)
	require.Len(t, placed.Fills, 1)
	fill := placed.Fills[0]
	require.Equal(t, walletfi.Amount(12_000_000), fill.InAmount)
	require.Equal(t, fill.OutAmount, fill.Effects.Token(p.me, usdt).Gained())
	_, _, known := placed.Net(p.me, usdc)
	require.False(t, known, "what is paid back is in no transaction that is told")
	now := p.balances(usdc, usdt)
	require.Equal(t, int64(fill.OutAmount), now[usdt]-before[usdt])
	require.Equal(t, int64(fill.InAmount), before[usdc]-now[usdc], "the rest came back")

	failed, err := p.swap.GetOrderStatus(t.Context(), swap.OrderStatusRequest{Signature: placed.Result.Signatures()[0]})
	require.NoError(t, err)
	require.Equal(t, swap.OrderFailed, failed.Status)
	require.Equal(t, fill.OutAmount, failed.OutAmount)
	require.NotEmpty(t, failed.Reverts)
	require.Empty(t, p.Violations())
}

// awaited does something between the confirmation of an intent and its end.
type awaited struct {
	*swap.IntentTrade
	before func(ctx context.Context, signature string)
}

func (w awaited) WaitFilled(ctx context.Context, signature string, last uint64) (*walletfi.OrderEnd, error) {
	w.before(ctx, signature)
	return w.IntentTrade.WaitFilled(ctx, signature, last)
}

// TestPlaceIntentRefunded: the price has run away before the first fill. Nothing but
// the fee has moved in the end.
func TestPlaceIntentRefunded(t *testing.T) {
	p := newPlacer(t)
	usdc, usdt := p.Mint("USDC"), p.Mint("USDT")
	before := p.balances(usdc, usdt)
	placed, err := p.place(t, t.Context(), awaited{p.intentOf("USDT", 20_000_000, 50), func(context.Context, string) {
		require.NoError(t, p.Market().SetPrice(usdt, 1_100_000))
	}}, wallet.PlaceOptions{Key: "a"})
	require.ErrorIs(t, err, wallet.ErrNotFilled)
	require.Empty(t, placed.Fills)
	now, fee := p.balances(usdc, usdt), placed.Result.Steps[0].Effects.Fee
	before[walletfi.NativeMint] -= int64(fee)
	require.Positive(t, fee)
	require.Equal(t, before, now)
}

// TestPlaceIntentLostAnswers: the answers of submit-intent are lost after the service
// has done what was asked. The order is opened once.
func TestPlaceIntentLostAnswers(t *testing.T) {
	p := newPlacer(t)
	before := p.balances(p.Mint("USDC"), p.Mint("USDT"))
	p.Fault(sandbox.Route{Service: sandbox.Swap, Method: "POST", Pattern: "/submit-intent"}, sandbox.Fault{Reset: true, Handled: true, Times: 2})
	placed, err := p.place(t, t.Context(), p.intentOf("USDT", 20_000_000, 50), wallet.PlaceOptions{Key: "a"})
	require.NoError(t, err)
	p.requireNet(t, placed, before)
	require.Equal(t, 1, p.hits(sandbox.Swap, "GET", "/intent"))
}

// TestPlaceIntentExpires: the service is never reached. A new intent is built only when
// the first cannot land any more.
func TestPlaceIntentExpires(t *testing.T) {
	p := newPlacer(t)
	before := p.balances(p.Mint("USDC"))
	p.Fault(sandbox.Route{Service: sandbox.Swap, Method: "POST", Pattern: "/submit-intent"}, sandbox.Fault{Status: 503})
	begun := p.Now()
	placed, err := p.place(t, t.Context(), p.intentOf("USDT", 20_000_000, 50), wallet.PlaceOptions{Key: "a", Attempts: 2})
	require.ErrorIs(t, err, wallet.ErrExpired)
	require.Equal(t, 2, placed.Attempts)
	require.Equal(t, 2, p.hits(sandbox.Swap, "GET", "/intent"))
	require.Greater(t, p.Now().Sub(begun), 2*time.Minute)
	require.Equal(t, before, p.balances(p.Mint("USDC")))
}

// TestPlacePredictionOrder: orders at the book of a prediction market, of which some
// are filled in part, since the book moves between the fills.
func TestPlacePredictionOrder(t *testing.T) {
	p := newPlacer(t)
	market := p.PredictMeta().LiveMarket()
	usdc := p.Mint("USDC")
	whole, part, none := 0, 0, 0
	for n := range 60 {
		if part > 0 && whole > 0 {
			break
		}
		p.Advance(time.Duration(30-p.Now().Unix()%30+20+int64(n%10)) * time.Second) // the spread changes each 30 s
		before := p.balances(usdc, market.Yes)
		trade := swap.NewTrade(p.swap, swap.OrderRequest{
			Owner: p.me, InputMint: usdc, OutputMint: market.Yes, Amount: 3_000_000, PredictionMarketSlippage: walletfi.SlippageBps(1),
		})
		placed, err := p.place(t, t.Context(), trade, wallet.PlaceOptions{Key: time.Duration(n).String()})
		require.NotNil(t, placed.End)
		in, out, ok := placed.End.Amounts()
		require.True(t, ok)
		for _, f := range placed.Fills {
			require.Equal(t, f.OutAmount, f.Effects.Token(p.me, market.Yes).Gained())
		}
		now := p.balances(usdc, market.Yes)
		require.Equal(t, int64(in), before[usdc]-now[usdc])
		require.Equal(t, int64(out), now[market.Yes]-before[market.Yes])
		switch {
		case placed.End.Filled:
			require.NoError(t, err)
			p.requireNet(t, placed, before)
			whole++
		default:
			require.ErrorIs(t, err, wallet.ErrNotFilled)
			if len(placed.Fills) > 0 {
				part++
			} else {
				none++
			}
		}
	}
	require.Positive(t, whole)
	require.Positive(t, part, "whole %d, none %d", whole, none)
}
