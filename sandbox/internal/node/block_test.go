package node_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// first is the slot in which every sandbox of these tests starts.
const first = kit.FirstSlot

func TestBlock(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	to := s.named("to")
	sent := []string{s.paid(t, to, 5_000_000), s.paid(t, to, 6_000_000)}
	s.Advance(slots(40))
	block := func(slot uint64, config object) answer { return s.ok(t, 0, "getBlock", slot, config) }
	got := block(first, object{"transactionDetails": "signatures", "rewards": false})
	assert.Nil(t, got.At("rewards"))
	assert.Nil(t, got.At("transactions"))
	signatures := got.At("signatures").([]any)
	require.Len(t, signatures, 3)
	assert.Equal(t, []any{sent[0], sent[1]}, signatures[1:], "after the vote, as they landed")
	assert.Equal(t, strconv.Itoa(first-1), got.Text("parentSlot"))
	assert.Equal(t, strconv.FormatUint(s.View().BlockHeight()-40, 10), got.Text("blockHeight"))
	assert.Equal(t, strconv.FormatInt(s.Start.Unix(), 10), got.Text("blockTime"))

	none := block(first-1, object{"transactionDetails": "none"})
	assert.Equal(t, none.Text("blockhash"), got.Text("previousBlockhash"))
	assert.Nil(t, none.At("signatures"))
	assert.Equal(t, []any{}, none.At("rewards"))
	latest := s.ok(t, 0, "getLatestBlockhash", at("confirmed"))
	slot, err := strconv.ParseUint(latest.Text("context", "slot"), 10, 64)
	require.NoError(t, err)
	head := block(slot, object{"commitment": "confirmed", "transactionDetails": "none"})
	assert.Equal(t, latest.Text("value", "blockhash"), head.Text("blockhash"))
	height, err := head.At("blockHeight").(json.Number).Int64()
	require.NoError(t, err)
	assert.Equal(t, strconv.FormatInt(height+150, 10), latest.Text("value", "lastValidBlockHeight"))

	for _, encoding := range []string{"json", "base64", "base58"} {
		full := block(first, object{"encoding": encoding, "maxSupportedTransactionVersion": 0})
		require.Len(t, full.At("transactions"), 3)
		for i, signature := range signatures {
			one := s.ok(t, 0, "getTransaction", signature, object{"encoding": encoding, "maxSupportedTransactionVersion": 0})
			assert.Equal(t, got.Text("blockTime"), one.Text("blockTime"))
			assert.Equal(t, strconv.Itoa(first), one.Text("slot"))
			for _, member := range []string{"transaction", "meta", "version"} {
				assert.Equal(t, one.At(member), full.At("transactions", i, member), "%s of %d", member, i)
			}
		}
	}
	plain := s.ok(t, 0, "getBlock", first, "base64")
	assert.Nil(t, plain.At("transactions", 0, "version"), "nobody asked for versions")
	assert.NotNil(t, plain.At("transactions", 0, "meta"))
}

func TestBlockRefusals(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{SkipEvery: 10, Nodes: []play.Node{{}, {Lag: 2}}}})
	body := s.LendingDepositBody("USDC", "protected", 1_500_000)
	built := s.Do(t, play.Lending, "POST", worldtest.LendingDepositPath, body)
	raw := worldtest.Sign(t, built.Text("transaction"), s.Wallet())
	s.ok(t, 0, "sendTransaction", base64.StdEncoding.EncodeToString(raw), object{"encoding": "base64", "preflightCommitment": "processed"})
	s.Advance(slots(45)) // it is now 41 slots since it landed, in the second
	newer := first + 2
	for _, test := range []struct {
		name   string
		node   int
		slot   any
		config any
		code   string // empty: no error
		tells  string
	}{
		{"the newest finalized", 0, first + 13, nil, "", ""},
		{"not finalized yet", 0, first + 14, nil, "-32004", "Block not available for slot 320000014"},
		{"confirmed", 0, first + 44, at("confirmed"), "", ""},
		{"processed only", 0, first + 45, at("confirmed"), "-32004", "Block not available for slot 320000045"},
		{"a node that lags", 1, first + 43, at("confirmed"), "-32004", "Block not available for slot 320000043"},
		{"a slot to come", 0, first + 1000, nil, "-32004", "Block not available for slot 320001000"},
		{"skipped", 0, first + 10, nil, "-32007", "Slot 320000010 was skipped, or missing due to ledger jump"},
		{"skipped, not final", 0, first + 40, at("confirmed"), "-32004", "Block not available for slot 320000040"},
		{"the oldest", 0, first - 10_000, nil, "", ""},
		{"cleaned up", 0, first - 10_001, nil, "-32001",
			"Block 319989999 cleaned up, does not exist on node. First available block: 319990000"},
		{"processed", 0, first, at("processed"), "-32602", "Method does not support commitment below `confirmed`"},
		{"a version", 0, newer, nil, "-32015", "Transaction version (0) is not supported by the requesting client."},
		{"a version, unseen", 0, newer, object{"transactionDetails": "signatures"}, "", ""},
		{"a version, known", 0, newer, object{"maxSupportedTransactionVersion": 0}, "", ""},
		{"accounts", 0, first, object{"transactionDetails": "accounts"}, "", ""},
		{"details", 0, first, object{"transactionDetails": "some"}, "-32602", "data did not match any variant of untagged enum RpcEncodingConfigWrapper"},
		{"an encoding", 0, first, "hex", "-32602", "data did not match any variant of untagged enum RpcEncodingConfigWrapper"},
		{"no slot", 0, "x", nil, "-32602", "expected u64"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, code := s.ask(t, test.node, "getBlock", test.slot, test.config)
			assert.Equal(t, test.code, code, got.Text("message"))
			assert.Contains(t, got.Text("message"), test.tells)
		})
	}
}

