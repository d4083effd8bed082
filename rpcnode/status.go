package rpcnode

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
)

// SignatureStatus asks what became of a signature, base58, in the node's whole
// history: getSignatureStatuses.
func (c *Client) SignatureStatus(ctx context.Context, signature string) (walletfi.SignatureStatus, error) {
	parsed, err := parseSignature(signature)
	if err != nil {
		return walletfi.SignatureStatus{}, err
	}
	statuses, _, err := c.statuses(ctx, []solana.Signature{parsed}, true)
	if err != nil {
		return walletfi.SignatureStatus{}, err
	}
	return statuses[0], nil
}

func parseSignature(signature string) (parsed solana.Signature, err error) {
	if parsed, err = solana.SignatureFromBase58(signature); err != nil {
		err = &walletfi.ValidationError{Field: "signature", Problem: "must be the base58 of 64 bytes"}
	}
	return parsed, err
}

// statuses asks for all of the signatures, in the node's history too or in its cache
// alone, and returns the slot that the node had reached, 0 if it did not say. Only a
// null in a signature's place says that the node does not know it.
func (c *Client) statuses(
	ctx context.Context, signatures []solana.Signature, history bool,
) ([]walletfi.SignatureStatus, uint64, error) {
	answer, err := ask(ctx, c, "getSignatureStatuses", func(a *inContext[[]*statusValue]) bool {
		return len(a.Value) == len(signatures) && !slices.ContainsFunc(a.Value, (*statusValue).isPart)
	}, signatures, map[string]any{"searchTransactionHistory": history})
	if history && refusedWith(err, codeNoHistory) {
		return c.statuses(ctx, signatures, false)
	}
	if err != nil {
		return nil, 0, err
	}
	statuses := make([]walletfi.SignatureStatus, len(signatures))
	for i, value := range answer.Value {
		if value != nil {
			statuses[i] = value.status()
		}
		c.sightings.add(statuses[i], signatures[i])
	}
	c.tells(answer.Context.Slot)
	return statuses, answer.Context.Slot, nil
}

// statusValue is a node's answer for a signature that it knows. A null member differs
// from an absent one.
type statusValue struct {
	Slot               *uint64         `json:"slot"`
	Confirmations      json.RawMessage `json:"confirmations"`
	Err                json.RawMessage `json:"err"`
	ConfirmationStatus string          `json:"confirmationStatus"`
}

// isPart reports a value that does not say if the transaction failed or how settled
// it is. Old nodes name no commitment, and no count of confirmations once it is
// rooted.
func (v *statusValue) isPart() bool {
	return v != nil && (v.Slot == nil || v.Err == nil || v.ConfirmationStatus == "" && v.Confirmations == nil)
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
	told := func(*uint64) bool { return true }
	height, err := ask(ctx, c, "getBlockHeight", told, map[string]any{"commitment": c.settled()})
	if err != nil {
		return 0, err
	}
	return *height, nil
}

// FinalTime returns the time of the block in a finalized slot: getBlockTime. Of a slot that is not
// finalized, what it returns may be undone.
func (c *Client) FinalTime(ctx context.Context, slot uint64) (time.Time, error) {
	seconds, err := ask(ctx, c, "getBlockTime", func(at *int64) bool { return *at > 0 }, slot)
	if err != nil {
		return time.Time{}, err
	}
	return time.Unix(*seconds, 0).UTC(), nil
}

// LatestBlockhash returns a blockhash, base58, and the last block height at
// which a transaction built on it can land: getLatestBlockhash.
func (c *Client) LatestBlockhash(ctx context.Context) (blockhash string, lastValidBlockHeight uint64, err error) {
	answer, err := c.latestBlockhash(ctx, c.commitment)
	if err != nil {
		return "", 0, err
	}
	return answer.Value.Blockhash.String(), answer.Value.LastValidBlockHeight, nil
}

func (c *Client) latestBlockhash(
	ctx context.Context, commitment rpc.CommitmentType,
) (*rpc.GetLatestBlockhashResult, error) {
	return ask(ctx, c, "getLatestBlockhash", func(a *rpc.GetLatestBlockhashResult) bool {
		return a.Value != nil && !a.Value.Blockhash.IsZero() && a.Value.LastValidBlockHeight > 0
	}, map[string]any{"commitment": commitment})
}
