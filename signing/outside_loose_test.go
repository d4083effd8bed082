package signing_test

import (
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

const bigRent = 6960 * (128 + 10_240)

// frozenBig is a token account of ours, 10 KB long, of a mint whose authority has frozen it: nobody but that
// authority lets us close it.
func frozenBig(mint pk) state {
	s := held(signing.Token2022Program, mint, xOwner, 1)
	s.Data = append(s.Data, make([]byte, 10_240-165)...)
	s.Data[108], s.Data[165], s.Lamports = 2, 2, bigRent
	return s
}

// simReader is a simulator that reads accounts.
type simReader struct {
	*shown
	signing.AccountReader
}

// TestOutsideLoose: drains by the loosened rules, and honest layouts near them.
func TestOutsideLoose(t *testing.T) {
	pool, lender, order, vault := outAddr("pool authority"), outAddr("lender"), outAddr("order"), outAddr("vault")
	nft, myNFT, temp, theirPos := outAddr("position nft"), outAddr("my nft account"), outAddr("temp"), outAddr("thief's position")
	smart, userPDA, pda1, pda2 := outAddr("smart vault"), outAddr("user pda"), outAddr("pda1"), outAddr("pda2")
	key := outKey("maker").PublicKey()
	scam := outAddr("scam mint")
	native := signing.NativeMint
	usdc := func(owner pk, n uint64) state { return held(signing.TokenProgram, xUSDC, owner, n) }
	jup := func(owner pk, n uint64) state { return held(signing.TokenProgram, xJUP, owner, n) }
	wsol := func(owner pk, n uint64) state { return held(signing.TokenProgram, native, owner, n) }
	bonk := func(n uint64) state { return held(signing.Token2022Program, xBONK, xOwner, n) }
	// keeps is an account of a program with the keys in its data.
	keeps := func(n byte, keys ...pk) state {
		d := make([]byte, 8)
		for _, k := range keys {
			d = append(d, k[:]...)
		}
		return state{Lamports: 6960 * 328, Owner: xRogue, Data: append(d, n)}
	}
	bigOrder := state{Lamports: bigRent, Owner: xProg, Data: append(append(make([]byte, 8), xOwner[:]...), make([]byte, 10_200)...)}
	move := func(from, mint, to, by pk, n uint64) ins { return xTok.TransferChecked(from, mint, to, by, n, 6) }
	sol := func(lost uint64) state { return solNow(5_000_000_000 - 5000 - lost) }
	is := func(f ...func(*walletfi.Intent)) []func(*walletfi.Intent) { return f }
	with := func(f ...func(*signing.Policy)) []func(*signing.Policy) { return f }
	swap := is(gets(xBONK, 5))
	passes := func(more ...ins) []ins { return append([]ins{move(xMyUSDC, xUSDC, xPool, xOwner, 500)}, more...) }
	loan := []ins{move(lender, xUSDC, xMyUSDC, pool, 4000), move(xMyUSDC, xUSDC, xPool, xOwner, 500), move(xMyUSDC, xUSDC, lender, xOwner, 4000)}
	const freed = 6960 * 328
	wrapped := []ins{xTok.TransferChecked(vault, native, xMyWSOL, pool, 7_000_000, 9), xTok.TransferChecked(xMyWSOL, native, xPool, xOwner, 7_000_000, 9)}
	type row struct {
		name          string
		intent        []func(*walletfi.Intent)
		policy        []func(*signing.Policy)
		before, after accs
		inner         []ins
		writes        []pk
		top           []ins // after the call
		states        bool  // no calls are told
		honest        bool
		known         string
		rule          signing.Rule
	}
	owns := func(a accs) accs { a[lender] = usdc(pool, 9000); return a }
	frozen := func(n int) (before, after accs, all []pk, moves []ins) {
		before, after = accs{}, accs{}
		for i := range n {
			k := outAddr(string(rune('a'+i)) + " frozen")
			after[k] = frozenBig(scam)
			all = append(all, k)
			moves = append(moves, txbuild.Transfer(xOwner, k, bigRent), txbuild.Allocate(k, 10_240), txbuild.Assign(k, signing.Token2022Program), xT22.InitializeAccount3(k, scam, xOwner))
		}
		return before, after, all, moves
	}
	_, tenFrozen, ten, tenMoves := frozen(10)
	_, _, fifteen, _ := frozen(15)
	fourteen := fifteen[:14]
	_, oneFrozen, one, _ := frozen(1)
	oneFrozen[xOwner] = sol(0)
	oneFrozen[xMyBONK] = bonk(0)
	feeIs := func(mint pk, n uint64, to ...pk) func(*walletfi.Intent) {
		return func(i *walletfi.Intent) {
			i.ServiceFee = []walletfi.Asset{{Mint: mint.String(), Amount: walletfi.Amount(n)}}
			for _, k := range to {
				i.FeeTo = append(i.FeeTo, k.String())
			}
		}
	}
	rent := func(n uint64) func(*walletfi.Intent) {
		return func(i *walletfi.Intent) { i.MaxRentLamports = new(walletfi.Amount(n)) }
	}
	// open is n new accounts of ours, whose rent we pay.
	open := func(n int) accs {
		a := accs{xOwner: sol(uint64(n) * xRent)}
		for _, k := range fifteen[:n] {
			a[k] = jup(xOwner, 0)
		}
		return a
	}
	list := []row{
		// Loans: a position of ours is paid out by the vault, and paid in again as the thief's.
		{name: "L1 a position whose NFT we hold", intent: swap, inner: loan, writes: []pk{myNFT, theirPos},
			before: owns(accs{order: keeps(1, xPool, nft), myNFT: held(signing.TokenProgram, nft, xOwner, 1)}), after: accs{order: keeps(0, xPool, nft), theirPos: keeps(1, xPool, xThief)}},
		{name: "L2 a position of a listed vault", intent: swap, inner: loan, policy: with(listedPlain(smart)), writes: []pk{theirPos},
			before: owns(accs{order: keeps(1, smart)}), after: accs{order: keeps(0, smart), theirPos: keeps(1, xThief)}},
		{name: "L3 a position of a key of ours", intent: swap, inner: loan, policy: with(keysAre(key)), writes: []pk{theirPos},
			before: owns(accs{order: keeps(1, key)}), after: accs{order: keeps(0, key), theirPos: keeps(1, xThief)}},
		{name: "L4 a position that names our token account", intent: swap, inner: loan, writes: []pk{theirPos},
			before: owns(accs{order: keeps(1, xMyUSDC)}), after: accs{order: keeps(0, xMyUSDC), theirPos: keeps(1, xThief)}},
		{name: "L5 a deposit of our user account, which names us", intent: swap, inner: loan, writes: []pk{userPDA},
			before: owns(accs{order: keeps(1, userPDA), userPDA: keeps(9, xOwner)}), after: accs{order: keeps(0, userPDA)}},
		{name: "L6 a position whose NFT we hold, of JUP in between", intent: swap, writes: []pk{myNFT},
			inner:  passes(move(lender, xJUP, xMyJUP, pool, 4000), move(xMyJUP, xJUP, xThief, xOwner, 4000)),
			before: accs{lender: jup(pool, 9000), xMyJUP: jup(xOwner, 0), order: keeps(1, xPool, nft), myNFT: held(signing.TokenProgram, nft, xOwner, 1)}, after: accs{lender: jup(pool, 5000), order: keeps(0, xPool, nft)},
			known: "docs: a position looks the same before and after it is paid out"},
		{name: "L7 paid back from a key's account, ours goes to the thief", intent: swap, policy: with(keysAre(key)), writes: []pk{temp},
			inner:  []ins{move(lender, xUSDC, xMyUSDC, pool, 4000), move(xMyUSDC, xUSDC, xThUSDC, xOwner, 4500), move(temp, xUSDC, lender, key, 4000)},
			before: owns(accs{temp: usdc(key, 4000)}), after: accs{temp: usdc(key, 0)}},
		{name: "L8 of a mint with a fee, in between", intent: is(gets(xUSDC, 1), onlySpends(walletfi.Asset{Mint: xJUP.String(), Amount: 5})), before: accs{xMyBONK: bonk(900), lender: held(signing.Token2022Program, xBONK, pool, 9000)},
			after: accs{xMyBONK: bonk(819), xMyUSDC: myUSDC(801)}, inner: []ins{xT22.TransferCheckedWithFee(lender, xBONK, xMyBONK, pool, 4000, 6, 40), xT22.TransferCheckedWithFee(xMyBONK, xBONK, lender, xOwner, 4041, 6, 41)}},
		{name: "L9 of a mint with a fee that is spent", intent: is(gets(xUSDC, 1), onlySpends(walletfi.Asset{Mint: xBONK.String(), Amount: 500})), before: accs{xMyBONK: bonk(900), lender: held(signing.Token2022Program, xBONK, pool, 9000)},
			after: accs{xMyBONK: bonk(319), xMyUSDC: myUSDC(801)}, inner: []ins{xT22.TransferCheckedWithFee(lender, xBONK, xMyBONK, pool, 4000, 6, 40), xT22.TransferChecked(xMyBONK, xBONK, xPool, xOwner, 500, 6), xT22.TransferCheckedWithFee(xMyBONK, xBONK, lender, xOwner, 4041, 6, 41)}},
		{name: "L10 one loan, paid back twice by two accounts of ours", intent: swap, writes: []pk{temp}, before: owns(accs{temp: usdc(xOwner, 4000)}), after: accs{temp: usdc(xOwner, 0), lender: usdc(pool, 13_000)},
			inner: append(append([]ins{}, loan...), move(temp, xUSDC, lender, xOwner, 4000))},
		{name: "L11 two loans of one lender, one goes to the thief", intent: swap, before: owns(accs{}), after: accs{lender: usdc(pool, 5000)},
			inner: append(append([]ins{}, loan...), move(lender, xUSDC, xMyUSDC, pool, 4000), move(xMyUSDC, xUSDC, xThUSDC, xOwner, 4000))},
		{name: "L12 honest: two loans of one lender, paid back at once", intent: swap, before: owns(accs{}), honest: true,
			inner: []ins{move(lender, xUSDC, xMyUSDC, pool, 4000), move(lender, xUSDC, xMyUSDC, pool, 1000), move(xMyUSDC, xUSDC, xPool, xOwner, 500), move(xMyUSDC, xUSDC, lender, xOwner, 5000)}},
		{name: "L13 honest: two lenders, paid back in parts, one with a fee within the limit", intent: is(gets(xBONK, 5), onlySpends(walletfi.Asset{Mint: xUSDC.String(), Amount: 504})), before: owns(accs{vault: usdc(pool, 50)}), after: accs{xMyUSDC: myUSDC(296), lender: usdc(pool, 9004)}, honest: true,
			inner: []ins{move(lender, xUSDC, xMyUSDC, pool, 4000), move(vault, xUSDC, xMyUSDC, pool, 50), move(xMyUSDC, xUSDC, xPool, xOwner, 500), move(xMyUSDC, xUSDC, lender, xOwner, 2000), move(xMyUSDC, xUSDC, vault, xOwner, 50), move(xMyUSDC, xUSDC, lender, xOwner, 2004)}},
		{name: "L14 honest: a new account that the program keeps for us", intent: swap, before: owns(accs{}), after: accs{order: {Lamports: freed, Owner: xRogue, Data: append(xOwner[:len(xOwner):len(xOwner)], make([]byte, 168)...)}, xOwner: sol(freed)}, honest: true, inner: append([]ins{txbuild.CreateAccount(xOwner, order, freed, 200, xRogue)}, loan...)},
		{name: "L17 a position pays the thief without a transfer of ours", intent: swap, before: accs{order: keeps(1, xOwner), vault: usdc(pool, 9000)}, after: accs{order: keeps(0, xOwner), vault: usdc(pool, 5000)}, inner: passes(move(vault, xUSDC, xThUSDC, pool, 4000)),
			known: "docs: a position looks the same before and after it is paid out"},
		{name: "L15 honest: paid back by the transaction itself", intent: swap, before: owns(accs{}), honest: true, inner: loan[:2], top: []ins{move(xMyUSDC, xUSDC, lender, xOwner, 4000)}},
		{name: "L16 honest: a leveraged position is enlarged by a loan", intent: is(gets(xBONK, 5)), before: owns(accs{order: keeps(1, xOwner)}), after: accs{order: keeps(2, xOwner)}, inner: loan, honest: true},

		// Arbitrage.
		{name: "A1 honest: the least is less than what is spent", intent: is(gets(xUSDC, 400)), after: accs{xMyUSDC: myUSDC(795), xMyBONK: bonk(0)}, inner: []ins{move(xMyUSDC, xUSDC, xPool, xOwner, 500), move(xPool, xUSDC, xMyUSDC, pool, 495)}, honest: true},
		{name: "A1b the least is less than what is spent, and one less comes", intent: is(gets(xUSDC, 400)),
			after: accs{xMyUSDC: myUSDC(699), xMyBONK: bonk(0)},
			inner: []ins{move(xMyUSDC, xUSDC, xPool, xOwner, 500), move(xPool, xUSDC, xMyUSDC, pool, 399)}},
		{name: "A1c the least is as much as is spent, and nothing comes", intent: is(gets(xUSDC, 500)),
			after: accs{xMyUSDC: myUSDC(799), xMyBONK: bonk(0)}, inner: []ins{move(xMyUSDC, xUSDC, xPool, xOwner, 1)}},
		{name: "A1d the net is right, and a named delegate may take more", intent: is(gets(xUSDC, 490), delegates),
			after: accs{xMyUSDC: dUSDC(xOwner, 800, delegateTo(xDeleg, 500)), xMyBONK: bonk(0)}, inner: []ins{xTok.Approve(xMyUSDC, xDeleg, xOwner, 500)}},
		{name: "A2 honest: SOL is wrapped", intent: is(onlySpends(walletfi.Asset{Mint: walletfi.NativeMint, Amount: 50_000_000}), gets(native, 50_000_000)), before: accs{xMyWSOL: wsol(xOwner, 0)}, after: accs{xMyUSDC: myUSDC(800), xMyBONK: bonk(0), xOwner: sol(50_000_000), xMyWSOL: wsol(xOwner, 50_000_000)},
			inner: []ins{txbuild.Transfer(xOwner, xMyWSOL, 50_000_000), xTok.SyncNative(xMyWSOL)}, honest: true},
		{name: "A3 honest: of SOL, with a tip", intent: is(onlySpends(walletfi.Asset{Mint: walletfi.NativeMint, Amount: 500_000_000}), gets(native, 510_000_000), tips(10_000)), after: accs{xMyUSDC: myUSDC(800), xMyBONK: bonk(0), xOwner: state{Lamports: 5_000_000_000 - 5000 + 10_000_000 - 10_000}},
			inner: []ins{txbuild.Transfer(xOwner, xPool, 500_000_000), txbuild.Transfer(pool, xOwner, 510_000_000)}, top: []ins{txbuild.Transfer(xOwner, xFriend, 10_000)}, honest: true},
		{name: "A4 of SOL, a lamport short by a tip that is not one", intent: is(onlySpends(walletfi.Asset{Mint: walletfi.NativeMint, Amount: 500_000_000}), gets(native, 510_000_000)), after: accs{xMyUSDC: myUSDC(800), xMyBONK: bonk(0), xOwner: state{Lamports: 5_000_000_000 - 5000 + 10_000_000 - 1}},
			inner: []ins{txbuild.Transfer(xOwner, xPool, 490_000_000), txbuild.Transfer(xOwner, xThief, 10_000_000), txbuild.Transfer(pool, xOwner, 509_999_999)}},
		{name: "A5 two arrivals, one is missing", intent: is(gets(xUSDC, 510), gets(xBONK, 5)), after: accs{xMyUSDC: myUSDC(810), xMyBONK: bonk(0)}, inner: []ins{move(xMyUSDC, xUSDC, xPool, xOwner, 500), move(xPool, xUSDC, xMyUSDC, pool, 510)}},
		{name: "A6 two spend entries of SOL's forms", intent: is(onlySpends(walletfi.Asset{Mint: walletfi.NativeMint, Amount: 200}, walletfi.Asset{Mint: signing.NativeMintToken2022.String(), Amount: 300}), gets(native, 510)), after: accs{xMyUSDC: myUSDC(800), xMyBONK: bonk(0), xOwner: state{Lamports: 5_000_000_000 - 5000 + 9}}, states: true},
		{name: "A7 an executed part took, the last brings less", intent: is(gets(xUSDC, 510)), after: accs{xMyUSDC: myUSDC(300), xMyBONK: bonk(0)}, inner: passes()},

		// Approvals in between.
		{name: "P1 of a key's account, while as much comes to ours", intent: swap, policy: with(keysAre(key)), writes: []pk{temp}, before: accs{temp: jup(key, 77), xMyJUP: jup(xOwner, 0)}, after: accs{temp: jup(key, 0), xMyJUP: jup(xOwner, 77)},
			inner: passes(xTok.Approve(temp, xThief, key, 77), move(temp, xJUP, xPool, xThief, 77), xTok.Revoke(temp, key), move(xPool, xJUP, xMyJUP, pool, 77))},
		{name: "P2 of wrapped SOL, while our order closes to us", intent: swap, before: accs{order: keeps(1, xOwner), xMyWSOL: wsol(xOwner, freed)}, after: accs{order: {}, xMyWSOL: wsol(xOwner, 0), xOwner: {Lamports: 5_000_000_000 - 5000 + freed}},
			inner: passes(xTok.Approve(xMyWSOL, xThief, xOwner, freed), xTok.TransferChecked(xMyWSOL, native, xPool, xThief, freed, 9), xTok.Revoke(xMyWSOL, xOwner))},
		{name: "P3 of what should arrive", intent: swap, before: accs{xMyBONK: bonk(100)}, after: accs{xMyBONK: bonk(105)},
			inner: passes(xT22.Approve(xMyBONK, xThief, xOwner, 50), xT22.TransferChecked(xMyBONK, xBONK, xPool, xThief, 50, 6), xT22.Revoke(xMyBONK, xOwner))},
		{name: "P4 honest: two delegates one after another, of what is spent", intent: swap, honest: true,
			inner: []ins{xTok.Approve(xMyUSDC, pda1, xOwner, 250), move(xMyUSDC, xUSDC, xPool, pda1, 250), xTok.Approve(xMyUSDC, pda2, xOwner, 250), move(xMyUSDC, xUSDC, xPool, pda2, 250), xTok.Revoke(xMyUSDC, xOwner)}},
		{name: "P7 the second of them takes a unit more", intent: swap, after: accs{xMyUSDC: myUSDC(299)},
			inner: []ins{xTok.Approve(xMyUSDC, pda1, xOwner, 250), move(xMyUSDC, xUSDC, xPool, pda1, 250), xTok.Approve(xMyUSDC, pda2, xOwner, 250), move(xMyUSDC, xUSDC, xPool, pda2, 251), xTok.Revoke(xMyUSDC, xOwner)}},
		{name: "P8 the second takes what is left of the first, too", intent: is(gets(xBONK, 5), onlySpends(walletfi.Asset{Mint: xUSDC.String(), Amount: 499})),
			inner: []ins{xTok.Approve(xMyUSDC, pda1, xOwner, 250), move(xMyUSDC, xUSDC, xPool, pda1, 1), xTok.Approve(xMyUSDC, pda2, xOwner, 249), move(xMyUSDC, xUSDC, xPool, pda2, 499), xTok.Revoke(xMyUSDC, xOwner)}},
		{name: "P5 honest: two delegates one after another, in between", intent: swap, before: accs{xMyJUP: jup(xOwner, 0)}, honest: true,
			inner: passes(move(xPool, xJUP, xMyJUP, pool, 77), xTok.Approve(xMyJUP, pda1, xOwner, 40), move(xMyJUP, xJUP, xPool, pda1, 40), xTok.Approve(xMyJUP, pda2, xOwner, 37), move(xMyJUP, xJUP, xPool, pda2, 37), xTok.Revoke(xMyJUP, xOwner))},
		{name: "P6 honest: all that there can be is approved, in between", intent: swap, before: accs{xMyJUP: jup(xOwner, 0)}, honest: true,
			inner: passes(move(xPool, xJUP, xMyJUP, pool, 77), xTok.Approve(xMyJUP, pda1, xOwner, ^uint64(0)), move(xMyJUP, xJUP, xPool, pda1, 77), xTok.Revoke(xMyJUP, xOwner))},

		// What closed accounts held.
		{name: "R1 our order closes to us, and its SOL is a closed account's rent", intent: swap, before: accs{order: bigOrder}, after: accs{order: {}, xOwner: sol(0)}, writes: []pk{temp},
			inner: passes(txbuild.Transfer(xOwner, temp, bigRent), txbuild.Allocate(temp, 10_240), txbuild.Assign(temp, xProg))},
		{name: "R2 and its SOL goes to our wrapped account, which is the thief's", intent: swap, before: accs{order: keeps(1, xOwner), xMyWSOL: wsol(xThief, 0)}, after: accs{order: {}, xOwner: sol(0), xMyWSOL: wsol(xThief, freed)},
			inner: passes(txbuild.Transfer(xOwner, xMyWSOL, freed), xTok.SyncNative(xMyWSOL))},
		{name: "R3 and its SOL is measured by a token account that comes after", intent: swap, before: accs{order: bigOrder}, after: accs{order: {}, xOwner: sol(0), temp: jup(xThief, 0)}, writes: []pk{temp},
			inner: passes(txbuild.CreateAccount(xOwner, temp, bigRent, 10_240, xProg), txbuild.CreateAccount(xPool, temp, xRent, 165, signing.TokenProgram), xTok.InitializeAccount3(temp, xJUP, xThief))},
		{name: "R4 our order shrinks, its SOL goes to the thief", intent: swap, before: accs{order: {Lamports: freed, Owner: xProg, Data: make([]byte, 200)}}, after: accs{order: {Lamports: 6960 * 136, Owner: xProg, Data: make([]byte, 8)}, xOwner: sol(0)}, inner: passes(txbuild.Transfer(xOwner, xThief, 6960*192))},
		{name: "R5 our order and a maker's close, SOL passes, and ours goes on", intent: swap, writes: []pk{temp, xFriend}, before: accs{order: keeps(1, xOwner), temp: keeps(1, xFriend), vault: wsol(pool, 9_000_000), xMyWSOL: wsol(xOwner, 0)},
			after: accs{order: {}, temp: {}, xFriend: solNow(freed), vault: wsol(pool, 2_000_000), xOwner: sol(0)}, inner: append(passes(wrapped...), txbuild.Transfer(xOwner, xThief, freed))},
		{name: "R6 the vault comes back a lamport short", intent: swap, before: accs{order: keeps(1, xOwner), vault: wsol(pool, 9_000_000), xMyWSOL: wsol(xOwner, 0)}, after: accs{order: {}, vault: wsol(pool, 8_999_999), xOwner: sol(0)},
			inner: append(passes(wrapped...), txbuild.Transfer(xOwner, xThief, freed))},
		{name: "R7 honest: a maker's order closes, SOL in between comes without a call", intent: swap, writes: []pk{temp, xFriend}, before: accs{order: keeps(1, xFriend), temp: {Lamports: 9_000_000_000, Owner: xRogue, Data: make([]byte, 100)}},
			after: accs{order: {}, xFriend: solNow(freed), temp: {Lamports: 8_993_000_000, Owner: xRogue, Data: make([]byte, 100)}, xOwner: sol(0)}, inner: passes(txbuild.Transfer(xOwner, xPool, 7_000_000)), honest: true},
		{name: "R8 honest: a maker's order closes, wrapped SOL passes through another account of ours", intent: swap, writes: []pk{temp, xFriend}, before: accs{order: keeps(1, xFriend), temp: wsol(xOwner, 0), vault: wsol(pool, 9_000_000)},
			after: accs{order: {}, xFriend: solNow(freed), vault: wsol(pool, 2_000_000), xOwner: sol(0)}, honest: true,
			inner: passes(xTok.TransferChecked(vault, native, temp, pool, 7_000_000, 9), xTok.TransferChecked(temp, native, xPool, xOwner, 7_000_000, 9))},
		{name: "R9 honest: the same without an order", intent: swap, writes: []pk{temp}, before: accs{temp: wsol(xOwner, 0), vault: wsol(pool, 9_000_000)}, after: accs{vault: wsol(pool, 2_000_000), xOwner: sol(0)}, honest: true,
			inner: passes(xTok.TransferChecked(vault, native, temp, pool, 7_000_000, 9), xTok.TransferChecked(temp, native, xPool, xOwner, 7_000_000, 9))},
		{name: "R10 honest: the maker's order closes and its vault is empty and closes too", intent: swap, writes: []pk{xFriend}, before: accs{order: keeps(1, xFriend), xMyWSOL: wsol(xOwner, 0), vault: wsol(pool, 7_000_000)},
			after: accs{order: {}, vault: {}, xFriend: solNow(freed + xRent), xOwner: sol(0)}, inner: passes(wrapped...), honest: true},
		{name: "R11 honest: what passes comes back into the vault", intent: swap, writes: []pk{xFriend}, before: accs{order: keeps(1, xFriend), xMyWSOL: wsol(xOwner, 0), vault: wsol(pool, 9_000_000)},
			after: accs{order: {}, xFriend: solNow(freed), xOwner: sol(0)}, inner: passes(append(append([]ins{}, wrapped...), xTok.TransferChecked(xPool, native, vault, pool, 7_000_000, 9))...), honest: true},
		{name: "R12 our order's SOL goes on, while a listed vault fills our wrapped account", intent: swap, policy: with(listedPlain(smart)), writes: []pk{temp}, before: accs{order: keeps(1, xOwner), temp: wsol(smart, 7_000_000), xMyWSOL: wsol(xOwner, 0)},
			after: accs{order: {}, temp: wsol(smart, 0), xMyWSOL: wsol(xOwner, 7_000_000), xOwner: sol(0)}, inner: passes(xTok.TransferChecked(temp, native, xMyWSOL, smart, 7_000_000, 9), txbuild.Transfer(xOwner, xThief, freed))},
		{name: "R13 the same, by a delegate of another account of ours", intent: swap, writes: []pk{temp}, before: accs{order: keeps(1, xOwner), temp: held(signing.TokenProgram, native, xOwner, 7_000_000, delegateTo(pda1, 7_000_000)), xMyWSOL: wsol(xOwner, 0)},
			after: accs{order: {}, temp: wsol(xOwner, 0), xMyWSOL: wsol(xOwner, 7_000_000), xOwner: sol(0)}, inner: passes(xTok.TransferChecked(temp, native, xMyWSOL, pda1, 7_000_000, 9), txbuild.Transfer(xOwner, xThief, freed))},
		{name: "R14 honest: our order closes to us while SOL passes", intent: swap, before: accs{order: keeps(1, xOwner), vault: wsol(pool, 9_000_000), xMyWSOL: wsol(xOwner, 0)},
			after: accs{order: {}, vault: wsol(pool, 2_000_000), xOwner: {Lamports: 5_000_000_000 - 5000 + freed}}, inner: passes(wrapped...), honest: true},
		{name: "R15 honest: a maker's order closes, SOL is paid to us and goes on", intent: swap, writes: []pk{temp, xFriend}, before: accs{order: keeps(1, xFriend), temp: solNow(9_000_000)}, after: accs{order: {}, temp: solNow(2_000_000), xFriend: solNow(freed), xOwner: sol(0)},
			inner: passes(txbuild.Transfer(temp, xOwner, 7_000_000), txbuild.Transfer(xOwner, xPool, 7_000_000)), honest: true},
		{name: "R16 honest: the same, unwrapped in between", intent: swap, writes: []pk{xFriend}, before: accs{order: keeps(1, xFriend), vault: wsol(pool, 9_000_000)}, after: accs{order: {}, vault: wsol(pool, 2_000_000), xFriend: solNow(freed), xOwner: sol(0)}, honest: true,
			inner: passes(txbuild.CreateATA(xOwner, xMyWSOL, xOwner, native, signing.TokenProgram, true), txbuild.CreateAccount(xOwner, xMyWSOL, xRent, 165, signing.TokenProgram), xTok.InitializeAccount3(xMyWSOL, native, xOwner),
				xTok.TransferChecked(vault, native, xMyWSOL, pool, 7_000_000, 9), xTok.Close(xMyWSOL, xOwner, xOwner), txbuild.Transfer(xOwner, xPool, 7_000_000))},
		{name: "R17 tokens of a position go to our associated account, which is the thief's", intent: swap, before: accs{order: keeps(1, xOwner), vault: jup(pool, 9000), xMyJUP: jup(xThief, 0), temp: jup(xOwner, 0)}, writes: []pk{temp},
			after: accs{order: keeps(0, xOwner), vault: jup(pool, 5000), xMyJUP: jup(xThief, 4000)}, inner: passes(move(vault, xJUP, temp, pool, 4000), move(temp, xJUP, xMyJUP, xOwner, 4000)), known: "docs: a position looks the same before and after it is paid out"},
		{name: "R18 what is spent goes to our associated account of it, which is the thief's, and comes from a position", intent: swap, before: accs{order: keeps(1, xOwner), vault: usdc(pool, 9000), xMyUSDC: usdc(xThief, 0), temp: usdc(xOwner, 800)}, writes: []pk{temp},
			after: accs{order: keeps(0, xOwner), vault: usdc(pool, 5000), xMyUSDC: usdc(xThief, 4000), temp: usdc(xOwner, 300)}, inner: []ins{move(temp, xUSDC, xPool, xOwner, 500), move(vault, xUSDC, temp, pool, 4000), move(temp, xUSDC, xMyUSDC, xOwner, 4000)}},
		{name: "R19 honest: our wrapped account is there, SOL goes on by it", intent: swap, before: accs{xMyWSOL: wsol(xOwner, 0)}, after: accs{xMyWSOL: wsol(xOwner, 7), xOwner: sol(7)}, honest: true, inner: passes(txbuild.Transfer(xOwner, xMyWSOL, 7), xTok.SyncNative(xMyWSOL))},
		{name: "R20 honest: it is made", intent: swap, after: accs{xMyWSOL: wsol(xOwner, 7), xOwner: sol(7 + xRent)}, honest: true,
			inner: passes(txbuild.CreateATA(xOwner, xMyWSOL, xOwner, native, signing.TokenProgram, true), txbuild.CreateAccount(xOwner, xMyWSOL, xRent, 165, signing.TokenProgram), xTok.InitializeAccount3(xMyWSOL, native, xOwner), txbuild.Transfer(xOwner, xMyWSOL, 7), xTok.SyncNative(xMyWSOL))},

		// Rent.
		{name: "M9 no rent is allowed, a call makes accounts of ours, states", intent: is(gets(xBONK, 5), rent(0)), writes: []pk{temp}, after: accs{temp: jup(xOwner, 0), xOwner: sol(xRent)}, states: true},
		{name: "M10 the same, told", intent: is(gets(xBONK, 5), rent(0)), writes: []pk{temp}, after: accs{temp: jup(xOwner, 0), xOwner: sol(xRent)},
			inner: passes(txbuild.Transfer(xOwner, temp, xRent), txbuild.Allocate(temp, 165), txbuild.Assign(temp, signing.TokenProgram), xTok.InitializeAccount3(temp, xJUP, xOwner))},
		{name: "M11 no rent is allowed, a create", intent: is(gets(xBONK, 5), rent(0)), writes: []pk{temp}, after: accs{temp: jup(xOwner, 0), xOwner: sol(xRent)},
			inner: passes(txbuild.CreateAccount(xOwner, temp, xRent, 165, signing.TokenProgram), xTok.InitializeAccount3(temp, xJUP, xOwner))},
		{name: "M1 0.72 SOL into frozen accounts of ours, states", intent: swap, writes: ten, after: func() accs { a := tenFrozen; a[xOwner] = sol(10 * bigRent); return a }(), states: true},
		{name: "M2 0.72 SOL into frozen accounts of ours, told", intent: swap, writes: ten, after: tenFrozen, inner: passes(tenMoves...)},
		{name: "M12 honest: no rent is allowed, another pays for our new account, states", intent: is(gets(xBONK, 5), rent(0)), writes: []pk{temp}, after: accs{temp: jup(xOwner, 0), xOwner: sol(0)}, states: true, honest: true},
		{name: "M13 honest: the rent of fourteen accounts of ours, states", intent: swap, writes: fourteen, after: open(14), states: true, honest: true},
		{name: "M14 of fifteen", intent: swap, writes: fifteen, after: open(15), states: true},
		{name: "M15 honest: SOL arrives in a new account of ours, whose rent we pay", intent: is(gets(native, 40_000_000)), after: accs{xMyWSOL: wsol(xOwner, 40_000_000), xMyBONK: bonk(0), xOwner: sol(xRent)}, states: true, honest: true},
		{name: "M16 the same, a lamport less", intent: is(gets(native, 40_000_000)), after: accs{xMyWSOL: wsol(xOwner, 39_999_999), xMyBONK: bonk(0), xOwner: sol(xRent)}, states: true},
		{name: "M17 another pays the rent of an account of ours, and takes more SOL for it than is allowed", intent: is(gets(xBONK, 5), rent(0)), writes: []pk{temp}, after: accs{temp: jup(xOwner, 0), xOwner: sol(1)}, states: true},
		{name: "M3 by a create", intent: swap, writes: one, after: accs{one[0]: frozenBig(scam), xOwner: sol(bigRent)}, inner: passes(txbuild.CreateAccount(xOwner, one[0], bigRent, 10_240, signing.Token2022Program), xT22.InitializeAccount3(one[0], scam, xOwner))},
		{name: "M4 the SOL that should arrive is the rent of a frozen account of ours", intent: is(gets(native, 40_000_000)), writes: one, after: oneFrozen, inner: passes()},
		{name: "M5 the same, states", intent: is(gets(native, 40_000_000)), writes: one, after: oneFrozen, states: true},
		{name: "M6 what should arrive is frozen by its mint", intent: swap, before: accs{xMyBONK: {}}, after: accs{xMyBONK: extended22(xOwner, 5, 2)}, inner: passes(), known: "the report notes it"},
		{name: "M7 honest: no rent is allowed, and what is made is there already", intent: is(gets(xBONK, 5), rent(0)), honest: true, inner: passes(), top: []ins{txbuild.CreateATA(xOwner, xMyBONK, xOwner, xBONK, signing.Token2022Program, true)}},
		{name: "M18 no rent is allowed, and what is there already is another wallet's", intent: is(gets(xBONK, 5), rent(0)), before: accs{xThUSDC: usdc(xThief, 0)}, inner: passes(), top: []ins{txbuild.CreateATA(xOwner, xThUSDC, xThief, xUSDC, signing.TokenProgram, true)}},
		{name: "M19 no rent is allowed, and our associated account that is there is another's", intent: is(gets(xBONK, 5), rent(0)), before: accs{xMyJUP: jup(xThief, 0)}, inner: passes(), top: []ins{txbuild.CreateATA(xOwner, xMyJUP, xOwner, xJUP, signing.TokenProgram, true)}, rule: signing.RuleRent},
		{name: "M20 no rent is allowed, and it is not there", intent: is(gets(xBONK, 5), rent(0)), inner: passes(), top: []ins{txbuild.CreateATA(xOwner, xMyJUP, xOwner, xJUP, signing.TokenProgram, true)}, rule: signing.RuleRent},
		{name: "M21 no rent is allowed, it is there, and is closed and made", intent: is(gets(xBONK, 5), rent(0)), before: accs{xMyJUP: jup(xOwner, 0)}, inner: passes(), top: []ins{xTok.Close(xMyJUP, xOwner, xOwner), txbuild.CreateATA(xOwner, xMyJUP, xOwner, xJUP, signing.TokenProgram, true)}, rule: signing.RuleRent},
		{name: "M8 honest: a short account of Token-2022 is made and closed within its exact rent", intent: is(gets(xUSDC, 1), onlySpends(), rent(2_074_080)), honest: true, after: accs{xMyUSDC: myUSDC(801), xMyBONK: bonk(0), xOwner: sol(0)}, writes: []pk{temp},
			top: []ins{txbuild.CreateATA(xOwner, signing.AssociatedTokenAddress(xOwner, xJUP, signing.Token2022Program), xOwner, xJUP, signing.Token2022Program, false), xT22.Close(signing.AssociatedTokenAddress(xOwner, xJUP, signing.Token2022Program), xOwner, xOwner)}},

		// Fees to a named receiver.
		{name: "F1 to a thief, while ours is named", intent: is(onlySpends(), feeIs(xUSDC, 5, xMyUSDC, xOwner)), after: accs{xMyUSDC: myUSDC(795), xMyBONK: bonk(0)}, top: []ins{move(xMyUSDC, xUSDC, xThUSDC, xOwner, 5)}},
		{name: "F2 to a thief, while the program is named", intent: is(onlySpends(), feeIs(xUSDC, 5, xProg)), after: accs{xMyUSDC: myUSDC(795), xMyBONK: bonk(0)}, top: []ins{move(xMyUSDC, xUSDC, xThUSDC, xOwner, 5)}},
		{name: "F3 a fee of SOL as more than the tip", intent: is(onlySpends(), feeIs(native, 5000, xFriend), tips(10)), after: accs{xMyUSDC: myUSDC(800), xMyBONK: bonk(0), xOwner: sol(5000)}, top: []ins{txbuild.Transfer(xOwner, xThief, 5000)}},
		{name: "F4 what a mint withholds, as the named one's fee", intent: is(onlySpends(), feeIs(xBONK, 5, xFriend)), policy: with(listedToken(temp, xBONK)), before: accs{xMyBONK: bonk(100), temp: bonk(0)}, after: accs{xMyUSDC: myUSDC(800), xMyBONK: bonk(0), temp: bonk(95)},
			top: []ins{xT22.TransferCheckedWithFee(xMyBONK, xBONK, temp, xOwner, 100, 6, 5)}},
		{name: "F7 honest: what a mint withholds, as a fee that is nobody's by name", intent: is(onlySpends(), feeIs(xBONK, 5)), policy: with(listedToken(temp, xBONK)), before: accs{xMyBONK: bonk(100), temp: bonk(0)}, after: accs{xMyUSDC: myUSDC(800), xMyBONK: bonk(0), temp: bonk(95)}, honest: true,
			top: []ins{xT22.TransferCheckedWithFee(xMyBONK, xBONK, temp, xOwner, 100, 6, 5)}},
		{name: "F8 honest: what a mint withholds, as spent beside a named one's fee", intent: is(onlySpends(walletfi.Asset{Mint: xBONK.String(), Amount: 5}), feeIs(xBONK, 5, xFriend)), policy: with(listedToken(temp, xBONK)), before: accs{xMyBONK: bonk(100), temp: bonk(0)}, after: accs{xMyUSDC: myUSDC(800), xMyBONK: bonk(0), temp: bonk(95)}, honest: true,
			top: []ins{xT22.TransferCheckedWithFee(xMyBONK, xBONK, temp, xOwner, 100, 6, 5)}},
		{name: "F5 honest: to the wrapped account of the named wallet", intent: is(onlySpends(), feeIs(native, 5000, xFriend)), before: accs{xMyWSOL: wsol(xOwner, 9000)}, after: accs{xMyUSDC: myUSDC(800), xMyBONK: bonk(0), xMyWSOL: wsol(xOwner, 4000), xOwner: sol(0)}, honest: true,
			top: []ins{xTok.TransferChecked(xMyWSOL, native, signing.AssociatedTokenAddress(xFriend, native, signing.TokenProgram), xOwner, 5000, 9)}},
		{name: "F6 honest: to the program's account", intent: is(onlySpends(), feeIs(xUSDC, 5, xProg)), after: accs{xMyUSDC: myUSDC(795), xMyBONK: bonk(0)}, honest: true,
			top: []ins{move(xMyUSDC, xUSDC, signing.AssociatedTokenAddress(xProg, xUSDC, signing.TokenProgram), xOwner, 5)}},
	}
	var all []attempt
	for _, w := range list {
		before, after := swapped(w.before, w.after)
		writes := append([]pk{xMyUSDC, xMyBONK, xMyJUP, xMyWSOL, xPool, xThief, xThUSDC, lender, order, vault}, w.writes...)
		s := shows(before, after, w.inner...)
		s.statesOnly = w.states
		p := xPolicy(append([]func(*signing.Policy){sim(s)}, w.policy...)...)
		all = append(all, attempt{name: w.name, policy: p, set: []xTx{v0(append([]ins{call(writes...)}, w.top...)...)}, intent: xIntent(w.intent...), honest: w.honest, known: w.known, rule: w.rule})
	}

	// Multisigs.
	theirs, msig := outAddr("aux"), outAddr("msig")
	reads := func(r signing.Resolver) func(*signing.Policy) { return func(p *signing.Policy) { p.Resolver = r } }
	empties := func() *shown {
		return shows(accs{theirs: jup(msig, 900)}, accs{theirs: jup(msig, 0)}).states()
	}
	set := func(tables ...txbuild.Table) []xTx {
		c := call(theirs)
		c.Accounts = append(c.Accounts, txbuild.Readonly(msig))
		return []xTx{{format: txbuild.V0, ins: []ins{c}, tables: tables}}
	}
	ours := accs{msig: multisig(xFriend, xOwner)}
	table := txbuild.Table{Address: outAddr("table"), Holds: []txbuild.Key{outAddr("x"), msig}}
	mint := func(supply byte) state {
		d := make([]byte, 82)
		d[0], d[36], d[45] = 1, supply, 1
		copy(d[4:], msig[:])
		return state{Lamports: 1_461_600, Owner: signing.TokenProgram, Data: d}
	}
	mints := call(scam, theirs)
	mints.Accounts = append(mints.Accounts, txbuild.Readonly(msig))
	second := set()[0]
	nothing := xIntent(onlySpends())
	all = append(all,
		attempt{name: "S1 a multisig behind a table", policy: xPolicy(sim(empties()), reads(&reading{accounts: ours, tables: map[pk][]pk{outAddr("table"): {outAddr("x"), msig}}})), set: set(table), intent: nothing},
		attempt{name: "S2 a multisig that nobody reads", policy: xPolicy(sim(empties())), set: set(), intent: nothing},
		attempt{name: "S3 a mint by a multisig of ours", policy: xPolicy(sim(shows(accs{scam: mint(1), theirs: held(signing.TokenProgram, scam, xThief, 0)}, accs{scam: mint(99), theirs: held(signing.TokenProgram, scam, xThief, 98)}).states()), reads(&reading{accounts: ours})),
			set: []xTx{v0(mints)}, intent: nothing},
		attempt{name: "S4 in an exchange, told, while as much comes", policy: xPolicy(sim(shows(accs{theirs: jup(msig, 77), xMyJUP: jup(xOwner, 0), xMyBONK: bonk(0)}, accs{theirs: jup(msig, 0), xMyJUP: jup(xOwner, 77), xMyBONK: bonk(5)},
			xTok.Transfer(theirs, xPool, msig, 77, xOwner), move(xPool, xJUP, xMyJUP, pool, 77))), reads(&reading{accounts: ours})), set: []xTx{v0(call(theirs, xMyJUP, xMyBONK, xMyUSDC))}, intent: xIntent(gets(xBONK, 5))},
		attempt{name: "S8 honest: a pool's authority that is read, states", honest: true, policy: xPolicy(sim(empties()), reads(&reading{accounts: accs{msig: {Lamports: 1}}})), set: set(), intent: nothing},
		attempt{name: "S9 honest: a pool's authority that is not among the accounts", honest: true, policy: xPolicy(sim(empties())), set: []xTx{v0(call(theirs))}, intent: nothing},
		attempt{name: "S14 a multisig of ours that the simulator reads", policy: xPolicy(sim(simReader{empties(), &reading{accounts: ours}})), set: set(), intent: nothing, rule: signing.RuleBlind},
		attempt{name: "S15 honest: a pool's authority that the simulator reads", honest: true, policy: xPolicy(sim(simReader{empties(), &reading{accounts: accs{msig: {Lamports: 1}}}})), set: set(), intent: nothing},
		attempt{name: "S10 honest: a pool's authority mints, and is read", honest: true, policy: xPolicy(sim(shows(accs{scam: mint(1), theirs: held(signing.TokenProgram, scam, xThief, 0)}, accs{scam: mint(99), theirs: held(signing.TokenProgram, scam, xThief, 98)}).states()), reads(&reading{accounts: accs{msig: {Lamports: 1}}})),
			set: []xTx{v0(mints)}, intent: nothing},
		attempt{name: "S11 a key of ours gets tokens and a new delegate", policy: xPolicy(keysAre(key), sim(shows(accs{theirs: jup(key, 900)}, accs{theirs: held(signing.TokenProgram, xJUP, key, 977, delegateTo(xThief, 977))}).states())), set: []xTx{v0(call(theirs))}, intent: nothing, rule: signing.RuleBlind},
		attempt{name: "S12 a key of ours gets tokens and loses SOL", policy: xPolicy(keysAre(key), sim(shows(accs{theirs: jup(key, 0)}, accs{theirs: func() state { s := jup(key, 1); s.Lamports--; return s }()}).states())), set: []xTx{v0(call(theirs))}, intent: nothing, rule: signing.RuleBlind},
		attempt{name: "S13 a key of ours gets tokens in an account that is frozen", policy: xPolicy(keysAre(key), sim(shows(accs{theirs: jup(key, 0)}, accs{theirs: held(signing.TokenProgram, xJUP, key, 77, func(d []byte) { d[108] = 2 })}).states())), set: []xTx{v0(call(theirs))}, intent: nothing, rule: signing.RuleBlind},
		attempt{name: "S6 honest: a multisig of ours gets what should go there", honest: true, policy: xPolicy(sim(shows(accs{theirs: jup(msig, 0)}, accs{xMyUSDC: myUSDC(300), theirs: jup(msig, 77)}).states()), reads(&reading{accounts: ours})),
			set: []xTx{v0(func() ins {
				c := call(theirs, xMyUSDC)
				c.Accounts = append(c.Accounts, txbuild.Readonly(msig))
				return c
			}())}, intent: xIntent(func(i *walletfi.Intent) { i.OutputTo = []string{theirs.String()} })},
		attempt{name: "S7 honest: a key of ours gets what should go there", honest: true, policy: xPolicy(keysAre(key), sim(shows(accs{theirs: jup(key, 0)}, accs{xMyUSDC: myUSDC(300), theirs: jup(key, 77)}).states())),
			set: []xTx{v0(call(theirs, xMyUSDC))}, intent: xIntent(func(i *walletfi.Intent) { i.OutputTo = []string{theirs.String()} })},
		attempt{name: "S5 in the second of a bundle", policy: xPolicy(sim(bundle{shows(accs{theirs: jup(msig, 900)}, nil), empties()}), reads(&reading{accounts: ours})), set: []xTx{v0(txbuild.Memo("first")), second}, intent: nothing},
	)

	// Sets.
	order2 := accs{order: keeps(1, xOwner), xMyBONK: bonk(0)}
	first := shows(order2, accs{order: {}, xOwner: {Lamports: 5_000_000_000 - 5000 + freed}})
	then := shows(accs{xOwner: {Lamports: 5_000_000_000 - 5000 + freed}, xMyBONK: bonk(0)}, accs{xOwner: {Lamports: 5_000_000_000 - 10_000}, xMyUSDC: myUSDC(300), xMyBONK: bonk(5)}, passes(txbuild.Transfer(xOwner, xThief, freed))...)
	lent1 := shows(owns(accs{xMyBONK: bonk(0)}), accs{xMyUSDC: myUSDC(4800), lender: usdc(pool, 5000)}, loan[0])
	lent2 := shows(accs{xOwner: solNow(5_000_000_000 - 5000), xMyUSDC: myUSDC(4800), lender: usdc(pool, 5000), xMyBONK: bonk(0)}, accs{xOwner: solNow(5_000_000_000 - 10_000), xMyUSDC: myUSDC(300), lender: usdc(pool, 9000), xMyBONK: bonk(5)}, loan[1:]...)
	all = append(all,
		attempt{name: "B1 our order closes in the first, its SOL goes on in the second", policy: xPolicy(sim(bundle{first, then})), set: []xTx{v0(call(order)), v0(numberedCall(2, xMyUSDC, xMyBONK, xThief))}, intent: xIntent(gets(xBONK, 5))},
		attempt{name: "B2 lent in the first, paid back in the second: a deposit of ours and a payment look so", policy: xPolicy(sim(bundle{lent1, lent2})), set: []xTx{v0(call(xMyUSDC, lender, xMyBONK, order)), v0(numberedCall(2, xMyUSDC, lender, xMyBONK, order))}, intent: xIntent(gets(xBONK, 5))},
	)
	// An arbitrage in steps.
	out, home := v0(numberedCall(1, xMyUSDC, xMyJUP)), v0(numberedCall(2, xMyUSDC, xMyJUP))
	arb := xIntent(gets(xUSDC, 510))
	step1 := shows(accs{xMyJUP: jup(xOwner, 0)}, accs{xMyUSDC: myUSDC(300), xMyJUP: jup(xOwner, 77)}, passes()...)
	step2 := func(n uint64) *shown {
		return shows(accs{xMyUSDC: myUSDC(300), xMyJUP: jup(xOwner, 77)}, accs{xMyUSDC: myUSDC(n), xMyJUP: jup(xOwner, 0)}, move(xMyJUP, xJUP, xPool, xOwner, 77), move(xPool, xUSDC, xMyUSDC, pool, n-300))
	}
	took := did(9, toks(xMyUSDC, xOwner, xUSDC, 800, 300), toks(xMyJUP, xOwner, xJUP, 0, 77))
	all = append(all,
		attempt{name: "B3 honest: the first step of an arbitrage", honest: true, policy: xPolicy(sim(step1)), set: []xTx{out, home}, intent: arb, step: after()},
		attempt{name: "B4 honest: the second step of an arbitrage", honest: true, policy: xPolicy(sim(step2(810))), set: []xTx{out, home}, intent: arb, step: after(took)},
		attempt{name: "B5 the second step of an arbitrage brings a unit less", policy: xPolicy(sim(step2(809))), set: []xTx{out, home}, intent: arb, step: after(took)},
		attempt{name: "B6 an arbitrage in a bundle, JUP stays at the thief's", policy: xPolicy(sim(bundle{step1, shows(accs{xOwner: solNow(5_000_000_000 - 5000), xMyUSDC: myUSDC(300), xMyJUP: jup(xOwner, 77)}, accs{xOwner: solNow(5_000_000_000 - 10_000), xMyUSDC: myUSDC(301), xMyJUP: jup(xOwner, 0)}).states()})), set: []xTx{out, home}, intent: arb},
	)
	runAttempts(t, all)
}
