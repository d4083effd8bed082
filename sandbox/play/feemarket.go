package play

import "time"

// FeeMarket says what other traffic pays for its room in the blocks of a [Network].
//
// A block has room for so many compute units, and for fewer that write one account. A
// leader takes the transaction with the highest price per compute unit first: what
// SetComputeUnitPrice says, for the limit that SetComputeUnitLimit says. A transaction
// whose price does not reach waits for the rest of the leader's four slots. Then it is
// dropped, and no node tells anything of it. Bundles, and what services send
// themselves, need no room.
//
// The other traffic always asks for more than there is. It is drawn from the seed for
// each slot, does not depend on what clients do, and is in no block that a node tells.
// LedgerHandle.LeastPrice tells what would have got in beside it.
// getRecentPrioritizationFees is answered from both: for each block the least price that
// got in, or the greatest of the least prices of the accounts asked for, if that is
// more. So an account that only one wallet writes tells what that wallet has paid.
type FeeMarket struct {
	// Seed determines the other traffic. 0 means Config.Seed.
	Seed uint64
	// Price is about the least price in a block when the market is calm, in
	// micro-lamports per compute unit. 0 means 10,000.
	Price uint64
	// Times is how many times Price a busy market asks. 0 means 10.
	Times uint64
	// Curve is how the price moves. Empty means FeesCalm.
	Curve FeeCurve
	// Begin is when FeesRising begins to rise, counted from the start of the sandbox.
	Begin time.Duration
	// Hot are accounts, base58, that others pay for: Times what the rest of the block
	// costs.
	Hot []string
	// BlockUnits are the compute units of a block. 0 means 60,000,000.
	BlockUnits uint64
	// AccountUnits are those of a block that may write one account. 0 means 12,000,000.
	AccountUnits uint64
}

// FeeCurve is how the price of a [FeeMarket] moves.
type FeeCurve string

// The curves.
const (
	// FeesCalm stays within about a tenth.
	FeesCalm FeeCurve = "calm"
	// FeesRising rises to Times Price within 20 seconds and stays there.
	FeesRising FeeCurve = "rising"
	// FeesSpike is at Times Price for 8 of each 40 seconds, at a time that the seed
	// draws, and calm between.
	FeesSpike FeeCurve = "spike"
	// FeesWaves goes up to Times Price and back each minute.
	FeesWaves FeeCurve = "waves"
)
