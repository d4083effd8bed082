package rpcnode

import (
	"context"

	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// NonceAt returns the value of a durable nonce, base58, in a finalized block:
// getAccountInfo.
func (c *Client) NonceAt(ctx context.Context, account string) (string, uint64, error) {
	key, err := signing.ParsePublicKey(account)
	if err != nil {
		return "", 0, badAccount()
	}
	nonce, slot, err := c.nonceAt(ctx, key, rpc.CommitmentFinalized)
	if err != nil {
		return "", 0, err
	}
	if slot == 0 {
		return "", 0, incomplete("getAccountInfo")
	}
	return nonce.Value.String(), slot, nil
}

// maxUses is how many transactions of a nonce's history are looked at.
const maxUses = 200

// NonceUse looks through a nonce account's newest 200 transactions for the one that used
// a value, base58: getSignaturesForAddress, and getTransaction for each that was not
// read before. It returns "" if none of them did.
func (c *Client) NonceUse(ctx context.Context, account, value string) (string, error) {
	key, err := signing.ParsePublicKey(account)
	if err != nil {
		return "", badAccount()
	}
	page, err := c.historyAt(ctx, key, nil, 0, maxUses, rpc.CommitmentFinalized)
	if err != nil {
		return "", err
	}
	for _, e := range page {
		used, ok := c.nonceUses.get(*e.Signature)
		if !ok {
			raw, err := c.transaction(ctx, *e.Signature, rpc.CommitmentFinalized)
			if err != nil {
				return "", err
			}
			tx, err := signing.DecodeBytes(raw)
			if err != nil {
				continue // in a form that cannot be ours
			}
			used = tx.Blockhash()
			c.nonceUses.put(*e.Signature, used)
		}
		if used.String() == value {
			return e.Signature.String(), nil
		}
	}
	return "", nil
}

func badAccount() error {
	return &walletfi.ValidationError{Field: "account", Problem: "must be the base58 of 32 bytes"}
}
