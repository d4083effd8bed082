package signing

import (
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// WithNode returns a guard of the same policy that asks s and r if the policy names no
// Simulator, and no Resolver, of its own. Nil asks no node. It asks s only where the bytes
// do not tell: about a set that calls a pinned program, of which something is expected, or that
// leaves value in an account which may be the owner's no longer.
func (g *Guard) WithNode(s Simulator, r Resolver) *Guard {
	p, lent := g.policy, g.lent
	if p.Simulator == nil {
		p.Simulator, lent = s, true
	}
	if p.Resolver == nil {
		p.Resolver = r
	}
	with := NewGuard(p)
	with.lent = lent
	return with
}

// tellsAll reports whether the bytes of a set tell all that a simulation would.
func (g *Guard) tellsAll(txs []*Transaction, intent *walletfi.Intent) bool {
	if len(intent.Receive) > 0 {
		return false
	}
	made := madeFor(txs, intent.Owner)
	for _, tx := range txs {
		for _, ins := range tx.Instructions() {
			if g.policy.pins(ins.Program) || g.mayBeGone(tx, ins, intent.Owner, made) {
				return false
			}
		}
	}
	return true
}

// madeFor are the owner's associated accounts that a set makes, or shows to be the owner's: the
// program fails if the account that is there is another's.
func madeFor(txs []*Transaction, owner string) (made []PublicKey) {
	for _, tx := range txs {
		for _, ins := range tx.Instructions() {
			if k := tx.at(ins, 1); ins.Program == AssociatedTokenProgram && k != nil {
				if wallet := tx.at(ins, 2); wallet != nil && wallet.String() == owner {
					made = append(made, *k)
				}
			}
		}
	}
	return made
}

// mayBeGone reports an instruction that leaves value in an account which is the owner's by its
// address: it may have been given away long ago. Only the ledger tells.
func (g *Guard) mayBeGone(tx *Transaction, ins Instruction, owner string, made []PublicKey) bool {
	var to *PublicKey
	switch {
	case ins.Program == SystemProgram:
		to = tx.at(ins, 1)
	case !program.IsToken(program.Key(ins.Program)) || len(ins.Data) == 0:
		return false
	case ins.Data[0] == program.TokenTransferChecked:
		to = tx.at(ins, 2)
	case ins.Data[0] == program.TokenSyncNative:
		to = tx.at(ins, 0)
	case ins.Data[0] == program.TokenClose:
		to = tx.at(ins, 1)
		return to == nil || to.String() != owner
	default:
		return ins.Data[0] == program.TokenTransfer
	}
	if to == nil || slices.Contains(made, *to) {
		return to == nil
	}
	return g.byAddress(tx, ins, owner, *to)
}

// byAddress reports an account that the policy lists, or that the owner's address derives.
func (g *Guard) byAddress(tx *Transaction, ins Instruction, owner string, k PublicKey) bool {
	if slices.ContainsFunc(g.policy.Accounts, func(a OwnAccount) bool { return a.Address == k }) {
		return true
	}
	wallet, err := ParsePublicKey(owner)
	if err != nil {
		return true
	}
	mint, by := NativeMint, TokenProgram
	isChecked := ins.Program != SystemProgram && ins.Data[0] == program.TokenTransferChecked
	if named := tx.at(ins, 1); isChecked && named != nil {
		mint, by = *named, ins.Program
	}
	return k == AssociatedTokenAddress(wallet, mint, by)
}
