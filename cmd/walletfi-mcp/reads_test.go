package main

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/e2e/flows"
)

// noTools are the methods that are no tools, by the reason.
var noTools = map[string][]string{
	"it builds a transaction: with --allow-trades, prepare_swap does for swaps": {
		"amm BuildSwap", "burnclose BuildBurn", "burnclose BuildBurnInstructions", "burnclose BuildClose",
		"burnclose BuildCloseAll", "burnclose BuildCloseAllInstructions", "burnclose BuildCloseInstructions",
		"lending BuildDeposit", "lending BuildInitializeReferrer", "lending BuildReferrerClaim", "lending BuildWithdraw",
		"leverage BuildAddCollateral", "leverage BuildClose", "leverage BuildIncreaseBorrow", "leverage BuildMerge",
		"leverage BuildOpen", "leverage BuildPartialRepay", "leverage BuildPartialSell", "leverage BuildRepay",
		"leverage BuildSplit", "providerswap BuildFeeTransfer", "providerswap BuildSwap", "providerswap BuildSwapV1",
		"swap BuildIntent", "swap BuildOrder", "swap BuildPredictionMarketInit", "swap BuildSwap",
		"swap BuildSwapInstructions",
	},
	"it sends what was signed": {
		"burnclose CloseAll", "burnclose SendBatch", "burnclose SendTransaction", "burnclose Submit", "leverage SendBundle",
		"leverage SendTransaction", "leverage Submit", "leverage SubmitBundle", "providerswap SendBundle",
		"providerswap Submit", "swap SubmitIntent",
	},
	"it changes something at the service": {
		"smartaccount CancelDirectDebit", "smartaccount CancelSubscription", "smartaccount CreateAccount",
		"smartaccount CreateDirectDebit", "smartaccount CreatePolicy", "smartaccount CreateSession",
		"smartaccount CreateSubscription", "smartaccount DeletePolicy", "smartaccount ExecuteTransaction",
		"smartaccount PauseSubscription", "smartaccount ResumeSubscription", "smartaccount RevokeSession",
		"smartaccount UpdateAccount", "smartaccount UpdatePolicy", "webhooks CreateWebhook", "webhooks DeleteWebhook",
		"webhooks TestWebhook", "webhooks UpdateWebhook",
	},
	"it signs somebody in, or shows a credential": {
		"burnclose GenerateAPIKey", "smartaccount AuthenticatePasskey", "smartaccount RefreshToken",
		"smartaccount RegisterPasskey", "smartaccount SendEmailCode", "smartaccount SetToken", "smartaccount Token",
		"smartaccount VerifyEmailCode",
	},
	"it iterates over what a List tool has page by page": {
		"amm AllPools", "lending AllHistory", "leverage AllOffers", "leverage AllPositions", "leverage AllTradeHistory",
		"onchaindata AllDEXes", "onchaindata AllFilterPools", "onchaindata AllNetworkTrendingPools",
		"onchaindata AllNetworks", "onchaindata AllNewPools", "onchaindata AllPoolCandles", "onchaindata AllSearchPools",
		"onchaindata AllTokenCandles", "onchaindata AllTopPools", "onchaindata AllTrendingPools", "predictmeta AllEvents",
		"predictmeta AllMarkets", "predictmeta AllTrades", "predictmeta AllTradesByMint", "smartaccount AllTransactions",
		"socialsearch AllSearchRecent", "socialsearch AllUserPosts",
	},
	"it searches what a List tool has": {
		"smartaccount FindAccounts", "smartaccount FindDirectDebits", "smartaccount FindPolicies",
		"smartaccount FindSessions",
	},
	"it waits, or listens without an end": {
		"burnclose WaitConfirmed", "lending WaitWithdrawal", "predictmeta Books", "predictmeta Stream", "swap WaitOrder",
	},
	"it is a document for programmers, and some are instructions to language models": {
		"burnclose GetAPICatalog", "burnclose GetDocs", "burnclose GetHealth", "burnclose GetLLMsFull",
		"burnclose GetLLMsMarkdown", "burnclose GetLLMsText", "burnclose GetOpenAPI",
	},
	"it is another form of a read, for a wallet": {"burnclose SignatureStatus", "leverage TipAt"},
	"it asks nothing": {
		"amm Limiter", "burnclose Limiter", "lending Limiter", "lending ParseUnverifiedWebhook", "leverage Limiter",
		"onchaindata Limiter", "predictmeta Limiter", "predictmeta WSURL", "providerswap Limiter", "smartaccount Limiter",
		"socialsearch Limiter", "swap Limiter", "webhooks Limiter",
	},
}

