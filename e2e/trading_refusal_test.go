package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
)

var noRetry = walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}}

// nowhere is the address of nothing that can be traded.
func (d *desk) nowhere() string { return d.ProgramID(sandbox.Webhooks) }

func TestSwapStarts(t *testing.T) {
	d := newDesk(t, deskConfig{sandbox: stillMarket, swap: swap.Config{Options: noRetry}})
	d.Swap().SetInitializing(true)
	_, err := d.swap.ListVenues(t.Context())
	require.ErrorIs(t, err, walletfi.ErrUnavailable)
	require.True(t, swap.Starting(err))
	d.Swap().SetInitializing(false)
	require.NoError(t, wiretest.Error(d.swap.ListVenues(t.Context())))
}

// TestSwapStartsMeanwhile: reads and a submit outlast the start, the submit is
// carried out once.
func TestSwapStartsMeanwhile(t *testing.T) {
	var d *desk
	starting := 0 // answers until it is up
	options := walletfi.Options{
		Retry: walletfi.RetryPolicy{MinWait: time.Millisecond, MaxWait: time.Millisecond},
		Observer: observe.OnAttempt(func(context.Context, observe.Attempt, observe.AttemptEnd) {
			if starting--; starting == 0 {
				d.Swap().SetInitializing(false)
			}
		}),
	}
	d = newDesk(t, deskConfig{sandbox: stillMarket, swap: swap.Config{Options: options}})
	intent, signed := d.intent(t, "USDT", 3_000_000, 50)
	before := d.held("USDC")

	d.Swap().SetInitializing(true)
	starting = 3
	require.NoError(t, wiretest.Error(d.swap.ListTokens(t.Context())))
	require.Equal(t, 4, d.hits(sandbox.Swap, "GET", "/tokens"))

	d.Swap().SetInitializing(true)
	starting = 1
	submitted, err := d.swap.SubmitIntent(t.Context(), swap.SubmitIntentRequest{Transaction: signed.Transaction, Intent: intent})
	require.NoError(t, err)
	require.False(t, submitted.Recovered)
	require.Equal(t, 2, d.hits(sandbox.Swap, "POST", "/submit-intent"))
	require.Equal(t, 1, d.hits(sandbox.Swap, "GET", "/order-status"), "asked before it went again")
	require.Equal(t, before-3_000_000, d.held("USDC"))
}

// TestSwapEchoIsGuarded: what goes back is the service's bytes, whatever the
// typed fields were set to, and the service refuses it with a byte changed.
func TestSwapEchoIsGuarded(t *testing.T) {
	d := newDesk(t, deskConfig{sandbox: stillMarket})
	for range 2 { // in both of the sandbox's disguises
		quote, err := d.swap.GetQuote(t.Context(), swap.QuoteRequest{InputMint: d.Mint("USDC"), OutputMint: d.Mint("USDT"), Amount: 1_000_000, Slippage: walletfi.AutoSlippage()})
		require.NoError(t, err)
		quote.OutAmount, quote.RoutePlan = 1, nil
		request := swap.BuildRequest{Owner: d.me, Quote: quote}
		require.NoError(t, wiretest.Error(d.swap.BuildSwap(t.Context(), request)))
		require.Empty(t, d.violated())

		at := bytes.Index(quote.Raw, []byte(`"ratio"`))
		require.Positive(t, at)
		quote.Raw[at+1] = 'R'
		require.ErrorIs(t, wiretest.Error(d.swap.BuildSwap(t.Context(), request)), walletfi.ErrInvalidRequest)
		_, err = d.swap.BuildSwapInstructions(t.Context(), request)
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
		quote.Raw[at+1] = 'r'

		intent, signed := d.intent(t, "USDT", 1_000_000, 50)
		at = bytes.Index(intent.Raw, []byte(`"ratio"`))
		intent.Raw[at+1] = 'R'
		_, err = d.swap.SubmitIntent(t.Context(), swap.SubmitIntentRequest{Transaction: signed.Transaction, Intent: intent})
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
		require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Len(t, d.violated(), 3)
	}
}

