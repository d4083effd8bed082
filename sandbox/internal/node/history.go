package node

import (
	"fmt"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
)

// cachedRoots is how many finalized blocks a node keeps the statuses of without its
// history. Those of the blocks after them it keeps too.
const cachedRoots = 300

// history refuses what a node that keeps none cannot know.
func (c *call) history() error {
	if c.node.HistoryOff {
		return &callError{Code: noHistory, Message: "Transaction history is not available from this node"}
	}
	return nil
}

// getSignatureStatuses answers for at most 256 signatures, with what the newest
// processed bank knows.
func (c *call) getSignatureStatuses() (any, error) {
	var texts []string
	if err := c.param(0, true, &texts); err != nil {
		return nil, err
	}
	if len(texts) > 256 {
		return nil, fmt.Errorf("too many inputs provided; max 256")
	}
	var config struct {
		Search bool `json:"searchTransactionHistory"`
	}
	if err := c.param(1, false, &config); err != nil {
		return nil, err
	}
	if err := c.history(); config.Search && err != nil {
		return nil, err
	}
	statuses := make([]any, len(texts))
	for i, text := range texts {
		signature, err := solana.SignatureFromBase58(text)
		if err != nil {
			return nil, fmt.Errorf("invalid param: %q is not a signature", text)
		}
		commitment, r := c.status(signature)
		if r == nil || !config.Search && c.Height(r.Slot)+cachedRoots <= c.Height(c.slotAt(finalized)) {
			continue
		}
		statuses[i] = build.SignatureStatus(commitment, c.slot(), r)
	}
	return c.inContext(processed, statuses), nil
}

func (c *call) getTransaction() (any, error) {
	var text string
	if err := c.param(0, true, &text); err != nil {
		return nil, err
	}
	signature, err := solana.SignatureFromBase58(text)
	if err != nil {
		return nil, fmt.Errorf("invalid param: %q is not a signature", text)
	}
	config, err := c.blockConfigAt(1)
	if err != nil {
		return nil, err
	}
	_, r := c.status(signature)
	if r == nil || r.Tx == nil || r.Slot > c.slotAt(config.Commitment) {
		return nil, nil
	}
	answer, err := c.landed(r, config)
	if err != nil {
		return nil, err
	}
	answer["slot"], answer["blockTime"] = r.Slot, c.TimeOf(r.Slot).Unix()
	return answer, nil
}

// maxHistory is how many signatures a node lists in one answer.
const maxHistory = 1000

// getSignaturesForAddress lists the confirmed transactions that name an address,
// the newest first: those older than before, until the signature until. A node
// that does not know before lists nothing.
func (c *call) getSignaturesForAddress() (any, error) {
	address, err := c.address(0)
	if err != nil {
		return nil, err
	}
	limits := struct {
		Limit  int              `json:"limit"`
		Before solana.Signature `json:"before"`
		Until  solana.Signature `json:"until"`
	}{Limit: maxHistory}
	if err := c.param(1, false, &limits); err != nil {
		return nil, err
	}
	if err := c.history(); err != nil {
		return nil, err
	}
	config, err := c.settledAt(1)
	switch {
	case err != nil:
		return nil, err
	case limits.Limit < 1 || limits.Limit > maxHistory:
		return nil, &callError{Code: params, Message: fmt.Sprintf("Invalid limit; max %d", maxHistory)}
	}
	list := []any{}
	begun := limits.Before.IsZero()
	for r := range c.History(address) {
		switch {
		case len(list) == limits.Limit || r.Signature == limits.Until:
			return list, nil
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
	return list, nil
}
