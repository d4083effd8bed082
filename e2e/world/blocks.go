package world

import (
	"fmt"
	"strconv"
)

// history fails if the node keeps no history, by an error or by null.
func (c *call) history() (stop bool, err *rpcError) {
	switch c.node.cfg.NoHistory {
	case HistoryError:
		return true, errNoHistory
	case HistoryNull:
		c.text(`null`)
		c.remark("null: no history")
		return true, nil
	}
	return false, nil
}

func (c *call) getBlock() *rpcError {
	slot, ok := c.param(0).uint()
	if !ok {
		return badParams("Invalid params: expected a slot.")
	}
	if stop, err := c.history(); stop {
		return err
	}
	cfg := c.param(1)
	level, err := c.settled(cfg)
	if err != nil {
		return err
	}
	if slot > c.view.final.slot {
		if level != confirmed || !c.w.chain.contains(c.view.confirmed, slot) {
			return blockError(codeBlock, "Block not available for slot %d", slot)
		}
		if slot+1 >= c.view.confirmed.slot && draw(c.node.seed, forNullError, slot)%8 == 0 {
			return blockError(codeNotYet, "Block status not yet available for slot %d", slot)
		}
	} else {
		if err := c.missing(slot); err != nil {
			return err
		}
		if c.readFails(slot) {
			c.text(`null`)
			c.remark("null: the store failed")
			return nil
		}
		slot = c.crooked(slot)
	}
	return c.appendBlock(slot, cfg)
}

func blockError(code int, format string, slot uint64) *rpcError {
	return &rpcError{code: code, message: fmt.Sprintf(format, slot)}
}

// missing says why there is no finalized block in a slot, as a node says it:
// a hole in its store looks like a skipped slot.
func (c *call) missing(slot uint64) *rpcError {
	const skipped = "Slot %d was skipped, or missing due to ledger jump to recent snapshot"
	switch c.node.lacks(&c.view, slot) {
	case tooOld:
		return &rpcError{
			code: codeCleanedUp,
			message: fmt.Sprintf("Block %d cleaned up, does not exist on node. First available block: %d",
				slot, c.node.floor(&c.view)),
		}
	case hole:
		return blockError(codeSkipped, skipped, slot)
	case notArchived:
		return blockError(codeStorageSkipped, "Slot %d was skipped, or missing in long-term storage", slot)
	}
	if _, ok := c.w.chain.main(slot); !ok && c.lie != LiarWitness {
		return blockError(codeSkipped, skipped, slot)
	}
	return nil
}

func (c *call) appendBlock(slot uint64, cfg *value) *rpcError {
	chain := c.w.chain
	details := string(cfg.get("transactionDetails").text)
	b, _ := chain.block(slot)
	parent := chain.lastMain(slot - 1)
	if b.slot != 0 {
		parent = chain.parent(b)
	}
	hash, previous := chain.blockhash(slot), chain.blockhash(c.unchained(slot, parent.slot))
	c.text(`{"blockHeight":`)
	c.number(parent.height + 1)
	c.text(`,"blockTime":`)
	c.unix(slot)
	c.text(`,"blockhash":`)
	c.base58(hash[:])
	c.text(`,"parentSlot":`)
	c.number(parent.slot)
	c.text(`,"previousBlockhash":`)
	c.base58(previous[:])
	if v := cfg.get("rewards"); v.missing() || v.isTrue() {
		c.text(`,"rewards":[]`)
	}
	var err *rpcError
	switch details {
	case "none":
	case "signatures":
		c.appendSignatures(slot)
	default:
		err = c.appendTransactions(slot, cfg)
	}
	c.text(`}`)
	c.remark("block ", strconv.FormatUint(slot, 10), " height ", strconv.FormatUint(parent.height+1, 10))
	return err
}

// ours returns the clients' transactions in a block, unless the liar hides
// them.
func (c *call) ours(slot uint64) []*execution {
	switch c.lie {
	case LiarOurs, LiarSwallow, LiarFuture, LiarWitness:
		return nil
	}
	return c.w.executed(slot)
}

func (c *call) appendSignatures(slot uint64) {
	if c.hollow(slot, "signatures") {
		return
	}
	c.text(`,"signatures":[`)
	count, _ := c.w.chain.strangers(slot)
	for i := range count {
		c.comma(i)
		s := c.w.chain.strangerSignature(slot, i)
		c.base58(s[:])
	}
	for i, e := range c.ours(slot) {
		c.comma(count + i)
		c.base58(e.tx.id[:])
	}
	c.text(`]`)
}

func (c *call) appendTransactions(slot uint64, cfg *value) *rpcError {
	if c.hollow(slot, "transactions") {
		return nil
	}
	c.text(`,"transactions":[`)
	count, _ := c.w.chain.strangers(slot)
	for i := range count {
		c.comma(i)
		if err := c.appendFull(c.strangerExecution(slot, i), cfg); err != nil {
			return err
		}
	}
	for i, e := range c.ours(slot) {
		c.comma(count + i)
		if err := c.appendFull(e, cfg); err != nil {
			return err
		}
	}
	c.text(`]`)
	return nil
}

// appendFull writes a transaction as an object of its own.
func (c *call) appendFull(e *execution, cfg *value) *rpcError {
	c.text(`{`)
	if err := c.appendTransaction(e, cfg); err != nil {
		return err
	}
	c.text(`}`)
	return nil
}

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
