package node

import (
	"fmt"

	"github.com/gagliardetto/solana-go"
)

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
	config, err := c.configAt(1)
	switch {
	case err != nil:
		return nil, err
	case config.Commitment == "processed":
		return nil, &callError{Code: params, Message: "Method does not support commitment below `confirmed`"}
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
			"blockTime": r.Time.Unix(), "confirmationStatus": commitment,
		}
		if r.Err != nil {
			entry["err"] = r.Err
		}
		list = append(list, entry)
	}
	return list, nil
}
