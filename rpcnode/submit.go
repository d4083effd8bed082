package rpcnode

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
	"github.com/walletfi/walletfi-go"
)

var (
	_ walletfi.Submitter     = (*Client)(nil)
	_ walletfi.Confirmer     = (*Client)(nil)
	_ walletfi.BlockHeighter = (*Client)(nil)
)

// Submit sends tx to the node, which passes it on to the leader: sendTransaction.
// A refusal in preflight (walletfi.ErrRejected) means that it was not sent; a
// transaction that the ledger already has is a success.
func (c *Client) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	signature, err := c.rpc.SendEncodedTransactionWithOpts(ctx, string(tx.Transaction), rpc.TransactionOpts{
		Encoding:            solana.EncodingBase64,
		SkipPreflight:       c.skipPreflight,
		PreflightCommitment: c.commitment,
		MaxRetries:          c.maxRetries,
	})
	if err == nil {
		return signature.String(), nil
	}
	if alreadyProcessed(err) && tx.Signature != "" {
		return tx.Signature, nil
	}
	typed := c.typed("sendTransaction", err)
	if neverSent(err) {
		return "", typed
	}
	return "", &walletfi.OutcomeUnknownError{Signature: tx.Signature, Cause: typed}
}

// The node's error codes for what it did not send on.
const (
	codePreflightFailure  = -32002
	codeSignatureInvalid  = -32003
	codeNodeUnhealthy     = -32005
	codeMethodNotFound    = -32601
	codeInvalidParams     = -32602
	codeMinContextSlot    = -32016
	codeUnsupportedFormat = -32015
)

// neverSent reports an error that says that the node sent nothing on.
func neverSent(err error) bool {
	var refused *jsonrpc.RPCError
	if errors.As(err, &refused) {
		switch refused.Code {
		case codePreflightFailure, codeSignatureInvalid, codeNodeUnhealthy, codeMethodNotFound,
			codeInvalidParams, codeMinContextSlot, codeUnsupportedFormat:
			return true
		}
		return false
	}
	var status *jsonrpc.HTTPError
	if errors.As(err, &status) {
		return status.Code >= 400 && status.Code < 500
	}
	return neverConnected(err)
}

// alreadyProcessed reports that the ledger has the transaction.
func alreadyProcessed(err error) bool {
	var refused *jsonrpc.RPCError
	if !errors.As(err, &refused) {
		return false
	}
	data, _ := json.Marshal(refused.Data)
	return strings.Contains(string(data), "AlreadyProcessed") ||
		strings.Contains(refused.Message, "already been processed")
}
