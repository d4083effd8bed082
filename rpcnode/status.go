package rpcnode

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
)

// SignatureStatus asks what became of a signature, base58, in the node's whole
// history: getSignatureStatuses.
func (c *Client) SignatureStatus(ctx context.Context, signature string) (walletfi.SignatureStatus, error) {
	parsed, err := solana.SignatureFromBase58(signature)
	if err != nil {
		return walletfi.SignatureStatus{}, &walletfi.ValidationError{Field: "signature", Problem: "must be the base58 of 64 bytes"}
	}
	var answer *rpc.GetSignatureStatusesResult
	err = c.read(ctx, func() (err error) {
		answer, err = c.rpc.GetSignatureStatuses(ctx, true, parsed)
		return err
	})
	if errors.Is(err, rpc.ErrNotFound) || err == nil && (len(answer.Value) == 0 || answer.Value[0] == nil) {
		return walletfi.SignatureStatus{}, nil
	}
	if err != nil {
		return walletfi.SignatureStatus{}, err
	}
	return statusOf(answer.Value[0]), nil
}

func statusOf(found *rpc.SignatureStatusesResult) walletfi.SignatureStatus {
	status := walletfi.SignatureStatus{Found: true, Commitment: walletfi.Commitment(found.ConfirmationStatus), Slot: found.Slot}
	if status.Commitment == "" && found.Confirmations == nil {
		// Old nodes name no commitment; without a count of confirmations it is rooted.
		status.Commitment = walletfi.CommitmentFinalized
	}
	if found.Err != nil {
		text, _ := json.Marshal(found.Err)
		status.Err = string(text)
	}
	return status
}

// BlockHeight returns the node's current block height: getBlockHeight. It is
// never read at less than confirmed, because a fork that is left again must not
// make a transaction look expired.
func (c *Client) BlockHeight(ctx context.Context) (height uint64, err error) {
	err = c.read(ctx, func() (err error) {
		height, err = c.rpc.GetBlockHeight(ctx, c.settled())
		return err
	})
	return height, err
}

// LatestBlockhash returns a blockhash, base58, and the last block height at
// which a transaction built on it can land: getLatestBlockhash.
func (c *Client) LatestBlockhash(ctx context.Context) (blockhash string, lastValidBlockHeight uint64, err error) {
	var answer *rpc.GetLatestBlockhashResult
	err = c.read(ctx, func() (err error) {
		answer, err = c.rpc.GetLatestBlockhash(ctx, c.commitment)
		return err
	})
	if err != nil {
		return "", 0, err
	}
	if answer == nil || answer.Value == nil || answer.Value.Blockhash.IsZero() {
		return "", 0, incomplete("getLatestBlockhash")
	}
	return answer.Value.Blockhash.String(), answer.Value.LastValidBlockHeight, nil
}

// incomplete is the error for an answer without what was asked for.
func incomplete(method string) error {
	return &Error{Method: method, Message: "the answer lacks what was asked for", Kind: walletfi.ErrDecode}
}
