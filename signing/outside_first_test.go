package signing_test

import (
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

func listedPlain(k pk) func(*signing.Policy) {
	return func(p *signing.Policy) { p.Accounts = append(p.Accounts, signing.OwnAccount{Address: k}) }
}

func listedToken(k, mint pk) func(*signing.Policy) {
	return func(p *signing.Policy) { p.Accounts = append(p.Accounts, signing.OwnAccount{Address: k, Mint: mint}) }
}

type reading struct {
	accounts accs
	tables   map[pk][]pk
	err      error
}

// TestOutsideHypotheses: the holes that reading suggests, one each.
func TestOutsideHypotheses(t *testing.T) {
	vaultPDA := outAddr("smart account vault")
	aux := outAddr("another account of ours")
	second := outAddr("second usdc account")
	var decoys []pk
	for i := range 24 {
		decoys = append(decoys, outAddr(string(rune('a'+i))+" decoy"))
	}
	wallet := func(n uint64, owner pk) state { return state{Lamports: walletfi.Amount(n), Owner: owner} }
	handedTo := state{Lamports: 100_000_000_000, Owner: xRogue}
	runAttempts(t, []attempt{
		{name: "H1 listed vault handed to a program, states only", policy: xPolicy(listedPlain(vaultPDA), sim(shows(
			accs{vaultPDA: wallet(100_000_000_000, signing.SystemProgram)}, accs{vaultPDA: handedTo}).states())),
			set: []xTx{v0(call(vaultPDA))}, intent: xIntent()},
		{name: "H1b the same in the second of a bundle", policy: xPolicy(listedPlain(vaultPDA), sim(bundle{
			shows(nil, nil), shows(accs{vaultPDA: wallet(100_000_000_000, signing.SystemProgram)}, accs{vaultPDA: handedTo}).states()})),
			set: []xTx{v0(call()), v0(numberedCall(2, vaultPDA))}, intent: xIntent()},
		{name: "H1c listed vault handed over, calls told but parsed away", policy: xPolicy(listedPlain(vaultPDA), sim(shows(
			accs{vaultPDA: wallet(100_000_000_000, signing.SystemProgram)}, accs{vaultPDA: handedTo}))),
			set: []xTx{v0(call(vaultPDA))}, intent: xIntent()},
		{name: "H1d told as assign", policy: xPolicy(listedPlain(vaultPDA), sim(shows(
			accs{vaultPDA: wallet(100_000_000_000, signing.SystemProgram)}, accs{vaultPDA: handedTo}, txbuild.Assign(vaultPDA, xRogue)))),
			set: []xTx{v0(call(vaultPDA))}, intent: xIntent()},
		{name: "H1e listed wrapped account becomes a program's, lamports kept", policy: xPolicy(listedToken(vaultPDA, signing.NativeMint), sim(shows(
			accs{vaultPDA: held(signing.TokenProgram, signing.NativeMint, xOwner, 100_000_000_000)}, accs{vaultPDA: handedTo}).states())),
			set: []xTx{v0(call(vaultPDA))}, intent: xIntent()},
		{name: "H1f listed plain account becomes a token account of the thief's", policy: xPolicy(listedPlain(vaultPDA), sim(shows(
			accs{vaultPDA: wallet(100_000_000_000, signing.SystemProgram)},
			accs{vaultPDA: held(signing.TokenProgram, signing.NativeMint, xThief, 100_000_000_000-xRent)}).states())),
			set: []xTx{v0(call(vaultPDA))}, intent: xIntent()},

		{name: "H2 role made: closed by the program, then made again", policy: xPolicy(blindly, typedPin(signing.MadeAccount, signing.OwnerWallet)),
			set:    []xTx{v0(call(xMyBONK), txbuild.CreateATA(xOwner, xMyBONK, xOwner, xBONK, signing.Token2022Program, false))},
			intent: xIntent(), rule: signing.RulePinnedCall},

		{name: "H3 typed pin, blind: ours by an earlier transaction, whose mint the later does not name",
			policy: xPolicy(blindly, typedPin(signing.OwnerWallet)),
			set: []xTx{v0(xT22.TransferChecked(aux, xBONK, xMyBONK, xOwner, 70, 5)),
				v0(numberedCall(2, xMyBONK))},
			intent: xIntent(spends(xBONK, 70)), rule: signing.RulePinnedCall},
		{name: "H3b the same, the mint not in the intent", policy: xPolicy(blindly, typedPin(signing.OwnerWallet), func(p *signing.Policy) { p.Mints = []pk{xBONK} }),
			set: []xTx{v0(xT22.TransferChecked(aux, xBONK, xMyBONK, xOwner, 70, 5)),
				v0(numberedCall(2, xMyBONK))},
			intent: xIntent(), rule: signing.RulePinnedCall},

		{name: "H4 burn all of one account lets states hide the loss of another", policy: xPolicy(listedToken(second, xUSDC), sim(shows(
			accs{second: myUSDC(9000)}, accs{second: myUSDC(0), xMyUSDC: myUSDC(0)}).states())),
			set:    []xTx{v0(call(second), xTok.Burn(xMyUSDC, xUSDC, xOwner, 800))},
			intent: xIntent(onlySpends(), func(i *walletfi.Intent) { i.BurnAll = []string{xMyUSDC.String()} })},
		{name: "H4b burns one unit, the program takes the rest", policy: xPolicy(sim(shows(
			nil, accs{xMyUSDC: myUSDC(0)}).states())),
			set:    []xTx{v0(call(xMyUSDC), xTok.Burn(xMyUSDC, xUSDC, xOwner, 1))},
			intent: xIntent(onlySpends(), func(i *walletfi.Intent) { i.BurnAll = []string{xMyUSDC.String()} })},
		{name: "H4c burn all of the mint, nothing is burned, the program takes it, states only", policy: xPolicy(sim(shows(
			nil, accs{xMyUSDC: myUSDC(0)}).states())),
			set:    []xTx{v0(call(xMyUSDC))},
			intent: xIntent(onlySpends(), func(i *walletfi.Intent) { i.BurnAll = []string{xUSDC.String()} })},

		{name: "H5 step 1 of 2, states only: 0.029 SOL of no rent", policy: xPolicy(sim(shows(nil, accs{
			xOwner: {Lamports: 5_000_000_000 - 5000 - 29_000_000}, xThief: {Lamports: 29_000_000}}).states())),
			set: []xTx{v0(call(xThief)), v0(numberedCall(2))}, intent: xIntent(), step: &signing.Step{}},

		{name: "H6 a simulation that knows nothing is no proof", policy: xPolicy(sim(&shown{slot: 9})),
			set: []xTx{v0(call(xMyUSDC))}, intent: xIntent()},

		{name: "H7 typed pin with a reader: 24 decoys before ours", policy: xPolicy(blindly, typedPin(signing.OwnerWallet), func(p *signing.Policy) {
			p.Resolver = &reading{accounts: accs{aux: held(signing.TokenProgram, xJUP, xOwner, 900)}}
		}), set: []xTx{v0(call(append(decoys, aux)...))}, intent: xIntent(), rule: signing.RulePinnedCall},

		{name: "H8 step 2: the first is another than was executed, its approval forgotten", policy: xPolicy(sim(shows(
			accs{xMyUSDC: held(signing.TokenProgram, xUSDC, xOwner, 800)}, accs{xMyUSDC: myUSDC(300)}).states())),
			set:    []xTx{v0(txbuild.Memo("first", xOwner)), v0(numberedCall(2, xMyUSDC))},
			intent: xIntent(func(i *walletfi.Intent) { i.Delegates = []string{xDeleg.String()} }),
			step: &signing.Step{Executed: []*walletfi.Effects{{Signature: "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM", Slot: 9,
				FeePayer: xOwner.String(), Fee: 5000}}}},
	})
}
