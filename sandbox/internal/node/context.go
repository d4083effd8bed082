package node

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"

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
func (c *call) param(i int, required bool, v any) {
	if i >= len(c.params) || bytes.Equal(c.params[i], null) {
		badIf(required, "invalid type: null, expected %s", expected(reflect.TypeOf(v).Elem()))
		return
	}
	if err := json.Unmarshal(c.params[i], v); err != nil {
		panic(bad("%s", mistyped(c.params[i], err)))
	}
}

// address reads the i-th parameter as an address.
func (c *call) address(i int) solana.PublicKey {
	var text string
	c.param(i, true, &text)
	return addressOf(text)
}

// maxAddress is how long the text of an address can be.
const maxAddress = 44

// addressOf reads a text as an address.
func addressOf(text string) (key solana.PublicKey) {
	raw, err := base58.Decode(text)
	failIf(err != nil && text != "" && len(text) <= maxAddress, params, "Invalid param: Invalid")
	failIf(len(raw) != len(key) || len(text) > maxAddress, params, "Invalid param: WrongSize")
	return solana.PublicKey(raw)
}

// signatureOf reads a text as a signature.
func signatureOf(text string) solana.Signature {
	signature, err := solana.SignatureFromBase58(text)
	failIf(err != nil, params, "Invalid param: %s", unlike(text, len(signature)))
	return signature
}

// addressAndConfig are the parameters of the methods about one account.
func (c *call) addressAndConfig() (solana.PublicKey, config) { return c.address(0), c.configAt(1) }

// config is the object that most methods take last.
type config struct {
	Commitment     string  `json:"commitment"`
	MinContextSlot *uint64 `json:"minContextSlot"`
	Encoding       string  `json:"encoding"`
	DataSlice      *struct {
		Offset uint `json:"offset"`
		Length uint `json:"length"`
	} `json:"dataSlice"`
	look lookup // in the state that the answer is of
}

// lookup returns an account, nil if there is none.
type lookup func(key solana.PublicKey) *ledger.Account

// configAt reads the i-th parameter, and refuses a slot that has not come yet.
func (c *call) configAt(i int) (config config) {
	c.param(i, false, &config)
	c.reached(config.Commitment, config.MinContextSlot)
	config.look = c.lookAt(c.slotAt(config.Commitment))
	return config
}

// lookAt finds accounts as they were at the end of a slot.
func (c *call) lookAt(slot uint64) lookup {
	return func(key solana.PublicKey) *ledger.Account { return c.AccountAt(key, slot) }
}

// settledAt is configAt of the methods that know nothing of what is only processed.
func (c *call) settledAt(i int) (config config) {
	c.param(i, false, &config)
	settled(config.Commitment)
	c.reached(config.Commitment, config.MinContextSlot)
	return config
}

func settled(commitment string) {
	failIf(commitment == processed, params, "Method does not support commitment below `confirmed`")
}

// reached refuses to answer from before the slot that the caller wants at least.
func (c *call) reached(commitment string, least *uint64) {
	if least != nil && *least > c.slotAt(commitment) {
		panic(&callError{
			Code: unhealthySlot, Message: "Minimum context slot has not been reached",
			Data: map[string]uint64{"contextSlot": c.slotAt(commitment)},
		})
	}
}

// slot is the newest slot that the node knows.
func (c *call) slot() uint64 { return c.slotAt(processed) }

// slotAt is the newest slot of a commitment.
func (c *call) slotAt(commitment string) uint64 {
	return c.BlockAt(c.CurrentSlot() - c.node.Lag - c.Lag(commitment))
}

// onBank runs f while the ledger is as it was in the newest slot of a commitment.
func (c *call) onBank(commitment string, f func()) { c.AsOf(c.slotAt(commitment), f) }

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
	return inSlot(c.slotAt(commitment), value)
}

func inSlot(slot uint64, value any) any {
	return map[string]any{"context": map[string]any{"apiVersion": nodeVersion, "slot": slot}, "value": value}
}

// nodeVersion is the one that the node claims.
const nodeVersion = "3.0.6"
