package node

import (
	"bytes"
	"math"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// featureSet is the one of the version that the node claims.
const featureSet = 3604001754

func (c *call) getVersion() any {
	return map[string]any{"solana-core": nodeVersion, "feature-set": uint32(featureSet)}
}

func (c *call) getGenesisHash() any { return c.Genesis().String() }

func (c *call) getSlot() any {
	config := c.configAt(0)
	return c.slotAt(config.Commitment)
}

func (c *call) getBlockHeight() any {
	config := c.configAt(0)
	return c.heightAt(config.Commitment)
}

func (c *call) getLatestBlockhash() any {
	config := c.configAt(0)
	hash, last := c.Chain.Blockhash(c.CurrentSlot() - c.slotAt(config.Commitment))
	return c.inContext(config.Commitment, map[string]any{"blockhash": hash.String(), "lastValidBlockHeight": last})
}

func (c *call) isBlockhashValid() any {
	var text string
	c.param(0, true, &text)
	hash, err := solana.HashFromBase58(text)
	failIf(err != nil, params, "Invalid param: %s", unlike(text, len(hash)))
	config := c.configAt(1)
	return c.inContext(config.Commitment, c.BlockhashKnown(hash, c.slotAt(config.Commitment)))
}

// maxSpace is how many bytes an account can have.
const maxSpace = 10 << 20

func (c *call) getMinimumBalanceForRentExemption() any {
	var space uint
	c.param(0, true, &space)
	failIf(space > maxSpace, invalid, "Invalid request")
	return ledger.Rent(int(space))
}

// getBlockTime knows the time of blocks that are not confirmed yet, too.
func (c *call) getBlockTime() any {
	var slot uint64
	c.param(0, true, &slot)
	c.available(slot, processed)
	return c.TimeOf(slot).Unix()
}

func (c *call) getFirstAvailableBlock() any { return c.FirstBlock() }

// minimumLedgerSlot is one less: a block is returned only with its parent's hash.
func (c *call) minimumLedgerSlot() any { return c.FirstBlock() - 1 }

// maxBlocks is how many slots getBlocks and getBlocksWithLimit look at.
const maxBlocks = 500_000

// The values of a blockConfig that change more than one member of an answer.
const (
	jsonParsed   = "jsonParsed"
	accountsOnly = "accounts"
)

// blockConfig says how a block, or one of its transactions, is written.
type blockConfig struct {
	Commitment string `json:"commitment"`
	Encoding   string `json:"encoding"`
	Details    string `json:"transactionDetails"`
	Rewards    bool   `json:"rewards"`
	Version    *uint8 `json:"maxSupportedTransactionVersion"`
}

// blockConfigAt reads the i-th parameter of a method that needs the history: an
// encoding, or an object.
func (c *call) blockConfigAt(i int) blockConfig {
	config := blockConfig{Encoding: "json", Details: "full", Rewards: true}
	c.history()
	var into any = &config
	if i < len(c.params) && bytes.HasPrefix(c.params[i], []byte{'"'}) {
		into = &config.Encoding
	}
	c.param(i, false, into)
	settled(config.Commitment)
	return config
}

// getBlock returns a block that is confirmed or finalized. Its vote comes first.
func (c *call) getBlock() any {
	var slot uint64
	c.param(0, true, &slot)
	config := c.blockConfigAt(1)
	c.available(slot, config.Commitment)
	parent := c.BlockAt(slot - 1)
	answer := map[string]any{
		"blockhash": c.BlockhashOf(slot).String(), "previousBlockhash": c.BlockhashOf(parent).String(),
		"parentSlot": parent, "blockHeight": c.Height(slot), "blockTime": c.TimeOf(slot).Unix(),
	}
	if config.Rewards {
		answer["rewards"] = []any{}
	}
	told := []any{}
	for _, r := range c.Block(slot) {
		var one any = r.Signature
		if config.Details == "full" || config.Details == accountsOnly {
			one = c.landed(r, config)
		}
		told = append(told, one)
	}
	switch config.Details {
	case "full", accountsOnly:
		answer["transactions"] = told
	case "signatures":
		answer["signatures"] = told
	}
	return answer
}

// available says why a slot's block cannot be returned.
func (c *call) available(slot uint64, commitment string) {
	first, skipped := c.FirstBlock(), c.BlockAt(slot) < slot
	unknown := slot > c.slotAt(commitment) || skipped && slot > c.slotAt(finalized) // as one that is to come
	failIf(unknown, notAvailable, "Block not available for slot %d", slot)
	failIf(skipped, slotSkipped, "Slot %d was skipped, or missing due to ledger jump to recent snapshot", slot)
	failIf(slot < first, cleanedUp, "Block %d cleaned up, does not exist on node. First available block: %d", slot, first)
}

// getBlocks lists the slots that have a block, up to one or the newest.
func (c *call) getBlocks() any {
	until, last := uint64(math.MaxUint64), 1 // the second parameter may be the last
	if len(c.params) > 1 && !bytes.HasPrefix(c.params[1], []byte{'{'}) {
		last = 2
		c.param(1, false, &until)
	}
	return c.blocks(last, until, maxBlocks+1)
}

// getBlocksWithLimit lists so many slots that have a block.
func (c *call) getBlocksWithLimit() any {
	var limit uint64
	c.param(1, true, &limit)
	failIf(limit > maxBlocks, params, "Limit too large; max %d", maxBlocks)
	return c.blocks(2, math.MaxUint64, limit)
}

// blocks lists at most so many slots that have a block. The i-th parameter is the config.
func (c *call) blocks(i int, until, limit uint64) any {
	var from uint64
	c.param(0, true, &from)
	config := c.settledAt(i)
	if until = min(until, c.slotAt(config.Commitment)); until > from && until-from > maxBlocks {
		panic(fail(params, "Slot range too large; max %d", maxBlocks))
	}
	slots := []uint64{}
	for slot := max(from, c.FirstBlock()); slot <= until && uint64(len(slots)) < limit; slot++ {
		if c.BlockAt(slot) == slot {
			slots = append(slots, slot)
		}
	}
	return slots
}
