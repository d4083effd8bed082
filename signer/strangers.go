package signer

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/signing"
)

// flow says what one instruction may do to a token account.
type flow struct{ in, out bool }

// flowOf tells what a top-level instruction may do to the account at a place of its accounts.
// What it does not know may do both.
func flowOf(program signing.PublicKey, data []byte, at int) flow {
	isToken := program == signing.TokenProgram || program == signing.Token2022Program
	switch {
	case program == signing.SystemProgram:
		return flow{in: true} // it takes from wallets alone, who sign
	case program == signing.AssociatedTokenProgram:
		return flow{}
	case !isToken || len(data) == 0:
		return flow{true, true}
	}
	switch data[0] {
	case 3, 5, 6, 8, 9, 12, 15: // transfer, revoke, set authority, burn, close: of the first account
		return flow{in: at > 0, out: at == 0}
	case 7, 14: // MintTo, MintToChecked
		return flow{in: true}
	case 17: // SyncNative counts what came before
		return flow{}
	}
	return flow{true, true}
}

// strangers refuses what would put money within the reach of whom no ceiling bounds, and what
// takes from another owner's account by an approval from before: it would count under the
// ceilings of the wrong owner.
func (p *Policy) strangers(
	ctx context.Context, o *Owner, tx *signing.Transaction, accounts []signing.PublicKey, n Node,
) error {
	states, err := n.Accounts(ctx, accounts)
	if err != nil {
		return err
	}
	ours := func(k signing.PublicKey) bool { return p.owner(k.String()) != nil }
	for i, state := range states[:min(len(states), len(accounts))] {
		if state.Approves(o.Key) && !ours(accounts[i]) {
			return refuse(CodeStranger, "owner %q would sign for the multisig %s, which the policy does not list",
				o.Name, accounts[i])
		}
		t, ok := state.Token()
		listed := slices.ContainsFunc(o.Accounts, func(a Account) bool { return a.Address == accounts[i] })
		if !ok || !ours(t.Owner) && !listed {
			continue
		}
		var may flow
		for _, ins := range tx.Instructions() {
			for at, index := range ins.Accounts {
				if int(index) == i {
					f := flowOf(ins.Program, ins.Data, at)
					may = flow{may.in || f.in, may.out || f.out}
				}
			}
		}
		stranger := t.Delegate
		if stranger.IsZero() || t.Delegated == 0 || ours(stranger) {
			stranger = signing.PublicKey{}
			if t.Mint == signing.NativeMint || t.Mint == signing.NativeMintToken2022 {
				stranger = t.CloseAuthority // who is paid all that is wrapped
			}
		}
		switch {
		case may.in && !stranger.IsZero() && !ours(stranger):
			return refuse(CodeStranger, "%s could take what comes into %s: revoke that first", stranger, accounts[i])
		case may.out && ours(t.Owner) && p.owner(t.Owner.String()).Key != o.Key:
			return refuse(CodeStranger, "%s is an account of owner %q", accounts[i], p.owner(t.Owner.String()).Name)
		}
	}
	return nil
}

// loader is the program that programs which can be upgraded belong to.
var loader = signing.MustPublicKey("BPFLoaderUpgradeab1e11111111111111111111111")

// upgraded refuses a call of a program that was not deployed in the slot which its pin names.
func (p *Policy) upgraded(ctx context.Context, report *signing.Report, n Node) error {
	for _, pin := range p.pinsOf(report.Service) {
		called := func(r signing.Reach) bool { return r.Program == pin.Program }
		if pin.Deployed == 0 || !slices.ContainsFunc(report.Reaches, called) {
			continue
		}
		const slotAt, dataAt = 4, 4 // in the data of the program, and of the account that has its code
		states, err := n.Accounts(ctx, []signing.PublicKey{pin.Program})
		if err == nil && len(states) == 1 && states[0].Owner == loader && len(states[0].Data) >= dataAt+32 {
			states, err = n.Accounts(ctx, []signing.PublicKey{signing.PublicKey(states[0].Data[dataAt:])})
		}
		if err != nil {
			return err
		}
		if len(states) != 1 || states[0].Owner != loader || len(states[0].Data) < slotAt+8 || states[0].Data[0] != 3 ||
			binary.LittleEndian.Uint64(states[0].Data[slotAt:]) != pin.Deployed {
			return refuse(CodeUpgraded, "%s is not as it was deployed in slot %d: it was upgraded, or cannot be",
				pin.Program, pin.Deployed)
		}
	}
	return nil
}

func (p *Policy) pinsOf(service string) []Pin {
	if s := p.service(service); s != nil {
		return s.Pins
	}
	return nil
}

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
