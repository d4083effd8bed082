package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/swap"
)

// follower notes every order status that is told, "404" where there is none,
// and lets the sandbox's time go by after each.
type follower struct {
	step   time.Duration
	before func(n int) // the n-th question, from 1; may be nil

	s     *sandbox.Sandbox
	asked int
	seen  []string
	query []string
}

func (f *follower) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path != "/order-status" {
		return http.DefaultTransport.RoundTrip(r)
	}
	f.asked++
	if f.before != nil {
		f.before(f.asked)
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(body))
	told := struct{ Status string }{"404"}
	if resp.StatusCode == http.StatusOK {
		if err := json.Unmarshal(body, &told); err != nil {
			return nil, err
		}
	}
	f.seen, f.query = append(f.seen, told.Status), append(f.query, r.URL.RawQuery)
	f.s.Advance(f.step)
	return resp, nil
}

// followed is a desk whose orders are followed.
func followed(t *testing.T, step time.Duration) (*desk, *follower) {
	t.Helper()
	f := &follower{step: step}
	d := newDesk(t, deskConfig{
		sandbox: sandbox.Config{ManualClock: true, NoLimits: true},
		swap:    swap.Config{Options: walletfi.Options{HTTPClient: &http.Client{Transport: f}}},
	})
	f.s = d.Sandbox
	return d, f
}

// wait asks as fast as the sandbox answers: its own clock passes.
func (d *desk) wait(t *testing.T, req swap.WaitOrderRequest) (*swap.OrderStatus, error) {
	t.Helper()
	req.MinWait, req.MaxWait = time.Millisecond, time.Millisecond
	return d.swap.WaitOrder(t.Context(), req)
}

func (d *desk) intent(t *testing.T, to string, amount walletfi.Amount, bps int) (*swap.BuiltIntent, walletfi.Signed) {
	t.Helper()
	intent, err := d.swap.BuildIntent(t.Context(), swap.IntentRequest{
		InputMint: d.Mint("USDC"), OutputMint: d.Mint(to), Amount: amount, Slippage: walletfi.SlippageBps(bps), Owner: d.me,
	})
	require.NoError(t, err)
	return intent, flows.Sign(t, d.Sandbox, intent.Unsigned())[0]
}

// filled adds the fills up.
func filled(status *swap.OrderStatus) (in, out walletfi.Amount) {
	for _, fill := range status.Fills {
		in, out = in+fill.InAmount, out+fill.OutAmount
	}
	return in, out
}

// TestWaitOrderSeesEveryState waits from before the order is known until it is
// closed.
func TestWaitOrderSeesEveryState(t *testing.T) {
	d, f := followed(t, 200*time.Millisecond)
	intent, signed := d.intent(t, "USDT", 3_000_000, 50)
	f.before = func(n int) {
		if n == 3 {
			flows.Submit(t, d.Sandbox, signed.Transaction)
		}
	}
	usdc, usdt := d.held("USDC"), d.held("USDT")
	status, err := d.wait(t, swap.WaitOrderRequest{
		Signature: signed.Signature, LastValidBlockHeight: intent.LastValidBlockHeight, Heights: d.node,
	})
	require.NoError(t, err)
	require.Equal(t, []string{"404", "pending", "open", "pendingClose", "closed"}, slices.Compact(slices.Clone(f.seen)))
	for _, query := range f.query {
		require.Contains(t, query, "lastValidBlockHeight=", "passed on each time")
	}
	require.Equal(t, swap.OrderClosed, status.Status)
	require.Greater(t, len(status.Fills), 1)
	in, out := filled(status)
	require.Equal(t, walletfi.Amount(3_000_000), in)
	require.Equal(t, status.OutAmount, out)
	require.GreaterOrEqual(t, out, intent.GuaranteedOutAmount)
	require.Equal(t, usdc-uint64(status.InAmount), d.held("USDC"))
	require.Equal(t, usdt+uint64(status.OutAmount), d.held("USDT"))
	require.True(t, status.Fills[0].Timestamp.Before(status.Fills[1].Timestamp.Time))
}

