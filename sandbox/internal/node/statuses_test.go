package node_test

import (
	"encoding/base64"
	"strconv"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// TestStatusCache asks for votes, of which every block has one, and a payment: a node
// has the statuses of 300 finalized blocks and of what follows them, and all others
// in its history.
func TestStatusCache(t *testing.T) {
	nodes := []play.Node{{}, {Lag: 30}, {HistoryOff: true}}
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{Nodes: nodes}})
	sent := s.paid(t, s.named("to"), 5_000_000) // in the second slot
	s.Advance(slots(2 + 31 + 300))
	const now = first + 2 + 31 + 300
	for _, test := range []struct {
		name    string
		node    int
		of      solana.Signature
		slot    int // 0: unknown
		cached  bool
		level   string
		history bool
	}{
		{"this block", 0, s.Vote(now), now, true, "processed", true},
		{"one before", 0, s.Vote(now - 1), now - 1, true, "confirmed", true},
		{"before final", 0, s.Vote(now - 31), now - 31, true, "confirmed", true},
		{"final", 0, s.Vote(now - 32), now - 32, true, "finalized", true},
		{"the oldest root", 0, s.Vote(now - 331), now - 331, true, "finalized", true},
		{"the payment", 0, solana.MustSignatureFromBase58(sent), first + 2, true, "finalized", true},
		{"past the cache", 0, s.Vote(now - 332), now - 332, false, "finalized", true},
		{"long ago", 0, s.Vote(first - 10_000), first - 10_000, false, "finalized", true},
		{"before the first", 0, s.Vote(first - 10_001), 0, false, "", false},
		{"to come", 0, s.Vote(now + 1), 0, false, "", false},
		{"never", 0, solana.Signature{9}, 0, false, "", false},
		{"lagging", 1, s.Vote(now - 29), 0, false, "", false},
		{"lagging, its newest", 1, s.Vote(now - 30), now - 30, true, "processed", true},
		{"lagging, its oldest", 1, s.Vote(now - 361), now - 361, true, "finalized", true},
		{"lagging, past its cache", 1, s.Vote(now - 362), now - 362, false, "finalized", true},
		{"no history", 2, s.Vote(now - 331), now - 331, true, "finalized", false},
		{"no history, past the cache", 2, s.Vote(now - 332), now - 332, false, "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, search := range []bool{false, true} {
				config := object{"searchTransactionHistory": search}
				got, code := s.ask(t, test.node, "getSignatureStatuses", []any{test.of, test.of}, config)
				if search && nodes[test.node].HistoryOff {
					assert.Equal(t, "-32011", code)
					continue
				}
				require.Empty(t, code)
				assert.Equal(t, strconv.Itoa(now-int(nodes[test.node].Lag)), got.Text("context", "slot"), "the processed bank's")
				if !test.cached && !(search && test.history) {
					assert.Nil(t, got.At("value", 1))
					continue
				}
				assert.Equal(t, strconv.Itoa(test.slot), got.Text("value", 1, "slot"))
				assert.Equal(t, test.level, got.Text("value", 1, "confirmationStatus"))
			}
		})
	}
	s.Advance(slots(1))
	assert.Nil(t, s.ok(t, 0, "getSignatureStatuses", []string{sent}).At("value", 0))
}

// TestVotesAreTransactions reads the vote of a block in every way that there is.
func TestVotesAreTransactions(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	s.Advance(slots(5))
	brief := object{"transactionDetails": "signatures", "commitment": "confirmed"}
	vote := s.ok(t, 0, "getBlock", first+4, brief).Text("signatures", 0)
	require.Equal(t, s.Vote(first+4).String(), vote)
	_, code := s.ask(t, 0, "getTransaction", vote, at("processed"))
	assert.Equal(t, "-32602", code)
	assert.Nil(t, s.ok(t, 0, "getTransaction", vote).JSON, "not final")
	got := s.ok(t, 0, "getTransaction", vote, at("confirmed"))
	assert.Equal(t, strconv.Itoa(first+4), got.Text("slot"))
	assert.Nil(t, got.At("meta", "err"))
	assert.Equal(t, "5000", got.Text("meta", "fee"))
	assert.Equal(t, []any{vote}, got.At("transaction", "signatures"))
	keys := got.At("transaction", "message", "accountKeys").([]any)
	assert.Equal(t, solana.VoteProgramID.String(), keys[2])
	assert.Equal(t, "confirmed", s.View().TransactionStatus(vote).Commitment)
	ws := worldtest.FeedDial(t, s.SocketURL(0), nil)
	assert.JSONEq(t, `{"jsonrpc":"2.0","result":0,"id":1}`, subscribe(t, ws, 1, s.Vote(first+4), "confirmed"))
}