func TestSwapFreshness(t *testing.T) {
	limit, err := walletfi.NewDecimal("0.5")
	require.NoError(t, err)
	d := newDesk(t, deskConfig{sandbox: stillMarket, swap: swap.Config{Freshness: swap.Freshness{MaxAge: time.Minute, MaxPriceImpactPct: limit}}})
	quote := func(amount walletfi.Amount) *swap.Quote {
		q, err := d.swap.GetQuote(t.Context(), swap.QuoteRequest{InputMint: d.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: amount})
		require.NoError(t, err)
		return q
	}
	_, err = d.swap.BuildSwap(t.Context(), swap.BuildRequest{Owner: d.me, Quote: quote(1_000_000)})
	require.NoError(t, err)
	built := d.hits(sandbox.Swap, "POST", "/swap")
	_, err = d.swap.BuildSwap(t.Context(), swap.BuildRequest{Owner: d.me, Quote: quote(900_000_000_000)})
	require.ErrorIs(t, err, swap.ErrPriceImpact)
	old := quote(1_000_000)
	old.ReceivedAt = old.ReceivedAt.Add(-2 * time.Minute)
	_, err = d.swap.BuildSwap(t.Context(), swap.BuildRequest{Owner: d.me, Quote: old})
	require.ErrorIs(t, err, swap.ErrQuoteTooOld)
	require.Equal(t, built, d.hits(sandbox.Swap, "POST", "/swap"), "neither was sent")
	_, err = d.swap.BuildOrder(t.Context(), swap.OrderRequest{Owner: d.me, InputMint: d.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 900_000_000_000})
	require.ErrorIs(t, err, swap.ErrPriceImpact)
}

func (d *desk) ammQuote(t *testing.T, exactOut bool, version amm.TxVersion) *amm.Quote {
	t.Helper()
	request := amm.QuoteRequest{InputMint: d.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 5_000_000, Slippage: walletfi.SlippageBps(50), TxVersion: version}
	ask := d.amm.QuoteBaseIn
	if exactOut {
		ask = d.amm.QuoteBaseOut
	}
	quote, err := ask(t.Context(), request)
	require.NoError(t, err)
	return quote
}

// TestAMMQuoteKeepsItsKind: each quote is built by its own route in its own
// format, and the service refuses what a client without that would send.
func TestAMMQuoteKeepsItsKind(t *testing.T) {
	d := newDesk(t, deskConfig{sandbox: stillMarket})
	wrong := map[bool]string{true: "/transaction/swap-base-in", false: "/transaction/swap-base-out"}
	right := map[bool]string{false: wrong[true], true: wrong[false]}
	for _, exactOut := range []bool{true, false} {
		for version, other := range map[amm.TxVersion]amm.TxVersion{amm.TxVersionV0: amm.TxVersionLegacy, amm.TxVersionLegacy: amm.TxVersionV0} {
			quote := d.ammQuote(t, exactOut, version)
			before, strayed := d.hits(sandbox.AMM, "POST", right[exactOut]), d.hits(sandbox.AMM, "POST", wrong[exactOut])
			built, err := d.amm.BuildSwap(t.Context(), amm.BuildRequest{Quote: quote, Owner: d.me})
			require.NoError(t, err)
			require.Equal(t, before+1, d.hits(sandbox.AMM, "POST", right[exactOut]))
			require.Equal(t, strayed, d.hits(sandbox.AMM, "POST", wrong[exactOut]))
			tx, err := signing.Decode(built.Transactions[0])
			require.NoError(t, err)
			require.Equal(t, version == amm.TxVersionLegacy, tx.Version() == signing.Legacy)
			require.Empty(t, d.violated())

			require.Equal(t, http.StatusBadRequest, d.ammPost(t, wrong[exactOut], quote.SwapResponse(), version))
			require.Equal(t, http.StatusBadRequest, d.ammPost(t, right[exactOut], quote.SwapResponse(), other))
			changed := bytes.Replace(quote.SwapResponse(), []byte(`"ratio"`), []byte(`"Ratio"`), 1)
			require.Equal(t, http.StatusBadRequest, d.ammPost(t, right[exactOut], changed, version))
			require.Len(t, d.violated(), 3)
			require.Equal(t, http.StatusOK, d.ammPost(t, right[exactOut], quote.SwapResponse(), version))
		}
	}
}

