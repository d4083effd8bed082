package node

import (
	"math"
	"strings"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// sysvarLayouts are the sysvars that are objects of plain fields.
var sysvarLayouts = map[solana.PublicKey][2]string{
	solana.SysVarClockPubkey: {"clock",
		"slot:u64 epochStartTimestamp:i64 epoch:u64 leaderScheduleEpoch:u64 unixTimestamp:i64"},
	solana.SysVarEpochSchedulePubkey: {"epochSchedule",
		"slotsPerEpoch:u64 leaderScheduleSlotOffset:u64 warmup:bool firstNormalEpoch:u64 firstNormalSlot:u64"},
	ledger.SysvarLastRestartSlot: {"lastRestartSlot", "lastRestartSlot:u64"},
}

// parsedSysvar reads the account at a sysvar's address, which the ledger wrote.
func parsedSysvar(key solana.PublicKey, data []byte) (string, any) {
	f := &fields{rest: data}
	if known, ok := sysvarLayouts[key]; ok {
		info, _ := f.object(known[1])
		return known[0], info
	}
	switch key {
	case solana.SysVarRentPubkey:
		return "rent", map[string]any{
			"lamportsPerByteYear": f.amount(), "exemptionThreshold": math.Float64frombits(f.u64()),
			"burnPercent": f.u8(),
		}
	case solana.SysVarRecentBlockHashesPubkey:
		return "recentBlockhashes", f.list(func() any {
			return map[string]any{
				"blockhash": f.key(), "feeCalculator": map[string]any{"lamportsPerSignature": f.amount()},
			}
		})
	case solana.SysVarSlotHashesPubkey:
		return "slotHashes", f.list(func() any { return map[string]any{"slot": f.u64(), "hash": f.key()} })
	case solana.SysVarStakeHistoryPubkey:
		return "stakeHistory", f.list(func() any {
			return map[string]any{"epoch": f.u64(), "stakeHistory": map[string]any{
				"effective": f.u64(), "activating": f.u64(), "deactivating": f.u64(),
			}}
		})
	case solana.SysVarSlotHistoryPubkey:
		f.bytes(1 + 8) // there are bits, in so many words
		bits := f.bytes(ledger.SlotHistory / 8)
		f.u64() // how many
		return "slotHistory", map[string]any{"bits": bitText(bits), "nextSlot": f.u64()}
	case ledger.SysvarEpochRewards:
		info := map[string]any{
			"distributionStartingBlockHeight": f.u64(), "numPartitions": f.u64(), "parentBlockhash": f.key(),
			"totalPoints": f.amount(),
		}
		f.u64() // the upper half of the points
		info["totalRewards"], info["distributedRewards"], info["active"] = f.amount(), f.amount(), f.flag()
		return "epochRewards", info
	}
	return "", nil
}

// list reads as many elements as the number before them says.
func (f *fields) list(element func() any) any {
	all := []any{}
	for n := f.u64(); n > 0 && !f.short; n-- {
		all = append(all, element())
	}
	return all
}

// bitText writes bits as a text of 0 and 1, the lowest of each byte first.
func bitText(bits []byte) string {
	var b strings.Builder
	b.Grow(8 * len(bits))
	for _, eight := range bits {
		for i := range 8 {
			b.WriteByte('0' + eight>>i&1)
		}
	}
	return b.String()
}
