package signing

import (
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// completeReaches adds to what pinned programs may write the owner's associated
// accounts of every mint that a transaction holds, and not only of those that
// its instructions or the intent name as mints. Finding them takes a derivation
// for each key, which the check itself does not spend.
func (r *Report) completeReaches() []Reach {
	if len(r.txs) == 0 || len(r.Reaches) == 0 {
		return r.Reaches
	}
	all := slices.Clone(r.Reaches)
	ours := map[int]map[PublicKey]bool{}
	for i := range all {
		reach := &all[i]
		tx := r.txs[reach.Transaction]
		if ours[reach.Transaction] == nil {
			ours[reach.Transaction] = associatedAmong(tx, r.Owner)
		}
		reach.Ours = slices.Clone(reach.Ours)
		for n, ins := range tx.Instructions() {
			if n != reach.Instruction {
				continue
			}
			for _, index := range ins.Accounts {
				k := tx.wire.Key(int(index))
				if k != nil && tx.wire.Writable(int(index)) && ours[reach.Transaction][PublicKey(*k)] &&
					!slices.Contains(reach.Ours, PublicKey(*k)) {
					reach.Ours = append(reach.Ours, PublicKey(*k))
				}
			}
		}
	}
	return all
}

// associatedAmong are the owner's associated accounts of every static key of a
// transaction, as if each were a mint.
func associatedAmong(tx *Transaction, owner PublicKey) map[PublicKey]bool {
	ours := map[PublicKey]bool{}
	for _, mint := range tx.AccountKeys() {
		for _, by := range []program.Key{program.Token, program.Token2022} {
			ours[PublicKey(program.AssociatedAddress(program.Key(owner), program.Key(mint), by))] = true
		}
	}
	return ours
}
