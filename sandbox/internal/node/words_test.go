package node_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// TestRefusesInTheWordsOfAgave sends what a client gets wrong.
func TestRefusesInTheWordsOfAgave(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	raw, err := s.payment(t, build.PublicKey(s.Keypair("to")), 5_000_000).MarshalBinary()
	require.NoError(t, err)
	coded := base64.StdEncoding.EncodeToString
	poor, err := s.payment(t, build.PublicKey(s.Keypair("to")), 1<<60).MarshalBinary()
	require.NoError(t, err)
	in64 := object{"encoding": "base64"}
	badIndex := append([]byte{}, raw...)
	badIndex[len(badIndex)-13-3-1] = 9 // of the program
	const thing = "solana_transaction::versioned::VersionedTransaction"
	me := s.WalletAddress()
	for _, test := range []struct {
		method  string
		params  []any
		message string
	}{
		{"sendTransaction", nil, "`params` should have at least 1 argument(s)"},
		{"sendTransaction", []any{5}, "Invalid params: invalid type: integer `5`, expected a string."},
		{"sendTransaction", []any{true}, "Invalid params: invalid type: boolean `true`, expected a string."},
		{"sendTransaction", []any{"l"}, "invalid base58 encoding: InvalidCharacter { character: 'l', index: 0 }"},
		{"sendTransaction", []any{"12é"}, "invalid base58 encoding: NonAsciiCharacter { index: 2 }"},
		{"sendTransaction", []any{"AA*A", in64}, "invalid base64 encoding: InvalidByte(2, 42)"},
		{"sendTransaction", []any{"AAA", in64}, "invalid base64 encoding: InvalidPadding"},
		{"sendTransaction", []any{"AA", object{"encoding": "hex"}},
			"Invalid params: unknown variant `hex`, expected one of `binary`, `base64`, `base58`, `json`, `jsonParsed`."},
		{"sendTransaction", []any{"AA", object{"encoding": "json"}}, "unsupported encoding: json. Supported encodings: base58, base64"},
		{"sendTransaction", []any{strings.Repeat("A", 5468), in64},
			"base64 encoded " + thing + " too large: 5468 bytes (max: encoded/raw 5464/4096)"},
		{"sendTransaction", []any{coded(append(raw, make([]byte, 1232)...)), in64},
			"decoded " + thing + " too large: 1447 bytes (max: 1232 bytes)"},
		{"sendTransaction", []any{coded(raw[:60]), in64}, "failed to deserialize " + thing + ": io error: failed to fill whole buffer"},
		{"simulateTransaction", []any{coded(raw[:60]), in64}, "failed to deserialize " + thing + ": io error: failed to fill whole buffer"},
		{"simulateTransaction", []any{coded(badIndex), in64},
			"invalid transaction: Transaction failed to sanitize accounts offsets correctly"},
		{"simulateTransaction", []any{base58.Encode(raw), object{"sigVerify": true, "replaceRecentBlockhash": true}},
			"sigVerify may not be used with replaceRecentBlockhash"},
		{"simulateTransaction", []any{base58.Encode(raw), object{
			"commitment": "processed", "accounts": object{"addresses": strings.Split(strings.Repeat(me+" ", 99), " ")[:99]}}},
			"Too many accounts provided; max 3"},
		{"sendTransaction", []any{coded(poor), object{"encoding": "base64", "preflightCommitment": "processed"}}, "Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1"},
		{"sendTransaction", []any{coded(raw), object{"encoding": "base64", "skipPreflight": 1}},
			"Invalid params: invalid type: integer `1`, expected a boolean."},
		{"getBalance", []any{me, object{"minContextSlot": -1}}, "Invalid params: invalid value: integer `-1`, expected u64."},
		{"getMinimumBalanceForRentExemption", []any{-1}, "Invalid params: invalid value: integer `-1`, expected usize."},
		{"getMinimumBalanceForRentExemption", []any{"x"}, `Invalid params: invalid type: string "x", expected usize.`},
		{"getSlotLeaders", []any{0, -1}, "Invalid params: invalid value: integer `-1`, expected u64."},
		{"getSlotLeaders", []any{0, "x"}, `Invalid params: invalid type: string "x", expected u64.`},
		{"getRecentPerformanceSamples", []any{-1}, "Invalid params: invalid value: integer `-1`, expected usize."},
		{"getRecentPerformanceSamples", []any{"x"}, `Invalid params: invalid type: string "x", expected usize.`},
		{"getBalance", []any{me, object{"minContextSlot": 1.5}}, "Invalid params: invalid type: floating point `1.5`, expected u64."},
		{"getBalance", []any{me, object{"minContextSlot": "x"}}, `Invalid params: invalid type: string "x", expected u64.`},
		{"getBalance", []any{me, "confirmed"}, `Invalid params: invalid type: string "confirmed", expected struct RpcContextConfig.`},
		{"getTransaction", []any{"0"}, "Invalid param: Invalid"},
		{"getTransaction", []any{me}, "Invalid param: WrongSize"},
		{"getSignatureStatuses", []any{me}, `Invalid params: invalid type: string "` + me + `", expected a sequence.`},
		{"getSignatureStatuses", []any{make([]string, 257)}, "Too many inputs provided; max 256"},
		{"isBlockhashValid", []any{"l"}, "Invalid param: Invalid"},
		{"isBlockhashValid", []any{"1"}, "Invalid param: WrongSize"},
	} {
		a, code := s.ask(t, 0, test.method, test.params...)
		assert.NotEmpty(t, code, "%v", test)
		assert.Equal(t, test.message, a.Text("message"), test.method)
	}
}

// TestPreflightOfAnUnhealthyNode refuses as such, unless preflight is skipped.
func TestPreflightOfAnUnhealthyNode(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{Nodes: []play.Node{{}, {Lag: 140}}}})
	s.Advance(slots(150))
	raw, err := s.payment(t, build.PublicKey(s.Keypair("to")), 5_000_000).MarshalBinary()
	require.NoError(t, err)
	text := base64.StdEncoding.EncodeToString(raw)
	a, code := s.ask(t, 1, "sendTransaction", text, object{"encoding": "base64"})
	assert.Equal(t, "-32005", code)
	assert.Equal(t, "Node is behind by 140 slots", a.Text("message"))
	s.ok(t, 1, "sendTransaction", text, object{"encoding": "base64", "skipPreflight": true})
}
