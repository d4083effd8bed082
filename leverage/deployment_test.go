package leverage_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/leverage"
)

// madeUp is a deployment that names its relay in paths, keys and headers.
var madeUp = wiretest.Words{
	Headers:  map[string]string{"x-api-key": "x-acme-key"},
	Segments: map[string]string{"bundle": "acme-pack", "tip": "acme-tip", "increase-borrow": "borrow-more"},
	Query:    map[string]string{"owner": "trader", "eventType": "event"},
	Keys: map[string]string{
		"mevProtect": "acmeOnly", "tipLamports": "acmeTip", "relayTipLamports": "acmeTipLamports", "bundleId": "packId",
		"success": "worked", "message": "reason", "transaction": "tx", "transactions": "txs", "positions": "holdings",
		"address": "at", "data": "inner",
	},
	Values: map[string]map[string]string{"status": {"EXECUTED": "LIVE"}, "eventType": {"LIQUIDATION": "REKT"}},
}

// speaker is a client of a server that answers in live words, and the server.
func speaker(t *testing.T, status int, reply string) (*leverage.Client, *wiretest.Server) {
	t.Helper()
	server := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, reply)
	})
	c, err := leverage.New(leverage.Config{
		BaseURL: server.URL, APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{Deployment: madeUp.Of("leverage"), Retry: walletfi.RetryPolicy{MaxRetries: new(0)}},
	})
	require.NoError(t, err)
	return c, server
}

// TestDeploymentOfBundles: paths, the protection that must not be lost on the
// way, and the names under which the relay answers.
func TestDeploymentOfBundles(t *testing.T) {
	c, server := speaker(t, 200, `{"acmeTip":10000}`)
	tip, err := c.GetBundleTip(t.Context())
	require.NoError(t, err)
	require.Equal(t, walletfi.Amount(10_000), tip.TipLamports)
	sent := server.Requests()[0]
	require.Equal(t, "/api/v1/acme-pack/acme-tip", sent.Target)
	require.Equal(t, "k-123456", sent.Header.Get("x-acme-key"))
	require.Empty(t, sent.Header.Get("x-api-key"))

	c, server = speaker(t, 200, `{"inner":{"signature":"S9"}}`)
	one, err := c.SendTransaction(t.Context(), leverage.SendRequest{Transaction: signedTransaction(), MEVProtect: new(false)})
	require.NoError(t, err)
	require.Equal(t, "/api/v1/acme-pack/submit", server.Requests()[0].Target)
	require.Equal(t, `{"tx":"`+string(signedTransaction())+`","acmeOnly":false}`, server.Requests()[0].Body)
	require.NotEmpty(t, one.Signature)

	c, server = speaker(t, 200, `{"inner":{"packId":"b-7"}}`)
	both, err := c.SendBundle(t.Context(), []walletfi.Base58Transaction{signedTransaction(), transactionSigned(8)})
	require.NoError(t, err)
	require.Equal(t, "b-7", both.BundleID)
	require.Equal(t, "/api/v1/acme-pack", server.Requests()[0].Target)
	require.Equal(t, `{"txs":["`+string(signedTransaction())+`","`+string(transactionSigned(8))+`"]}`, server.Requests()[0].Body)
}

// TestDeploymentOfRefusedRelays: a no under 200 is one in any words, and the
// outcome of what was relayed is not known.
func TestDeploymentOfRefusedRelays(t *testing.T) {
	const reply = `{"worked":false,"reason":"tip below the floor"}`
	c, _ := speaker(t, 200, reply)
	_, err := c.SendTransaction(t.Context(), leverage.SendRequest{Transaction: signedTransaction()})
	require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	_, err = c.GetBundleTip(t.Context())
	require.ErrorIs(t, err, walletfi.ErrRejected)
	refused := wiretest.As[*walletfi.ResponseError](t, err)
	require.Equal(t, "tip below the floor", refused.Message)
	require.Equal(t, reply, string(refused.Body), "as it came")

	c, _ = speaker(t, 400, reply)
	_, err = c.GetBundleTip(t.Context())
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "tip below the floor", refused.Message)
}

