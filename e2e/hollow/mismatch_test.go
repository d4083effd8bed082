package hollow

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/sandbox"
)

// contradictions are members of calls' documented answers that repeat the request, with a
// value that was not asked for, and floors. Package e2e/echo has those of all calls.
var contradictions = map[string]map[string]any{
	"lending.GetReferrer":        {"referrer": "R9"},
	"lending.BuildReferrerClaim": {"claimAmount": 7},

	"lending.GetRates":    {"mint": "M9111111111111111111111111111111"},
	"lending.ListHistory": {"events.0.type": "withdraw"},

	"smartaccount.CreateAccount": {"name": "other", "type": "business"},
	"smartaccount.GetAccount":    {"id": "acc_9"},
	"smartaccount.CreateSession": {"publicKey": "K9111111111111111111111111111111", "name": "other", "permissions": []string{"everything"}, "expiresAt": "2199-01-01T00:00:00Z",
		"limits.perTransaction": "5000", "limits.allowedMints": []string{"M9"}},
	"smartaccount.CreatePolicy": {"type": "blocklist", "name": "other", "params.mint": "M9111111111111111111111111111111", "params.amount": "5000", "params.period": "hourly",
		"params.to": []string{"M9"}},
	"smartaccount.GetTransaction":   {"id": "tx_9"},
	"smartaccount.ListTransactions": {"offset": 9},
	"smartaccount.CreateDirectDebit": {"merchant": "X9111111111111111111111111111111", "merchantName": "other", "mint": "M9111111111111111111111111111111", "maxAmount": "5000", "frequency": "daily",
		"expiresAt": "2199-01-01T00:00:00Z"},
	"smartaccount.CreateSubscription": {"merchant": "X9111111111111111111111111111111", "merchantName": "other", "mint": "M9111111111111111111111111111111", "amount": "5000", "frequency": "daily",
		"startDate": "2026-02-02"},
	"smartaccount.PauseSubscription":  {"status": "active"},
	"smartaccount.ResumeSubscription": {"status": "paused"},

	"leverage.ListOffers":       {"0.side": "LONG", "0.quoteTokenAddress": "M9111111111111111111111111111111"},
	"leverage.ListPositions":    {"positions.0.status": "CLOSED"},
	"leverage.ListTradeHistory": {"events.0.owner": "W9", "events.0.positionAddress": "P9111111111111111111111111111111", "events.0.eventType": "CLOSE"},

	"predictmeta.GetEvent":             {"ticker": "T9"},
	"predictmeta.ListEvents":           {"events.0.status": "closed", "offset": 9},
	"predictmeta.GetForecast":          {"ticker": "T9"},
	"predictmeta.GetEventCandlesticks": {"ticker": "T9", "interval": "1m"},
	"predictmeta.GetMarket":            {"ticker": "T9"},
	"predictmeta.GetMarketByMint":      {"yes_mint,no_mint,ledger_mint": wiretest.Address(9)},
	"predictmeta.ListMarkets":          {"markets.0.event_ticker": "T9", "offset": 9},
	"predictmeta.BatchMarkets":         {"markets.0.ticker": "T9", "not_found.0": "T9"},
	"predictmeta.FilterOutcomeMints":   {"outcome_mints.0.mint": wiretest.Address(9), "non_outcome_mints.0": wiretest.Address(9)},
	"predictmeta.GetOrderBook":         {"ticker": "T9"},
	"predictmeta.ListTrades":           {"trades.0.side": "buy", "offset": 9},
	"predictmeta.ListTradesByMint":     {"trades.0.side": "buy", "offset": 9},
	"predictmeta.GetMilestones":        {"ticker": "T9"},
	"predictmeta.Search":               {"results.0.type": "event"},

	"swap.QuoteOrder": {"routePlan.0.inputMint": "M9", "routePlan.0.outputMint": "M9", "outAmount": "0", "minOutAmount": "8954"},
	"swap.BuildOrder": {"outAmount": "0", "minOutAmount": "8954", "prioritizationFeeLamports": 12_000_000},
	"swap.BuildSwap":  {"prioritizationFeeLamports": 12_000_000},
	"swap.GetQuote": {"inputMint": "M9", "outputMint": "M9", "inAmount": "999", "slippageBps": 51, "forBundle": true,
		"platformFee.feeBps": 99, "routePlan.0.inputMint": "M9", "routePlan.0.outputMint": "M9", "minOutAmount": "1",
		"otherAmountThreshold": "1"},
	"swap.SubmitIntent": {"openSignature": wiretest.Signature(8)},
	"swap.BuildIntent": {"inputMint": "M9", "outputMint": "M9", "inAmount": "999", "slippageBps": 51, "estimatedOutAmount": "0",
		"guaranteedOutAmount": "1"},
	"swap.BuildPredictionMarketInit": {"marketInfo.mint": "M9"},

	"amm.QuoteBaseIn": {"data.inputMint": "M9", "data.outputMint": "M9", "data.inAmount": "999",
		"data.outAmount": "0", "data.otherAmountThreshold": "1",
		"data.routePlan.0.inputMint": "M9", "data.routePlan.0.outputMint": "M9"},
	"amm.QuoteBaseOut": {"data.inputMint": "M9", "data.outputMint": "M9", "data.outAmount": "999",
		"data.otherAmountThreshold":  "18446744073709551615",
		"data.routePlan.0.inputMint": "M9", "data.routePlan.0.outputMint": "M9"},

	"providerswap.GetQuote":  {"srcAmountIn": "999", "destAmountOut": "0", "destAmountOutMin": "1"},
	"providerswap.BuildSwap": {"srcAmountIn": "999", "destAmountOut": "0", "destAmountOutMin": "1"},

	"burnclose.SendTransaction":      {"signature": wiretest.Signature(99)},
	"burnclose.SendBatch":            {"results.0.signature": wiretest.Signature(99)},
	"burnclose.GetTransactionStatus": {"signature": wiretest.Signature(99)},

	"onchaindata.GetToken": {"data.attributes.address": "M9"},
	"onchaindata.GetPool":  {"data.attributes.address": "M9"},

	"socialsearch.GetUserByUsername": {"data.username": "somebody_else"},
	"socialsearch.GetPost":           {"data.id": "999"},

	"webhooks.Create": {"name": "other", "network": "N9", "templateId": "evmContractEvents", "templateArgs.addresses": []string{"0x9"},
		"destination_url": "https://example.com/other", "enabled": true},
	"webhooks.Get": {"id": "wh_9"},
	"webhooks.Update": {"id": "wh_9", "name": "other", "network": "N9", "templateArgs.addresses": []string{"0x9"},
		"destination_url": "https://example.com/other", "enabled": true},
}

