package node

import (
	"encoding/json"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// toBlocks tells of each block, with all of its transactions or, of those that have one,
// with the transactions that name an address.
func (c *call) toBlocks() *subscription {
	mentioned := c.blockFilter()
	config := blockConfig{Encoding: "base64", Details: "full"}
	var more struct {
		Rewards bool `json:"showRewards"`
	}
	c.param(1, false, &config)
	c.param(1, false, &more)
	config.Rewards = more.Rewards
	settled(config.Commitment)
	if config.Commitment == "" {
		config.Commitment = finalized
	}
	told := func(c *call, slot uint64) []any {
		if c.Lag(config.Commitment) == 0 {
			slot = c.BlockAt(slot - 1) // the newest that is whole
		}
		return c.toldBlock(slot, mentioned, config)
	}
	return &subscription{to: []any{mentioned, config}, commitment: config.Commitment, slot: told}
}

// blockFilter reads the first parameter: a word, or an object with an address.
func (c *call) blockFilter() *solana.PublicKey {
	var filter any
	c.param(0, true, &filter)
	if filter == "all" {
		return nil
	}
	var of struct {
		Mentions string `json:"mentionsAccountOrProgram"`
	}
	kind, word := filter.(string)
	badIf(word, "unknown variant `%s`, expected `all` or `mentionsAccountOrProgram`", kind)
	c.param(0, true, &of)
	key := address(of.Mentions, "mentions_account_or_program")
	return &key
}

// toldBlock is the notification of a block, or none if nothing in it is wanted.
func (c *call) toldBlock(slot uint64, mentioned *solana.PublicKey, config blockConfig) []any {
	all := c.Block(slot)
	wanted := func(r *ledger.Receipt) bool { return mentioned == nil || slices.Contains(r.Keys, *mentioned) }
	if !slices.ContainsFunc(all, wanted) {
		return nil
	}
	update := map[string]any{"slot": slot, "block": nil, "err": nil}
	ask := &call{Chain: c.Chain, node: c.node, params: []json.RawMessage{kit.MustJSON(slot), kit.MustJSON(config)}}
	told := []any{map[string]any{"context": map[string]uint64{"slot": slot}, "value": update}}
	var block map[string]any
	if kit.Caught[callError](func() { block = ask.getBlock().(map[string]any) }) != nil {
		update["err"] = map[string]int{"UnsupportedTransactionVersion": 0}
		return told
	}
	for _, name := range []string{"transactions", "signatures"} {
		list, _ := block[name].([]any)
		for i := len(list) - 1; i >= 0; i-- {
			if !wanted(all[i]) {
				block[name] = slices.Delete(block[name].([]any), i, i+1)
			}
		}
	}
	update["block"] = block
	return told
}
