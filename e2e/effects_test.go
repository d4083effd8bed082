package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
)

// effective is a wallet on the sandbox that tells effects, of a node whose answers to
// getTransaction go through change.
func (d *desk) effective(t *testing.T, change func(answer map[string]any)) *wallet.Wallet {
	t.Helper()
	key, err := signing.NewLocalKey(d.Wallet())
	require.NoError(t, err)
	node, err := rpcnode.New(rpcnode.Config{
		URL: walletfi.NewSecret(d.URL(sandbox.RPC)), HTTPClient: &http.Client{Transport: liar{change}}, Clock: d.Options().Clock,
	})
	require.NoError(t, err)
	w, err := wallet.New(wallet.Config{
		Signer: key, Guard: signing.NewGuard(flows.Policy(d.Sandbox)),
		Node: node, Clock: d.Options().Clock,
	})
	require.NoError(t, err)
	return w
}

// liar changes answers to getTransaction.
type liar struct{ change func(map[string]any) }

func (l liar) RoundTrip(r *http.Request) (*http.Response, error) {
	asked, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(asked))
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || l.change == nil || !bytes.Contains(asked, []byte("getTransaction")) {
		return resp, err
	}
	defer resp.Body.Close()
	var answer map[string]any
	decoder := json.NewDecoder(resp.Body)
	decoder.UseNumber()
	if err := decoder.Decode(&answer); err != nil {
		return nil, err
	}
	if result, ok := answer["result"].(map[string]any); ok {
		l.change(result)
	}
	body, err := json.Marshal(answer)
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return resp, err
}

// trade swaps and returns the step. The clock goes on meanwhile.
func (d *desk) trade(t *testing.T, w *wallet.Wallet, from, to string, amount walletfi.Amount) wallet.Step {
	t.Helper()
	quote, err := d.swap.GetQuote(t.Context(), swap.QuoteRequest{InputMint: from, OutputMint: to, Amount: amount, Slippage: walletfi.SlippageBps(300)})
	require.NoError(t, err)
	built, err := d.swap.BuildSwap(t.Context(), swap.BuildRequest{Owner: d.me, Quote: quote})
	require.NoError(t, err)
	ended := make(chan error, 1)
	var result *wallet.Result
	walletfi.Go(t.Context(), d.Options().Clock, func(ctx context.Context) {
		var err error
		result, err = w.Execute(ctx, built.Unsigned(), wallet.ExecuteOptions{})
		ended <- err
	})
	require.NoError(t, d.AdvanceUntil(t.Context(), time.Hour, func() bool { return len(ended) > 0 }))
	require.NoError(t, <-ended)
	require.Len(t, result.Steps, 1)
	return result.Steps[0]
}

// TestEffectsAreTheLedgers: whatever is traded, the effects are the difference of the
// ledger's balances, to the last unit: native SOL, a token account that is opened,
// Token-2022 with a fee, and addresses from lookup tables.
func TestEffectsAreTheLedgers(t *testing.T) {
	d := newDesk(t, deskConfig{sandbox: sandbox.Config{ManualClock: true, NoLimits: true}})
	w := d.effective(t, nil)
	ledger, mints := d.Ledger(), map[string]string{"SOL": walletfi.NativeMint, "USDC": d.Mint("USDC"), "TAXED": d.Mint("TAXED"), "USDT": d.Mint("USDT"), "DUST": d.Mint("DUST")}
	for _, pair := range [][2]string{{"USDC", "SOL"}, {"SOL", "USDC"}, {"USDC", "USDT"}, {"USDC", "TAXED"}, {"TAXED", "USDC"}, {"USDC", "DUST"}} {
		before, lamports := map[string]uint64{}, ledger.Balance(d.me)
		for _, mint := range mints {
			before[mint] = ledger.TokenBalance(d.me, mint)
		}
		step := d.trade(t, w, mints[pair[0]], mints[pair[1]], 2_000_000)
		require.NoError(t, step.EffectsErr, "%v", pair)
		require.NotNil(t, step.Effects)
		paid := step.Effects.Lamport(d.me)
		require.Equal(t, int64(ledger.Balance(d.me))-int64(lamports), int64(paid.After)-int64(paid.Before), "%v", pair)
		require.Positive(t, step.Effects.Fee)
		changed := 0
		for _, mint := range mints {
			now, told := ledger.TokenBalance(d.me, mint), step.Effects.Token(d.me, mint)
			require.Equal(t, int64(now)-int64(before[mint]), int64(told.After)-int64(told.Before), "%v", pair)
			if now != before[mint] {
				changed++
			}
		}
		require.Positive(t, changed, "%v", pair)
		require.Len(t, step.Effects.Tokens, changed, "the owner's alone")
	}
	require.Empty(t, d.Violations())
}

// TestEffectsOfANodeThatErrs: the payment is confirmed, and its effects unknown.
func TestEffectsOfANodeThatErrs(t *testing.T) {
	d := newDesk(t, deskConfig{sandbox: sandbox.Config{ManualClock: true, NoLimits: true}})
	meta := func(change func(meta map[string]any)) func(map[string]any) {
		return func(answer map[string]any) { change(answer["meta"].(map[string]any)) }
	}
	loaded := false
	for name, change := range map[string]func(map[string]any){
		"no metadata": func(a map[string]any) { a["meta"] = nil },
		"no loaded addresses": meta(func(m map[string]any) {
			loaded = loaded || len(m["loadedAddresses"].(map[string]any)["writable"].([]any)) > 0
			delete(m, "loadedAddresses")
		}),
		"no token balances": meta(func(m map[string]any) { m["postTokenBalances"] = nil }),
		"an account less": meta(func(m map[string]any) {
			m["preBalances"] = m["preBalances"].([]any)[1:]
		}),
		"another slot": func(a map[string]any) { a["slot"] = json.Number("3") },
	} {
		step := d.trade(t, d.effective(t, change), d.Mint("USDC"), walletfi.NativeMint, 2_000_000)
		require.Equal(t, wallet.StateConfirmed, step.State, name)
		require.Nil(t, step.Effects, name)
		require.Error(t, step.EffectsErr, name)
	}
	require.True(t, loaded, "the trade loads addresses from a table")
}