func TestBlockLists(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{SkipEvery: 10}})
	s.Advance(slots(44)) // finalized: 12, confirmed: 43
	confirmed, processed := at("confirmed"), at("processed")
	for _, test := range []struct {
		method string
		params []any
		want   string // the slots after the first
		code   string
	}{
		{"getBlocks", []any{first + 8, first + 11}, "[8 9 11]", ""},
		{"getBlocks", []any{first + 8}, "[8 9 11 12]", ""},
		{"getBlocks", []any{first + 8, nil}, "[8 9 11 12]", ""},
		{"getBlocks", []any{first + 38, confirmed}, "[38 39 41 42 43]", ""},
		{"getBlocks", []any{first + 38, first + 41, confirmed}, "[38 39 41]", ""},
		{"getBlocks", []any{first + 38, first + 41}, "[]", ""},
		{"getBlocks", []any{first + 9, first + 8}, "[]", ""},
		{"getBlocks", []any{first - 20_000, first - 9_999}, "[-10000 -9999]", ""},
		{"getBlocks", []any{first - 600_000}, "", "-32602"},
		{"getBlocks", []any{first, processed}, "", "-32602"},
		{"getBlocks", []any{first, object{"minContextSlot": first + 13}}, "", "-32016"},
		{"getBlocks", []any{first + 12, object{"minContextSlot": first + 12}}, "[12]", ""},
		{"getBlocksWithLimit", []any{first + 8, 3}, "[8 9 11]", ""},
		{"getBlocksWithLimit", []any{first + 11, 9}, "[11 12]", ""},
		{"getBlocksWithLimit", []any{first + 42, 9, confirmed}, "[42 43]", ""},
		{"getBlocksWithLimit", []any{first + 11, 0}, "[]", ""},
		{"getBlocksWithLimit", []any{first + 11, 500_001}, "", "-32602"},
		{"getBlocksWithLimit", []any{first + 11}, "", "-32602"},
		{"getBlocksWithLimit", []any{first + 42, 9, processed}, "", "-32602"},
		{"getBlocksWithLimit", []any{first, 1, object{"minContextSlot": first + 13}}, "", "-32016"},
	} {
		got, code := s.ask(t, 0, test.method, test.params...)
		assert.Equal(t, test.code, code, "%s %v", test.method, test.params)
		if test.code != "" {
			continue
		}
		after := []int64{}
		for _, slot := range got.JSON.([]any) {
			n, err := slot.(json.Number).Int64()
			require.NoError(t, err)
			after = append(after, n-first)
		}
		assert.Equal(t, test.want, fmt.Sprint(after), "%s %v", test.method, test.params)
	}
}

func TestBlockTimes(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{SkipEvery: 10}})
	s.Advance(slots(44))
	for slot, want := range map[int]string{
		first + 44: strconv.FormatInt(s.Start.Add(slots(44)).Unix(), 10),
		first - 5:  strconv.FormatInt(s.Start.Add(-slots(5)).Unix(), 10),
	} {
		assert.Equal(t, want, s.ok(t, 0, "getBlockTime", slot).JSON.(json.Number).String())
	}
	for slot, want := range map[int]string{first + 45: "-32004", first + 10: "-32007", first - 10_001: "-32001"} {
		_, code := s.ask(t, 0, "getBlockTime", slot)
		assert.Equal(t, want, code)
	}
	assert.Equal(t, json.Number("319990000"), s.ok(t, 0, "getFirstAvailableBlock").JSON)
	assert.Equal(t, json.Number("319989999"), s.ok(t, 0, "minimumLedgerSlot").JSON)
}