func TestHistoryOff(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{Nodes: []play.Node{{HistoryOff: true}, {}}}})
	vote, me := s.Vote(first).String(), s.WalletAddress()
	s.Advance(slots(40))
	for method, params := range map[string][]any{
		"getBlock": {first}, "getTransaction": {vote}, "getSignaturesForAddress": {me},
		"getSignatureStatuses": {[]string{vote}, object{"searchTransactionHistory": true}},
	} {
		got, code := s.ask(t, 0, method, params...)
		assert.Equal(t, "-32011", code, method)
		assert.Equal(t, "Transaction history is not available from this node", got.Text("message"))
		_, code = s.ask(t, 1, method, params...)
		assert.Empty(t, code, method)
	}
	for method, params := range map[string][]any{ // what needs no transactions
		"getSlot": nil, "getBlocks": {first}, "getBlockTime": {first}, "getFirstAvailableBlock": nil, "getBalance": {me},
		"getSignatureStatuses": {[]string{vote}},
	} {
		_, code := s.ask(t, 0, method, params...)
		assert.Empty(t, code, method)
	}
}

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
		"getBlock": {first}, "getTransaction": {s.Vote(first).String()},
	} {
		_, code := s.ask(t, 0, method, append(params, object{"minContextSlot": first + 1000})...)
		assert.Empty(t, code, method)
	}
}

func TestSignaturesForAddress(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	node, ctx := s.node(t), t.Context()
	to := build.PublicKey(s.Keypair("to"))
	var sent []solana.Signature
	for i := range 4 {
		signature, err := node.SendTransactionWithOpts(ctx, s.payment(t, to, uint64(5_000_000+i)), onNewest)
		require.NoError(t, err)
		sent = append([]solana.Signature{signature}, sent...)
		s.Advance(400 * time.Millisecond)
	}
	list := func(opts rpc.GetSignaturesForAddressOpts) (got []solana.Signature) {
		t.Helper()
		if opts.Commitment == "" {
			opts.Commitment = rpc.CommitmentConfirmed
		}
		answer, err := node.GetSignaturesForAddressWithOpts(ctx, to, &opts)
		require.NoError(t, err)
		for _, entry := range answer {
			got = append(got, entry.Signature)
		}
		return got
	}
	assert.Equal(t, sent, list(rpc.GetSignaturesForAddressOpts{}))
	assert.Equal(t, sent[:2], list(rpc.GetSignaturesForAddressOpts{Limit: new(2)}))
	assert.Equal(t, sent[2:], list(rpc.GetSignaturesForAddressOpts{Before: sent[1]}))
	assert.Equal(t, sent[1:3], list(rpc.GetSignaturesForAddressOpts{Before: sent[0], Until: sent[3]}))
	assert.Empty(t, list(rpc.GetSignaturesForAddressOpts{Before: solana.Signature{1}}), "a signature that it does not know")
	assert.Empty(t, list(rpc.GetSignaturesForAddressOpts{Commitment: rpc.CommitmentFinalized}))

	answer, err := node.GetSignaturesForAddress(ctx, build.PublicKey(s.Keypair("nobody")))
	require.NoError(t, err)
	assert.Empty(t, answer)
	for name, opts := range map[string]rpc.GetSignaturesForAddressOpts{
		"Method does not support commitment": {Commitment: rpc.CommitmentProcessed},
		"Invalid limit":                      {Limit: new(1001)},
		"Minimum context slot":               {Commitment: rpc.CommitmentConfirmed, MinContextSlot: new(uint64(1 << 40))},
	} {
		_, err := node.GetSignaturesForAddressWithOpts(ctx, to, &opts)
		assert.ErrorContains(t, err, name)
	}
}
