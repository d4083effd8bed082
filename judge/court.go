package main

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// court counts what an owner has, by mint. SOL has all that is wrapped or staked, and the rent of the owner's
// accounts.
type court struct {
	owner   key
	wrapped key // the associated account of wrapped SOL: lamports there are the owner's even if it is closed
}

func newCourt(owner key) court {
	wrapped, _, err := solana.FindAssociatedTokenAddress(owner, nativeMint)
	if err != nil {
		panic(err)
	}
	return court{owner, wrapped}
}

// holds adds what an account holds for the owner.
func (c court) holds(a *account, to map[string]int64, sign int64) {
	if a == nil {
		return
	}
	at := solana.MustPublicKeyFromBase58(a.Key)
	nonce := a.Owner == systemProgram.String() && len(a.Data) == nonceSize && key(a.Data[8:40]) == c.owner
	stake := a.Owner == stakeProgram.String() && len(a.Data) == stakeSize && key(a.Data[44:76]) == c.owner
	switch {
	case c.ours(a):
		to[walletfi.NativeMint] += sign * int64(a.Lamports)
		if mint := key(a.Data[:32]); !isNative(mint) {
			to[mint.String()] += sign * int64(binary.LittleEndian.Uint64(a.Data[64:]))
		}
	case at == c.owner && a.Owner == systemProgram.String(), at == c.wrapped && len(a.Data) == 0, nonce, stake:
		to[walletfi.NativeMint] += sign * int64(a.Lamports)
	}
}

// ours reports whether an account is a token account of the owner's.
func (c court) ours(a *account) bool {
	program := a.Owner == tokenProgram.String() || a.Owner == token2022.String()
	kind := len(a.Data) == 165 || len(a.Data) > 165 && len(a.Data) != 355 && a.Data[165] == 2
	return program && kind && a.Data[108] != 0 && key(a.Data[32:64]) == c.owner
}

// gained is the difference of two states of the same accounts, and closed the rent of token accounts of the
// owner's that are gone.
func (c court) gained(before, after []*account) (net map[string]int64, closed uint64) {
	net = map[string]int64{}
	for n := range before {
		c.holds(before[n], net, -1)
		c.holds(after[n], net, 1)
		if b := before[n]; b != nil && after[n] == nil && c.ours(b) && !isNative(key(b.Data[:32])) {
			closed += b.Lamports
		}
	}
	return net, closed
}

// most is how much of each mint an intent lets leave. The rent of accounts that are closed is the sponsor's if
// there is one.
func most(i walletfi.Intent, closed uint64) map[string]uint64 {
	caps := map[string]uint64{}
	for _, a := range slices.Concat(i.Spend, i.Burn, i.ServiceFee) {
		caps[a.Mint] += uint64(a.Amount)
	}
	var rent, fee walletfi.Amount = signing.DefaultMaxRentLamports, signing.DefaultMaxNetworkFeeLamports
	if i.MaxRentLamports != nil {
		rent = *i.MaxRentLamports
	}
	if i.MaxNetworkFeeLamports != nil {
		fee = *i.MaxNetworkFeeLamports
	}
	caps[walletfi.NativeMint] += uint64(i.TipLamports + rent + i.MaxForeignRentLamports + fee)
	if i.Sponsor != "" {
		caps[walletfi.NativeMint] += closed
	}
	return caps
}

// powers are those of others over the owner's accounts: who may move what is in them, or close them.
func (c court) powers(all []*account) (others []string) {
	for _, a := range all {
		if a != nil && a.Key == c.owner.String() && a.Owner != systemProgram.String() {
			others = append(others, a.Owner)
		}
		if a == nil || !c.ours(a) {
			continue
		}
		for _, at := range []int{72, 129} {
			if who := key(a.Data[at+4 : at+36]); a.Data[at] == 1 && who != c.owner {
				others = append(others, who.String())
			}
		}
	}
	return others
}

// judge lists what left beyond the caps of an intent and who got a power that it does not name, and reports
// whether anything left at all. The accounts at risk may lose all that they have, and their mint is not judged.
func (c court) judge(i walletfi.Intent, before, after []*account, risk ...key) (found []string, cost bool) {
	net, closed := c.gained(before, after)
	caps := most(i, closed)
	risked := map[string]int64{}
	known := slices.Clone(after)
	for n := range before {
		a := cmp.Or(before[n], after[n])
		if a == nil || !slices.Contains(risk, solana.MustPublicKeyFromBase58(a.Key)) {
			continue
		}
		known[n] = nil
		if c.ours(a) && !isNative(key(a.Data[:32])) {
			risked[key(a.Data[:32]).String()] = 0
			caps[walletfi.NativeMint] += a.Lamports // its rent
			continue
		}
		c.holds(before[n], risked, 1)
		c.holds(after[n], risked, 1)
	}
	for mint, n := range net {
		lost := uint64(max(0, -n))
		cost = cost || lost > 0
		if _, ok := risked[mint]; !ok && lost > caps[mint] && !slices.Contains(i.BurnAll, mint) {
			found = append(found, fmt.Sprintf("%d of %s lost, %d allowed", lost, mint, caps[mint]))
		}
	}
	had := c.powers(before)
	for _, other := range c.powers(known) {
		if !slices.Contains(had, other) && !slices.Contains(i.Delegates, other) {
			found = append(found, other+" has power over an account of the owner's")
		}
	}
	slices.Sort(found)
	return found, cost
}