func TestDeploymentOfBuilders(t *testing.T) {
	c, server := speaker(t, 200, `{"tx":"2VfUX","lastValidBlockHeight":7}`)
	built, err := c.BuildOpen(t.Context(), leverage.OpenRequest{
		QuoteRequest: leverage.QuoteRequest{Offer: "Q1111111111111111111111111111111", Owner: "W1", CollateralAmount: maxAmount, Leverage: wiretest.Decimal(t, "2.50"), Slippage: walletfi.SlippageBps(0)},
		TipLamports:  5,
	})
	require.NoError(t, err)
	require.Equal(t, walletfi.Base58Transaction("2VfUX"), built.Transaction)
	require.Equal(t, `{"offerPublicKey":"Q1111111111111111111111111111111","userPublicKey":"W1","collateralAmount":"18446744073709551615","leverage":2.50,"slippageBps":0,"acmeTipLamports":5}`,
		server.Requests()[0].Body, "no figure changes")

	c, server = speaker(t, 200, `{"transaction":"2VfUX","lastValidBlockHeight":7}`)
	_, err = c.BuildIncreaseBorrow(t.Context(), leverage.IncreaseBorrowRequest{Position: "P1111111111111111111111111111111", Owner: "W1", AdditionalBorrowAmount: 1, Mode: leverage.BorrowCompound, Slippage: walletfi.SlippageBps(0)})
	require.NoError(t, err, "what comes in the documented words is read all the same")
	require.Equal(t, "/api/v1/positions/borrow-more", server.Requests()[0].Target)

	c, _ = speaker(t, 200, `{"lastValidBlockHeight":7}`)
	_, err = c.BuildSplit(t.Context(), leverage.SplitRequest{Position: "P1111111111111111111111111111111", Owner: "W1", SplitRatioBps: 1})
	require.ErrorIs(t, err, walletfi.ErrDecode)
	require.ErrorContains(t, err, "transaction", "named as documented")
}

func TestDeploymentOfLists(t *testing.T) {
	live := strings.NewReplacer(`"positions":`, `"holdings":`, `"address":`, `"at":`, `"EXECUTED"`, `"LIVE"`).Replace(wiretest.File(t, "ListPositions.json"))
	c, server := speaker(t, 200, live)
	page, err := c.ListPositions(t.Context(), leverage.PositionsRequest{Owner: "positions", Status: leverage.StatusExecuted})
	require.NoError(t, err)
	require.Equal(t, "/api/v1/positions?status=LIVE&trader=positions", server.Requests()[0].Target)
	require.Len(t, page.Items, 2)
	require.Equal(t, "P1111111111111111111111111111111", page.Items[0].Address)
	require.Equal(t, leverage.StatusExecuted, page.Items[0].Status)
	require.Equal(t, wiretest.Decimal(t, "-12.500000000000000001"), page.Items[0].UnrealizedPnLUSD)
	require.Equal(t, leverage.PositionStatus("FROZEN"), page.Items[1].Status)
	require.Equal(t, strings.TrimSpace(wiretest.File(t, "ListPositions.json")), page.Raw.String(), "in the words that it is restored with")
	require.Contains(t, page.Items[0].Raw.String(), `"address": "P1111111111111111111111111111111"`, "in the words that Decode is used with")

	const events = ` [{"eventType":"REKT","positionAddress":"P1111111111111111111111111111111"}] `
	c, server = speaker(t, 200, events)
	history, err := c.ListTradeHistory(t.Context(), leverage.TradeHistoryRequest{Owner: "W1", EventType: leverage.EventLiquidation})
	require.NoError(t, err)
	require.Equal(t, "/api/v1/positions/trade-history?event=REKT&trader=W1", server.Requests()[0].Target)
	require.Equal(t, leverage.EventLiquidation, history.Items[0].EventType)
	require.Equal(t, strings.TrimSpace(strings.Replace(events, "REKT", "LIQUIDATION", 1)), history.Raw.String())
}