func TestWaitOrderFails(t *testing.T) {
	d, f := followed(t, 500*time.Millisecond)
	before := d.held("USDC")
	intent, signed := d.intent(t, "DUST", 1_000_000_000, 10)
	submitted, err := d.swap.SubmitIntent(t.Context(), swap.SubmitIntentRequest{Transaction: signed.Transaction, Intent: intent})
	require.NoError(t, err)
	require.Equal(t, before-1_000_000_000, d.held("USDC"))
	d.push(t, "SOL", "DUST", 50_000_000_000, "atlas", "ember")
	d.push(t, "USDC", "DUST", 20_000_000_000, "orchard")
	pushed := d.held("DUST")

	status, err := d.wait(t, swap.WaitOrderRequest{Signature: submitted.OpenSignature})
	ended := wiretest.As[*swap.OrderEndedError](t, err)
	require.ErrorIs(t, err, walletfi.ErrRejected)
	require.Equal(t, swap.OrderFailed, status.Status)
	require.Equal(t, *status, ended.Status)
	require.Len(t, status.Reverts, 3, "in two shapes, kept raw")
	require.Empty(t, status.Fills)
	require.Equal(t, "failed", f.seen[len(f.seen)-1])
	require.Equal(t, pushed, d.held("DUST"))
	require.Equal(t, before, d.held("USDC"), "paid back")
}

// TestWaitOrderExpires: the signed intent is never sent on.
func TestWaitOrderExpires(t *testing.T) {
	d, f := followed(t, 20*time.Second)
	intent, signed := d.intent(t, "USDT", 3_000_000, 50)
	status, err := d.wait(t, swap.WaitOrderRequest{Signature: signed.Signature, LastValidBlockHeight: intent.LastValidBlockHeight})
	wiretest.As[*swap.OrderEndedError](t, err)
	require.Equal(t, swap.OrderExpired, status.Status)
	require.Equal(t, []string{"404", "expired"}, slices.Compact(slices.Clone(f.seen)))
}

// TestWaitOrderStopsByTheHeight: the service never knows anything, the ledger's
// height ends the wait.
func TestWaitOrderStopsByTheHeight(t *testing.T) {
	d, f := followed(t, 20*time.Second)
	intent, signed := d.intent(t, "USDT", 3_000_000, 50)
	d.Fault(sandbox.Route{Service: sandbox.Swap, Pattern: "/order-status"}, sandbox.Fault{Status: 404})
	_, err := d.wait(t, swap.WaitOrderRequest{
		Signature: signed.Signature, LastValidBlockHeight: intent.LastValidBlockHeight, Heights: d.node,
	})
	open := wiretest.As[*walletfi.OutcomeUnknownError](t, err)
	require.Equal(t, signed.Signature, open.Signature)
	require.Greater(t, d.Ledger().BlockHeight(), intent.LastValidBlockHeight)
	require.Greater(t, f.asked, 2)
	require.Less(t, f.asked, 10)
}

// TestOrderModes: a spot order is done with its transaction; one of a market's
// token goes on after it.
func TestOrderModes(t *testing.T) {
	d, f := followed(t, 200*time.Millisecond)
	d.Advance(time.Second)
	order := func(to string, slippage walletfi.Slippage) (*swap.Order, string) {
		built, err := d.swap.BuildOrder(t.Context(), swap.OrderRequest{
			Owner:     d.me,
			InputMint: d.Mint("USDC"), OutputMint: to, Amount: 10_000_000, PredictionMarketSlippage: slippage,
		})
		require.NoError(t, err)
		return built, flows.Land(t, d.Sandbox, built.Unsigned())[0]
	}
	spot, signature := order(d.Mint("USDT"), walletfi.Slippage{})
	require.Equal(t, swap.ExecutionSync, spot.ExecutionMode)
	require.False(t, spot.ExecutionMode.Polled())
	d.Advance(time.Second)
	status, err := d.swap.GetOrderStatus(t.Context(), swap.OrderStatusRequest{Signature: signature})
	require.NoError(t, err)
	require.Equal(t, swap.OrderClosed, status.Status)
	require.Equal(t, spot.OutAmount, status.OutAmount)
	require.Equal(t, signature, status.Fills[0].Signature)

	tokens, err := d.swap.ListTokensWithDecimals(t.Context())
	require.NoError(t, err)
	at := slices.IndexFunc(tokens.Items, func(t swap.Token) bool { return strings.HasSuffix(t.Symbol, "-YES") })
	require.GreaterOrEqual(t, at, 0)
	bet, signature := order(tokens.Items[at].Mint, walletfi.SlippageBps(3000))
	require.True(t, bet.ExecutionMode.Polled(), bet.ExecutionMode)
	require.Equal(t, []walletfi.Asset{{Mint: tokens.Items[at].Mint, Amount: bet.MinOutAmount}}, bet.Unsigned().Intent.Receive)
	require.NotNil(t, bet.Unsigned().Intent.ReceiveAfter, "the proceeds come later")
	f.seen = nil
	status, err = d.wait(t, swap.WaitOrderRequest{Signature: signature, LastValidBlockHeight: bet.LastValidBlockHeight, Heights: d.node})
	require.NoError(t, err)
	require.Equal(t, "closed", f.seen[len(f.seen)-1])
	require.Contains(t, f.seen, "open")
	require.GreaterOrEqual(t, status.OutAmount, bet.MinOutAmount)
	in, out := filled(status)
	require.Equal(t, walletfi.Amount(10_000_000), in)
	require.Equal(t, status.OutAmount, out)
	require.Empty(t, d.Violations())
}

