package signing_test

import (
	"encoding/binary"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// tlv is an extension of Token-2022.
func tlv(kind uint16, data ...byte) []byte {
	b := make([]byte, 4, 4+len(data))
	binary.LittleEndian.PutUint16(b, kind)
	binary.LittleEndian.PutUint16(b[2:], uint16(len(data)))
	return append(b, data...)
}

// myBONK is our account of Token-2022 with extensions.
func myBONK(n uint64, extensions ...[]byte) state {
	s := dBONK(xOwner, n)
	s.Lamports = 2_500_000
	s.Data = append(s.Data, 2)
	for _, e := range extensions {
		s.Data = append(s.Data, e...)
	}
	return s
}

// mintWith is a mint of Token-2022 with extensions and no other authority, or that of key.
func mintWith(authority, freezer pk, supply uint64, extensions ...[]byte) state {
	d := make([]byte, 166)
	if authority != (pk{}) {
		d[0] = 1
		copy(d[4:], authority[:])
	}
	binary.LittleEndian.PutUint64(d[36:], supply)
	d[44], d[45] = 6, 1
	if freezer != (pk{}) {
		d[46] = 1
		copy(d[50:], freezer[:])
	}
	d[165] = 1
	for _, e := range extensions {
		d = append(d, e...)
	}
	return state{Lamports: 5_000_000, Owner: signing.Token2022Program, Data: d}
}

func listed(k, mint pk) func(*signing.Policy) {
	return func(p *signing.Policy) { p.Accounts = append(p.Accounts, signing.OwnAccount{Address: k, Mint: mint}) }
}

func feeOf(mint pk, n uint64) func(*walletfi.Intent) {
	return func(i *walletfi.Intent) {
		i.ServiceFee = append(i.ServiceFee, walletfi.Asset{Mint: mint.String(), Amount: walletfi.Amount(n)})
	}
}

func feeTo(k ...pk) func(*walletfi.Intent) {
	return func(i *walletfi.Intent) {
		for _, k := range k {
			i.FeeTo = append(i.FeeTo, k.String())
		}
	}
}

// TestOutsideDAnothers: addresses of ours whose accounts are another's.
func TestOutsideDAnothers(t *testing.T) {
	thief := accs{xMyJUP: dJUP(xThief, 0)}
	thiefWSOL := accs{xMyWSOL: dWSOL(xThief, 0)}
	warns, keepsThere := []string{"WARNING: "}, []string{"and stays there", "and no more"}
	stage := func(program pk, mint, by pk) state { return held(program, mint, by, 0) }
	runTrials(t, []trial{
		{name: "O1 JUP of a listed account goes to our JUP account, which is the thief's", intent: dSwap,
			start: accs{xMyJUP: dJUP(xThief, 0), dAux: dJUP(xOwner, 900)}, policy: policies(listed(dAux, xJUP)),
			inner: swaps(moveJUP(dAux, xMyJUP, xOwner, 900))},
		{name: "O2 the same by the transaction itself", intent: dSwap,
			start: accs{xMyJUP: dJUP(xThief, 0), dAux: dJUP(xOwner, 900)}, policy: policies(listed(dAux, xJUP)),
			inner: swaps(), after: []ins{moveJUP(dAux, xMyJUP, xOwner, 900)}},
		{name: "O3 SOL is wrapped into our account, which is the thief's", intent: dSwap, start: thiefWSOL,
			inner: swaps(), after: []ins{txbuild.Transfer(xOwner, xMyWSOL, 3_000_000_000), xTok.SyncNative(xMyWSOL)}},
		{name: "O4 within the call", intent: dSwap, start: thiefWSOL,
			inner: swaps(txbuild.Transfer(xOwner, xMyWSOL, 3_000_000_000), xTok.SyncNative(xMyWSOL))},
		{name: "O5 before the call", intent: dSwap, start: thiefWSOL, inner: swaps(),
			before: []ins{txbuild.Transfer(xOwner, xMyWSOL, 3_000_000_000), xTok.SyncNative(xMyWSOL)}},
		{name: "O6 honest: SOL is wrapped into ours", intent: dSwap, start: accs{xMyWSOL: dWSOL(xOwner, 0)},
			inner: swaps(), before: []ins{txbuild.Transfer(xOwner, xMyWSOL, 3_000_000_000), xTok.SyncNative(xMyWSOL)},
			honest: true},
		{name: "O7 SOL is wrapped into ours, which the thief may close", intent: dSwap,
			start: accs{xMyWSOL: dWSOL(xOwner, 0, closeBy(xThief))}, inner: swaps(),
			before: []ins{txbuild.Transfer(xOwner, xMyWSOL, 3_000_000_000), xTok.SyncNative(xMyWSOL)}},
		{name: "O8 the same within the call", intent: dSwap, start: accs{xMyWSOL: dWSOL(xOwner, 0, closeBy(xThief))},
			inner: swaps(txbuild.Transfer(xOwner, xMyWSOL, 3_000_000_000), xTok.SyncNative(xMyWSOL))},
		{name: "O9 honest: into ours, of which the thief is the delegate", honest: true, says: warns, not: keepsThere, intent: dSwap,
			start: accs{xMyWSOL: dWSOL(xOwner, 0, delegateTo(xThief, 1<<60))}, inner: swaps(),
			before: []ins{txbuild.Transfer(xOwner, xMyWSOL, 3_000_000_000), xTok.SyncNative(xMyWSOL)}},
		{name: "O10 honest: the same within the call", honest: true, says: warns, not: keepsThere, intent: dSwap,
			start: accs{xMyWSOL: dWSOL(xOwner, 0, delegateTo(xThief, 1<<60))},
			inner: swaps(txbuild.Transfer(xOwner, xMyWSOL, 3_000_000_000), xTok.SyncNative(xMyWSOL))},
		{name: "O11 honest: JUP goes to ours, of which the thief is the delegate", honest: true, says: warns, not: keepsThere, intent: dSwap,
			start:  accs{xMyJUP: dJUP(xOwner, 0, delegateTo(xThief, 1<<60)), dAux: dJUP(xOwner, 900)},
			policy: policies(listed(dAux, xJUP)), inner: swaps(moveJUP(dAux, xMyJUP, xOwner, 900))},
		{name: "O12b honest: what is bought comes to ours, the delegate is named", honest: true, intent: dSwap,
			policy: policies(func(p *signing.Policy) { p.Delegates = append(p.Delegates, xThief) }),
			start:  accs{xMyBONK: dBONK(xOwner, 0, delegateTo(xThief, 1<<60))}, inner: swaps(), not: warns},
		{name: "O12c honest: what is bought comes to ours, the delegate could take what was there only", honest: true,
			intent: dSwap, start: accs{xMyBONK: dBONK(xOwner, 9, delegateTo(xThief, 9))}, inner: swaps(), not: warns},
		{name: "O12 honest: what is bought comes to ours, of which the thief is the delegate", honest: true, says: warns, not: keepsThere, intent: dSwap,
			start: accs{xMyBONK: dBONK(xOwner, 0, delegateTo(xThief, 1<<60))}, inner: swaps()},
		{name: "O13 honest: what is bought comes to ours, which the thief may close", honest: true, intent: dSwap,
			start: accs{xMyBONK: dBONK(xOwner, 0, closeBy(xThief))}, inner: swaps()},
		{name: "O14 what is bought comes to ours, which is the thief's", intent: dSwap,
			start: accs{xMyBONK: dBONK(xThief, 0)}, inner: swaps()},
		{name: "O15 SOL that is bought comes to ours, which is the thief's", intent: intents(gets(dSOL, 1_000_000)),
			start: thiefWSOL, inner: []ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500),
				moveWSOL(dPoolWSOL, xMyWSOL, dPool, 1_000_000)}},
		{name: "O16 SOL that is bought comes to ours, which the thief may close",
			intent: intents(gets(dSOL, 1_000_000)), start: accs{xMyWSOL: dWSOL(xOwner, 0, closeBy(xThief))},
			inner: []ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500), moveWSOL(dPoolWSOL, xMyWSOL, dPool, 1_000_000)}},
		{name: "O17 honest: SOL that is bought comes to ours", intent: intents(gets(dSOL, 1_000_000)),
			start:  accs{xMyWSOL: dWSOL(xOwner, 0)},
			inner:  []ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500), moveWSOL(dPoolWSOL, xMyWSOL, dPool, 1_000_000)},
			honest: true},
		{name: "O18 honest: 3 SOL to our wrapped address, at which nothing is", honest: true, intent: dSwap,
			inner: swaps(txbuild.Transfer(xOwner, xMyWSOL, 3_000_000_000))},
		{name: "O19 3 SOL to our wrapped address, which is a mint's account", intent: dSwap,
			start: accs{xMyWSOL: stage(signing.Token2022Program, xBONK, xThief)},
			inner: swaps(txbuild.Transfer(xOwner, xMyWSOL, 3_000_000_000))},
		{name: "O20 a listed token account is the thief's", intent: dSwap, start: accs{dAux: dUSDC(xThief, 0)},
			policy: policies(listed(dAux, xUSDC)), inner: []ins{moveBONK(dPoolBONK, xMyBONK, dPool, 5)},
			after: []ins{moveUSDC(xMyUSDC, dAux, xOwner, 800)}},
		{name: "O21 honest: a listed token account is ours", intent: dSwap, start: accs{dAux: dUSDC(xOwner, 0)},
			policy: policies(listed(dAux, xUSDC)), inner: []ins{moveBONK(dPoolBONK, xMyBONK, dPool, 5)},
			after: []ins{moveUSDC(xMyUSDC, dAux, xOwner, 800)}, honest: true},
		{name: "O21b honest: a listed token account is a listed vault's", intent: dSwap, honest: true,
			start: accs{dAux: dUSDC(dVault, 0)}, policy: policies(listed(dAux, xUSDC), listed(dVault, pk{})),
			inner: []ins{moveBONK(dPoolBONK, xMyBONK, dPool, 5)}, after: []ins{moveUSDC(xMyUSDC, dAux, xOwner, 800)}},
		{name: "O22 honest: a listed plain account is a program's", honest: true, intent: dSwap,
			start: accs{dVault: kept(xRogue, 1)}, policy: policies(listed(dVault, pk{})),
			inner: swaps(txbuild.Transfer(xOwner, dVault, 3_000_000_000))},
		{name: "O23 a listed plain account is the thief's token account", intent: dSwap,
			start: accs{dVault: dJUP(xThief, 0)}, policy: policies(listed(dVault, pk{})),
			inner: swaps(txbuild.Transfer(xOwner, dVault, 3_000_000_000))},
		{name: "O24 the same by the transaction itself", intent: dSwap, start: accs{dVault: dJUP(xThief, 0)},
			policy: policies(listed(dVault, pk{})), inner: swaps(),
			after: []ins{txbuild.Transfer(xOwner, dVault, 3_000_000_000)}},
		{name: "O25 a listed plain account is the thief's wrapped SOL", intent: dSwap,
			start: accs{dVault: dWSOL(xThief, 0)}, policy: policies(listed(dVault, pk{})), inner: swaps(),
			after: []ins{txbuild.Transfer(xOwner, dVault, 3_000_000_000)}},
		{name: "O26 our JUP account becomes the thief's, and is paid before", intent: dSwap,
			start: accs{dAux: dJUP(xOwner, 900), xMyJUP: dJUP(xOwner, 0)}, policy: policies(listed(dAux, xJUP)),
			inner:  swaps(xTok.SetAuthority(xMyJUP, xOwner, 2, xThief)),
			before: []ins{moveJUP(dAux, xMyJUP, xOwner, 900)}},
		{name: "O27 honest: JUP of a listed account goes to ours", intent: dSwap,
			start: accs{dAux: dJUP(xOwner, 900)}, policy: policies(listed(dAux, xJUP)),
			inner: swaps(moveJUP(dAux, xMyJUP, xOwner, 900)), honest: true},
		{name: "O28 honest: our JUP account is the thief's, and has no part", intent: dSwap, start: thief,
			inner: swaps(), writes: []pk{xMyJUP}, honest: true},
		{name: "O29 honest: our JUP account has an old delegate, and has no part", intent: dSwap,
			start: accs{xMyJUP: dJUP(xOwner, 900, delegateTo(xFriend, 5))}, inner: swaps(), writes: []pk{xMyJUP},
			honest: true},
		{name: "O30 the delegate's allowance grows", intent: dSwap,
			start: accs{xMyJUP: dJUP(xOwner, 900, delegateTo(xFriend, 5))},
			inner: swaps(xTok.Approve(xMyJUP, xFriend, xOwner, 6))},
		{name: "O31 the delegate changes", intent: dSwap,
			start: accs{xMyJUP: dJUP(xOwner, 900, delegateTo(xFriend, 5))},
			inner: swaps(xTok.Approve(xMyJUP, xThief, xOwner, 5))},
		{name: "O32 honest: the delegate is revoked", intent: dSwap,
			start: accs{xMyJUP: dJUP(xOwner, 900, delegateTo(xFriend, 5))}, inner: swaps(xTok.Revoke(xMyJUP, xOwner)),
			honest: true},
		{name: "O33 the delegate takes JUP within the call", intent: dSwap,
			start: accs{xMyJUP: dJUP(xOwner, 900, delegateTo(xFriend, 5))},
			inner: swaps(moveJUP(xMyJUP, dThJUP, xFriend, 5))},
	})
}

