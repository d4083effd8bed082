package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/sandbox"
)

func sum(hits map[sandbox.Route]int) (n int) {
	for _, count := range hits {
		n += count
	}
	return n
}

func TestBadInputIsRefusedByFieldAndNotSent(t *testing.T) {
	s := startSandbox(t, sandbox.Config{})
	on := session(t, environment(s), "--service", "swap", "--service", "lending", "--service", "amm",
		"--tool", "onchaindata_list_pool_candles", "--tool", "predictmeta_get_event_candlesticks")
	usdc, sol := s.Mint("USDC"), "So11111111111111111111111111111111111111112"
	pair := func(name string, value any) object {
		all := object{"inputMint": usdc, "outputMint": sol, "amount": "1000000", "slippageBps": 100}
		all[name] = value
		return all
	}
	long := strings.Repeat("x", mostText+1)
	for _, row := range []struct {
		tool      string
		arguments object
		field     string
	}{
		{"swap_get_quote", pair("amount", 1_000_000), "amount"}, // a number may have been through a float
		{"swap_get_quote", pair("amount", "1.5"), "amount"},
		{"swap_get_quote", pair("amount", "-1"), "amount"},
		{"swap_get_quote", pair("amount", "18446744073709551616"), "amount"},
		{"swap_get_quote", pair("amount", "0"), "amount"},
		{"swap_get_quote", pair("slippageBps", "1 %"), "slippageBps"},
		{"swap_get_quote", pair("slippageBps", 10_001), "slippageBps"},
		{"swap_get_quote", pair("slippageBps", 1.5), "slippageBps"},
		{"swap_get_quote", pair("platformFeeMode", "both"), "platformFeeMode"},
		{"swap_get_quote", pair("maxRouteLength", 1e12), "maxRouteLength"},
		{"swap_get_quote", pair("forBundle", "true"), "forBundle"},
		{"swap_get_quote", pair("dexes", "atlas"), "dexes"},
		{"swap_get_quote", pair("dexes", []any{1}), "dexes"},
		{"swap_get_quote", pair("dexes", make([]string, mostItems+1)), "dexes"},
		{"swap_get_quote", pair("inputMint", long), "inputMint"},
		{"swap_get_quote", pair("inputMint", ""), "inputMint"},
		{"swap_get_quote", pair("url", "http://127.0.0.1:1/"), "url"},
		{"swap_get_quote", pair("cursor", "abc"), "cursor"},
		{"swap_get_quote", object{"cursor": "abc"}, "cursor"},
		{"swap_get_quote", object{"inputMint": usdc}, "outputMint"},
		{"swap_get_order_status", object{"signature": "../../etc/passwd"}, "signature"},
		{"lending_get_account", object{"walletAddress": "../pools"}, "walletAddress"},
		{"lending_get_account", object{}, "walletAddress"},
		{"lending_list_history", object{"walletAddress": s.WalletAddress(), "type": "theft"}, "type"},
		{"lending_list_history", object{"walletAddress": s.WalletAddress(), "limit": -1}, "limit"},
		{"lending_get_rates", object{"mint": usdc, "period": "1y"}, "period"},
		{"amm_get_mint_prices", object{"mints": []string{}}, "mints"},
		{"onchaindata_list_pool_candles", object{"network": "solana", "pool_address": sol, "timeframe": "hour", "limit": 1001}, "limit"},
		{"onchaindata_list_pool_candles", object{"network": "solana", "pool_address": sol, "timeframe": "week"}, "timeframe"},
		{"predictmeta_get_event_candlesticks", object{"ticker": "X", "start_time": "yesterday"}, "start_time"},
		{"predictmeta_get_event_candlesticks", object{"ticker": "X", "interval": "2h"}, "interval"},
	} {
		failure := refused(t, on, row.tool, row.arguments)
		assert.Equal(t, "invalid", failure["kind"], "%s %v: %v", row.tool, row.arguments, failure)
		assert.Equal(t, row.field, failure["field"], "%s %v: %v", row.tool, row.arguments, failure)
	}
	require.Zero(t, sum(s.Hits()), "%v", s.Hits())
}

func TestAMemberThatIsThereTwiceIsRefused(t *testing.T) {
	for text, says := range map[string]string{
		`{"a":"1","a":"2"}`: "twice", `[]`: "object", `{"a":1}{}`: "one object", `{"a":1`: "JSON", `nonsense`: "object",
	} {
		_, err := given([]byte(text))
		require.ErrorContains(t, err, says, text)
	}
	all, err := given([]byte(` {"a":{"b":[1]}} `))
	require.NoError(t, err)
	require.Equal(t, map[string]json.RawMessage{"a": json.RawMessage(`{"b":[1]}`)}, all)
}

