package rpcnode

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

var _ walletfi.MessageFinder = (*Client)(nil)

// Bounds of a search through an owner's history.
const (
	historyPage     = 1000 // the most that a node lists at once
	maxHistoryPages = 10
	newestVersion   = 1 // of transactions that package signing reads
)

// entry is a line of an address's history.
type entry struct {
	Signature *solana.Signature `json:"signature"`
	Slot      *uint64           `json:"slot"`
	Err       known[any]        `json:"err"` // null if it succeeded
}

// FindMessage looks for a transaction by its message in the history of its
// owner, newest first and back to the slot Since:
// getSignaturesForAddress, 1,000 a page, and getTransaction for each signature
// that was not compared before. It finds none only if a node that has reached
// the slot AsOf lists the whole of that history without it. A history of more
// than 10,000 transactions is an error.
func (c *Client) FindMessage(
	ctx context.Context, search walletfi.MessageSearch,
) (found walletfi.FoundMessage, err error) {
	address, err := signing.ParsePublicKey(search.Owner)
	if err != nil {
		return found, &walletfi.ValidationError{Field: "owner", Problem: "must be the base58 of 32 bytes"}
	}
	if len(search.Message) == 0 {
		return found, &walletfi.ValidationError{Field: "message", Problem: "is required"}
	}
	want := sha256.Sum256(search.Message)
	var last []entry
	for range maxHistoryPages {
		page, err := c.history(ctx, address, last, search.AsOf, historyPage, c.settled())
		if err != nil {
			return found, err
		}
		for _, e := range page {
			if *e.Slot < search.Since {
				return found, nil
			}
			got, err := c.digest(ctx, *e.Signature, search.Message)
			if err != nil {
				return found, err
			}
			if got == want {
				return walletfi.FoundMessage{Signature: e.Signature.String()}, nil
			}
		}
		if len(page) < historyPage {
			return found, nil
		}
		last = page
	}
	return found, &Error{
		Method: "getSignaturesForAddress", Kind: walletfi.ErrUnavailable,
		Message: fmt.Sprintf(
			"the history since slot %d has more than %d transactions", search.Since, maxHistoryPages*historyPage,
		),
	}
}

// history lists the page after last. It begins with the last entry of the one
// before: a node that does not know that signature lists nothing, which would
// look like the end.
func (c *Client) history(
	ctx context.Context, address signing.PublicKey, last []entry, asOf uint64, limit int, commitment rpc.CommitmentType,
) ([]entry, error) {
	const method = "getSignaturesForAddress"
	config := notBefore(asOf, map[string]any{"limit": limit, "commitment": commitment})
	if len(last) > 0 {
		config["before"] = last[len(last)-2].Signature
	}
	answer, err := ask(ctx, c, method, func(page *[]entry) bool {
		return !slices.ContainsFunc(*page, func(e entry) bool { return e.Signature == nil || e.Slot == nil })
	}, address, config)
	if err != nil {
		return nil, err
	}
	page := *answer
	switch {
	case !slices.IsSortedFunc(page, func(a, b entry) int { return cmp.Compare(*b.Slot, *a.Slot) }):
		return nil, &Error{Method: method, Message: "the history is not in order", Kind: walletfi.ErrDecode}
	case len(last) > 0 && (len(page) == 0 || *page[0].Signature != *last[len(last)-1].Signature):
		return nil, &Error{Method: method, Message: "the history's pages do not meet", Kind: walletfi.ErrUnavailable}
	}
	return page, nil
}

// digest is the hash of a transaction's message. One in a form that package
// signing does not read is compared with wanted alone.
func (c *Client) digest(
	ctx context.Context, signature solana.Signature, wanted []byte,
) (digest [sha256.Size]byte, err error) {
	if digest, ok := c.digests.get(signature); ok {
		return digest, nil
	}
	raw, err := c.transaction(ctx, signature, c.settled())
	if err != nil {
		return digest, err
	}
	tx, err := signing.DecodeBytes(raw)
	switch {
	case err == nil:
		digest = sha256.Sum256(tx.Message())
		c.digests.put(signature, digest)
	case bytes.Contains(raw, wanted):
		digest = sha256.Sum256(wanted)
	}
	return digest, nil
}

// transaction reads the bytes of an executed transaction: getTransaction.
func (c *Client) transaction(
	ctx context.Context, signature solana.Signature, commitment rpc.CommitmentType,
) ([]byte, error) {
	const method = "getTransaction"
	type transaction struct {
		Transaction []string `json:"transaction"` // text, encoding
	}
	answer, err := ask(ctx, c, method, func(a *transaction) bool {
		return len(a.Transaction) == 2 && a.Transaction[1] == "base64"
	}, signature, map[string]any{
		"encoding": "base64", "commitment": commitment, "maxSupportedTransactionVersion": newestVersion,
	})
	if err != nil {
		return nil, err
	}
	raw, err := base64.StdEncoding.DecodeString(answer.Transaction[0])
	if err != nil || !bytes.Contains(raw, signature[:]) {
		return nil, &Error{
			Method: method, Message: "the answer is not the transaction that was asked for", Kind: walletfi.ErrDecode,
		}
	}
	return raw, nil
}
