package rpcnode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
)

var (
	_ walletfi.Submitter     = (*Client)(nil)
	_ walletfi.Confirmer     = (*Client)(nil)
	_ walletfi.BlockHeighter = (*Client)(nil)
)

// Submit sends tx to the node, which passes it on to the leader: sendTransaction.
// The signature that it returns is the transaction's own; the node's answer is
// only held against it.
//
// If the node was busy or its answer was lost, the same bytes are sent again,
// which cannot execute twice. A transaction that the ledger already has is a
// success. An error that does not answer to walletfi.ErrOutcomeUnknown means
// that it was not sent: the node was never reached, or refused it in preflight
// (walletfi.ErrRejected, with the node's logs in Error.Data; for its blockhash,
// walletfi.ErrBlockhashNotFound too), as malformed, for want of a key or for its
// rate. Everything else may have been sent.
func (c *Client) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	known, err := ownSignature(tx)
	if err != nil {
		return "", notSent(err)
	}
	ambiguous := false
	for n := 0; ; n++ {
		err := c.sendOnce(ctx, tx.Transaction, known)
		if err == nil || alreadyProcessed(err) {
			return known, nil
		}
		ambiguous = ambiguous || !neverSent(err)
		if passes(err) && n < repeats {
			again, last := c.await(ctx, n, err)
			if again {
				continue
			}
			err = last
		}
		if ambiguous {
			return "", &walletfi.OutcomeUnknownError{Signature: known, Cause: err}
		}
		return "", notSent(err)
	}
}

// ownSignature is the transaction's first signature.
func ownSignature(tx walletfi.Signed) (string, error) {
	known, ok := walletfi.TransactionSignature(tx.Transaction)
	if !ok {
		return "", &walletfi.ValidationError{Field: "transaction", Problem: "is not a transaction signed by its fee payer"}
	}
	if tx.Signature != "" && tx.Signature != known {
		return "", &walletfi.ValidationError{Field: "signature", Problem: "is not the transaction's first"}
	}
	return known, nil
}

func notSent(err error) error { return fmt.Errorf("%w: %w", walletfi.ErrNotSent, err) }

func (c *Client) sendOnce(ctx context.Context, tx walletfi.Base64Transaction, known string) error {
	signature, err := c.rpc.SendEncodedTransactionWithOpts(ctx, string(tx), rpc.TransactionOpts{
		Encoding:            solana.EncodingBase64,
		SkipPreflight:       c.skipPreflight,
		PreflightCommitment: c.commitment,
		MaxRetries:          c.maxRetries,
	})
	if err == nil && signature.String() != known {
		return &Error{
			Method: "sendTransaction", Message: "the node names another transaction's signature", Kind: walletfi.ErrDecode,
		}
	}
	return err
}

// alreadyProcessed reports that the ledger has the transaction.
func alreadyProcessed(err error) bool {
	refused, ok := errors.AsType[*Error](err)
	return ok && refused.Code == codePreflightFailure && refused.reason == reasonProcessed
}

// Is lets errors.Is find walletfi.ErrBlockhashNotFound in a preflight's refusal.
func (e *Error) Is(target error) bool {
	return target == walletfi.ErrBlockhashNotFound && e.Code == codePreflightFailure && e.reason == reasonBlockhash
}

// Why the node's simulation failed, if that decides what follows.
const (
	reasonProcessed = "AlreadyProcessed"
	reasonBlockhash = "BlockhashNotFound"
)

// reasonOf finds the reason by its name in the whole data or its words in the
// whole message, before either is masked and cut: not all nodes send both.
func reasonOf(r *rpcRefusal) string {
	says := func(reason, words string) bool {
		return bytes.Contains(r.Data, []byte(`"`+reason+`"`)) || strings.Contains(r.Message, words)
	}
	switch {
	case says(reasonProcessed, "already been processed"):
		return reasonProcessed
	case says(reasonBlockhash, "Blockhash not found"):
		return reasonBlockhash
	}
	return ""
}
