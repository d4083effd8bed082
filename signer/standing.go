package signer

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/signing"
)

// account is an account as a node lists it.
type account struct {
	Key  signing.PublicKey `json:"pubkey"`
	Held struct {
		Owner signing.PublicKey `json:"owner"`
		Data  []string          `json:"data"` // base64, and its name
	} `json:"account"`
}

func (a *account) state() (signing.AccountState, error) {
	if len(a.Held.Data) != 2 || a.Held.Data[1] != "base64" {
		return signing.AccountState{}, walletfi.ErrDecode
	}
	data, err := base64.StdEncoding.DecodeString(a.Held.Data[0])
	return signing.AccountState{Lamports: 1, Owner: a.Held.Owner, Data: data}, err
}

// The sizes of the accounts, and where in them keys are.
const (
	nonceSize, nonceAuthority    = 80, 8
	multisigSize, multisigSigner = 355, 3
	multisigMost                 = 11
)

// Standing lists in words what was made with a key before and outlasts it being given to a signer:
// durable nonces, on which signatures of any age are good; delegates and close authorities of its
// token accounts; multisigs that it is a signer of. With what could be listed it returns an error for
// what the node does not list. Signatures themselves leave no trace.
func Standing(ctx context.Context, node *rpcnode.Client, key signing.PublicKey) (all []string, err error) {
	nonces, failed := holding(ctx, node, signing.SystemProgram, nonceSize, nonceAuthority, key)
	for _, a := range nonces {
		all = append(all, fmt.Sprintf("nonce %s: what was signed on it is good until it is advanced", a.Key))
	}
	for _, program := range []signing.PublicKey{signing.TokenProgram, signing.Token2022Program} {
		owned, err := list(ctx, node, "getTokenAccountsByOwner", key,
			map[string]any{"programId": program}, map[string]any{"encoding": "base64", "commitment": "finalized"})
		failed = errors.Join(failed, err)
		for _, a := range owned {
			state, err := a.state()
			t, ok := state.Token()
			if err != nil || !ok {
				failed = errors.Join(failed, fmt.Errorf("signer: token account %s: %w", a.Key, walletfi.ErrDecode))
				continue
			}
			if !t.Delegate.IsZero() && t.Delegated > 0 {
				all = append(all, fmt.Sprintf("delegate %s may take %d of %s from %s", t.Delegate, t.Delegated, t.Mint, a.Key))
			}
			if !t.CloseAuthority.IsZero() && t.CloseAuthority != key {
				all = append(all, fmt.Sprintf("close authority %s may close %s", t.CloseAuthority, a.Key))
			}
		}
		for at := range multisigMost {
			multisigs, err := holding(ctx, node, program, multisigSize, multisigSigner+32*at, key)
			failed = errors.Join(failed, err)
			for _, a := range multisigs {
				all = append(all, fmt.Sprintf("multisig %s has the key as signer %d", a.Key, at+1))
			}
		}
	}
	return all, failed
}

// holding asks for the accounts of a program with a size that hold a key at an offset.
func holding(
	ctx context.Context, node *rpcnode.Client, program signing.PublicKey, size, at int, key signing.PublicKey,
) ([]account, error) {
	return list(ctx, node, "getProgramAccounts", program, map[string]any{
		"encoding": "base64", "commitment": "finalized", "withContext": true,
		"filters": []any{
			map[string]any{"dataSize": size}, map[string]any{"memcmp": map[string]any{"offset": at, "bytes": key}},
		},
	})
}

// list asks for accounts. That there are none, an empty list alone says.
func list(ctx context.Context, node *rpcnode.Client, method string, params ...any) ([]account, error) {
	var answer struct {
		Value *[]account `json:"value"`
	}
	err := solanago.RPC(node).RPCCallForInto(ctx, &answer, method, params)
	if err == nil && answer.Value == nil {
		err = fmt.Errorf("signer: %s: %w", method, walletfi.ErrDecode)
	}
	if err != nil {
		return nil, err
	}
	return *answer.Value, nil
}
