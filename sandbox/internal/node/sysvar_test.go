package node_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"math/bits"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// The layouts of the sysvars as the documentation of the runtime has them: whatever has another
// length does not decode.
type (
	clockLayout struct {
		Slot           uint64
		EpochStart     int64
		Epoch, Leaders uint64
		Unix           int64
	}
	rentLayout struct {
		PerByteYear uint64
		Years       float64
		Burnt       uint8
	}
	scheduleLayout struct {
		Slots, Offset         uint64
		Warmup                bool
		NormalEpoch, NormalAt uint64
	}
	recentLayout struct {
		Count uint64
		All   [150]struct {
			Hash solana.Hash
			Fee  uint64
		}
	}
	hashesLayout struct {
		Count uint64
		All   [512]struct {
			Slot uint64
			Hash solana.Hash
		}
	}
	historyLayout struct {
		Some  bool
		Words uint64
		Bits  [1 << 14]uint64
		Count uint64
		Next  uint64
	}
	stakesLayout struct {
		Count uint64
		All   [512]struct{ Epoch, Effective, Activating, Deactivating uint64 }
	}
	restartLayout struct{ Slot uint64 }
	rewardsLayout struct {
		Starts, Parts        uint64
		Parent               solana.Hash
		Points               [2]uint64
		Rewards, Distributed uint64
		Active               bool
	}
)

const sysvarProgram = "Sysvar1111111111111111111111111111111111111"

// sysvarsInOrder are those that have an account, in the order of their addresses.
var sysvarsInOrder = []string{
	"SysvarC1ock11111111111111111111111111111111",
	"SysvarEpochRewards1111111111111111111111111",
	"SysvarEpochSchedu1e111111111111111111111111",
	"SysvarLastRestartS1ot1111111111111111111111",
	"SysvarRecentB1ockHashes11111111111111111111",
	"SysvarRent111111111111111111111111111111111",
	"SysvarS1otHashes111111111111111111111111111",
	"SysvarS1otHistory11111111111111111111111111",
	"SysvarStakeHistory1111111111111111111111111",
}

// sysvar reads one with solana-go, decodes it and returns the slot of the answer.
func (s *started) sysvar(t *testing.T, i int, commitment rpc.CommitmentType, into any) uint64 {
	t.Helper()
	got, err := s.node(t).GetAccountInfoWithOpts(t.Context(), solana.MustPublicKeyFromBase58(sysvarsInOrder[i]),
		&rpc.GetAccountInfoOpts{Commitment: commitment})
	require.NoError(t, err)
	data := got.GetBinary()
	require.Equal(t, binary.Size(into), len(data), sysvarsInOrder[i])
	require.NoError(t, binary.Read(bytes.NewReader(data), binary.LittleEndian, into))
	least, err := s.node(t).GetMinimumBalanceForRentExemption(t.Context(), uint64(len(data)), "")
	require.NoError(t, err)
	assert.Equal(t, least, got.Value.Lamports)
	assert.Equal(t, sysvarProgram, got.Value.Owner.String())
	assert.False(t, got.Value.Executable)
	return got.Context.Slot
}

// TestSysvars: they agree with the node's methods at the same commitment.
func TestSysvars(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{SkipEvery: 150}})
	s.Advance(slots(200))
	for i, want := range []uint64{last, last - 1, final} {
		level := rpc.CommitmentType(levels[i])
		var clock clockLayout
		assert.Equal(t, want, s.sysvar(t, 0, level, &clock))
		info := s.ok(t, 0, "getEpochInfo", at(levels[i]))
		assert.Equal(t, text(info.At("absoluteSlot")), text(clock.Slot))
		assert.Equal(t, text(info.At("epoch")), text(clock.Epoch))
		assert.Equal(t, clock.Epoch+1, clock.Leaders)
		assert.Equal(t, s.Start.Add(slots(int(want-first))).Unix(), clock.Unix)
		assert.Equal(t, s.Start.Add(-slots(first-begun)).Unix(), clock.EpochStart)

		var recent recentLayout
		s.sysvar(t, 4, level, &recent)
		latest := s.ok(t, 0, "getLatestBlockhash", at(levels[i]))
		assert.Equal(t, latest.Text("value", "blockhash"), recent.All[0].Hash.String())
		assert.EqualValues(t, []uint64{150, 5000}, []uint64{recent.Count, recent.All[149].Fee})

		var hashes hashesLayout
		s.sysvar(t, 6, level, &hashes)
		assert.EqualValues(t, []uint64{512, want - 1}, []uint64{hashes.Count, hashes.All[0].Slot})
		assert.Equal(t, recent.All[1].Hash, hashes.All[0].Hash)
		assert.Equal(t, want-513, hashes.All[511].Slot, "one slot of them has no block")

		var history historyLayout
		s.sysvar(t, 7, level, &history)
		assert.Equal(t, []uint64{1 << 14, 1 << 20, want + 1}, []uint64{history.Words, history.Count, history.Next})
		has := func(slot uint64) bool { return history.Bits[slot>>6&(1<<14-1)]>>(slot&63)&1 == 1 }
		assert.Equal(t, []bool{true, true, false, true, true},
			[]bool{history.Some, has(want), has(first + 100), has(first + 99), has(want + 1 - 1<<20)})
		n := 0
		for _, word := range history.Bits {
			n += bits.OnesCount64(word)
		}
		assert.Equal(t, 1<<20-1, n, "all slots but one have a block")
	}
	var rent rentLayout
	s.sysvar(t, 5, "", &rent)
	assert.Equal(t, rentLayout{3480, 2, 50}, rent)
	var schedule scheduleLayout
	s.sysvar(t, 2, "", &schedule)
	assert.Equal(t, scheduleLayout{Slots: 432_000, Offset: 432_000}, schedule)
	var stakes stakesLayout
	s.sysvar(t, 8, "", &stakes)
	newest := stakes.All[0]
	assert.Equal(t, []uint64{512, 739, 1_000_000_000_000_000}, []uint64{stakes.Count, newest.Epoch, newest.Effective})
	assert.EqualValues(t, 739-511, stakes.All[511].Epoch)
	s.sysvar(t, 3, "", &restartLayout{})
	var rewards rewardsLayout
	s.sysvar(t, 1, "", &rewards)
	assert.Equal(t, []uint64{begun - 21_000_000 + 1, 1, 0}, []uint64{rewards.Starts, rewards.Parts, rewards.Rewards})
	assert.False(t, rewards.Active)
}

