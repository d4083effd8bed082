package node_test

import (
	"encoding/base64"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// TestMinContextSlot asks each method that takes minContextSlot for the slot that it
// has, and for the next one.
func TestMinContextSlot(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{Nodes: []play.Node{{}, {Lag: 9}}}})
	s.Advance(slots(50))
	me, usdc := s.WalletAddress(), s.Token("USDC")
	hash := s.ok(t, 0, "getLatestBlockhash").Text("value", "blockhash")
	raw, err := s.payment(t, build.PublicKey(s.Keypair("to")), 5_000_000).MarshalBinary()
	require.NoError(t, err)
	encoded := base64.StdEncoding.EncodeToString(raw)
	for method, params := range map[string][]any{
		"getSlot": nil, "getBlockHeight": nil, "getEpochInfo": nil, "getLatestBlockhash": nil,
		"isBlockhashValid": {hash}, "getBalance": {me}, "getAccountInfo": {me}, "getMultipleAccounts": {[]string{me}},
		"getTokenAccountsByOwner": {me, object{"mint": usdc.Key}},
		"getSignaturesForAddress": {me}, "getBlocks": {first}, "getBlocksWithLimit": {first, 1},
		"simulateTransaction": {encoded}, "sendTransaction": {encoded},
	} {
		for node, lag := range []int{0, 9} {
			for i, depth := range []int{0, 1, 32} {
				has := first + 50 - lag - depth
				for least, reached := range map[int]bool{has - 1: true, has: true, has + 1: false, has + 1000: false} {
					config := object{"minContextSlot": least, "encoding": "base64"}
					config["commitment"], config["preflightCommitment"] = levels[i], levels[i]
					got, code := s.ask(t, node, method, append(params[:len(params):len(params)], config)...)
					if !reached && code != "-32602" { // histories know nothing of processed
						assert.Equal(t, "-32016", code, "%s %v of node %d", method, config, node)
						assert.Equal(t, "Minimum context slot has not been reached", got.Text("message"))
						assert.Equal(t, strconv.Itoa(has), got.Text("data", "contextSlot"))
						continue
					}
					assert.NotEqual(t, "-32016", code, "%s %v of node %d", method, config, node)
				}
			}
		}
	}
	// Without preflight the newest bank counts.
	for least, want := range map[int]string{first + 50: "", first + 51: "-32016"} {
		config := object{"encoding": "base64", "skipPreflight": true, "minContextSlot": least}
		_, code := s.ask(t, 0, "sendTransaction", encoded, config)
		assert.Equal(t, want, code)
	}
	for method, params := range map[string][]any{ // these take none
		"getSignatureStatuses": {[]string{}}, "getBlock": {first}, "getTransaction": {s.Vote(first).String()},
	} {
		_, code := s.ask(t, 0, method, append(params, object{"minContextSlot": first + 1000})...)
		assert.Empty(t, code, method)
	}
}
