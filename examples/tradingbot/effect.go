package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
)

// effect returns what an executed transaction did to the owner: lamports of the
// wallet's own account, and tokens of all of its token accounts.
func (d *desk) effect(ctx context.Context, signature string) (change, error) {
	c := change{Signature: signature, Tokens: map[string]int64{}}
	sig, err := solana.SignatureFromBase58(signature)
	if err != nil {
		return c, err
	}
	found, err := d.node.RPC().GetTransaction(ctx, sig, &rpc.GetTransactionOpts{
		Encoding: solana.EncodingBase64, Commitment: rpc.CommitmentConfirmed, MaxSupportedTransactionVersion: new(uint64(0)),
	})
	if err != nil {
		return c, fmt.Errorf("transaction %s: %w", signature, err)
	}
	tx, err := found.Transaction.GetTransaction()
	if err != nil {
		return c, fmt.Errorf("transaction %s: %w", signature, err)
	}
	if found.Meta == nil || len(found.Meta.PreBalances) != len(found.Meta.PostBalances) {
		return c, fmt.Errorf("transaction %s: the node tells no balances", signature)
	}
	owner := solana.PublicKey(d.owner)
	for i, key := range tx.Message.AccountKeys {
		if key != owner || i >= len(found.Meta.PreBalances) {
			continue
		}
		c.Lamports = int64(found.Meta.PostBalances[i]) - int64(found.Meta.PreBalances[i])
		if i == 0 {
			c.Fee = walletfi.Amount(found.Meta.Fee)
		}
	}
	for sign, held := range map[int64][]rpc.TokenBalance{-1: found.Meta.PreTokenBalances, 1: found.Meta.PostTokenBalances} {
		for _, b := range held {
			if b.Owner == nil || *b.Owner != owner || b.UiTokenAmount == nil {
				continue
			}
			n, err := strconv.ParseInt(b.UiTokenAmount.Amount, 10, 64)
			if err != nil {
				return c, fmt.Errorf("transaction %s: %w", signature, err)
			}
			c.Tokens[b.Mint.String()] += sign * n
		}
	}
	for mint, n := range c.Tokens {
		if n == 0 {
			delete(c.Tokens, mint)
		}
	}
	return c, nil
}
