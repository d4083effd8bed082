package rpcnode

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
)

var (
	_ walletfi.BatchConfirmer  = (*Client)(nil)
	_ walletfi.HeadReader      = (*Client)(nil)
	_ walletfi.BlockhashReader = (*Client)(nil)
	_ walletfi.NonceReader     = (*Client)(nil)
)

// maxStatuses is how many signatures a node takes in one call.
const maxStatuses = 256

// SignatureStatuses asks what became of at most 256 signatures, base58, in the
// node's whole history, and tells the slot that the node had reached:
// getSignatureStatuses.
func (c *Client) SignatureStatuses(ctx context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	parsed, err := parseSignatures(signatures)
	if err != nil {
		return walletfi.SignatureStatuses{}, err
	}
	if len(parsed) == 0 || len(parsed) > maxStatuses {
		return walletfi.SignatureStatuses{}, &walletfi.ValidationError{
			Field: "signatures", Problem: fmt.Sprintf("must be 1 to %d, are %d", maxStatuses, len(parsed)),
		}
	}
	statuses, slot, err := c.statuses(ctx, parsed, true)
	if err == nil && slot == 0 {
		return walletfi.SignatureStatuses{}, incomplete("getSignatureStatuses")
	}
	return walletfi.SignatureStatuses{Statuses: statuses, AsOfSlot: slot}, err
}

func parseSignatures(texts []string) ([]solana.Signature, error) {
	parsed := make([]solana.Signature, len(texts))
	for i, text := range texts {
		var err error
		if parsed[i], err = solana.SignatureFromBase58(text); err != nil {
			field := fmt.Sprintf("signatures[%d]", i)
			return nil, &walletfi.ValidationError{Field: field, Problem: "must be the base58 of 64 bytes"}
		}
	}
	return parsed, nil
}

// Head returns the node's newest slot and its block height: getEpochInfo. Like
// BlockHeight, it is never read at less than confirmed.
func (c *Client) Head(ctx context.Context) (walletfi.Head, error) {
	return c.headAt(ctx, c.settled())
}

func (c *Client) headAt(ctx context.Context, commitment rpc.CommitmentType) (walletfi.Head, error) {
	type epochInfo struct {
		Slot   *uint64 `json:"absoluteSlot"`
		Height *uint64 `json:"blockHeight"`
	}
	answer, err := ask(ctx, c, "getEpochInfo", func(a *epochInfo) bool {
		return a.Slot != nil && a.Height != nil && *a.Height <= *a.Slot
	}, map[string]any{"commitment": commitment})
	if err != nil {
		return walletfi.Head{}, err
	}
	c.tells(*answer.Slot)
	return walletfi.Head{Slot: *answer.Slot, Height: *answer.Height}, nil
}

// BlockhashValid tells whether a transaction on a blockhash, base58, can still
// land, and the slot at which the node looked: isBlockhashValid.
func (c *Client) BlockhashValid(ctx context.Context, blockhash string) (walletfi.BlockhashState, error) {
	return c.blockhashValid(ctx, blockhash, c.settled(), 0)
}

func (c *Client) blockhashValid(
	ctx context.Context, blockhash string, commitment rpc.CommitmentType, minSlot uint64,
) (walletfi.BlockhashState, error) {
	hash, err := solana.HashFromBase58(blockhash)
	if err != nil {
		return walletfi.BlockhashState{}, &walletfi.ValidationError{
			Field: "blockhash", Problem: "must be the base58 of 32 bytes",
		}
	}
	answer, err := ask(ctx, c, "isBlockhashValid", func(a *inContext[*bool]) bool {
		return a.Value != nil && a.Context.Slot > 0
	}, hash, notBefore(minSlot, map[string]any{"commitment": commitment}))
	if err != nil {
		return walletfi.BlockhashState{}, err
	}
	return walletfi.BlockhashState{Valid: *answer.Value, AsOfSlot: answer.Context.Slot}, nil
}

// NonceValue returns the value of a durable nonce, base58, and the slot at which
// the node looked: getAccountInfo. See DurableNonce.
func (c *Client) NonceValue(ctx context.Context, account string) (walletfi.NonceState, error) {
	return c.nonceValue(ctx, account, c.settled(), 0)
}

// settled is the client's commitment, but at least confirmed: a fork that is
// left again must not make a transaction look expired.
func (c *Client) settled() rpc.CommitmentType {
	if c.commitment == rpc.CommitmentProcessed {
		return rpc.CommitmentConfirmed
	}
	return c.commitment
}
