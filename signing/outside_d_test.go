package signing_test

import (
	"slices"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

func maxRent(n uint64) func(*walletfi.Intent) {
	return func(i *walletfi.Intent) { i.MaxRentLamports = new(walletfi.Amount(n)) }
}

func intents(f ...func(*walletfi.Intent)) []func(*walletfi.Intent) { return f }

func policies(f ...func(*signing.Policy)) []func(*signing.Policy) { return f }

// makes are the calls by which a program makes a token account of ours, which the payer pays for.
func makes(payer, account, mint, owner pk) []ins {
	return []ins{
		txbuild.CreateAccount(payer, account, xRent, 165, signing.TokenProgram),
		xTok.InitializeAccount3(account, mint, owner),
	}
}

func several(n int) (list []pk) {
	for i := range n {
		list = append(list, outAddr("fresh account "+string(rune('a'+i))))
	}
	return list
}

func seq(parts ...[]ins) []ins { return slices.Concat(parts...) }

// kept is an account of a program, with keys in its data.
func kept(program pk, n byte, keys ...pk) state {
	d := append(make([]byte, 8), n)
	for _, k := range keys {
		d = append(d, k[:]...)
	}
	return state{Lamports: walletfi.Amount(6960 * uint64(128+len(d))), Owner: program, Data: d}
}

// TestOutsideDRent: what accounts of ours cost, and what it may hide.
func TestOutsideDRent(t *testing.T) {
	scam := outAddr("scam")
	var fifteen, fourteen []ins
	for i, k := range several(15) {
		fifteen = append(fifteen, makes(xOwner, k, scam, xOwner)...)
		if i < 14 {
			fourteen = append(fourteen, makes(xOwner, k, scam, xOwner)...)
		}
	}
	runTrials(t, []trial{
		{name: "R1 fifteen accounts of ours of a scam's mint", intent: dSwap, inner: swaps(fifteen...)},
		{name: "R2 honest: fourteen", intent: dSwap, inner: swaps(fourteen...), honest: true},
		{name: "R3 one, where no rent is allowed", intent: intents(gets(xBONK, 5), maxRent(0)),
			inner: swaps(makes(xOwner, dAux, scam, xOwner)...)},
		{name: "R4 honest: one, within its exact rent", intent: intents(gets(xBONK, 5), maxRent(xRent)),
			inner: swaps(makes(xOwner, dAux, scam, xOwner)...), honest: true},
		{name: "R5 a lamport less is allowed", intent: intents(gets(xBONK, 5), maxRent(xRent-1)),
			inner: swaps(makes(xOwner, dAux, scam, xOwner)...)},
		{name: "R6 3 SOL into our USDC account", intent: dSwap,
			inner: swaps(txbuild.Transfer(xOwner, xMyUSDC, 3_000_000_000))},
		{name: "R7 3 SOL into our new account of a scam's mint", intent: dSwap,
			inner: swaps(append(makes(xOwner, dAux, scam, xOwner),
				txbuild.Transfer(xOwner, dAux, 3_000_000_000))...)},
		{name: "R8 a lamport into our USDC account", intent: dSwap,
			inner: swaps(txbuild.Transfer(xOwner, xMyUSDC, 1))},
		{name: "R7b the same, and it is frozen", intent: dSwap,
			inner: swaps(append(makes(xOwner, dAux, scam, xOwner), txbuild.Transfer(xOwner, dAux, 3_000_000_000),
				xTok.Freeze(dAux, scam, xThief))...)},
		{name: "R7c the same by the transaction itself", intent: dSwap,
			inner: swaps(makes(xOwner, dAux, scam, xOwner)...),
			after: []ins{txbuild.Transfer(xOwner, dAux, 3_000_000_000)}},
		{name: "R7d in the account that makes it", intent: dSwap,
			inner: swaps(txbuild.CreateAccount(xOwner, dAux, 3_000_000_000, 165, signing.TokenProgram),
				xTok.InitializeAccount3(dAux, scam, xOwner))},
		{name: "R7e paid by what the pool pays for it", intent: dSwap,
			inner: swaps(txbuild.CreateAccount(dPool, dAux, 3_000_000_000, 165, signing.TokenProgram),
				xTok.InitializeAccount3(dAux, scam, xOwner), txbuild.Transfer(xOwner, dPool, 3_000_000_000))},
		{name: "R7f what should arrive is SOL, and lies in our account of a scam's mint",
			intent: intents(onlySpends(walletfi.Asset{Mint: xUSDC.String(), Amount: 500}), gets(dSOL, 3_000_000_000)),
			inner: append(makes(xOwner, dAux, scam, xOwner), moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500),
				txbuild.Transfer(dPool, dAux, 3_000_000_000))},
		{name: "R7g the same, in our USDC account", intent: intents(gets(dSOL, 3_000_000_000)),
			inner: []ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500), txbuild.Transfer(dPool, xMyUSDC, 3_000_000_000)}},
		{name: "R34 the thief's associated account of JUP is made within", intent: dSwap,
			inner: swaps(txbuild.CreateATA(xOwner, signing.AssociatedTokenAddress(xThief, scam, signing.TokenProgram),
				xThief, scam, signing.TokenProgram, false))},
		{name: "R35 honest: the same, where rent for others is allowed",
			intent: intents(gets(xBONK, 5), func(i *walletfi.Intent) { i.MaxForeignRentLamports = xRent }),
			inner: swaps(txbuild.CreateATA(xOwner, signing.AssociatedTokenAddress(xThief, scam, signing.TokenProgram),
				xThief, scam, signing.TokenProgram, false)), honest: true},
		{name: "R36 honest: our JUP account is made within", start: accs{xMyJUP: {}}, intent: dSwap,
			inner: swaps(txbuild.CreateATA(xOwner, xMyJUP, xOwner, xJUP, signing.TokenProgram, true)), honest: true},
		{name: "R9 0.02 SOL into our USDC account, as rent", intent: dSwap,
			inner: swaps(txbuild.Transfer(xOwner, xMyUSDC, 20_000_000))},
		{name: "R10 honest: an account that the pool pays for", intent: intents(gets(xBONK, 5), maxRent(0)),
			inner: swaps(makes(dPool, dAux, scam, xOwner)...), honest: true},
		{name: "R11 the pool pays for it, and is paid", intent: intents(gets(xBONK, 5), maxRent(0)),
			inner: swaps(append(makes(dPool, dAux, scam, xOwner), txbuild.Transfer(xOwner, dPool, xRent))...)},
		{name: "R12 honest: the pool pays, and is paid within the rent cap", intent: dSwap, honest: true,
			inner: swaps(append(makes(dPool, dAux, scam, xOwner), txbuild.Transfer(xOwner, dPool, xRent))...)},
		{name: "R13 an account of ours with the thief's close authority", intent: dSwap,
			inner: swaps(append(makes(xOwner, dAux, scam, xOwner), xTok.SetAuthority(dAux, xOwner, 3, xThief))...)},
		{name: "R14 an account made for us and handed to the thief", intent: dSwap,
			inner: swaps(append(makes(xOwner, dAux, scam, xOwner), xTok.SetAuthority(dAux, xOwner, 2, xThief))...)},
		{name: "R15 an account of the thief's", intent: dSwap, inner: swaps(makes(xOwner, dAux, scam, xThief)...)},
		{name: "R15b honest: an account of a program's", intent: dSwap, honest: true,
			inner: swaps(makes(xOwner, dAux, scam, xMyJUP)...)},
		{name: "R15c two of the thief's, where rent for one is allowed",
			intent: intents(gets(xBONK, 5), func(i *walletfi.Intent) { i.MaxForeignRentLamports = xRent }),
			inner:  swaps(append(makes(xOwner, dAux, scam, xThief), makes(xOwner, outAddr("aux 2"), scam, xThief)...)...)},
		{name: "R16 honest: made and closed", intent: intents(gets(xBONK, 5), maxRent(xRent)),
			inner:  swaps(append(makes(xOwner, dAux, scam, xOwner), xTok.Close(dAux, xOwner, xOwner))...),
			honest: true},
		{name: "R17 made and closed to the thief", intent: dSwap,
			inner: swaps(append(makes(xOwner, dAux, scam, xOwner), xTok.Close(dAux, xThief, xOwner))...)},
		{name: "R18 made, closed, and its rent goes to the thief", intent: dSwap,
			inner: swaps(append(makes(xOwner, dAux, scam, xOwner), xTok.Close(dAux, xOwner, xOwner),
				txbuild.Transfer(xOwner, xThief, xRent))...)},
		{name: "R19 our JUP account is closed, and its rent goes to the thief", intent: dSwap,
			start: accs{xMyJUP: dJUP(xOwner, 0)}, inner: swaps(xTok.Close(xMyJUP, xOwner, xOwner),
				txbuild.Transfer(xOwner, xThief, xRent))},
		{name: "R20 it is closed to the thief", intent: dSwap, start: accs{xMyJUP: dJUP(xOwner, 0)},
			inner: swaps(xTok.Close(xMyJUP, xThief, xOwner))},
		{name: "R21 honest: it is closed to us", intent: dSwap, start: accs{xMyJUP: dJUP(xOwner, 0)},
			inner: swaps(xTok.Close(xMyJUP, xOwner, xOwner)), honest: true},
		{name: "R22 made, frozen", intent: intents(gets(xBONK, 5), maxRent(xRent-1)),
			inner: swaps(append(makes(xOwner, dAux, scam, xOwner), xTok.Freeze(dAux, scam, xThief))...)},
		{name: "R23 a program's account of the thief's for 1 SOL", intent: dSwap,
			inner: swaps(txbuild.CreateAccount(xOwner, dAux, 1_000_000_000, 8, xProg))},
		{name: "R24 honest: a program's account", intent: dSwap,
			inner: swaps(txbuild.CreateAccount(xOwner, dAux, 6960*(128+200), 200, xProg)), honest: true},
		{name: "R25 a program's account that shrinks at once and pays the thief", intent: dSwap,
			inner: swaps(txbuild.CreateAccount(xOwner, dAux, 6960*(128+3000), 3000, xProg)),
			pokes: pokes{dAux: {Lamports: 6960 * 128, Owner: xProg, Data: []byte{}},
				xThief: solNow(1_000_000_000 + 6960*3000)}},
		{name: "R26 wrapped SOL of ours with a delegate in a new account", intent: dSwap,
			inner: swaps(append(makes(xOwner, dAux, dSOL, xOwner), xTok.Approve(dAux, xThief, xOwner, 1<<60))...)},
		{name: "R27 1 SOL is wrapped in a new account of the thief's", intent: dSwap,
			inner: swaps(txbuild.CreateAccount(xOwner, dAux, xRent+1_000_000_000, 165, signing.TokenProgram),
				xTok.InitializeAccount3(dAux, dSOL, xThief))},
		{name: "R28 honest: 1 SOL is wrapped in a new account of ours", intent: dSwap,
			inner: swaps(txbuild.CreateAccount(xOwner, dAux, xRent+1_000_000_000, 165, signing.TokenProgram),
				xTok.InitializeAccount3(dAux, dSOL, xOwner)), honest: true},
		{name: "R29 1 SOL is wrapped in a new account of ours, which the thief may close", intent: dSwap,
			inner: swaps(txbuild.CreateAccount(xOwner, dAux, xRent+1_000_000_000, 165, signing.TokenProgram),
				xTok.InitializeAccount3(dAux, dSOL, xOwner), xTok.SetAuthority(dAux, xOwner, 3, xThief))},
		{name: "R30 honest: a tip within the call and an account", intent: intents(gets(xBONK, 5), tips(10_000)),
			inner:  swaps(append(makes(xOwner, dAux, scam, xOwner), txbuild.Transfer(xOwner, xFriend, 10_000))...),
			honest: true},
		{name: "R31 a tip and a lamport", intent: intents(gets(xBONK, 5), tips(10_000)),
			inner: swaps(txbuild.Transfer(xOwner, xFriend, 10_001))},
		{name: "R32 two tips", intent: intents(gets(xBONK, 5), tips(10_000)),
			inner: swaps(txbuild.Transfer(xOwner, xFriend, 5_000), txbuild.Transfer(xOwner, xThief, 5_001))},
		{name: "R33 a tip by the call and one by the transaction", intent: intents(gets(xBONK, 5), tips(10_000)),
			inner: swaps(txbuild.Transfer(xOwner, xFriend, 10_000)),
			after: []ins{txbuild.Transfer(xOwner, xThief, 10_000)}},
	})
}
