package world

import "strconv"

// aheadBy is how far ahead of the chain a liar's heads are.
const aheadBy = 700

// pretended returns the slot and height that the node tells of a bank.
func (c *call) pretended(b bank) (slot, height uint64) {
	switch c.lie {
	case LiarAhead:
		return b.slot + aheadBy, b.height + aheadBy
	case LiarHeight:
		return b.slot, b.slot
	}
	return b.slot, b.height
}

func (c *call) getSlot() *rpcError {
	b, err := c.bank(c.param(0))
	if err != nil {
		return err
	}
	slot, _ := c.pretended(b)
	c.number(slot)
	c.remark("slot ", strconv.FormatUint(slot, 10))
	return nil
}

func (c *call) getBlockHeight() *rpcError {
	b, err := c.bank(c.param(0))
	if err != nil {
		return err
	}
	_, height := c.pretended(b)
	c.number(height)
	c.remark("height ", strconv.FormatUint(height, 10))
	return nil
}

// epochSlots is the length of an epoch.
const epochSlots = 432_000

func (c *call) getEpochInfo() *rpcError {
	b, err := c.bank(c.param(0))
	if err != nil {
		return err
	}
	slot, height := c.pretended(b)
	c.text(`{"absoluteSlot":`)
	c.number(slot)
	c.text(`,"blockHeight":`)
	c.number(height)
	c.text(`,"epoch":`)
	c.number(slot / epochSlots)
	c.text(`,"slotIndex":`)
	c.number(slot % epochSlots)
	c.text(`,"slotsInEpoch":`)
	c.number(epochSlots)
	c.text(`,"transactionCount":`)
	c.number(height * 3)
	c.text(`}`)
	c.remark("slot ", strconv.FormatUint(slot, 10), " height ", strconv.FormatUint(height, 10))
	return nil
}

func (c *call) getLatestBlockhash() *rpcError {
	b, err := c.bank(c.param(0))
	if err != nil {
		return err
	}
	last := c.w.ages.lastValid(b.height)
	switch c.lie {
	case LiarShort:
		last = b.height + 5 + draw(c.w.cfg.Seed, forLie, b.slot)%35
	case LiarHeight:
		last = b.slot + 150
	case LiarEarly:
		c.shown, last = b.slot-earlyBy, last-earlyBy/2
	}
	hash := c.w.chain.blockhash(b.slot)
	c.context(b.slot)
	c.text(`{"blockhash":`)
	c.base58(hash[:])
	c.text(`,"lastValidBlockHeight":`)
	c.number(last)
	c.text(`}}`)
	c.remark("of slot ", strconv.FormatUint(b.slot, 10), " valid to ", strconv.FormatUint(last, 10))
	return nil
}

func (c *call) isBlockhashValid() *rpcError {
	var hash Hash
	if err := key58(hash[:], c.param(0)); err != nil {
		return err
	}
	b, err := c.bank(c.param(1))
	if err != nil {
		return err
	}
	valid := false
	if slot, ok := c.w.chain.slotOf(hash); ok && c.w.chain.contains(b, slot) {
		of, _ := c.w.chain.block(slot)
		valid = c.w.ages.valid(of.height, b.height)
	}
	switch c.lie {
	case LiarInvalid:
		valid = false
	case LiarEarly:
		if valid {
			c.shown = b.slot - earlyBy
		}
	}
	c.context(b.slot)
	c.bool(valid)
	c.text(`}`)
	c.remark(strconv.FormatBool(valid), " at ", strconv.FormatUint(b.slot, 10))
	return nil
}

func (c *call) getGenesisHash() *rpcError {
	h := c.w.chain.genesis()
	if c.lie == LiarGenesis {
		h[0] ^= 0x55
	}
	c.base58(h[:])
	return nil
}

// unhealthy is the error of a node that lags too far.
func (c *call) unhealthy() *rpcError {
	behind := c.view.behind()
	if behind <= healthDistance {
		return nil
	}
	n := strconv.FormatUint(behind, 10)
	return &rpcError{codeUnhealthy, "Node is behind by " + n + " slots", `{"numSlotsBehind":` + n + `}`}
}

func (c *call) getHealth() *rpcError {
	if err := c.unhealthy(); err != nil {
		return err
	}
	c.text(`"ok"`)
	return nil
}

func (c *call) getVersion() *rpcError {
	c.text(`{"feature-set":3604001754,"solana-core":"` + apiVersion + `"}`)
	return nil
}

func (c *call) getFirstAvailableBlock() *rpcError {
	c.number(c.node.floor(&c.view))
	return nil
}

func (c *call) minimumLedgerSlot() *rpcError { return c.getFirstAvailableBlock() }
