package proof_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
)

// TestLastIsNeverTooSoon: on chains with skipped slots, whatever a node shows of a blockhash in whatever order, the last
// height by it is not before the last at which the ledger can execute a transaction on it.
func TestLastIsNeverTooSoon(t *testing.T) {
	exact, steps := 0, 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 151))
		var heights []uint64 // of the newest block up to a slot
		var blocks []walletfi.Head
		height, skips := uint64(1000), r.Float64()*0.6
		for slot := range uint64(1500) {
			if slot == 0 || r.Float64() > skips {
				height++
				blocks = append(blocks, walletfi.Head{Slot: slot, Height: height})
			}
			heights = append(heights, height)
		}
		age := uint64(151 + r.IntN(2)*r.IntN(60))
		told := age // by the node; 0 if it does not say, and it is the usual one
		if age == proof.Age && r.IntN(2) == 0 {
			told = 0
		}
		own := blocks[100+r.IntN(100)]
		valid := func(slot uint64) bool { return slot >= own.Slot && heights[slot] < own.Height+age }
		n := walletfi.NodeEvidence{Node: "node"}
		final := walletfi.Head{}
		for slot := own.Slot; slot < 1400; slot += uint64(1 + r.IntN(40)) {
			if lag := uint64(r.IntN(120)); slot > lag && r.IntN(3) > 0 {
				for _, b := range blocks {
					if b.Slot+lag <= slot && b.Slot > final.Slot {
						final = b
					}
				}
			}
			proof.Nearer(&n, final)
			switch ask := slot - uint64(r.IntN(32)); r.IntN(4) {
			case 0, 1:
				if final.Slot > 0 && ask >= own.Slot && valid(ask) {
					proof.Valid(&n, final, ask)
					n.Age = told
				}
			case 2:
				if at := final.Slot + uint64(r.IntN(3)); n.Seen > 0 && at >= n.Seen && at < 1500 && !valid(at) {
					proof.Ended(&n, final, at)
				}
			case 3:
				if final.Slot >= own.Slot && r.IntN(20) == 0 {
					proof.Found(&n, own)
					n.Age = told
				}
			}
			e := &walletfi.Evidence{Nodes: []walletfi.NodeEvidence{n}}
			last, known := proof.Last(e, []string{"node"})
			if !known {
				continue
			}
			steps++
			require.GreaterOrEqual(t, last, own.Height+age, "seed %d: %+v", seed, n)
			if last == own.Height+age {
				exact++
			}
		}
	}
	require.Greater(t, steps, 20_000)
	require.Greater(t, exact, 1000)
	t.Logf("%d bounds, %d exact", steps, exact)
}
