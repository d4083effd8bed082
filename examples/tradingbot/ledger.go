package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"maps"
	"slices"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
)

// found returns what the ledger says that the wallet holds: its lamports, and every
// token of every account of both token programs.
func (d *desk) found(ctx context.Context) (balances, error) {
	owner := solana.PublicKey(d.owner)
	held := balances{Tokens: map[string]walletfi.Amount{}}
	lamports, err := solanago.RPC(d.node).GetBalance(ctx, owner, rpc.CommitmentConfirmed)
	if err != nil {
		return held, err
	}
	held.Lamports = walletfi.Amount(lamports.Value)
	for _, program := range []solana.PublicKey{solana.TokenProgramID, solana.Token2022ProgramID} {
		accounts, err := solanago.RPC(d.node).GetTokenAccountsByOwner(ctx, owner,
			&rpc.GetTokenAccountsConfig{ProgramId: &program},
			&rpc.GetTokenAccountsOpts{Encoding: solana.EncodingBase64, Commitment: rpc.CommitmentConfirmed})
		if err != nil {
			return held, err
		}
		for _, account := range accounts.Value {
			const mintEnd, amountEnd = 32, 72 // mint, owner, amount: both programs begin alike
			data := account.Account.Data.GetBinary()
			if len(data) < amountEnd {
				return held, fmt.Errorf("token account %s has %d bytes", account.Pubkey, len(data))
			}
			mint := solana.PublicKeyFromBytes(data[:mintEnd]).String()
			if n := binary.LittleEndian.Uint64(data[2*mintEnd : amountEnd]); n > 0 {
				held.Tokens[mint] += walletfi.Amount(n)
			}
		}
	}
	return held, nil
}

// errDisagree means that the book and the ledger differ.
var errDisagree = errors.New("the book does not equal the ledger")

// agree compares the book with the ledger, to the last unit of every token and to
// the last lamport.
func (b *book) agree(ledger balances) error {
	var differences []error
	if b.holds.Lamports != ledger.Lamports {
		differences = append(differences, fmt.Errorf("lamports: book %s, ledger %s", b.holds.Lamports, ledger.Lamports))
	}
	mints := maps.Clone(ledger.Tokens)
	maps.Copy(mints, b.holds.Tokens)
	for _, mint := range slices.Sorted(maps.Keys(mints)) {
		if ours, theirs := b.holds.Tokens[mint], ledger.Tokens[mint]; ours != theirs {
			differences = append(differences, fmt.Errorf("mint %s: book %s, ledger %s", mint, ours, theirs))
		}
	}
	if len(b.pending) > 0 {
		differences = append(differences, fmt.Errorf("orders that are not settled: %d", len(b.pending)))
	}
	if len(differences) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %w", errDisagree, errors.Join(differences...))
}
