package node_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// TestCountsParameters asks with too few parameters and too many.
func TestCountsParameters(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	me := s.WalletAddress()
	for _, test := range []struct {
		method        string
		params        []any
		message, data string
	}{
		{"getSlot", []any{nil, nil}, "Invalid parameters: Expected from 0 to 1 parameters.", `"Got: 2"`},
		{"getBalance", []any{me, nil, 3}, "Invalid parameters: Expected from 1 to 2 parameters.", `"Got: 3"`},
		{"getBlocks", []any{1, 2, nil, nil}, "Invalid parameters: Expected from 1 to 3 parameters.", `"Got: 4"`},
		{"getBalance", []any{}, "`params` should have at least 1 argument(s)", ""},
		{"getBlocksWithLimit", []any{1}, "`params` should have at least 2 argument(s)", ""},
		{"getBalance", []any{nil}, "Invalid params: invalid type: null, expected a string.", ""},
		{"getTokenAccountsByOwner", []any{me, nil}, "Invalid params: invalid type: null, expected string or map.", ""},
		{"getSlotLeaders", []any{1}, "Invalid params: invalid length 1, expected a tuple of size 2.", ""},
		{"getBlockTime", []any{1, 2}, "Invalid params: invalid length 2, expected fewer elements in array.", ""},
		{"getGenesisHash", []any{nil}, "Invalid parameters: No parameters were expected", "Array([Null])"},
		{"getHealth", []any{true, "a", 1.5, []any{1}, object{"b": nil, "a": []any{}}},
			"Invalid parameters: No parameters were expected", `Array([Bool(true), String("a"), Number(1.5), ` +
				`Array [Number(1)], Object {"a": Array [], "b": Null}])`},
	} {
		a, code := s.ask(t, 0, test.method, test.params...)
		assert.Equal(t, "-32602", code, test.method)
		assert.Equal(t, test.message, a.Text("message"), test.method)
		assert.Equal(t, test.data, a.Text("data"), test.method)
	}
	without := s.raw(t, object{"jsonrpc": "2.0", "id": 1, "method": "getBlockTime"}).(object)
	assert.Equal(t, "Invalid params: invalid type: null, expected a tuple of size 1.", answer{JSON: without}.Text("error", "message"))
}

// TestEveryMethodCounts asks each documented method with nine parameters. Those that have to be numbers are.
func TestEveryMethodCounts(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	page, err := os.ReadFile("../../../docs/testing.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "Its methods are\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, ".\n")
	all := regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(section, -1)
	require.Greater(t, len(all), 50)
	words := regexp.MustCompile("No parameters were expected|Expected from|expected fewer elements in array")
	for _, m := range all {
		a, code := s.ask(t, 0, m[1], slices.Repeat([]any{1}, 9)...)
		assert.Equal(t, "-32602", code, m[1])
		assert.Regexp(t, words, a.Text("message"), m[1])
	}
}