// TestSkippedSlots walks along the chain: heights count blocks, not slots.
func TestSkippedSlots(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{SkipEvery: 7, Nodes: []play.Node{{}, {Lag: 30}}}})
	hash := s.ok(t, 0, "getLatestBlockhash", at("processed"))
	for range 200 {
		s.Advance(slots(1))
	}
	var slot, height int64
	parent, made := "", ""
	for _, listed := range s.ok(t, 0, "getBlocks", first-3).JSON.([]any) {
		got := s.ok(t, 0, "getBlock", listed, object{"transactionDetails": "none"})
		next, err := listed.(json.Number).Int64()
		require.NoError(t, err)
		risen, err := got.At("blockHeight").(json.Number).Int64()
		require.NoError(t, err)
		if slot > 0 {
			assert.Equal(t, height+1, risen)
			assert.Equal(t, parent, got.Text("previousBlockhash"))
			assert.Equal(t, strconv.FormatInt(slot, 10), got.Text("parentSlot"))
		}
		if got.Text("blockhash") == hash.Text("value", "blockhash") {
			made = got.Text("blockHeight")
		}
		slot, height, parent = next, risen, got.Text("blockhash")
	}
	head := s.ok(t, 0, "getEpochInfo", at("finalized"))
	assert.Equal(t, strconv.FormatInt(slot, 10), head.Text("absoluteSlot"))
	assert.Equal(t, strconv.FormatInt(height, 10), head.Text("blockHeight"))
	risen, err := strconv.ParseInt(made, 10, 64)
	require.NoError(t, err)
	assert.Equal(t, strconv.FormatInt(risen+150, 10), hash.Text("value", "lastValidBlockHeight"))

	for skipped, known := range map[uint64]bool{(first/7 + 2) * 7: false, (first/7+2)*7 + 1: true} {
		status := s.ok(t, 0, "getSignatureStatuses", []string{s.Vote(skipped).String()})
		assert.Equal(t, known, status.At("value", 0) != nil, "nobody voted in a slot without a block")
	}

	// What lands while a slot is skipped is in the block before it, for every node.
	s.Advance(slots(7 - (first+200)%7))
	signature := s.paid(t, s.named("to"), 5_000_000)
	slotNow := s.ok(t, 0, "getSlot", at("processed")).JSON.(json.Number).String()
	assert.Equal(t, strconv.FormatUint(s.View().Slot(), 10), slotNow)
	s.Advance(slots(70))
	for i := range 2 {
		status := s.ok(t, i, "getSignatureStatuses", []string{signature})
		landed := s.ok(t, i, "getBlock", status.At("value", 0, "slot"), object{"transactionDetails": "signatures"})
		assert.Contains(t, landed.At("signatures"), signature)
	}
}

func TestGenesisHash(t *testing.T) {
	one, same := start(t, play.Config{ManualClock: true}), start(t, play.Config{ManualClock: true})
	other := start(t, play.Config{ManualClock: true, Seed: 2})
	got, err := one.node(t).GetGenesisHash(t.Context())
	require.NoError(t, err)
	assert.Equal(t, one.Genesis(), got)
	assert.Equal(t, one.Genesis(), same.Genesis())
	assert.NotEqual(t, one.Genesis(), other.Genesis(), "another seed is another chain")
}

// TestLibraryReadsBlocks decodes with the library's types.
func TestLibraryReadsBlocks(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	sent := s.paid(t, s.named("to"), 5_000_000)
	s.Advance(slots(1))
	opts := rpc.GetBlockOpts{Encoding: solana.EncodingBase64, Commitment: rpc.CommitmentConfirmed}
	got, err := s.node(t).GetBlockWithOpts(t.Context(), first, &opts)
	require.NoError(t, err)
	require.Len(t, got.Transactions, 2)
	vote, err := got.Transactions[0].GetTransaction()
	require.NoError(t, err)
	require.Len(t, vote.Message.Instructions, 1)
	program, err := vote.Message.Program(vote.Message.Instructions[0].ProgramIDIndex)
	require.NoError(t, err)
	assert.Equal(t, solana.VoteProgramID, program)
	assert.Equal(t, got.PreviousBlockhash, vote.Message.RecentBlockhash)
	tx, err := got.Transactions[1].GetTransaction()
	require.NoError(t, err)
	assert.Equal(t, sent, tx.Signatures[0].String())
	require.NoError(t, tx.VerifySignatures())
}
