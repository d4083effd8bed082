package node

import (
	"encoding/binary"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// How many accounts getRecentPrioritizationFees is asked for at most, and for how many
// blocks it answers.
const (
	maxFeeAccounts = 128
	feeBlocks      = 150
)

// advanceNonce is the number of the system program's instruction.
const advanceNonce = 4

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
		accounts = append(accounts, addressOf(text))
	}
	fees := []recentFee{}
	for slot := c.slotAt(confirmed); len(fees) < feeBlocks; slot = c.BlockAt(slot - 1) {
		fees = append(fees, recentFee{slot, c.RecentFee(slot, accounts)})
	}
	slices.Reverse(fees)
	return fees
}

// getFeeForMessage tells the fee of a message, and null if its blockhash is no longer known.
func (c *call) getFeeForMessage() any {
	var text string
	c.param(0, true, &text)
	config := c.configAt(1)
	tx := parsed(unsigned(decoded(text, "base64", message)), message, "transaction message: index out of bounds")
	_, bid, err := c.Bid(tx.Raw)
	failIf(err != nil, params, "invalid transaction message: invalid value")
	if !c.BlockhashKnown(tx.Blockhash, c.slotAt(config.Commitment)) && !c.atNonce(tx, config) {
		return c.inContext(config.Commitment, nil)
	}
	return c.inContext(config.Commitment, bid.Fee)
}

// unsigned makes a transaction of a message, with signatures of zeros.
func unsigned(message []byte) []byte {
	count := 0
	switch {
	case len(message) < 4:
	case message[0] == 0x81: // v1: the signatures follow the message
		return append(message, make([]byte, solana.SignatureLength*int(message[1]))...)
	case message[0] >= 0x80:
		count = int(message[1])
	default:
		count = int(message[0])
	}
	raw := append([]byte{byte(count)}, make([]byte, solana.SignatureLength*count)...)
	return append(raw, message...)
}

// atNonce reports whether a message begins by advancing a nonce account that has its blockhash.
func (c *call) atNonce(tx *ledger.Transaction, config config) bool {
	if len(tx.Instructions) == 0 {
		return false
	}
	in := tx.Instructions[0]
	if tx.Keys[in.Program] != solana.SystemProgramID || len(in.Data) < 4 || len(in.Accounts) == 0 ||
		binary.LittleEndian.Uint32(in.Data) != advanceNonce || in.Accounts[0] >= len(tx.Keys) {
		return false
	}
	n, ok := nonceOf(c.AccountAt(tx.Keys[in.Accounts[0]], c.slotAt(config.Commitment)))
	return ok && n.blockhash == tx.Blockhash
}
