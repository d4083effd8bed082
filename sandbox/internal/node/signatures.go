package node

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// maxHistory is how many signatures a node lists in one answer.
const maxHistory = 1000

// getSignaturesForAddress lists the confirmed transactions that name an address,
// the newest first: those older than before, until the signature until, whether or not
// these two name the address. A node that does not know before lists nothing.
func (c *call) getSignaturesForAddress() any {
	address := c.address(0)
	limits := struct {
		Limit  uint   `json:"limit"`
		Before string `json:"before"`
		Until  string `json:"until"`
	}{Limit: maxHistory}
	c.param(1, false, &limits)
	c.history()
	before, named := c.limit(limits.Before)
	until, _ := c.limit(limits.Until)
	config := c.settledAt(1)
	failIf(limits.Limit < 1 || limits.Limit > maxHistory, params, "Invalid limit; max %d", maxHistory)
	list := []any{}
	if named && before == nil {
		return list
	}
	for r := range c.History(address) {
		switch {
		case uint(len(list)) == limits.Limit || until != nil && !c.older(until, r):
			return list
		case r.Slot > c.slotAt(config.Commitment) || before != nil && !c.older(r, before):
			continue
		}
		commitment, _ := c.status(r.Signature)
		list = append(list, map[string]any{
			"signature": r.Signature, "slot": r.Slot, "err": orNull(r.Err), "memo": memoOf(r),
			"blockTime": c.TimeOf(r.Slot).Unix(), "confirmationStatus": commitment,
		})
	}
	return list
}

// limit reads a text as the signature of a transaction, and returns what became of it.
func (c *call) limit(text string) (r *ledger.Receipt, named bool) {
	if text == "" {
		return nil, false
	}
	return c.Receipt(signatureOf(text)), true
}

// older reports whether a transaction landed before another.
func (c *call) older(a, b *ledger.Receipt) bool {
	if a.Slot != b.Slot {
		return a.Slot < b.Slot
	}
	block := c.Block(a.Slot)
	place := func(r *ledger.Receipt) int {
		return slices.IndexFunc(block, func(x *ledger.Receipt) bool { return x.Signature == r.Signature })
	}
	return place(a) < place(b)
}

// memoOf is the memos of a transaction with their lengths, null if it has none.
func memoOf(r *ledger.Receipt) any {
	var memos []string
	for _, in := range r.Tx.Instructions {
		if !memoPrograms[r.Tx.Keys[in.Program]] {
			continue
		}
		text := string(in.Data)
		if !utf8.ValidString(text) {
			text = "(unparseable)"
		}
		memos = append(memos, fmt.Sprintf("[%d] %s", len(in.Data), text))
	}
	if memos == nil {
		return nil
	}
	return strings.Join(memos, "; ")
}
