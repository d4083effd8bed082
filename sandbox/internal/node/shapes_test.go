package node_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// TestReadsParametersAsSerde sends what is not of its type. It is refused before anything else is looked at, in the
// order in which the library of agave reads.
func TestReadsParametersAsSerde(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	me, nobody := s.WalletAddress(), build.PublicKey(s.Keypair("nobody")).String()
	const (
		encodings   = "expected one of `binary`, `base58`, `base64`, `jsonParsed`, `base64+zstd`"
		commitments = "expected one of `processed`, `confirmed`, `finalized`"
		wrapper     = "data did not match any variant of untagged enum "
	)
	for _, test := range []struct {
		method  string
		params  []any
		message string
	}{
		{"getAccountInfo", []any{me, object{"encoding": ""}}, "unknown variant ``, " + encodings},
		{"getAccountInfo", []any{nobody, object{"encoding": "hex"}}, "unknown variant `hex`, " + encodings},
		{"getAccountInfo", []any{"no address", object{"encoding": "hex"}}, "unknown variant `hex`, " + encodings},
		{"getAccountInfo", []any{me, object{"encoding": 7}}, "invalid type: integer `7`, expected string or map"},
		{"getAccountInfo", []any{me, object{"dataSlice": object{"offset": 1}}}, "missing field `length`"},
		{"getAccountInfo", []any{me, object{"dataSlice": "1"}},
			`invalid type: string "1", expected struct UiDataSliceConfig`},
		{"getAccountInfo", []any{7, object{"encoding": 7}}, "invalid type: integer `7`, expected a string"},
		{"getAccountInfo", []any{me, object{"minContextSlot": "1", "encoding": 7}},
			"invalid type: integer `7`, expected string or map"},
		{"getBalance", []any{me, []any{}}, "invalid type: sequence, expected struct RpcContextConfig"},
		{"getBalance", []any{"no address", true}, "invalid type: boolean `true`, expected struct RpcContextConfig"},
		{"getMultipleAccounts", []any{[]any{me, nil}}, "invalid type: null, expected a string"},
		{"getProgramAccounts", []any{me, object{"filters": object{}}}, "invalid type: map, expected a sequence"},
		{"getProgramAccounts", []any{me, object{"filters": []any{5}}}, "invalid type: integer `5`, expected string or map"},
		{"getTokenSupply", []any{me, object{"commitment": ""}}, "unknown variant ``, " + commitments},
		{"getTokenSupply", []any{"no address", object{}}, "missing field `commitment`"},
		{"getTokenSupply", []any{me, "confirmed"}, `invalid type: string "confirmed", expected struct CommitmentConfig`},
		{"getMinimumBalanceForRentExemption", []any{1, at("soon")}, "unknown variant `soon`, " + commitments},
		{"getInflationGovernor", []any{object{"commitment": nil}}, "invalid type: null, expected string or map"},
		{"sendTransaction", []any{"x", object{"preflightCommitment": ""}}, "unknown variant ``, " + commitments},
		{"sendTransaction", []any{"x", object{"skipPreflight": nil}}, "invalid type: null, expected a boolean"},
		{"sendTransaction", []any{"x", object{"maxRetries": "5"}}, `invalid type: string "5", expected usize`},
		{"simulateTransaction", []any{"x", object{"accounts": object{}}}, "missing field `addresses`"},
		{"getSignatureStatuses", []any{[]string{"x"}, object{}}, "missing field `searchTransactionHistory`"},
		{"getSupply", []any{object{"excludeNonCirculatingAccountsList": "true"}},
			`invalid type: string "true", expected a boolean`},
		{"getTransaction", []any{"x", object{"encoding": "hex"}}, wrapper + "RpcEncodingConfigWrapper"},
		{"getTransaction", []any{"x", object{"maxSupportedTransactionVersion": 256}}, wrapper + "RpcEncodingConfigWrapper"},
		{"getBlocks", []any{1, "2"}, wrapper + "RpcBlocksConfigWrapper"},
		{"getLeaderSchedule", []any{"1"}, wrapper + "RpcLeaderScheduleConfigWrapper"},
		{"getTokenAccountsByOwner", []any{me, object{"mint": 5}}, "invalid type: integer `5`, expected a string"},
		{"getTokenAccountsByOwner", []any{me, "mint"}, "invalid type: unit variant, expected newtype variant"},
		{"getSlotLeaders", []any{"x"}, `invalid type: string "x", expected u64`},
		{"getBlockTime", []any{"x", 2}, `invalid type: string "x", expected u64`},
		{"getBlockCommitment", []any{json.RawMessage("1.25e2")}, "invalid type: floating point `125.0`, expected u64"},
		{"getBlockCommitment", []any{json.RawMessage("-0.5")}, "invalid type: floating point `-0.5`, expected u64"},
		{"getBlockCommitment", []any{json.RawMessage("18446744073709551616")},
			"invalid type: floating point `18446744073709552000.0`, expected u64"},
		{"getBlockCommitment", []any{json.RawMessage("-9223372036854775809")},
			"invalid type: floating point `-9223372036854776000.0`, expected u64"},
		{"getBlockCommitment", []any{json.RawMessage("-9223372036854775808")},
			"invalid value: integer `-9223372036854775808`, expected u64"},
	} {
		a, code := s.ask(t, 0, test.method, test.params...)
		assert.Equal(t, "-32602", code, "%v", test)
		assert.Equal(t, "Invalid params: "+test.message+".", a.Text("message"), "%s %v", test.method, test.params)
	}
	a, _ := s.ask(t, 0, "getMultipleAccounts", strings.Split(strings.Repeat(me+" ", 101), " ")[:101], object{})
	assert.Equal(t, "Too many inputs provided; max 100", a.Text("message"))
	many := s.ok(t, 0, "getMultipleAccounts", strings.Split(strings.Repeat(me+" ", 100), " ")[:100], object{"more": 1})
	assert.Len(t, many.At("value"), 100)
}