func TestEveryMethodIsAToolOrHasAReason(t *testing.T) {
	known := map[string]string{}
	for _, r := range newReads() {
		known[r.service+" "+r.method] = "tool"
	}
	require.Len(t, known, len(reads))
	for reason, methods := range noTools {
		for _, name := range methods {
			require.Empty(t, known[name], "%s is named twice", name)
			known[name] = reason
		}
	}
	found := 0
	for name, of := range names {
		client := flows.Clients[of]
		for i := range client.NumMethod() {
			method := name + " " + client.Method(i).Name
			assert.NotEmpty(t, known[method], "%s is neither a tool, nor is there a reason", method)
			found++
		}
	}
	require.Equal(t, len(known), found, "a method is named that no client has")
}

func TestSchemasSayWhatTheTypesHold(t *testing.T) {
	tools := 0
	for _, r := range newReads() {
		seen := map[string]bool{"cursor": true}
		for _, m := range r.input.members {
			require.NotNil(t, kindSchema(m.kind), "%s takes %s as %s", r.name(), m.name, m.kind)
			require.NotEmpty(t, m.name, "%s", r.name())
			require.False(t, seen[m.name], "%s takes %s twice", r.name(), m.name)
			seen[m.name] = true
		}
		for _, choice := range []string{"anyOf", "oneOf", "allOf"} {
			require.NotContains(t, r.input.schema(), choice, "hosts refuse it")
		}
		for _, schema := range []object{r.input.schema(), outputSchema(r.call.Type().Out(0))} {
			compiled(t, schema)
		}
		noFloats(t, r.call.Type().Out(0), map[reflect.Type]bool{})
		require.NotEmpty(t, words.Methods[r.service+"."+r.method].Text, r.name())
		tools++
	}
	require.Equal(t, len(reads), tools)
}

func compiled(t *testing.T, schema any) *jsonschema.Resolved {
	t.Helper()
	text, err := json.Marshal(schema)
	require.NoError(t, err)
	var s jsonschema.Schema
	require.NoError(t, json.Unmarshal(text, &s))
	resolved, err := s.Resolve(nil)
	require.NoError(t, err)
	return resolved
}

// noFloats fails if an amount could pass through a float, or if a kind of value is not written.
func noFloats(t *testing.T, of reflect.Type, seen map[reflect.Type]bool) {
	switch of {
	case secretType, documentType, bytesType, amountType, decimalType, slippageType, stampType, timeType:
		return
	}
	if seen[of] {
		return
	}
	seen[of] = true
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice:
		noFloats(t, of.Elem(), seen)
	case reflect.Map:
		require.Equal(t, reflect.String, of.Key().Kind(), "%s", of)
		noFloats(t, of.Elem(), seen)
	case reflect.Struct:
		for _, f := range fieldsOf(of, true) {
			noFloats(t, f.Type, seen)
		}
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint64, reflect.Uint8, reflect.Uint16,
		reflect.Uint32:
	default:
		require.Fail(t, "a kind that is not written", "%s", of)
	}
}

// calls counts those of TestReads.
var calls int

// TestReads calls every read of a program that runs as an MCP host runs it.
func TestReads(t *testing.T) {
	w := newWorld(t)
	good, made := w.calls(), 0
	for _, services := range [][]string{
		{"amm", "burnclose", "lending", "leverage", "swap", "webhooks"}, {"predictmeta", "socialsearch", "smartaccount"},
		{"onchaindata", "providerswap"},
	} {
		args := []string{"--posts-per-day", "100", "--state", stateFolder(t)}
		for _, name := range services {
			args = append(args, "--service", name)
		}
		on := session(t, w.env(), args...)
		list, err := on.ListTools(t.Context(), nil)
		require.NoError(t, err)
		require.LessOrEqual(t, len(list.Tools), mostTools)
		for _, tool := range list.Tools {
			require.True(t, tool.Annotations.ReadOnlyHint, tool.Name)
			arguments, ok := good[tool.Name]
			require.True(t, ok, "%s is not called", tool.Name)
			validArguments(t, tool, arguments)
			content, result := ask(t, on, tool.Name, arguments)
			if !assert.False(t, result.IsError, "%s: %v", tool.Name, content) {
				continue
			}
			assert.NoError(t, compiled(t, tool.OutputSchema).Validate(content), "%s: %v", tool.Name, content)
			assert.NotEmpty(t, content["answer"], tool.Name)
			made++
		}
	}
	require.Equal(t, len(reads), made)
	require.Empty(t, w.Violations())
	calls = made
}

func validArguments(t *testing.T, tool *mcp.Tool, arguments object) {
	t.Helper()
	text, err := json.Marshal(arguments)
	require.NoError(t, err)
	var plain any
	require.NoError(t, json.Unmarshal(text, &plain))
	require.NoError(t, compiled(t, tool.InputSchema).Validate(plain), tool.Name)
}
