package rpcnode

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/signing"
)

var _ walletfi.MessageFinder = (*Client)(nil)

// Bounds of a history.
const (
	historyPage   = 1000 // the most that a node lists at once
	maxHistory    = 10_000
	newestVersion = 1 // of transactions that package signing reads
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
	want, left := sha256.Sum256(search.Message), maxHistory
	for e, err := range c.entries(ctx, address, nil, search.Since, search.AsOf, c.settled()) {
		if err != nil {
			return found, err
		}
		if left--; left < 0 {
			return found, &Error{
				Method: "getSignaturesForAddress", Kind: walletfi.ErrUnavailable,
				Message: fmt.Sprintf("the history since slot %d has more than %d transactions", search.Since, maxHistory),
			}
		}
		got, err := c.digest(ctx, *e.Signature, search.Message)
		if err != nil {
			return found, err
		}
		if got == want {
			return walletfi.FoundMessage{Signature: e.Signature.String()}, nil
		}
	}
	return found, nil
}

// History lists the signatures, base58, of the finalized transactions that name an
// address, in the slots after since and up to until, newest first. Failed transactions
// are among them. A call walks through 10,000 transactions at most,
// getSignaturesForAddress with 1,000 a page; next is where the following call goes on,
// its cursor, and empty at the end. The first cursor is empty.
//
// It lists all or fails: with [walletfi.ErrUnavailable] if the node has not reached
// until, has dropped blocks after since (getFirstAvailableBlock), or does not know where
// the last page ended; with [walletfi.ErrDecode] if a page is not whole or not in order.
func (c *Client) History(
	ctx context.Context, address signing.PublicKey, since, until uint64, cursor string,
) (signatures []string, next string, err error) {
	if since >= until {
		return nil, "", nil
	}
	last, err := parseCursor(cursor)
	if err != nil {
		return nil, "", err
	}
	if err := c.reachesBack(ctx, since+1); err != nil {
		return nil, "", err
	}
	var read []entry
	for e, err := range c.entries(ctx, address, last, since+1, until, rpc.CommitmentFinalized) {
		if err != nil {
			return nil, "", err
		}
		if len(read) == maxHistory {
			return signatures, cursorAt(read), nil
		}
		read = append(read, e)
		if *e.Slot <= until {
			signatures = append(signatures, e.Signature.String())
		}
	}
	return signatures, "", nil
}

// A cursor is the last two signatures that were read, so that pages meet.
func cursorAt(read []entry) string {
	return read[len(read)-2].Signature.String() + "," + read[len(read)-1].Signature.String()
}

func parseCursor(cursor string) (last []entry, err error) {
	if cursor == "" {
		return nil, nil
	}
	for _, text := range strings.Split(cursor, ",") {
		signature, err := parseSignature(text)
		if err != nil {
			return nil, &walletfi.ValidationError{Field: "cursor", Problem: "must be one that History returned"}
		}
		last = append(last, entry{Signature: &signature})
	}
	return last, check.That(len(last) == 2, "cursor", "must be one that History returned")
}

// reachesBack fails if the node has dropped blocks from a slot on.
func (c *Client) reachesBack(ctx context.Context, slot uint64) error {
	const method = "getFirstAvailableBlock"
	first, err := ask(ctx, c, method, func(*uint64) bool { return true })
	if err == nil && *first > slot {
		err = &Error{
			Method: method, Kind: walletfi.ErrUnavailable,
			Message: fmt.Sprintf("the node has dropped the blocks from slot %d to %d", slot, *first),
		}
	}
	return err
}

// History asks a healthy node, within TryTimeout for all pages: see Client.History. A cursor may be of
// another node.
func (p *Pool) History(
	ctx context.Context, address signing.PublicKey, since, until uint64, cursor string,
) (signatures []string, next string, err error) {
	signatures, err = try(ctx, p, func(ctx context.Context, c *Client) (all []string, err error) {
		all, next, err = c.History(ctx, address, since, until, cursor)
		return all, err
	})
	return signatures, next, err
}

// entries walks through the history of an address after the entries last, newest first and back to the
// slot since, of a node that has reached asOf. It ends with its first error.
func (c *Client) entries(
	ctx context.Context, address signing.PublicKey, last []entry, since, asOf uint64, commitment rpc.CommitmentType,
) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		for {
			page, err := c.history(ctx, address, last, asOf, historyPage, commitment)
			if err != nil {
				yield(entry{}, err)
				return
			}
			for _, e := range page[min(len(last), 1):] { // the first was the last one's last
				if *e.Slot < since || !yield(e, nil) {
					return
				}
			}
			if len(page) < historyPage {
				return
			}
			last = page
		}
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
	raw, err := c.transaction(ctx, signature, c.settled(), walletfi.ErrDecode)
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

// Transaction returns the bytes of a finalized transaction by its signature, base58, which is
// the first of it: getTransaction. They hold the signature; that it is one of theirs is for the
// caller to verify. If the node does not have the transaction, or not at finalized, the error is
// [walletfi.ErrNotFound]; if the answer is another transaction, [walletfi.ErrDecode].
func (c *Client) Transaction(ctx context.Context, signature string) ([]byte, error) {
	want, err := parseSignature(signature)
	if err != nil {
		return nil, err
	}
	return c.transaction(ctx, want, rpc.CommitmentFinalized, walletfi.ErrNotFound)
}

// Transaction asks a healthy node: see Client.Transaction.
func (p *Pool) Transaction(ctx context.Context, signature string) ([]byte, error) {
	return try(ctx, p, func(ctx context.Context, c *Client) ([]byte, error) { return c.Transaction(ctx, signature) })
}

// transaction reads the bytes of an executed transaction. That the node does not have it is an error
// of the kind absent.
func (c *Client) transaction(
	ctx context.Context, signature solana.Signature, commitment rpc.CommitmentType, absent error,
) ([]byte, error) {
	type transaction struct {
		Transaction []string `json:"transaction"` // text, encoding
	}
	answer, err := getTransaction[transaction](ctx, c, signature, commitment, absent)
	if err != nil {
		return nil, err
	}
	if len(answer.Transaction) != 2 || answer.Transaction[1] != "base64" {
		return nil, incomplete("getTransaction")
	}
	raw, err := base64.StdEncoding.DecodeString(answer.Transaction[0])
	if err != nil || !bytes.Contains(raw, signature[:]) {
		return nil, &Error{
			Method: "getTransaction", Message: "the answer is not the transaction that was asked for", Kind: walletfi.ErrDecode,
		}
	}
	return raw, nil
}

// getTransaction reads what the node has of an executed transaction. A null is an error of the kind absent.
func getTransaction[T any](
	ctx context.Context, c *Client, signature solana.Signature, commitment rpc.CommitmentType, absent error,
) (answer *T, err error) {
	const method = "getTransaction"
	err = c.read(ctx, func(ctx context.Context) error {
		answer = nil
		return c.rpc.RPCCallForInto(ctx, &answer, method, []any{signature, map[string]any{
			"encoding": "base64", "commitment": commitment, "maxSupportedTransactionVersion": newestVersion,
		}})
	})
	if err == nil && answer == nil {
		err = &Error{Method: method, Message: "the node does not have the transaction", Kind: absent}
	}
	return answer, err
}