func TestALongAnswerGoesOnWithItsCursor(t *testing.T) {
	s := startSandbox(t, sandbox.Config{Shape: 1})
	whole := session(t, environment(s), "--tool", "swap_list_tokens_with_decimals", "--tool", "predictmeta_list_outcome_mints",
		"--answer-bytes", "1000000")
	short := session(t, environment(s), "--tool", "swap_list_tokens_with_decimals", "--tool", "predictmeta_list_outcome_mints",
		"--answer-bytes", "4096")
	tool := "predictmeta_list_outcome_mints"
	want := answered(t, whole, tool, nil)["answer"]
	hits := sum(s.Hits())
	var got []any
	arguments := object{}
	for pages := 0; ; pages++ {
		content := answered(t, short, tool, arguments)
		text, err := json.Marshal(content["answer"])
		require.NoError(t, err)
		require.LessOrEqual(t, len(text), 4096)
		list := listOf(t, content["answer"])
		require.NotEmpty(t, list)
		got = append(got, list...)
		if content["next"] == nil {
			require.Greater(t, pages, 2)
			break
		}
		require.Contains(t, content["cut"], "next")
		arguments = object{"cursor": content["next"]}
	}
	require.Equal(t, listOf(t, want), got)
	require.Equal(t, hits+1, sum(s.Hits()), "the service is asked once")
	failure := refused(t, short, "swap_list_tokens_with_decimals", arguments)
	require.Equal(t, "cursor", failure["field"], "a cursor is of one tool")
}

// listOf is the list that an answer holds.
func listOf(t *testing.T, answer any) []any {
	for _, value := range answer.(object) {
		if list, ok := value.([]any); ok {
			return list
		}
	}
	require.Fail(t, "there is no list", "%v", answer)
	return nil
}

func TestTheNextPageOfAServiceHasACursor(t *testing.T) {
	s := startSandbox(t, sandbox.Config{Shape: 1})
	on := session(t, environment(s), "--service", "predictmeta", "--tool", "onchaindata_list_dexes")
	seen := map[string]bool{}
	arguments := object{"limit": 7, "status": "active"}
	for pages := 0; pages < 3; pages++ {
		content := answered(t, on, "predictmeta_list_markets", arguments)
		list := listOf(t, content["answer"])
		require.Len(t, list, 7)
		for _, item := range list {
			require.Equal(t, "active", item.(object)["status"])
			ticker := item.(object)["ticker"].(string)
			require.False(t, seen[ticker], ticker)
			seen[ticker] = true
		}
		arguments = object{"cursor": content["next"]}
	}
	first := answered(t, on, "onchaindata_list_dexes", object{"network": "solana"})
	second := answered(t, on, "onchaindata_list_dexes", object{"cursor": first["next"]})
	require.NotEqual(t, listOf(t, first["answer"])[0], listOf(t, second["answer"])[0])
}

func TestShortenKeepsWithinItsBytes(t *testing.T) {
	row := func(n int) any { return object{"name": strings.Repeat("x", n)} }
	rows := func(n, size int) (all []any) {
		for range n {
			all = append(all, row(size))
		}
		return all
	}
	for name, c := range map[string]struct {
		v        any
		ok       bool
		kept     int
		hasInner bool
	}{
		"fits":           {object{"items": rows(3, 10)}, true, 3, false},
		"cut":            {object{"items": rows(100, 50)}, true, 15, false},
		"in one":         {object{"items": []any{object{"inner": rows(100, 50)}}}, true, 1, false},
		"both":           {object{"items": []any{object{"inner": rows(100, 50)}, object{"inner": rows(100, 50)}}}, true, 1, true},
		"nothing to cut": {object{"text": strings.Repeat("x", 2000)}, false, 0, false},
		"one is enough":  {object{"items": rows(2, 2000)}, false, 1, false},
	} {
		kept, rest, inner, ok := shorten(c.v, 1000)
		require.Equal(t, c.ok, ok, name)
		require.Equal(t, c.hasInner, inner, name)
		if ok {
			require.LessOrEqual(t, size(kept), 1000, name)
			require.Len(t, kept.(object)["items"], c.kept, name)
		}
		if ok && rest != nil && !inner {
			all := append(at(kept, rest.path).([]any), rest.items...)
			require.Equal(t, at(c.v, rest.path), all, name)
		}
	}
}