// TestSubmitIntentAnswerLost: whatever happened to the answer, the order is
// executed once.
func TestSubmitIntentAnswerLost(t *testing.T) {
	route := sandbox.Route{Service: sandbox.Swap, Method: "POST", Pattern: "/submit-intent"}
	for name, row := range map[string]struct {
		fault     sandbox.Fault
		submits   int
		recovered bool
	}{
		"carried out, then reset":         {sandbox.Fault{Handled: true, Reset: true}, 1, true},
		"carried out, then 500":           {sandbox.Fault{Handled: true, Status: 500}, 1, true},
		"carried out, answered garbage":   {sandbox.Fault{Garbage: true}, 1, true},
		"carried out, half an answer":     {sandbox.Fault{Truncate: 20}, 1, true},
		"reset before it was carried out": {sandbox.Fault{Reset: true, Times: 1}, 2, false},
		"503 before it was carried out":   {sandbox.Fault{Status: 503, Times: 2}, 3, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, deskConfig{sandbox: stillMarket, swap: swap.Config{Options: walletfi.Options{
				Retry: walletfi.RetryPolicy{MinWait: time.Millisecond, MaxWait: time.Millisecond},
			}}})
			before := d.held("USDC")
			intent, signed := d.intent(t, "USDT", 3_000_000, 50)
			d.Fault(route, row.fault)
			submitted, err := d.swap.SubmitIntent(t.Context(), swap.SubmitIntentRequest{Transaction: signed.Transaction, Intent: intent})
			require.NoError(t, err)
			require.Equal(t, row.recovered, submitted.Recovered)
			require.Equal(t, signed.Signature, submitted.OpenSignature)
			require.Equal(t, row.submits, d.hits(sandbox.Swap, "POST", "/submit-intent"))
			require.GreaterOrEqual(t, d.hits(sandbox.Swap, "GET", "/order-status"), 1, "asked before anything is sent again")
			if row.recovered {
				require.Equal(t, swap.OrderOpen, submitted.Status)
				require.Empty(t, submitted.OrderID)
			} else {
				require.Equal(t, swap.OrderSubmitted, submitted.Status)
				require.NotEmpty(t, submitted.OrderID)
			}
			d.Advance(10 * time.Second)
			require.Equal(t, before-3_000_000, d.held("USDC"), "once")
			status, err := d.wait(t, swap.WaitOrderRequest{Signature: submitted.OpenSignature})
			require.NoError(t, err)
			require.Equal(t, uint64(status.OutAmount), d.held("USDT"))
			require.Empty(t, d.Violations())
		})
	}
}

// TestSubmitIntentNobodyTells: neither the submit nor the question is answered.
func TestSubmitIntentNobodyTells(t *testing.T) {
	d := newDesk(t, deskConfig{sandbox: stillMarket, swap: swap.Config{Options: walletfi.Options{
		Retry: walletfi.RetryPolicy{MinWait: time.Millisecond, MaxWait: time.Millisecond},
	}}})
	before := d.held("USDC")
	intent, signed := d.intent(t, "USDT", 3_000_000, 50)
	d.Fault(sandbox.Route{Service: sandbox.Swap, Pattern: "/submit-intent"}, sandbox.Fault{Handled: true, Reset: true})
	d.Fault(sandbox.Route{Service: sandbox.Swap, Pattern: "/order-status"}, sandbox.Fault{Status: 500})
	_, err := d.swap.SubmitIntent(t.Context(), swap.SubmitIntentRequest{Transaction: signed.Transaction, Intent: intent})
	open := wiretest.As[*walletfi.OutcomeUnknownError](t, err)
	require.Equal(t, signed.Signature, open.Signature)
	require.Equal(t, 1, d.hits(sandbox.Swap, "POST", "/submit-intent"))
	require.Equal(t, before-3_000_000, d.held("USDC"), "it was carried out, which nobody could know")
}
