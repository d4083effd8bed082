package signer

import (
	"context"
	"slices"

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
		case may.out && ours(t.Owner) && t.Owner != o.Key:
			return refuse(CodeStranger, "%s is an account of owner %q", accounts[i], p.owner(t.Owner.String()).Name)
		}
	}
	return nil
}