// TestMismatch alters each member of each call's documented answer that repeats
// the request. The call fails with ErrMismatch, names what was answered, and is
// not repeated. An answer without the member contradicts nothing.
func TestMismatch(t *testing.T) {
	left := maps.Clone(contradictions)
	members := 0
	for _, service := range sandbox.Services() {
		require.Contains(t, hollows, service, "no rows")
		rows := append(hollows[service](t), asking(service)...)
		for _, row := range rows {
			call, _, err := row.ask(t, 200, row.documented)
			name := string(service) + "." + call.Op
			if call.Echo == nil {
				require.NotContains(t, contradictions, name)
				continue
			}
			require.NoError(t, err, name)
			for path, other := range left[name] {
				altered := set(t, row.documented, path, other)
				_, sent, err := row.ask(t, 200, altered)
				if err == nil {
					continue // this row does not ask for it: another does
				}
				members++
				require.ErrorIs(t, err, walletfi.ErrMismatch, "%s %s: %s", name, path, altered)
				require.Equal(t, 1+row.more, sent, "%s is repeated", name)
				mismatch := wiretest.As[*walletfi.MismatchError](t, err)
				said, err2 := json.Marshal(other)
				require.NoError(t, err2)
				require.Contains(t, strings.ReplaceAll(err.Error(), `\"`, `"`), strings.Trim(string(said), `"`), "%s %s", name, path)
				require.NotEmpty(t, mismatch.Asked, "%s %s", name, path)

				_, _, err = row.ask(t, 200, set(t, row.documented, path, nil))
				require.NotErrorIs(t, err, walletfi.ErrMismatch, "%s without %s", name, path)
				left[name] = without(left[name], path)
			}
		}
	}
	for name, paths := range left {
		for path := range paths {
			t.Errorf("%s: %s may contradict the request", name, path)
		}
	}
	t.Logf("%d calls, %d members", len(contradictions), members)
}

func without(paths map[string]any, path string) map[string]any {
	rest := maps.Clone(paths)
	delete(rest, path)
	return rest
}

// set returns a JSON text with a value at each path, of which there are commas
// between: names and indexes with dots. Nil removes the member.
func set(t *testing.T, document, paths string, value any) string {
	t.Helper()
	var root any
	require.NoError(t, json.Unmarshal([]byte(document), &root), document)
	for path := range strings.SplitSeq(paths, ",") {
		root = put(root, strings.Split(path, "."), value)
	}
	b, err := json.Marshal(root)
	require.NoError(t, err)
	return string(b)
}

func put(node any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	if i, err := strconv.Atoi(path[0]); err == nil {
		list, _ := node.([]any)
		for len(list) <= i {
			list = append(list, map[string]any{})
		}
		list = slices.Clone(list)
		if list[i] = put(list[i], path[1:], value); list[i] == nil {
			list = slices.Delete(list, i, i+1)
		}
		return list
	}
	object, _ := node.(map[string]any)
	object = maps.Clone(object)
	if object == nil {
		object = map[string]any{}
	}
	if len(path) == 1 && value == nil {
		delete(object, path[0])
		return object
	}
	object[path[0]] = put(object[path[0]], path[1:], value)
	return object
}

// asking returns rows of the calls that can ask for more than the rows of
// hollows do.
func asking(service sandbox.Service) []hollow {
	var rows []hollow
	for _, row := range askers[service] {
		rows = append(rows, hollow{service: service, documented: row.answer, calls: []wiretest.Call{row.call}})
	}
	return rows
}

type asker struct {
	answer string
	call   wiretest.Call
}