// ammPost builds by hand, as no client of ours would.
func (d *desk) ammPost(t *testing.T, path string, quote walletfi.Document, version amm.TxVersion) int {
	t.Helper()
	body := `{"swapResponse":` + string(quote) + `,"wallet":"` + d.me + `","txVersion":"` + string(version) + `"}`
	resp, err := http.Post(d.URL(sandbox.AMM)+path, "application/json", bytes.NewReader([]byte(body)))
	require.NoError(t, err)
	resp.Body.Close()
	return resp.StatusCode
}

// TestAMMWholeEnvelope: a deployment wants a quote's data or its whole answer,
// and the switch of the client says which it is sent.
func TestAMMWholeEnvelope(t *testing.T) {
	for _, wants := range []bool{false, true} {
		for _, sends := range []bool{false, true} {
			d := newDesk(t, deskConfig{sandbox: stillMarket, amm: amm.Config{EchoEnvelope: sends}})
			d.AMM().SetWholeEnvelope(wants)
			for _, exactOut := range []bool{false, true} {
				quote := d.ammQuote(t, exactOut, amm.TxVersionV0)
				var envelope struct{ Success *bool }
				require.NoError(t, json.Unmarshal(quote.SwapResponse(), &envelope))
				require.Equal(t, sends, envelope.Success != nil)
				built, err := d.amm.BuildSwap(t.Context(), amm.BuildRequest{Quote: quote, Owner: d.me, MaxSpend: 10_000_000})
				if wants != sends {
					refused := wiretest.As[*amm.Error](t, err)
					require.Contains(t, refused.Message, "envelope")
					require.Len(t, d.violated(), 1)
					continue
				}
				require.NoError(t, err)
				lamports := d.Ledger().Balance(d.me)
				if exactOut {
					require.NoError(t, d.Ledger().FundToken(d.me, d.Mint("USDC"), uint64(quote.OtherAmountThreshold)))
				}
				flows.Land(t, d.Sandbox, built.Unsigned())
				require.NotEqual(t, lamports, d.Ledger().Balance(d.me))
				require.Empty(t, d.violated())
			}
		}
	}
}

// TestAMMReasons meets each documented message under both HTTP statuses.
func TestAMMReasons(t *testing.T) {
	d := newDesk(t, deskConfig{sandbox: stillMarket})
	request := amm.QuoteRequest{InputMint: d.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 50_000_000, Slippage: walletfi.SlippageBps(10)}
	pushed, err := d.amm.QuoteBaseIn(t.Context(), request)
	require.NoError(t, err)
	request.Amount = 500_000_000_000 // more than there is in the wallet
	dear, err := d.amm.QuoteBaseIn(t.Context(), request)
	require.NoError(t, err)
	require.NotEqual(t, 0, dear.PriceImpactPct.Sign())
	for want, fail := range map[error]func() error{
		amm.ErrNoRoute: func() error {
			_, err := d.amm.QuoteBaseOut(t.Context(), amm.QuoteRequest{InputMint: d.Mint("USDC"), OutputMint: d.Mint("SOL"), Amount: 1 << 62, Slippage: walletfi.SlippageBps(0)})
			return err
		},
		amm.ErrInvalidMint: func() error {
			_, err := d.amm.QuoteBaseIn(t.Context(), amm.QuoteRequest{InputMint: d.nowhere(), OutputMint: d.Mint("SOL"), Amount: 1, Slippage: walletfi.SlippageBps(0)})
			return err
		},
		amm.ErrSimulationFailed: func() error {
			_, err := d.amm.BuildSwap(t.Context(), amm.BuildRequest{Quote: dear, Owner: d.me})
			return err
		},
	} {
		requireReason(t, want, fail)
	}
	d.push(t, "USDC", "SOL", 300_000_000_000, "atlas")
	requireReason(t, amm.ErrSlippageExceeded, func() error {
		_, err := d.amm.BuildSwap(t.Context(), amm.BuildRequest{Quote: pushed, Owner: d.me})
		return err
	})
}

