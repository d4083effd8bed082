package node_test

import (
	"encoding/base64"
	"encoding/binary"
	"strconv"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// asked is one question to a node and what it says: the text of a member, or an error.
type asked struct {
	method string
	params []any
	path   []any
	want   string
	code   string
}

func (s *started) answers(t *testing.T, tests []asked) {
	t.Helper()
	for _, test := range tests {
		a, code := s.ask(t, 0, test.method, test.params...)
		assert.Equal(t, test.code, code, "%s %v: %s", test.method, test.params, a.Text("message"))
		got := a.At(test.path...)
		if code != "" {
			got = a.Text("message")
		}
		if text, ok := got.(string); ok {
			assert.Equal(t, test.want, text, "%s %v", test.method, test.params)
			continue
		}
		assert.JSONEq(t, test.want, string(kit.MustJSON(got)), "%s %v", test.method, test.params)
	}
}

// last is the newest slot of the test below, 320,000,200, and final the newest final one. The
// epoch is the 740th and began 320,000 slots before the sandbox did.
const (
	last  = first + 200
	final = last - kit.Finality
	begun = 740 * 432_000
)

// TestCluster: one validator leads and votes. Each answer has the members of agave's.
func TestCluster(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{SkipEvery: 150}})
	s.paid(t, s.named("to"), 5_000_000)
	s.Advance(slots(200))
	leader := s.ok(t, 0, "getIdentity").Text("identity")
	require.Len(t, solana.MustPublicKeyFromBase58(leader), 32)
	nobody := s.named("nobody")
	s.answers(t, []asked{
		{"getSlotLeader", []any{}, nil, leader, ""},
		{"getSlotLeader", []any{object{"minContextSlot": last}}, nil, "Minimum context slot has not been reached", "-32016"},
		{"getSlotLeader", []any{object{"commitment": "processed", "minContextSlot": last}}, nil, leader, ""},
		{"getSlotLeaders", []any{last, 2}, nil, text([]string{leader, leader}), ""},
		{"getSlotLeaders", []any{last, 0}, nil, `[]`, ""},
		{"getSlotLeaders", []any{last, 5001}, nil, "Invalid limit; max 5000", "-32602"},
		{"getSlotLeaders", []any{742*432_000 - 1, 1}, nil, text([]string{leader}), ""},
		{"getSlotLeaders", []any{742*432_000 - 1, 2}, nil,
			"Invalid slot range: leader schedule for epoch 742 is unavailable", "-32602"},
		{"getLeaderSchedule", []any{nil, object{"identity": nobody}}, nil, `{}`, ""},
		{"getLeaderSchedule", []any{object{"identity": "x"}}, nil, "Invalid param: WrongSize", "-32602"},
		{"getLeaderSchedule", []any{742 * 432_000}, nil, `null`, ""},
		{"getLeaderSchedule", []any{739 * 432_000}, nil, `null`, ""},
		{"getLeaderSchedule", []any{}, []any{leader, 431_999}, `431999`, ""},
		{"getLeaderSchedule", []any{741 * 432_000}, []any{leader, 0}, `0`, ""},
		{"getBlockProduction", []any{}, []any{"value"}, text(object{"byIdentity": object{leader: []int{320_169, 320_168}},
			"range": object{"firstSlot": begun, "lastSlot": final}}), ""},
		{"getBlockProduction", []any{object{"identity": nobody}}, []any{"value", "byIdentity"}, `{}`, ""},
		{"getBlockProduction", []any{object{"range": object{"firstSlot": final - 1}}}, []any{"value", "byIdentity"},
			text(object{leader: []int{2, 2}}), ""},
		{"getBlockProduction", []any{object{"range": object{"firstSlot": final, "lastSlot": final - 1}}}, nil,
			"lastSlot, 320000167, cannot be less than firstSlot, 320000168", "-32602"},
		{"getBlockProduction", []any{object{"range": object{"firstSlot": 5}}}, nil,
			"firstSlot, 5, is too small; min 318951593", "-32602"},
		{"getBlockProduction", []any{object{"range": object{"firstSlot": final, "lastSlot": last}}}, nil,
			"lastSlot, 320000200, is too large; max 320000168", "-32602"},
		{"getBlockCommitment", []any{last - 2}, []any{"commitment", 1}, `1000000000000000`, ""},
		{"getBlockCommitment", []any{final}, []any{"commitment", 31}, `1000000000000000`, ""},
		{"getBlockCommitment", []any{final - 1}, nil, `{"commitment": null, "totalStake": 1000000000000000}`, ""},
		{"getBlockCommitment", []any{last + 1}, []any{"commitment"}, `null`, ""},
		{"getBlockCommitment", []any{last}, []any{"commitment"}, text(make([]int, 32)), ""},
		{"getEpochInfo", []any{}, nil, text(object{"absoluteSlot": final, "blockHeight": final - 21_000_001, "epoch": 740,
			"slotIndex": final - begun, "slotsInEpoch": 432_000, "transactionCount": final - 21_000_000}), ""},
		{"getEpochSchedule", []any{}, nil, `{"slotsPerEpoch": 432000, "leaderScheduleSlotOffset": 432000, "warmup": false,
			"firstNormalEpoch": 0, "firstNormalSlot": 0}`, ""},
		{"getRecentPerformanceSamples", []any{1}, nil, `[{"slot": 320000100, "numSlots": 149, "numTransactions": 150,
			"numNonVoteTransactions": 1, "samplePeriodSecs": 60}]`, ""},
		{"getRecentPerformanceSamples", []any{}, []any{65, "slot"}, `319990350`, ""},
		{"getRecentPerformanceSamples", []any{721}, nil, "Invalid limit; max 720", "-32602"},
		{"getMaxRetransmitSlot", []any{}, nil, `320000200`, ""},
		{"getMaxShredInsertSlot", []any{}, nil, `320000200`, ""},
		{"getStakeMinimumDelegation", []any{}, []any{"value"}, `1000000000`, ""},
		{"getMinimumBalanceForRentExemption", []any{0}, nil, `890880`, ""},
		{"getMinimumBalanceForRentExemption", []any{10<<20 + 1}, nil, "Invalid request", "-32600"},
	})
}

