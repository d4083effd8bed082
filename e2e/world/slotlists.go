package world

import (
	"fmt"
	"strconv"
)

// mostBlocks is the widest range of getBlocks.
const mostBlocks = 500_000

// rangeEnd checks a range of slots against the provider's limit.
func (c *call) rangeEnd(first, last uint64) *rpcError {
	limit := uint64(mostBlocks)
	if own := uint64(c.profile.GetBlocksMax); own > 0 {
		limit = own
	}
	if last >= first && last-first > limit {
		return badParams(fmt.Sprintf("Slot range too large; max %d", limit))
	}
	return nil
}

func (c *call) getBlocks() *rpcError {
	first, ok := c.param(0).uint()
	if !ok {
		return badParams("Invalid params: expected a slot.")
	}
	last, given := c.param(1).uint()
	cfg := c.param(2)
	if c.param(1).kind == jsonObject {
		cfg = c.param(1)
	}
	level, err := c.settled(cfg)
	if err != nil {
		return err
	}
	b := c.view.at(level)
	if err := c.reached(cfg, b); err != nil {
		return err
	}
	if !given {
		last = first + mostBlocks
	}
	last = min(last, b.slot)
	if err := c.rangeEnd(first, last); err != nil {
		return err
	}
	c.appendSlots(b, first, last, mostBlocks)
	return nil
}

func (c *call) getBlocksWithLimit() *rpcError {
	first, ok := c.param(0).uint()
	limit, ok2 := c.param(1).uint()
	if !ok || !ok2 {
		return badParams("Invalid params: expected a slot and a limit.")
	}
	level, err := c.settled(c.param(2))
	if err != nil {
		return err
	}
	b := c.view.at(level)
	if err := c.reached(c.param(2), b); err != nil {
		return err
	}
	most := uint64(mostBlocks)
	if own := uint64(c.profile.GetBlocksMax); own > 0 {
		most = own
	}
	if limit > most {
		return badParams(fmt.Sprintf("Limit too large; max %d", most))
	}
	c.appendSlots(b, first, b.slot, int(limit))
	return nil
}

// appendSlots writes the slots with blocks that the store has marked as
// roots. Holes in the store are left out without a word; roots of an archive
// that lags are there, its statuses are not.
func (c *call) appendSlots(b bank, first, last uint64, limit int) {
	first = max(first, c.node.floor(&c.view))
	c.text(`[`)
	n := 0
	for _, slot := range c.w.chain.blocks(b, first, last, nil) {
		if n == limit {
			break
		}
		if slot <= c.view.final.slot && c.node.lacks(&c.view, slot) == hole {
			continue
		}
		c.comma(n)
		c.number(slot)
		n++
	}
	c.text(`]`)
	c.remark(strconv.Itoa(n), " blocks")
}

func (c *call) getBlockTime() *rpcError {
	slot, ok := c.param(0).uint()
	if !ok {
		return badParams("Invalid params: expected a slot.")
	}
	if slot > c.view.final.slot {
		if !c.w.chain.contains(c.view.tip, slot) {
			return blockError(codeBlock, "Block not available for slot %d", slot)
		}
	} else if err := c.missing(slot); err != nil {
		return err
	}
	c.unix(slot)
	return nil
}
