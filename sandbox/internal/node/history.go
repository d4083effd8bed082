package node

import (
	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
)

// cachedRoots is how many finalized blocks a node keeps the statuses of without its
// history. Those of the blocks after them it keeps too.
const cachedRoots = 300

// history refuses what a node that keeps none cannot know.
func (c *call) history() {
	failIf(c.node.HistoryOff, noHistory, "Transaction history is not available from this node")
}

// getSignatureStatuses answers for at most 256 signatures, with what the newest
// processed bank knows.
func (c *call) getSignatureStatuses() any {
	var texts []string
	c.param(0, true, &texts)
	badIf(len(texts) > 256, "too many inputs provided; max 256")
	var config struct {
		Search bool `json:"searchTransactionHistory"`
	}
	c.param(1, false, &config)
	if config.Search {
		c.history()
	}
	statuses := make([]any, len(texts))
	for i, text := range texts {
		signature, err := solana.SignatureFromBase58(text)
		badIf(err != nil, "invalid param: %q is not a signature", text)
		commitment, r := c.status(signature)
		if r == nil || !config.Search && c.Height(r.Slot)+cachedRoots <= c.Height(c.slotAt(finalized)) {
			continue
		}
		statuses[i] = build.SignatureStatus(commitment, c.slot(), r)
	}
	return c.inContext(processed, statuses)
}

func (c *call) getTransaction() any {
	var text string
	c.param(0, true, &text)
	signature, err := solana.SignatureFromBase58(text)
	badIf(err != nil, "invalid param: %q is not a signature", text)
	config := c.blockConfigAt(1)
	_, r := c.status(signature)
	if r == nil || r.Tx == nil || r.Slot > c.slotAt(config.Commitment) {
		return nil
	}
	answer := c.landed(r, config)
	answer["slot"], answer["blockTime"] = r.Slot, c.TimeOf(r.Slot).Unix()
	return answer
}

// maxHistory is how many signatures a node lists in one answer.
const maxHistory = 1000

// getSignaturesForAddress lists the confirmed transactions that name an address,
// the newest first: those older than before, until the signature until. A node
// that does not know before lists nothing.
func (c *call) getSignaturesForAddress() any {
	address := c.address(0)
	limits := struct {
		Limit  int              `json:"limit"`
		Before solana.Signature `json:"before"`
		Until  solana.Signature `json:"until"`
	}{Limit: maxHistory}
	c.param(1, false, &limits)
	c.history()
	config := c.settledAt(1)
	failIf(limits.Limit < 1 || limits.Limit > maxHistory, params, "Invalid limit; max %d", maxHistory)
	list := []any{}
	begun := limits.Before.IsZero()
	for r := range c.History(address) {
		switch {
		case len(list) == limits.Limit || r.Signature == limits.Until:
			return list
		case r.Slot > c.slotAt(config.Commitment):
			continue
		case !begun:
			begun = r.Signature == limits.Before
			continue
		}
		commitment, _ := c.status(r.Signature)
		entry := map[string]any{
			"signature": r.Signature, "slot": r.Slot, "err": nil, "memo": nil,
			"blockTime": c.TimeOf(r.Slot).Unix(), "confirmationStatus": commitment,
		}
		if r.Err != nil {
			entry["err"] = r.Err
		}
		list = append(list, entry)
	}
	return list
}