// TestSysvarsParsed: jsonParsed is as agave's account decoder writes it.
func TestSysvarsParsed(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	parsed := func(i int) answer {
		a := s.ok(t, 0, "getAccountInfo", sysvarsInOrder[i], object{"encoding": "jsonParsed", "commitment": "processed"})
		assert.Equal(t, "sysvar", a.Text("value", "data", "program"))
		return answer{JSON: a.At("value", "data", "parsed")}
	}
	hash := s.ok(t, 0, "getLatestBlockhash", at("processed")).Text("value", "blockhash")
	parent := s.ok(t, 0, "getLatestBlockhash", at("confirmed")).Text("value", "blockhash")
	var rewards rewardsLayout
	s.sysvar(t, 1, "", &rewards)
	for i, want := range map[int]object{
		0: {"type": "clock", "info": object{"slot": first, "epochStartTimestamp": s.Start.Add(-slots(first - begun)).Unix(),
			"epoch": 740, "leaderScheduleEpoch": 741, "unixTimestamp": s.Start.Unix()}},
		1: {"type": "epochRewards", "info": object{"distributionStartingBlockHeight": begun - 21_000_000 + 1,
			"numPartitions": 1, "parentBlockhash": rewards.Parent, "totalPoints": "0", "totalRewards": "0",
			"distributedRewards": "0", "active": false}},
		2: {"type": "epochSchedule", "info": s.ok(t, 0, "getEpochSchedule").JSON},
		3: {"type": "lastRestartSlot", "info": object{"lastRestartSlot": 0}},
		5: {"type": "rent", "info": object{"lamportsPerByteYear": "3480", "exemptionThreshold": 2, "burnPercent": 50}},
	} {
		assert.JSONEq(t, text(want), text(parsed(i).JSON))
	}
	for i, want := range map[int][]any{
		4: {"recentBlockhashes", 150, object{"blockhash": hash, "feeCalculator": object{"lamportsPerSignature": "5000"}}},
		6: {"slotHashes", 512, object{"slot": first - 1, "hash": parent}},
		8: {"stakeHistory", 512, object{"epoch": 739, "stakeHistory": object{
			"effective": uint64(1_000_000_000_000_000), "activating": 0, "deactivating": 0}}},
	} {
		a := parsed(i)
		assert.Equal(t, want[0], a.Text("type"))
		assert.Len(t, a.At("info"), want[1].(int))
		assert.JSONEq(t, text(want[2]), text(a.At("info", 0)))
	}
	history := parsed(7)
	assert.Equal(t, "slotHistory", history.Text("type"))
	assert.Equal(t, text(first+1), text(history.At("info", "nextSlot")))
	assert.True(t, strings.Repeat("1", 1<<20) == history.Text("info", "bits"), "every slot has a block")
}

// TestSysvarLists: sysvars are among several accounts, among those of their program, and in the
// balances. That of instructions has no account.
func TestSysvarLists(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	config := object{"encoding": "base64", "dataSlice": object{"offset": 0, "length": 8}}
	all := s.ok(t, 0, "getProgramAccounts", sysvarProgram, config)
	require.Len(t, all.JSON, len(sysvarsInOrder))
	several := s.ok(t, 0, "getMultipleAccounts", sysvarsInOrder, config)
	for i, key := range sysvarsInOrder {
		assert.Equal(t, key, all.Text(i, "pubkey"))
		assert.Equal(t, text(several.At("value", i)), text(all.At(i, "account")))
		balance := s.ok(t, 0, "getBalance", key)
		assert.Equal(t, text(several.At("value", i, "lamports")), text(balance.At("value")))
	}
	slot := base64.StdEncoding.EncodeToString(binary.LittleEndian.AppendUint64(nil, first-32))
	assert.Equal(t, slot, several.Text("value", 0, "data", 0))
	assert.Equal(t, "131097", text(several.At("value", 7, "space")))
	s.answers(t, []asked{
		{"getAccountInfo", []any{solana.SysVarInstructionsPubkey}, []any{"value"}, `null`, ""},
		{"getAccountInfo", []any{sysvarsInOrder[7]}, nil,
			"Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.", "-32600"},
		{"getProgramAccounts", []any{sysvarProgram, object{"encoding": "base64", "filters": []any{object{"dataSize": 17}}}},
			[]any{0, "pubkey"}, sysvarsInOrder[5], ""},
	})
}
