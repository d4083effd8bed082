package takes

import (
	"math"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// bound is how much may leave of a mint as a kind.
type bound struct {
	mint string
	as   signing.Counts
	most walletfi.Amount
}

func (b bound) rent() bool {
	return b.as == signing.CountsAsRent || b.as == signing.CountsAsForeignRent
}

// cost reports what is paid whether the rest of a transaction is or not.
func (b bound) cost() bool { return slices.Contains(costs, b.as) }

// allowed is how much more the guard lets transaction i take than is shown: of its bounds, what is left by
// the transaction, or by all of the set, and by what executed transactions have taken.
func allowed(r *signing.Report, i int, all bool, taken List) (left []bound) {
	gone := map[string]walletfi.Amount{}
	for _, t := range taken {
		gone[t.Mint] = t.Amount
	}
	for _, b := range bounds(r, i) {
		for _, m := range r.Leaves {
			counts := m.Transaction == i || all && (b.cost() || !executed(r, m.Transaction))
			if counts && m.CountsAs == b.as && m.Mint.String() == b.mint {
				b.most = minus(b.most, walletfi.Amount(m.Amount))
			}
		}
		if !b.cost() {
			n := min(b.most, gone[b.mint])
			b.most, gone[b.mint] = b.most-n, gone[b.mint]-n
		}
		left = append(left, b)
	}
	return left
}

// bounds are those that the guard holds a set against. What may be burned whole is bounded by what was there.
func bounds(r *signing.Report, i int) (all []bound) {
	add := func(mint string, as signing.Counts, most walletfi.Amount) {
		if mint == signing.NativeMintToken2022.String() {
			mint = walletfi.NativeMint
		}
		at := slices.IndexFunc(all, func(b bound) bool { return b.mint == mint && b.as == as })
		if at < 0 {
			at, all = len(all), append(all, bound{mint: mint, as: as})
		}
		all[at].most = plus(all[at].most, most)
	}
	for _, a := range r.Intent.Spend {
		add(a.Mint, signing.CountsAsSpend, a.Amount)
	}
	for _, a := range r.Intent.Burn {
		add(a.Mint, signing.CountsAsBurn, a.Amount)
	}
	for _, a := range r.Intent.ServiceFee {
		add(a.Mint, signing.CountsAsFee, a.Amount)
	}
	own, others := r.RentCaps()
	add(walletfi.NativeMint, signing.CountsAsTip, r.Intent.TipLamports)
	add(walletfi.NativeMint, signing.CountsAsRent, own)
	add(walletfi.NativeMint, signing.CountsAsForeignRent, others)
	if !simulated(r, i) {
		for _, name := range r.Intent.BurnAll {
			mint, most := burnable(r, i, name)
			add(mint, signing.CountsAsBurn, most)
		}
	}
	return all
}

// burnable is how much a transaction's calls can burn of a mint, or of an account, that may be burned whole: what
// was there when it was judged, and without a bound if that was not read.
func burnable(r *signing.Report, i int, name string) (mint string, most walletfi.Amount) {
	ours, unread := map[signing.PublicKey]bool{}, false
	for _, c := range r.Reaches {
		if c.Transaction == i {
			unread = unread || c.Unknown+c.Unshown > 0
			for _, k := range c.Ours {
				ours[k] = true
			}
		}
	}
	mint = name
	for _, h := range r.Holds {
		if ours[h.Account] && (h.Account.String() == name || h.Mint.String() == name) {
			mint, most = h.Mint.String(), plus(most, walletfi.Amount(h.Amount))
		}
		delete(ours, h.Account)
	}
	if unread || len(ours) > 0 {
		return mint, math.MaxUint64
	}
	return mint, most
}
