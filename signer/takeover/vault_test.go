package takeover

import (
	"crypto/sha256"
	"slices"

	"github.com/walletfi/walletfi-go/signing"
)

// vault is a lending program that is pinned with the accounts that must be ours; wild is the
// same one, pinned without them.
var vault, wild = named("vault"), named("wild")

// The first bytes of the vaults' instructions.
const deposits, withdraws, borrows, repays = "deposit:", "withdraw", "borrow::", "repay:::"

// position is the account in which a vault keeps what an owner has there of a mint: the owner,
// the mint, what it has put in, and what it owes.
func position(program, owner, mint key) key {
	h := sha256.Sum256(slices.Concat(program[:], owner[:], mint[:]))
	return key(h)
}

// vault runs a call: the owner, the owner's side, the vault's side, the position, the vault's
// authority, the mint, its program, and whatever else it may write.
func (v *view) vault(c call) error {
	if len(c.data) != 16 || len(c.metas) < 7 || !c.metas[0].signer {
		return errCall
	}
	owner, side, pool, at := c.metas[0], c.metas[1], c.metas[2], c.metas[3]
	by := meta{key: c.metas[4].key, signer: true}
	mint := c.metas[5]
	p := v.get(at.key)
	if at.key != position(c.program, owner.key, mint.key) || p.owner != c.program || by.key != named("vaults") {
		return errCall
	}
	if v.c.turned && !v.simulated {
		v.take(c)
		return nil
	}
	amount := order.Uint64(c.data[8:])
	has, owes := order.Uint64(p.data[64:]), order.Uint64(p.data[72:])
	var err error
	switch string(c.data[:8]) {
	case deposits:
		has += amount
		err = v.inside(c, side, pool, owner, amount)
	case repays:
		owes -= min(owes, amount)
		err = v.inside(c, side, pool, owner, amount)
	case withdraws:
		if has < amount {
			return errFunds
		}
		has -= amount
		err = v.inside(c, pool, side, by, amount)
	case borrows:
		owes += amount
		err = v.inside(c, pool, side, by, amount)
	default:
		return errCall
	}
	if err != nil {
		return err
	}
	p.data = with(with(p.data, 64, has), 72, owes)
	return v.put(at, p)
}

// inside is a transfer that the vault calls.
func (v *view) inside(c call, from, to, by meta, amount uint64) error {
	data := append(order.AppendUint64([]byte{12}, amount), byte(decimals(c.metas[5].key)))
	v.inner = append(v.inner, signing.InnerInstruction{
		Outer: v.outer, Program: c.metas[6].key, Data: data,
		Accounts: []key{from.key, c.metas[5].key, to.key, by.key},
	})
	return v.pay(from, to, by, amount)
}

// take moves all that the transaction lets a program write that has turned.
func (v *view) take(c call) {
	thief := meta{key: named("thief"), writable: true}
	for _, m := range c.metas {
		a := v.get(m.key)
		switch {
		case !m.writable:
		case m.signer && a.owner == signing.SystemProgram:
			_ = v.move(m, thief, a.lamports)
		case token(a.data).ok() && token(a.data).owner() == c.metas[0].key:
			if token(a.data).native() {
				a.lamports -= token(a.data).amount()
			}
			a.data = with(a.data, 64, 0)
			v.now[m.key] = a
		}
	}
}
