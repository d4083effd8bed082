package rpcnode

import (
	"bytes"
	"context"
	"encoding/json"

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
	statuses, _, err := c.statuses(ctx, []solana.Signature{parsed}, true)
	if err != nil {
		return walletfi.SignatureStatus{}, err
	}
	return statuses[0], nil
}

// statuses asks for all of the signatures, in the node's history too or in its cache
// alone, and returns the slot that the node had reached, 0 if it did not say. Only a
// null in a signature's place says that the node does not know it.
func (c *Client) statuses(ctx context.Context, signatures []solana.Signature, history bool) ([]walletfi.SignatureStatus, uint64, error) {
	const method = "getSignatureStatuses"
	var answer *struct {
		Context slotContext    `json:"context"`
		Value   []*statusValue `json:"value"`
	}
	err := c.read(ctx, func() error {
		answer = nil
		return c.rpc.RPCCallForInto(ctx, &answer, method, []any{signatures, map[string]any{"searchTransactionHistory": history}})
	})
	if history && refusedWith(err, codeNoHistory) {
		return c.statuses(ctx, signatures, false)
	}
	if err != nil {
		return nil, 0, err
	}
	if answer == nil || len(answer.Value) != len(signatures) {
		return nil, 0, incomplete(method)
	}
	statuses := make([]walletfi.SignatureStatus, len(signatures))
	for i, value := range answer.Value {
		if value == nil {
			continue
		}
		if !value.isWhole() {
			return nil, 0, incomplete(method)
		}
		statuses[i] = value.status()
	}
	c.tells(answer.Context.Slot)
	return statuses, answer.Context.Slot, nil
}

// statusValue is what a node says of a signature that it knows. A member that is
// null is not one that is absent.
type statusValue struct {
	Slot               *uint64         `json:"slot"`
	Confirmations      json.RawMessage `json:"confirmations"`
	Err                json.RawMessage `json:"err"`
	ConfirmationStatus string          `json:"confirmationStatus"`
}

// isWhole reports whether the value says if the transaction failed and how settled
// it is. Old nodes name no commitment, and no count of confirmations once it is
// rooted.
func (v *statusValue) isWhole() bool {
	return v.Slot != nil && v.Err != nil && (v.ConfirmationStatus != "" || v.Confirmations != nil)
}

func (v *statusValue) status() walletfi.SignatureStatus {
	status := walletfi.SignatureStatus{Found: true, Commitment: walletfi.Commitment(v.ConfirmationStatus), Slot: *v.Slot}
	if status.Commitment == "" && string(v.Confirmations) == "null" {
		status.Commitment = walletfi.CommitmentFinalized
	}
	if string(v.Err) != "null" {
		var text bytes.Buffer
		_ = json.Compact(&text, v.Err) // it was decoded
		status.Err = text.String()
	}
	return status
}

// BlockHeight returns the node's current block height: getBlockHeight. It is
// never read at less than confirmed, because a fork that is left again must not
// make a transaction look expired.
func (c *Client) BlockHeight(ctx context.Context) (uint64, error) {
	const method = "getBlockHeight"
	var height *uint64
	err := c.read(ctx, func() error {
		height = nil
		return c.rpc.RPCCallForInto(ctx, &height, method, []any{map[string]any{"commitment": c.settled()}})
	})
	switch {
	case err != nil:
		return 0, err
	case height == nil:
		return 0, incomplete(method)
	}
	return *height, nil
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
	if answer == nil || answer.Value == nil || answer.Value.Blockhash.IsZero() || answer.Value.LastValidBlockHeight == 0 {
		return "", 0, incomplete("getLatestBlockhash")
	}
	return answer.Value.Blockhash.String(), answer.Value.LastValidBlockHeight, nil
}

// incomplete is the error for an answer without what was asked for.
func incomplete(method string) error {
	return &Error{Method: method, Message: "the answer lacks what was asked for", Kind: walletfi.ErrDecode}
}
