package node

import (
	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

func (c *call) getHealth() any { return "ok" }

func (c *call) getVersion() any {
	return map[string]any{"solana-core": nodeVersion, "feature-set": 3604001754}
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

// slotsInEpoch is the length of an epoch on mainnet.
const slotsInEpoch = 432_000

func (c *call) getEpochInfo() any {
	config := c.configAt(0)
	slot := c.slotAt(config.Commitment)
	return map[string]any{
		"absoluteSlot": slot, "blockHeight": c.heightAt(config.Commitment), "epoch": slot / slotsInEpoch,
		"slotIndex": slot % slotsInEpoch, "slotsInEpoch": slotsInEpoch, "transactionCount": nil,
	}
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
	badIf(err != nil, "blockhash: %v", err)
	config := c.configAt(1)
	return c.inContext(config.Commitment, c.BlockhashKnown(hash, c.slotAt(config.Commitment)))
}

func (c *call) getMinimumBalanceForRentExemption() any {
	var space int
	c.param(0, true, &space)
	badIf(space < 0, "a negative size")
	return ledger.Rent(space)
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