// TestConstants: what a double can only make up has the members of agave's answers.
func TestConstants(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	leader, nobody := s.ok(t, 0, "getIdentity").Text("identity"), s.named("nobody")
	vote := s.ok(t, 0, "getBlock", first-100, object{"encoding": "jsonParsed"})
	votes := vote.Text("transactions", 0, "transaction", "message", "accountKeys", 1, "pubkey")
	s.answers(t, []asked{
		{"getVoteAccounts", []any{}, nil, text(object{"delinquent": []any{}, "current": []any{object{
			"votePubkey": votes, "nodePubkey": leader, "activatedStake": uint64(1_000_000_000_000_000), "commission": 0,
			"epochVoteAccount": true, "epochCredits": [][]int{{740, first - 32, begun}},
			"lastVote": first - 33, "rootSlot": first - 64,
		}}}), ""},
		{"getVoteAccounts", []any{object{"votePubkey": nobody}}, []any{"current"}, `[]`, ""},
		{"getClusterNodes", []any{}, []any{0, "pubkey"}, leader, ""},
		{"getInflationGovernor", []any{}, nil,
			`{"initial": 0.08, "terminal": 0.015, "taper": 0.15, "foundation": 0, "foundationTerm": 0}`, ""},
		{"getInflationRate", []any{}, nil, `{"total": 0.045, "validator": 0.045, "foundation": 0, "epoch": 740}`, ""},
		{"getInflationReward", []any{[]string{leader}}, nil, "Block 319680000 cleaned up, does not exist on node. " +
			"First available block: 319990000", "-32001"},
		{"getInflationReward", []any{[]string{leader}, object{"epoch": 740}}, nil, "Block not available for slot 320112000", "-32004"},
		{"getInflationReward", []any{[]string{"x"}}, nil, "Invalid param: WrongSize", "-32602"},
		{"getHighestSnapshotSlot", []any{}, nil, `{"full": 319975000, "incremental": 319999900}`, ""},
	})
	s.Advance(slots(112_032))
	s.answers(t, []asked{
		{"getInflationReward", []any{[]string{leader, nobody}}, nil, `[null, null]`, ""},
		{"getEpochInfo", []any{at("finalized")}, []any{"slotIndex"}, `0`, ""},
		{"getEpochInfo", []any{at("finalized")}, []any{"epoch"}, `741`, ""},
	})
}

