package node

import (
	"slices"

	"github.com/gagliardetto/solana-go"
)

// How many accounts getRecentPrioritizationFees is asked for at most, and for how many
// blocks it answers.
const (
	maxFeeAccounts = 128
	feeBlocks      = 150
)

// recentFee is the price that the cheapest transaction of a block paid, in
// micro-lamports per compute unit.
type recentFee struct {
	Slot uint64 `json:"slot"`
	Fee  uint64 `json:"prioritizationFee"`
}

// getRecentPrioritizationFees tells the least price of each of the newest confirmed
// blocks, the oldest first, and 0 of one that has only its vote. With accounts it is
// the greatest of the least prices of the block and of those accounts, as nodes answer.
func (c *call) getRecentPrioritizationFees() any {
	var texts []string
	c.param(0, false, &texts)
	failIf(len(texts) > maxFeeAccounts, params, "Too many inputs provided; max %d", maxFeeAccounts)
	var accounts []solana.PublicKey
	for _, text := range texts {
		key, err := solana.PublicKeyFromBase58(text)
		failIf(err != nil, params, "Invalid param: %q is no address", text)
		accounts = append(accounts, key)
	}
	fees := []recentFee{}
	for slot := c.slotAt(confirmed); len(fees) < feeBlocks; slot = c.BlockAt(slot - 1) {
		fees = append(fees, recentFee{slot, c.RecentFee(slot, accounts)})
	}
	slices.Reverse(fees)
	return fees
}
