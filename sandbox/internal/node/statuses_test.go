package node_test

import (
	"strconv"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