// TestOutsideDWithheld: what a mint withholds is no fee of the service's.
func TestOutsideDWithheld(t *testing.T) {
	fee := func(from, to, by pk, n, f uint64) ins {
		return xT22.TransferCheckedWithFee(from, xBONK, to, by, n, 6, f)
	}
	start := accs{xMyBONK: dBONK(xOwner, 900), dAux: dBONK(xOwner, 0)}
	mine := policies(listed(dAux, xBONK))
	only := func(f ...func(*walletfi.Intent)) []func(*walletfi.Intent) {
		return append(intents(gets(xUSDC, 1), onlySpends()), f...)
	}
	gain := moveUSDC(dPoolUSDC, xMyUSDC, dPool, 1)
	runTrials(t, []trial{
		{name: "W1 withheld among ours, a fee for the friend", modes: tellsAll,
			intent: only(feeOf(xBONK, 50), feeTo(xFriend)), start: start, policy: mine,
			inner: []ins{gain, fee(xMyBONK, dAux, xOwner, 900, 50)}},
		{name: "W2 by the transaction itself", intent: only(feeOf(xBONK, 50), feeTo(xFriend)), start: start,
			policy: mine, inner: []ins{gain}, after: []ins{fee(xMyBONK, dAux, xOwner, 900, 50)}},
		{name: "W3 honest: a fee for nobody in particular is withheld", intent: only(feeOf(xBONK, 50)), start: start,
			policy: mine, inner: []ins{gain, fee(xMyBONK, dAux, xOwner, 900, 50)}, honest: true},
		{name: "W4 withheld beyond the cap", intent: only(feeOf(xBONK, 50)), start: start, policy: mine,
			inner: []ins{gain, fee(xMyBONK, dAux, xOwner, 900, 51)}},
		{name: "W5 withheld of a transfer that is told without a fee", intent: only(), start: start, policy: mine,
			inner: []ins{gain, moveBONK(xMyBONK, dAux, xOwner, 900)}, pokes: pokes{dAux: dBONK(xOwner, 0)}},
		{name: "W6 to and fro, withheld twice", intent: only(feeOf(xBONK, 50)), start: start, policy: mine,
			inner: []ins{gain, fee(xMyBONK, dAux, xOwner, 800, 30), fee(dAux, xMyBONK, xOwner, 700, 30)}},
		{name: "W7 honest: within what is spent", intent: intents(gets(xUSDC, 1),
			onlySpends(walletfi.Asset{Mint: xBONK.String(), Amount: 50})), start: start, policy: mine,
			inner: []ins{gain, fee(xMyBONK, dAux, xOwner, 900, 50)}, honest: true},
		{name: "W8 what comes is withheld", intent: dSwap,
			inner: []ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500), fee(dPoolBONK, xMyBONK, dPool, 6, 2)}},
		{name: "W9 honest: what comes is enough after it", intent: dSwap,
			inner:  []ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500), fee(dPoolBONK, xMyBONK, dPool, 7, 2)},
			honest: true},
		{name: "W10 the fee goes to the friend, who gets nothing, and as much is withheld", modes: tellsAll,
			intent: only(feeOf(xBONK, 50), feeTo(xFriend)),
			start:  accs{xMyBONK: dBONK(xOwner, 900), dAux: dBONK(xOwner, 0), dFrBONK: dBONK(xFriend, 0)},
			policy: mine, inner: []ins{gain, fee(xMyBONK, dAux, xOwner, 900, 50)},
			after: []ins{moveBONK(xMyBONK, dFrBONK, xOwner, 0)}},
	})
}