func requireReason(t *testing.T, want error, fail func() error) {
	t.Helper()
	statuses := map[int]bool{}
	for range 2 {
		err := fail()
		require.ErrorIs(t, err, want)
		refused := wiretest.As[*amm.Error](t, err)
		require.NotEmpty(t, refused.ID)
		require.NotEmpty(t, refused.Message)
		statuses[refused.Response.StatusCode] = true
	}
	require.Equal(t, map[int]bool{200: true, 400: true}, statuses, want)
}

// TestAMMFeeMeetsTheBuild pays what auto-fee recommends.
func TestAMMFeeMeetsTheBuild(t *testing.T) {
	d := newDesk(t, deskConfig{sandbox: stillMarket})
	fee, err := d.amm.GetAutoFee(t.Context())
	require.NoError(t, err)
	paid := map[uint64]uint64{}
	for _, price := range []uint64{0, fee.Default.VeryHigh} {
		built, err := d.amm.BuildSwap(t.Context(), amm.BuildRequest{
			Quote: d.ammQuote(t, false, amm.TxVersionV0), Owner: d.me, ComputeUnitPriceMicroLamports: new(price),
		})
		require.NoError(t, err)
		signature := flows.Land(t, d.Sandbox, built.Unsigned())[0]
		paid[price] = d.Ledger().TransactionStatus(signature).Fee
	}
	require.EqualValues(t, 5000, paid[0])
	require.Greater(t, paid[fee.Default.VeryHigh], paid[0])
}

// TestProviderSwapGatewayErrors: a gateway's page and a JSON text are the same
// typed error.
func TestProviderSwapGatewayErrors(t *testing.T) {
	d := newDesk(t, deskConfig{sandbox: stillMarket})
	request := providerswap.QuoteRequest{InputMint: d.nowhere(), OutputMint: d.Mint("USDC"), Amount: 1, Slippage: walletfi.SlippageBps(0)}
	stranger, err := providerswap.New(providerswap.Config{BaseURL: d.URL(sandbox.ProviderSwap) + "/api/v1/", APIKey: walletfi.NewSecret("nobody's"), Options: noRetry})
	require.NoError(t, err)
	for form, message := range map[string]string{
		sandbox.ProviderSwapErrorsJSON: "unknown input token", sandbox.ProviderSwapErrorsHTML: "", "in turn": "unknown input token",
	} {
		d.ProviderSwap().SetErrors(form)
		_, err := d.provider.GetQuote(t.Context(), request)
		refused := wiretest.As[*walletfi.ResponseError](t, err, form)
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
		require.Equal(t, 400, refused.StatusCode)
		require.Equal(t, message, refused.Message)
		require.Equal(t, form == sandbox.ProviderSwapErrorsHTML, bytes.HasPrefix(refused.Body, []byte("<html>")))
		require.NotContains(t, err.Error(), "<")

		_, err = d.provider.BuildSwapV1(t.Context(), providerswap.BuildV1Request{Owner: d.me, MinReceive: 1, QuoteV1Request: providerswap.QuoteV1Request{
			Provider: "nobody", QuotesV1Request: providerswap.QuotesV1Request{InputMint: d.Mint("USDC"), OutputMint: d.Mint("SOL"), Amount: 1, Slippage: walletfi.SlippageBps(0)},
		}})
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
		_, err = stranger.GetQuote(t.Context(), request)
		require.ErrorIs(t, err, walletfi.ErrUnauthorized)
		require.NotContains(t, err.Error(), "nobody's")

		remove := d.Fault(sandbox.Route{Service: sandbox.ProviderSwap}, sandbox.Fault{Status: 502, Times: 1})
		request := providerswap.QuoteRequest{InputMint: d.Mint("USDC"), OutputMint: d.Mint("USDC"), Amount: 1_000_000, Slippage: walletfi.SlippageBps(providerswap.StableSlippageMin)}
		quote, err := d.provider.GetQuote(t.Context(), request)
		require.NoError(t, err, "a read is repeated, and the same mint on both sides is not refused")
		require.NotZero(t, quote.OutAmount)
		remove()
	}
	require.Empty(t, d.violated())
}

