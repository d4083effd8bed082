package signing_test

import (
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestOutsideDPins: what the accounts of a typed pin are, with a simulation and blind.
func TestOutsideDPins(t *testing.T) {
	make1 := func(idempotent bool) ins {
		return txbuild.CreateATA(xOwner, xMyJUP, xOwner, xJUP, signing.TokenProgram, idempotent)
	}
	fresh := []ins{
		txbuild.CreateAccount(xOwner, xFresh, xRent, 165, signing.TokenProgram),
		xTok.InitializeAccount3(xFresh, xJUP, xOwner),
	}
	keys := signing.AssociatedTokenAddress(dKey, xJUP, signing.TokenProgram)
	row := func(name string, honest bool, may []signing.Role, list ...ins) attempt {
		x := v0(list...)
		for _, i := range list {
			if pk(i.Program) == signing.SystemProgram && i.Data[0] == 0 {
				x.by = []string{"fresh"}
			}
		}
		return attempt{name: name, honest: honest, policy: xPolicy(blindly, typedPin(may...), keysAre(dKey)),
			set: []xTx{x}, intent: xIntent()}
	}
	made := []signing.Role{signing.MadeAccount, signing.OwnerWallet}
	runAttempts(t, []attempt{
		row("P1 honest: a fresh account is made, then written", true, made, make1(false), call(xMyJUP)),
		row("P2 idempotent: it may be there", false, made, make1(true), call(xMyJUP)),
		row("P3 written, then made", false, made, call(xMyJUP), make1(false)),
		func() attempt {
			a := row("P5 another is made", false, made, make1(false), call(xMyBONK))
			a.intent = xIntent(gets(xBONK, 1))
			return a
		}(),
		row("P6 a key's is made, ours is written", false, made,
			txbuild.CreateATA(xOwner, keys, dKey, xJUP, signing.TokenProgram, false), call(xMyJUP)),
		row("P7 honest: an account of a fresh key is made, then written", true, made, append(fresh, call(xFresh))...),
		row("P8 written between its making and its first owner", false, made, fresh[0], call(xFresh), fresh[1]),
		row("P9 made, written twice, by another program second", false, made, make1(false), call(xMyJUP),
			txbuild.Call(xRogue, []byte{1}, txbuild.WritableSigner(xOwner), txbuild.Writable(xMyJUP))),
		row("P10 honest: what is spent is written", true, []signing.Role{signing.SpentAccount, signing.OwnerWallet},
			call(xMyUSDC)),
		row("P11 what is not spent is written", false, []signing.Role{signing.SpentAccount, signing.OwnerWallet},
			call(xMyUSDC, xMyJUP), make1(true)),
		row("P12 the wallet is written", false, []signing.Role{signing.SpentAccount}, call(xMyUSDC)),
	})
}

// TestOutsideDSponsored: who pays the fee, and what passes for it.
func TestOutsideDSponsored(t *testing.T) {
	paid := func(name string, honest bool, calls ...ins) trial {
		return trial{
			name: name, honest: honest, intent: intents(gets(xBONK, 5), sponsored),
			start: accs{xSponsor: solNow(1_000_000_000)},
			inner: swaps(calls...), payer: xSponsor, modes: []string{"told", "states"},
		}
	}
	closes := func(name string, honest bool, left uint64, i ...func(*walletfi.Intent)) trial {
		w := paid(name, honest)
		w.start[xMyJUP] = dJUP(xOwner, left)
		w.after = []ins{xTok.Close(xMyJUP, xSponsor, xOwner)}
		w.intent = append(w.intent, i...)
		return w
	}
	rich := closes("F6 our JUP account with 1 SOL in it closes to the sponsor", false, 0)
	s := dJUP(xOwner, 0)
	s.Lamports += 1_000_000_000
	rich.start[xMyJUP] = s
	runTrials(t, []trial{
		paid("F1 honest: the sponsor pays", true),
		paid("F2 we pay him back", false, txbuild.Transfer(xOwner, xSponsor, 5000)),
		paid("F3 we pay a lamport", false, txbuild.Transfer(xOwner, xThief, 1)),
		paid("F4 JUP goes to the sponsor", false, moveJUP(xMyJUP, dThJUP, xOwner, 1)),
		closes("F5 honest: our empty JUP account closes to the sponsor", true, 0,
			func(i *walletfi.Intent) { i.CloseAccounts = []string{xMyJUP.String()} }),
		rich,
	})
}

// TestOutsideDStrangers: what passes for rent, and assets that programs keep.
func TestOutsideDStrangers(t *testing.T) {
	born, asset := outAddr("new wallet"), outAddr("core asset")
	nft, metadata, escrow := outAddr("nft"), outAddr("metadata"), outAddr("escrow")
	many := func(n int) (list []ins) {
		for _, k := range several(n) {
			list = append(list, txbuild.Transfer(xOwner, k, 890_880))
		}
		return list
	}
	tok := func(mint, owner pk, n uint64) state { return held(signing.TokenProgram, mint, owner, n) }
	curve := state{Lamports: 50_000_000_000, Owner: xProg, Data: make([]byte, 49)}
	curveLess := curve
	curveLess.Lamports -= 400_000_000
	curveMore := curve
	curveMore.Lamports += 400_000_000
	sol := func(n uint64) walletfi.Asset {
		return walletfi.Asset{Mint: walletfi.NativeMint, Amount: walletfi.Amount(n)}
	}
	runTrials(t, []trial{
		{name: "E1 the least for a new wallet, a stranger's", intent: dSwap,
			inner: swaps(txbuild.Transfer(xOwner, born, 890_880))},
		{name: "E2 for thirty", intent: dSwap, inner: swaps(many(18)...)},
		{name: "E3 by the transaction itself", intent: dSwap, inner: swaps(),
			after: []ins{txbuild.Transfer(xOwner, born, 890_880)}},
		{name: "E4 more than the least", intent: dSwap, inner: swaps(txbuild.Transfer(xOwner, born, 890_881))},
		{name: "E5 honest: an account of the program's is topped up to exemption", honest: true, intent: dSwap,
			start: accs{escrow: {Lamports: 1, Owner: xProg, Data: make([]byte, 100)}},
			inner: swaps(txbuild.Transfer(xOwner, escrow, 6960*228-1))},
		{name: "E6 beyond its exemption", intent: dSwap,
			start: accs{escrow: {Lamports: 1, Owner: xProg, Data: make([]byte, 100)}},
			inner: swaps(txbuild.Transfer(xOwner, escrow, 6960*228))},
		{name: "E7 an asset of a program's is handed to the thief", intent: dSwap,
			start: accs{asset: kept(xRogue, 1, xOwner)}, inner: swaps(),
			pokes: pokes{asset: kept(xRogue, 1, xThief)}},
		{name: "E7b one of the two places that have our key gets the thief's", intent: dSwap,
			start: accs{asset: kept(xRogue, 1, xOwner, xPool, xOwner)}, inner: swaps(),
			pokes: pokes{asset: kept(xRogue, 1, xOwner, xPool, xThief)}},
		{name: "E7c honest: our place is emptied", intent: dSwap, honest: true,
			start: accs{asset: kept(xRogue, 1, xOwner)}, inner: swaps(), pokes: pokes{asset: kept(xRogue, 0, pk{})}},
		{name: "E7d honest: our key moves, as another comes before it", intent: dSwap, honest: true,
			start: accs{asset: kept(xRogue, 1, xOwner)}, inner: swaps(),
			pokes: pokes{asset: kept(xRogue, 1, xPool, xOwner)}},
		{name: "E7e honest: a key of ours hands it to another", intent: dSwap, honest: true,
			policy: policies(keysAre(dKey)), start: accs{asset: kept(xRogue, 1, dKey)}, inner: swaps(),
			pokes: pokes{asset: kept(xRogue, 1, xOwner)}},
		{name: "E7f honest: in a book of many, another's order takes the place of ours", intent: dSwap, honest: true,
			start: accs{asset: kept(xRogue, 1, append([]pk{xOwner}, make([]pk, 320)...)...)}, inner: swaps(),
			pokes: pokes{asset: kept(xRogue, 1, append([]pk{xPool}, make([]pk, 320)...)...)}},
		{name: "E7g a listed one as large", intent: dSwap, policy: policies(listed(asset, pk{})),
			start: accs{asset: kept(xRogue, 1, append([]pk{xOwner}, make([]pk, 320)...)...)}, inner: swaps(),
			pokes: pokes{asset: kept(xRogue, 1, append([]pk{xThief}, make([]pk, 320)...)...)}},
		{name: "E8 our NFT goes", intent: dSwap, start: accs{dAux: tok(nft, xOwner, 1), dOrder: tok(nft, xThief, 0)},
			inner: swaps(xTok.TransferChecked(dAux, nft, dOrder, xOwner, 1, 0))},
		{name: "E9 our NFT is locked by a delegate, frozen", intent: dSwap, start: accs{dAux: tok(nft, xOwner, 1)},
			inner: swaps(xTok.Approve(dAux, xThief, xOwner, 1), xTok.Freeze(dAux, nft, xThief))},
		{name: "E10 our NFT is burned", intent: dSwap, start: accs{dAux: tok(nft, xOwner, 1)},
			inner: swaps(xTok.Burn(dAux, nft, xOwner, 1))},
		{name: "E11 honest: a position with an NFT is opened", honest: true, intent: intents(),
			inner: append(append([]ins{
				txbuild.CreateAccount(xOwner, nft, 1_461_600, 82, signing.TokenProgram),
			}, makes(xOwner, dAux, nft, xOwner)...),
				txbuild.CreateAccount(xOwner, dOrder, 6960*(128+216), 216, xProg),
				moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500))},
		{name: "E12 honest: a limit order's escrow", honest: true, intent: intents(),
			inner: append(makes(xOwner, escrow, xUSDC, outAddr("order pda")),
				moveUSDC(xMyUSDC, escrow, xOwner, 500))},
		{name: "E13 honest: bought of a bonding curve for SOL", honest: true,
			intent: intents(onlySpends(sol(400_000_000)), gets(xJUP, 50)), start: accs{dOrder: curve},
			inner: []ins{txbuild.Transfer(xOwner, dOrder, 400_000_000), moveJUP(dPoolJUP, xMyJUP, dPool, 50)}},
		{name: "E14 honest: sold to a bonding curve for SOL", honest: true,
			intent: intents(onlySpends(walletfi.Asset{Mint: xJUP.String(), Amount: 50}), gets(dSOL, 400_000_000)),
			start:  accs{dOrder: curve}, inner: []ins{moveJUP(xMyJUP, dPoolJUP, xOwner, 50)},
			pokes: pokes{dOrder: curveLess, xOwner: solNow(dOwnerSOL - 5000 + 400_000_000)}},
		{name: "E15 sold to it, and SOL goes to the thief",
			intent: intents(onlySpends(walletfi.Asset{Mint: xJUP.String(), Amount: 50}), gets(dSOL, 400_000_000)),
			start:  accs{dOrder: curve}, inner: []ins{moveJUP(xMyJUP, dPoolJUP, xOwner, 50),
				txbuild.Transfer(xOwner, xThief, 1_000_000)}, pokes: pokes{dOrder: curveLess}},
		{name: "E16 bought of it for SOL, a lamport too much",
			intent: intents(onlySpends(sol(400_000_000)), gets(xJUP, 50)), start: accs{dOrder: curve},
			inner: []ins{txbuild.Transfer(xOwner, dOrder, 400_000_001), moveJUP(dPoolJUP, xMyJUP, dPool, 50)}},
		{name: "E17 honest: wrapped, swapped and unwrapped", honest: true,
			intent: intents(onlySpends(sol(400_000_000)), gets(xJUP, 50)), start: accs{xMyWSOL: dWSOL(xOwner, 0)},
			before: []ins{txbuild.Transfer(xOwner, xMyWSOL, 400_000_000), xTok.SyncNative(xMyWSOL)},
			inner:  []ins{moveWSOL(xMyWSOL, dPoolWSOL, xOwner, 400_000_000), moveJUP(dPoolJUP, xMyJUP, dPool, 50)},
			after:  []ins{xTok.Close(xMyWSOL, xOwner, xOwner)}},
		{name: "E18 the same, unwrapped to the thief", intent: intents(onlySpends(sol(400_000_000)), gets(xJUP, 50)),
			start:  accs{xMyWSOL: dWSOL(xOwner, 1_000_000)},
			before: []ins{txbuild.Transfer(xOwner, xMyWSOL, 400_000_000), xTok.SyncNative(xMyWSOL)},
			inner:  []ins{moveWSOL(xMyWSOL, dPoolWSOL, xOwner, 400_000_000), moveJUP(dPoolJUP, xMyJUP, dPool, 50)},
			after:  []ins{xTok.Close(xMyWSOL, xThief, xOwner)}},
		{name: "E19 honest: a fee of the service's in USDC within the call", honest: true,
			intent: intents(gets(xBONK, 5), feeOf(xUSDC, 7)), inner: swaps(moveUSDC(xMyUSDC, xFrUSDC, xOwner, 7))},
		{name: "E20 a unit more than the fee", intent: intents(gets(xBONK, 5), feeOf(xUSDC, 7)),
			inner: swaps(moveUSDC(xMyUSDC, xFrUSDC, xOwner, 8))},
		{name: "E21 the fee in another token", intent: intents(gets(xBONK, 5), feeOf(xUSDC, 7)),
			inner: swaps(moveJUP(xMyJUP, dThJUP, xOwner, 7))},
		{name: "E22 honest: the pool's fees grow, a user account counts", honest: true, intent: dSwap,
			start: accs{metadata: kept(xProg, 1, xOwner)}, inner: swaps(),
			pokes: pokes{metadata: kept(xProg, 2, xOwner)}},
		{name: "E23 a key's wallet gets data", policy: policies(keysAre(dKey)), by: []string{"maker"}, intent: dSwap,
			inner: swaps(txbuild.Allocate(dKey, 3))},
		{name: "E24 a key's wallet is a program's", policy: policies(keysAre(dKey)), by: []string{"maker"},
			intent: dSwap, inner: swaps(txbuild.Assign(dKey, xRogue))},
		{name: "E25 a key's SOL goes", policy: policies(keysAre(dKey)), intent: dSwap,
			inner: swaps(txbuild.Transfer(dKey, xThief, 5)),
			modes: []string{"told", "states", "second", "second told"}},
		{name: "E26 honest: a key's wallet gets SOL", honest: true, policy: policies(keysAre(dKey)), intent: dSwap,
			inner: swaps(txbuild.Transfer(dPool, dKey, 5))},
		{name: "E27 the output for the friend goes to the thief",
			intent: intents(gets(xBONK, 5), func(i *walletfi.Intent) { i.OutputTo = []string{xFriend.String()} }),
			inner:  []ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500), moveBONK(dPoolBONK, dThBONK, dPool, 5)}},
		{name: "E28 honest: the output goes to the friend", honest: true,
			intent: intents(func(i *walletfi.Intent) { i.OutputTo = []string{xFriend.String()} }),
			start:  accs{dFrBONK: dBONK(xFriend, 0)},
			inner:  []ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500), moveBONK(dPoolBONK, dFrBONK, dPool, 5)}},
		{name: "E29 the friend's account is the thief's",
			intent: intents(gets(xBONK, 5), func(i *walletfi.Intent) { i.OutputTo = []string{xFriend.String()} }),
			start:  accs{dFrBONK: dBONK(xThief, 0)},
			inner:  []ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500), moveBONK(dPoolBONK, dFrBONK, dPool, 5)}},
		{name: "E30 the payee's account is the thief's, by the transaction itself",
			intent: intents(gets(xBONK, 5), payTo(xFriend)), start: accs{xFrUSDC: dUSDC(xThief, 0)},
			inner: []ins{moveBONK(dPoolBONK, xMyBONK, dPool, 5)},
			after: []ins{moveUSDC(xMyUSDC, xFrUSDC, xOwner, 500)}},
		{name: "E31 honest: the payee's account is the payee's", honest: true,
			intent: intents(gets(xBONK, 5), payTo(xFriend)), inner: []ins{moveBONK(dPoolBONK, xMyBONK, dPool, 5)},
			after: []ins{moveUSDC(xMyUSDC, xFrUSDC, xOwner, 500)}},
	})
}
