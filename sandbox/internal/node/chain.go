package node

import (
	"fmt"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

func (c *call) getHealth() (any, error) { return "ok", nil }

func (c *call) getVersion() (any, error) {
	return map[string]any{"solana-core": nodeVersion, "feature-set": 3604001754}, nil
}

func (c *call) getGenesisHash() (any, error) { return c.Genesis().String(), nil }

func (c *call) getSlot() (any, error) {
	config, err := c.configAt(0)
	return c.slotAt(config.Commitment), err
}

func (c *call) getBlockHeight() (any, error) {
	config, err := c.configAt(0)
	return c.heightAt(config.Commitment), err
}

// slotsInEpoch is the length of an epoch on mainnet.
const slotsInEpoch = 432_000

func (c *call) getEpochInfo() (any, error) {
	config, err := c.configAt(0)
	slot := c.slotAt(config.Commitment)
	return map[string]any{
		"absoluteSlot": slot, "blockHeight": c.heightAt(config.Commitment), "epoch": slot / slotsInEpoch,
		"slotIndex": slot % slotsInEpoch, "slotsInEpoch": slotsInEpoch, "transactionCount": nil,
	}, err
}

func (c *call) getLatestBlockhash() (any, error) {
	config, err := c.configAt(0)
	if err != nil {
		return nil, err
	}
	hash, last := c.Chain.Blockhash(c.CurrentSlot() - c.slotAt(config.Commitment))
	return c.inContext(config.Commitment, map[string]any{"blockhash": hash.String(), "lastValidBlockHeight": last}), nil
}

func (c *call) isBlockhashValid() (any, error) {
	var text string
	if err := c.param(0, true, &text); err != nil {
		return nil, err
	}
	hash, err := solana.HashFromBase58(text)
	if err != nil {
		return nil, fmt.Errorf("blockhash: %w", err)
	}
	config, err := c.configAt(1)
	return c.inContext(config.Commitment, c.BlockhashKnown(hash, c.slotAt(config.Commitment))), err
}

func (c *call) getMinimumBalanceForRentExemption() (any, error) {
	var space int
	if err := c.param(0, true, &space); err != nil {
		return nil, err
	}
	if space < 0 {
		return nil, fmt.Errorf("a negative size")
	}
	return ledger.Rent(space), nil
}

// getBlockTime knows the time of blocks that are not confirmed yet, too.
func (c *call) getBlockTime() (any, error) {
	var slot uint64
	if err := c.param(0, true, &slot); err != nil {
		return nil, err
	}
	return c.TimeOf(slot).Unix(), c.available(slot, processed)
}

func (c *call) getFirstAvailableBlock() (any, error) { return c.FirstBlock(), nil }

// minimumLedgerSlot is one less: a block is returned only with its parent's hash.
func (c *call) minimumLedgerSlot() (any, error) { return c.FirstBlock() - 1, nil }