// TestProviderSwapBundleAnswerLost: the wallet sends through the bundle route,
// whose answers are lost, and knows by the signature that it landed once.
func TestProviderSwapBundleAnswerLost(t *testing.T) {
	for name, fault := range map[string]sandbox.Fault{
		"reset": {Handled: true, Reset: true}, "a gateway's 504": {Handled: true, Status: 504, Body: []byte("<html>")}, "garbage": {Garbage: true},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, deskConfig{sandbox: stillMarket})
			built := trades["providerswap"](t, d)
			d.Fault(sandbox.Route{Service: sandbox.ProviderSwap, Pattern: "/api/v1/swap/bundle"}, fault)
			before := d.held("USDC")
			result, err := d.through(t, d.provider).Execute(t.Context(), built, wallet.ExecuteOptions{})
			require.NoError(t, err)
			require.True(t, result.Confirmed())
			require.Equal(t, before-50_000_000, d.held("USDC"), "once")
			require.Empty(t, d.violated(), "escaped exactly, each time")
		})
	}
}

// TestProviderSwapGasless: a wallet without a lamport swaps, once the caller
// names the sponsor.
func TestProviderSwapGasless(t *testing.T) {
	d := newDesk(t, deskConfig{sandbox: stillMarket})
	poor, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	owner := poor.PublicKey().String()
	require.NoError(t, d.Ledger().FundToken(owner, d.Mint("USDC"), 5_000_000))
	request := providerswap.BuildV1Request{Owner: owner, MinReceive: 1, Gasless: new(true), QuoteV1Request: providerswap.QuoteV1Request{
		Provider: "atlas", QuotesV1Request: providerswap.QuotesV1Request{
			InputMint: d.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 5_000_000, Slippage: walletfi.SlippageBps(50),
		},
	}}
	built, err := d.provider.BuildSwapV1(t.Context(), request)
	require.NoError(t, err)
	tx, err := signing.Decode(built.Transaction)
	require.NoError(t, err)
	w, err := wallet.New(wallet.Config{
		Signer: poor, Guard: signing.NewGuard(flows.Policy(d.Sandbox)), Submitter: d.node, Confirmer: d.node, Heights: d.node,
	})
	require.NoError(t, err)
	_, err = w.Execute(t.Context(), built.Unsigned(), wallet.ExecuteOptions{})
	require.ErrorIs(t, err, signing.ErrRefused, "nobody named the fee payer")

	request.Sponsor = tx.FeePayer().String()
	require.NotEqual(t, owner, request.Sponsor)
	built, err = d.provider.BuildSwapV1(t.Context(), request)
	require.NoError(t, err)
	result, err := w.Execute(t.Context(), built.Unsigned(), wallet.ExecuteOptions{})
	require.NoError(t, err)
	require.True(t, result.Confirmed())
	require.Greater(t, d.Ledger().Balance(owner), uint64(30_000_000))
	require.Zero(t, d.Ledger().TokenBalance(owner, d.Mint("USDC")))
}