// TestIgnoresWhatIsNotDeclared gives methods a member that others take.
func TestIgnoresWhatIsNotDeclared(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	usdc := s.Token("USDC").Key
	to := object{"commitment": "confirmed", "minContextSlot": first + 1000}
	signature := s.paid(t, s.named("to"), 5_000_000)
	s.Advance(slots(1))
	for method, params := range map[string][]any{
		"getTokenSupply": {usdc, to}, "getTokenLargestAccounts": {usdc, to}, "getSupply": {to}, "getLargestAccounts": {to},
		"getVoteAccounts": {to}, "getBlockProduction": {to},
		"getTransaction": {signature, object{"commitment": "confirmed", "transactionDetails": "accounts"}},
	} {
		without := slices.Clone(params)
		without[len(without)-1] = at("confirmed")
		assert.Equal(t, s.ok(t, 0, method, without...), s.ok(t, 0, method, params...), method)
	}
}

// TestReadsAnyCommitment: where agave's config is flattened, an unknown commitment counts for finalized. The client is
// told, as it may mean another.
func TestReadsAnyCommitment(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	l, me := s.listen(t), s.WalletAddress()
	for _, none := range []any{"", "soon", "Confirmed", 7, object{"commitment": "confirmed"}} {
		got := s.ok(t, 0, "getSlot", object{"commitment": none})
		assert.Equal(t, s.ok(t, 0, "getSlot", at("finalized")), got, "%v", none)
		told := s.TakeViolations()
		require.Len(t, told, 1, "%v", none)
		assert.Equal(t, "getSlot", told[0].Route)
		assert.Contains(t, told[0].Problem, "nodes read it as finalized")
	}
	assert.Contains(t, l.say("accountSubscribe", me, at("recent")), `"result":`)
	told := s.TakeViolations()
	require.Len(t, told, 1)
	assert.Equal(t, `unknown commitment "recent": nodes read it as finalized`, told[0].Problem)
	for _, config := range []any{nil, object{}, object{"commitment": nil}, object{"more": []int{1}}, at("confirmed")} {
		s.ok(t, 0, "getSlot", config)
	}
	assert.Empty(t, s.TakeViolations())
}

// TestBlockRewards: a subscription calls them another name than getBlock.
func TestBlockRewards(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	l := s.listen(t)
	config := func(name string, rewards bool) object {
		return object{"commitment": "confirmed", "transactionDetails": "none", name: rewards}
	}
	l.say("blockSubscribe", "all", config("showRewards", true))
	l.say("blockSubscribe", "all", config("rewards", true))
	s.Advance(slots(2))
	for number, rewards := range []bool{true, false} {
		block := s.ok(t, 0, "getBlock", first, config("rewards", rewards)).JSON.(object)
		require.Equal(t, rewards, block["rewards"] != nil)
		l.hears("block", number, in(first, fmt.Sprintf(`{"slot":%d,"err":null,"block":%s}`, first, kit.MustJSON(block))))
	}
}