func TestTheMeterHoldsAcrossRestarts(t *testing.T) {
	s := startSandbox(t, sandbox.Config{})
	folder := stateFolder(t)
	args := []string{"--service", "socialsearch", "--posts-per-day", "25", "--state", folder}
	search := object{"query": "sol", "limit": 10}
	on := session(t, environment(s), args...)
	first := answered(t, on, "socialsearch_search_recent", search)
	require.Contains(t, first["cost"], "of 0.125 is spent")
	require.NoError(t, on.Close())

	on = session(t, environment(s), args...)
	answered(t, on, "socialsearch_search_recent", search)
	failure := refused(t, on, "socialsearch_search_recent", search)
	require.Equal(t, "budget", failure["kind"])
	require.LessOrEqual(t, s.SocialSearch().Usage().Cost(), 125)
	require.Positive(t, s.SocialSearch().Usage().Cost())

	status, says := ends(t, environment(s), args...)
	require.Equal(t, 1, status, "another process counts in the same folder")
	require.Contains(t, says, "a folder of its own")
}

// ends runs a child that must end by itself.
func ends(t *testing.T, env []string, args ...string) (status int, says string) {
	t.Helper()
	cmd := child(t, env, args...)
	out, err := cmd.Output()
	if len(args) > 0 && !strings.HasPrefix(args[0], "--version") {
		require.Empty(t, string(out), "standard output is the protocol's")
	}
	if err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	return cmd.ProcessState.ExitCode(), cmd.Stderr.(*strings.Builder).String() + string(out)
}

func TestACommandLineThatIsWrong(t *testing.T) {
	s := startSandbox(t, sandbox.Config{})
	open := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(open, []byte("k"), 0o644))
	for _, row := range []struct {
		status int
		says   string
		args   []string
	}{
		{2, "--service or --tool", nil},
		{2, "there is no service \"lend\"", []string{"--service", "lend"}},
		{2, "there is no tool", []string{"--tool", "swap_build_swap"}},
		{2, "at most 40: leave a --service out (onchaindata 16, predictmeta 23, swap 6)",
			[]string{"--service", "predictmeta", "--service", "onchaindata", "--service", "swap"}},
		{2, "--posts-per-day", []string{"--service", "socialsearch"}},
		{2, "--state", []string{"--service", "socialsearch", "--posts-per-day", "3"}},
		{2, "at least 4096", []string{"--service", "swap", "--answer-bytes", "10"}},
		{2, "unknown flag: --api-key", []string{"--service", "swap", "--api-key", "k"}},
		{2, "unknown command", []string{"swap"}},
		{2, "service=file", []string{"--service", "swap", "--key-file", "swpa=" + open}},
		{1, "chmod 600", []string{"--service", "swap", "--key-file", "swap=" + open}},
		{1, "no such file", []string{"--service", "swap", "--deployment", "no-such.json"}},
		{1, "chmod 700", []string{"--service", "swap", "--state", "/"}},
		{0, "walletfi-mcp", []string{"--version"}},
	} {
		status, says := ends(t, environment(s), row.args...)
		assert.Equal(t, row.status, status, "%v: %s", row.args, says)
		assert.Contains(t, says, row.says, "%v", row.args)
	}
	status, says := ends(t, nil, "--service", "swap")
	require.Equal(t, 1, status)
	require.Contains(t, says, "WALLETFI_SWAP_URL")
}

func TestSecretsGoNowhere(t *testing.T) {
	s := startSandbox(t, sandbox.Config{})
	key := s.APIKey(sandbox.Lending)
	on := session(t, append(environment(s), "WALLETFI_LENDING_KEY=wrong-"+key), "--service", "lending")
	failure := refused(t, on, "lending_list_pools", nil)
	require.Equal(t, "unauthorized", failure["kind"], "%v", failure)
	require.NotContains(t, failure["text"], key)

	// A service that echoes the key in its data.
	s.Fault(sandbox.Route{Service: sandbox.Lending}, sandbox.Fault{Status: 400, Body: []byte(`{"error":{"code":"X","message":"key ` + key + `"}}`)})
	on = session(t, environment(s), "--service", "lending")
	failure = refused(t, on, "lending_list_pools", nil)
	text, err := json.Marshal(failure)
	require.NoError(t, err)
	require.NotContains(t, string(text), key)
}
