package rpcnode

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

var _ signing.Simulator = (*Client)(nil)

// maxSimulations is how often a simulation is repeated because our accounts
// changed while it was looked at.
const maxSimulations = 3

type simulationAnswer = inContext[*simulated]

type simulated struct {
	Err      json.RawMessage `json:"err"`
	Accounts []*account      `json:"accounts"`
	Inner    []innerSet      `json:"innerInstructions"`
	Units    units           `json:"unitsConsumed"`
}

// Simulate runs a transaction of any format on the node without landing it:
// simulateTransaction, without verifying signatures.
//
// The blockhash is replaced with the node's latest, so that a simulation does
// not fail because one node lags another a little; a transaction with a
// durable nonce keeps it. A node tells no more accounts than the
// transaction itself has, so that r.Accounts must be among them.
//
// A node tells accounts only as they will be, so that Before is read first, by
// getMultipleAccounts. If that was in an earlier slot, or at the commitment processed, whose
// slot is still being filled, it is read again afterwards, and if a signer of the
// transaction, one of r.Ours, or a token account of theirs has changed meanwhile, everything
// is done again, as it is if a node of the address is not at r.MinSlot: up to 3 times,
// then the error is walletfi.ErrUnavailable. Accounts of others, such as a busy pool's, may
// be of neighbouring slots.
//
// A node that tells no inner instructions is an error: nothing seen is not
// nothing done. An error answers to signing.ErrUnknown if the node does not know a lookup
// table of the transaction.
func (c *Client) Simulate(ctx context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	if r.Transaction == nil {
		return nil, &walletfi.ValidationError{Field: "transaction", Problem: "is required"}
	}
	for _, lookup := range r.Transaction.Lookups() {
		if _, err := c.LookupTable(ctx, lookup.Table); err != nil {
			return nil, err
		}
	}
	minSlot := r.MinSlot
	for range maxSimulations {
		before, readAt, err := c.accounts(ctx, r.Accounts, minSlot)
		if err != nil {
			return nil, err
		}
		answer, err := c.simulateOnce(ctx, r, max(readAt, minSlot))
		if err != nil {
			return nil, err
		}
		ranAt := answer.Context.Slot
		if old := len(r.Accounts) > 0 && readAt < r.MinSlot || ranAt < r.MinSlot; old {
			continue // a node of the same address lags
		}
		same := len(r.Accounts) == 0 || readAt == ranAt && c.commitment != rpc.CommitmentProcessed
		if !same {
			if same, err = c.unchangedSince(ctx, r, before, ranAt); err != nil {
				return nil, err
			}
		}
		if same {
			return c.simulation(ctx, r, answer, before)
		}
		minSlot = ranAt
	}
	return nil, &Error{
		Method:  "simulateTransaction",
		Message: "the accounts kept changing while they were looked at, or were of an old state",
		Kind:    walletfi.ErrUnavailable,
	}
}

func (c *Client) simulateOnce(
	ctx context.Context, r signing.SimulationRequest, minSlot uint64,
) (*simulationAnswer, error) {
	config := notBefore(minSlot, map[string]any{
		"encoding": "base64", "commitment": c.commitment, "sigVerify": false,
		"replaceRecentBlockhash": !livesByNonce(r.Transaction), "innerInstructions": true,
	})
	if len(r.Accounts) > 0 {
		config["accounts"] = map[string]any{"encoding": "base64", "addresses": r.Accounts}
	}
	return ask(ctx, c, "simulateTransaction", func(a *simulationAnswer) bool {
		return a.Value != nil && a.Value.Err != nil // no error is a null
	}, r.Transaction.Base64(), config)
}

// unchangedSince reports whether the signers and their token accounts are still
// what they were.
func (c *Client) unchangedSince(
	ctx context.Context, r signing.SimulationRequest, before []signing.AccountState, slot uint64,
) (bool, error) {
	now, at, err := c.accounts(ctx, r.Accounts, slot)
	if err != nil || at < slot {
		return false, err
	}
	signers := append(r.Transaction.Signers(), r.Ours...)
	for i := range before {
		watched := slices.Contains(signers, r.Accounts[i]) || heldBy(signers, before[i]) || heldBy(signers, now[i])
		if watched && !sameState(before[i], now[i]) {
			return false, nil
		}
	}
	return true, nil
}

// heldBy reports whether an account is a token account of one of the wallets.
func heldBy(wallets []signing.PublicKey, s signing.AccountState) bool {
	const ownerAt, smallest = 32, 165
	return len(s.Data) >= smallest && slices.Contains(wallets, signing.PublicKey(s.Data[ownerAt:ownerAt+32]))
}

func sameState(a, b signing.AccountState) bool {
	return a.Lamports == b.Lamports && a.Owner == b.Owner && bytes.Equal(a.Data, b.Data)
}

// simulation puts what the node answered into the guard's terms.
func (c *Client) simulation(
	ctx context.Context, r signing.SimulationRequest, answer *simulationAnswer, before []signing.AccountState,
) (*signing.Simulation, error) {
	value := answer.Value
	s := &signing.Simulation{Slot: answer.Context.Slot, Before: before, Units: uint64(value.Units)}
	if text := string(value.Err); text != "" && text != "null" {
		s.Err, s.After = text, make([]signing.AccountState, len(before))
		return s, nil
	}
	if len(value.Accounts) != len(r.Accounts) {
		return nil, incomplete("simulateTransaction")
	}
	if value.Inner == nil {
		return nil, &Error{
			Method: "simulateTransaction", Message: "the node tells no inner instructions", Kind: walletfi.ErrDecode,
		}
	}
	var err error
	if s.After, err = appendStates(nil, value.Accounts, "simulateTransaction"); err != nil {
		return nil, err
	}
	inner := innerReader{ctx: ctx, client: c, tx: r.Transaction}
	if s.Inner, err = inner.read(value.Inner); err != nil {
		return nil, fmt.Errorf("rpcnode: simulateTransaction: inner instructions: %w", err)
	}
	return s, nil
}

// livesByNonce reports whether the first instruction advances a durable nonce.
func livesByNonce(tx *signing.Transaction) bool {
	const advanceNonce = 4
	for _, ins := range tx.Instructions() {
		return ins.Program == signing.SystemProgram &&
			len(ins.Data) >= 4 && binary.LittleEndian.Uint32(ins.Data) == advanceNonce
	}
	return false
}
