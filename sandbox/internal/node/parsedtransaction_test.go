package node_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// TestParsedTransactions reads a transaction with loaded accounts and inner instructions, and
// a block's vote.
func TestParsedTransactions(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	body := s.LendingDepositBody("USDC", "protected", 1_500_000)
	built := s.Do(t, play.Lending, "POST", worldtest.LendingDepositPath, body)
	r := s.SignAndSubmit(t, built.Text("transaction"))
	s.Advance(slots(40))
	config := func(encoding string) object {
		return object{"encoding": encoding, "maxSupportedTransactionVersion": 0}
	}
	parsed := s.ok(t, 0, "getTransaction", r.Signature, config("jsonParsed"))
	plain := s.ok(t, 0, "getTransaction", r.Signature, config("json"))
	for _, member := range []string{"version", "slot", "blockTime"} {
		assert.Equal(t, plain.At(member), parsed.At(member))
	}
	for _, member := range []any{"signatures", "recentBlockhash", "addressTableLookups"} {
		path := []any{"transaction", "message", member}
		if member == "signatures" {
			path = []any{"transaction", member}
		}
		require.NotNil(t, plain.At(path...), member)
		assert.Equal(t, plain.At(path...), parsed.At(path...))
	}
	keys := parsed.At("transaction", "message", "accountKeys").([]any)
	require.Len(t, keys, len(r.Keys))
	static := len(r.Tx.Keys)
	require.Less(t, static, len(keys), "some are loaded")
	for i, k := range keys {
		source, key := "transaction", answer{JSON: k}
		if i >= static {
			source = "lookupTable"
		}
		assert.Equal(t, []string{r.Keys[i].String(), source}, []string{key.Text("pubkey"), key.Text("source")})
		assert.Equal(t, i < r.Tx.RequiredSignatures, key.At("signer"))
	}
	assert.Equal(t, true, answer{JSON: keys[0]}.At("writable"))
	assert.Equal(t, false, answer{JSON: keys[r.Tx.Instructions[0].Program]}.At("writable"))
	first := answer{JSON: parsed.At("transaction", "message", "instructions", 0)}
	assert.Equal(t, "ComputeBudget111111111111111111111111111111", first.Text("programId"))
	assert.Equal(t, []any{}, first.At("accounts"))
	assert.NotEmpty(t, first.Text("data"))
	assert.Equal(t, "1", first.Text("stackHeight"))
	assert.Equal(t, "1", plain.Text("transaction", "message", "instructions", 0, "stackHeight"))
	assert.Equal(t, "transferChecked", parsed.Text("meta", "innerInstructions", 0, "instructions", 0, "parsed", "type"))
	_, there := parsed.At("meta").(object)["loadedAddresses"]
	assert.False(t, there, "their addresses are among the keys")
	_, there = plain.At("meta").(object)["loadedAddresses"]
	assert.True(t, there)

	block := s.ok(t, 0, "getBlock", r.Slot, config("jsonParsed"))
	assert.Equal(t, parsed.At("transaction"), block.At("transactions", 1, "transaction"))
	vote := answer{JSON: block.At("transactions", 0, "transaction", "message")}
	assert.Equal(t, "towersync", vote.Text("instructions", 0, "parsed", "type"))
	tower := answer{JSON: vote.At("instructions", 0, "parsed", "info", "towerSync")}
	voted := object{"confirmation_count": 1, "slot": r.Slot - 1}
	assert.JSONEq(t, text(object{"root": r.Slot - 32, "lockouts": []any{voted}, "timestamp": nil,
		"hash": block.Text("previousBlockhash"), "blockId": "11111111111111111111111111111111"}), text(tower.JSON))
	assert.Equal(t, vote.Text("accountKeys", 1, "pubkey"), vote.Text("instructions", 0, "parsed", "info", "voteAccount"))

	short := s.ok(t, 0, "getBlock", r.Slot, object{"transactionDetails": "accounts", "maxSupportedTransactionVersion": 0})
	assert.Equal(t, keys, short.At("transactions", 1, "transaction", "accountKeys"))
	assert.Equal(t, parsed.At("transaction", "signatures"), short.At("transactions", 1, "transaction", "signatures"))
	members := []string{}
	for name := range short.At("transactions", 1, "meta").(object) {
		members = append(members, name)
	}
	assert.ElementsMatch(t, []string{"err", "status", "fee", "preBalances", "postBalances", "preTokenBalances",
		"postTokenBalances", "rewards"}, members)
}
