package node

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// The commitments. None means finalized.
const (
	processed = "processed"
	confirmed = "confirmed"
	finalized = "finalized"
)

// param reads the i-th parameter. An optional parameter that is absent or null
// leaves v unchanged.
func (c *call) param(i int, required bool, v any) error {
	if i >= len(c.params) || bytes.Equal(c.params[i], []byte("null")) {
		if required {
			return fmt.Errorf("parameter %d is missing", i)
		}
		return nil
	}
	if err := json.Unmarshal(c.params[i], v); err != nil {
		return fmt.Errorf("parameter %d: %w", i, err)
	}
	return nil
}

// address reads the i-th parameter as an address.
func (c *call) address(i int) (key solana.PublicKey, err error) {
	var text string
	if err := c.param(i, true, &text); err != nil {
		return key, err
	}
	if key, err = solana.PublicKeyFromBase58(text); err != nil {
		return key, fmt.Errorf("invalid address %q", text)
	}
	return key, nil
}

// addressAndConfig are the parameters of the methods about one account.
func (c *call) addressAndConfig() (key solana.PublicKey, config config, err error) {
	if key, err = c.address(0); err == nil {
		config, err = c.configAt(1)
	}
	return key, config, err
}

// config is the object that most methods take last.
type config struct {
	Commitment     string  `json:"commitment"`
	MinContextSlot *uint64 `json:"minContextSlot"`
	Encoding       string  `json:"encoding"`
	DataSlice      *struct {
		Offset int `json:"offset"`
		Length int `json:"length"`
	} `json:"dataSlice"`
}

// configAt reads the i-th parameter, and refuses a slot that has not come yet.
func (c *call) configAt(i int) (config, error) {
	var config config
	if err := c.param(i, false, &config); err != nil {
		return config, err
	}
	return config, c.reached(config.Commitment, config.MinContextSlot)
}

// settledAt is configAt of the methods that know nothing of what is only processed.
func (c *call) settledAt(i int) (config, error) {
	config, err := c.configAt(i)
	if below := settled(config.Commitment); below != nil {
		err = below
	}
	return config, err
}

func settled(commitment string) error {
	if commitment == processed {
		return &callError{Code: params, Message: "Method does not support commitment below `confirmed`"}
	}
	return known(commitment)
}

// known refuses a commitment that there is not.
func known(commitment string) error {
	if !slices.Contains([]string{"", processed, confirmed, finalized}, commitment) {
		return fmt.Errorf("unknown variant `%s`, expected one of `processed`, `confirmed`, `finalized`", commitment)
	}
	return nil
}

// reached refuses to answer from before the slot that the caller wants at least.
func (c *call) reached(commitment string, least *uint64) error {
	if least == nil || *least <= c.slotAt(commitment) {
		return known(commitment)
	}
	return &callError{
		Code: unhealthySlot, Message: "Minimum context slot has not been reached",
		Data: map[string]uint64{"contextSlot": c.slotAt(commitment)},
	}
}

// slot is the newest slot that the node knows.
func (c *call) slot() uint64 { return c.slotAt(processed) }

// slotAt is the newest slot of a commitment.
func (c *call) slotAt(commitment string) uint64 {
	return c.BlockAt(c.CurrentSlot() - c.node.Lag - c.Lag(commitment))
}

// heightAt is the block height of that slot.
func (c *call) heightAt(commitment string) uint64 {
	if c.node.SlotForHeight {
		return c.slotAt(commitment)
	}
	return c.Height(c.slotAt(commitment))
}

// status is the node's answer about a transaction.
func (c *call) status(signature solana.Signature) (string, *ledger.Receipt) {
	r := c.Receipt(signature)
	if r == nil || r.Slot > c.slot() {
		return "", nil
	}
	for _, commitment := range []string{finalized, confirmed} {
		if r.Slot <= c.slotAt(commitment) {
			return commitment, r
		}
	}
	return processed, r
}

// inContext wraps a value with the slot that it holds for.
func (c *call) inContext(commitment string, value any) any {
	return map[string]any{
		"context": map[string]any{"apiVersion": nodeVersion, "slot": c.slotAt(commitment)},
		"value":   value,
	}
}

// nodeVersion is the one that the node claims.
const nodeVersion = "3.0.6"