// TestTransactionCount counts votes and payments, from the slot in which they landed on, and
// never fewer than before.
func TestTransactionCount(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	count := func(commitment string) uint64 {
		n, err := strconv.ParseUint(s.ok(t, 0, "getTransactionCount", at(commitment)).Text(), 10, 64)
		require.NoError(t, err)
		return n
	}
	before := count("processed")
	assert.Equal(t, []uint64{before - 1, before - 32}, []uint64{count("confirmed"), count("finalized")})
	s.paid(t, s.named("to"), 5_000_000)
	assert.Equal(t, []uint64{before + 1, before - 1}, []uint64{count("processed"), count("confirmed")})
	s.Advance(slots(31))
	assert.Equal(t, []uint64{before + 32, before + 31, before - 1},
		[]uint64{count("processed"), count("confirmed"), count("finalized")})
	s.Advance(slots(1))
	assert.Equal(t, before+1, count("finalized"))
}

// TestFeeForMessage prices legacy and v0 messages, with and without a price for units.
func TestFeeForMessage(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	owner, nonce := build.PublicKey(s.Wallet()), build.PublicKey(s.Keypair("nonce"))
	fee := func(hash solana.Hash, v0 bool, config any, instructions ...solana.Instruction) (answer, string) {
		tx, err := solana.NewTransaction(instructions, hash, solana.TransactionPayer(owner))
		require.NoError(t, err)
		if v0 {
			tx.Message.SetVersion(solana.MessageVersionV0)
		}
		raw, err := tx.Message.MarshalBinary()
		require.NoError(t, err)
		return s.ask(t, 0, "getFeeForMessage", base64.StdEncoding.EncodeToString(raw), config)
	}
	pay := system.NewTransferInstruction(1, owner, nonce).Build()
	price := solana.NewInstruction(solana.ComputeBudget, nil, binary.LittleEndian.AppendUint64([]byte{3}, 1_000_000))
	limit := solana.NewInstruction(solana.ComputeBudget, nil, []byte{2, 0xe8, 3, 0, 0})
	hash := solana.MustHashFromBase58(s.ok(t, 0, "getLatestBlockhash", at("processed")).Text("value", "blockhash"))
	for _, v0 := range []bool{false, true} {
		a, code := fee(hash, v0, at("processed"), pay)
		assert.Equal(t, []string{"5000", ""}, []string{a.Text("value"), code})
		a, code = fee(hash, v0, at("processed"), price, limit, pay)
		assert.Equal(t, []string{"6000", ""}, []string{a.Text("value"), code})
		a, code = fee(hash, v0, nil, pay)
		assert.Equal(t, []any{nil, ""}, []any{a.At("value"), code}, "the finalized bank does not know the hash yet")
		assert.Equal(t, strconv.Itoa(first-32), a.Text("context", "slot"))
	}
	rent, hashes := ledger.Rent(80), solana.SysVarRecentBlockHashesPubkey
	s.land(t, system.NewCreateAccountInstruction(rent, 80, solana.SystemProgramID, owner, nonce).Build(),
		system.NewInitializeNonceAccountInstruction(owner, nonce, hashes, solana.SysVarRentPubkey).Build())
	s.Advance(slots(200))
	info := s.ok(t, 0, "getAccountInfo", nonce, object{"encoding": "jsonParsed"})
	assert.JSONEq(t, string(kit.MustJSON(object{"program": "nonce", "space": 80, "parsed": object{
		"type": "initialized", "info": object{"authority": owner, "feeCalculator": object{"lamportsPerSignature": "5000"},
			"blockhash": info.Text("value", "data", "parsed", "info", "blockhash")},
	}})), string(kit.MustJSON(info.At("value", "data"))))
	value := solana.MustHashFromBase58(info.Text("value", "data", "parsed", "info", "blockhash"))
	advance := system.NewAdvanceNonceAccountInstruction(nonce, hashes, owner).Build()
	a, _ := fee(value, false, nil, advance, pay)
	assert.Equal(t, "5000", a.Text("value"), "a nonce does not expire")
	a, _ = fee(hash, false, nil, advance, pay)
	assert.Nil(t, a.At("value"), "a blockhash does")
	for text, problem := range map[string]string{"!": "invalid base64 encoding", "AAAA": "failed to deserialize"} {
		a, code := s.ask(t, 0, "getFeeForMessage", text)
		assert.Equal(t, "-32602", code)
		assert.Contains(t, a.Text("message"), problem)
	}
}
