package signing_test

import (
	"testing"

	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestOutsideGone: an account that a call has closed belongs to whoever has its key; a simulation that cannot be had.
func TestOutsideGone(t *testing.T) {
	mine := outAddr("wsol2") // listed, made by a key that somebody else has
	wsol := func(n uint64) state { return held(signing.TokenProgram, signing.NativeMint, xOwner, n) }
	list := listedToken(mine, signing.NativeMint)
	closes := xTok.Close(mine, xOwner, xOwner)
	pays := txbuild.Transfer(xOwner, mine, 4_900_000_000)
	gone := accs{mine: wsol(0)}
	left := accs{mine: solNow(4_900_000_000), xOwner: solNow(100_000_000 - 5000 + xRent)}
	unknownTable := []txbuild.Table{{Address: outAddr("a table made a moment ago"), Holds: []txbuild.Key{outAddr("p9")}}}
	fresh := []ins{txbuild.CreateAccount(xOwner, xFresh, xRent, 165, signing.TokenProgram), xTok.InitializeAccount3(xFresh, signing.NativeMint, xOwner)}
	runAttempts(t, []attempt{
		{name: "C1 closed by a call of the first, paid into in the second, bundle", policy: xPolicy(list, sim(bundle{shows(gone, accs{mine: {}, xOwner: solNow(5_000_000_000 - 5000 + xRent)}, closes),
			shows(accs{mine: {}, xOwner: solNow(5_000_000_000 - 5000 + xRent)}, accs{mine: solNow(4_900_000_000), xOwner: solNow(100_000_000 - 10_000 + xRent)}).states()})),
			set: []xTx{v0(call(mine)), v0(pays)}, intent: xIntent()},
		{name: "C2 closed by a call, paid into after, told", policy: xPolicy(list, sim(shows(gone, left, closes))), set: []xTx{v0(call(mine), pays)}, intent: xIntent()},
		{name: "C2b closed by a call, paid into after, states", policy: xPolicy(list, sim(shows(gone, left).states())), set: []xTx{v0(call(mine), pays)}, intent: xIntent()},
		{name: "C2c in steps", policy: xPolicy(list, sim(shows(accs{mine: {}}, left))), set: []xTx{v0(call(mine)), v0(pays)}, intent: xIntent(), step: after(did(9, lamps(mine, xRent, 0), toks(mine, xOwner, signing.NativeMint, 0, 0), lamps(xOwner, 0, 5_000_000_000+xRent)))},
		{name: "C3 a new account of ours, closed by a call, paid into after, told", policy: xPolicy(sim(shows(nil, accs{xFresh: solNow(4_900_000_000), xOwner: solNow(100_000_000 - 10_000)}, xTok.Close(xFresh, xOwner, xOwner)).at(2))),
			set: []xTx{v0(append(fresh, call(xFresh), txbuild.Transfer(xOwner, xFresh, 4_900_000_000))...).signedBy([]string{"fresh"})}, intent: xIntent()},
		{name: "C4 the associated account of JUP, closed by a call, gets SOL", policy: xPolicy(listedToken(xMyJUP, xJUP), sim(shows(accs{xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 0)}, accs{xMyJUP: solNow(4_900_000_000), xOwner: solNow(100_000_000 - 5000 + xRent)}, xTok.Close(xMyJUP, xOwner, xOwner)))),
			set: []xTx{v0(call(xMyJUP), txbuild.Transfer(xOwner, xMyJUP, 4_900_000_000))}, intent: xIntent()},
		{name: "B1 a simulator and AllowBlind: a table that the node does not know makes it blind", policy: xPolicy(blindly, sim(&shown{err: signing.ErrUnknown}), func(p *signing.Policy) { p.Resolver = &reading{} }),
			set: []xTx{{format: txbuild.V0, ins: []ins{call(xMyUSDC, outAddr("p9"))}, tables: unknownTable}}, intent: xIntent(), known: "by AllowBlind, and the service chooses when: see the report"},
		{name: "B2 a simulator and AllowBlind: the second fails by itself and is blind", policy: xPolicy(blindly, sim(bundle{shows(nil, nil), &shown{err: signing.ErrUnknown}})),
			set: []xTx{v0(txbuild.Memo("x")), v0(call(xMyUSDC))}, intent: xIntent(), known: "as B1"},
		{name: "B3 the same without AllowBlind", policy: xPolicy(sim(&shown{err: signing.ErrUnknown}), func(p *signing.Policy) { p.Resolver = &reading{} }),
			set: []xTx{{format: txbuild.V0, ins: []ins{call(xMyUSDC, outAddr("p9"))}, tables: unknownTable}}, intent: xIntent()},
		{name: "B4 our account behind the unknown table, the simulation shows the rest, blind allowed", policy: xPolicy(blindly, sim(shows(nil, nil).states()), func(p *signing.Policy) { p.Resolver = &reading{} }),
			set: []xTx{{format: txbuild.V0, ins: []ins{call(outAddr("p8"), xMyUSDC)}, tables: []txbuild.Table{{Address: outAddr("t9"), Holds: []txbuild.Key{xMyUSDC}}}}}, intent: xIntent(), known: "as B1", not: []string{"Simulated: yes", "limits were kept"}},
	})
}
