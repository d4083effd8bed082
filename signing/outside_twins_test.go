package signing_test

import (
	"errors"
	"maps"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// multisig is the account of a multisig of the token program, of which one may sign.
func multisig(signers ...pk) state {
	d := make([]byte, 355)
	d[0], d[1], d[2] = 1, byte(len(signers)), 1
	for i, k := range signers {
		copy(d[3+32*i:], k[:])
	}
	return state{Lamports: 3_361_680, Owner: signing.TokenProgram, Data: d}
}

// swapped are the accounts of a swap of 500 USDC for 5 BONK, with what is different in them.
func swapped(change, result accs) (before, after accs) {
	before = accs{xMyBONK: held(signing.Token2022Program, xBONK, xOwner, 0)}
	after = accs{xMyUSDC: myUSDC(300), xMyBONK: held(signing.Token2022Program, xBONK, xOwner, 5)}
	maps.Copy(before, change)
	maps.Copy(after, result)
	return before, after
}

// TestOutsideTwins: drains that look like the honest layouts which the states of accounts let pass.
func TestOutsideTwins(t *testing.T) {
	pool, lender, order, vault := outAddr("pool authority"), outAddr("lender"), outAddr("order"), outAddr("vault")
	usdc := func(owner pk, n uint64) state { return held(signing.TokenProgram, xUSDC, owner, n) }
	jup := func(owner pk, n uint64) state { return held(signing.TokenProgram, xJUP, owner, n) }
	wsol := func(owner pk, n uint64) state { return held(signing.TokenProgram, signing.NativeMint, owner, n) }
	bonk := func(n uint64) state { return held(signing.Token2022Program, xBONK, xOwner, n) }
	kept := func(n byte, owner pk) state {
		return state{Lamports: 6960 * 328, Owner: xProg, Data: append(append(make([]byte, 8), owner[:]...), n)}
	}
	move := func(from, mint, to, by pk, n uint64) ins { return xTok.TransferChecked(from, mint, to, by, n, 6) }
	sol := func(lost uint64) state { return solNow(5_000_000_000 - 5000 - lost) }
	type twin struct {
		name          string
		intent        []func(*walletfi.Intent)
		before, after accs
		inner         []ins
		statesToo     bool
	}
	lends := func(lent, repaid uint64, to pk, after accs) twin {
		w := twin{intent: []func(*walletfi.Intent){gets(xBONK, 5)}, before: accs{lender: usdc(pool, 9000)}, after: after,
			inner: []ins{move(lender, xUSDC, xMyUSDC, pool, lent), move(xMyUSDC, xUSDC, xPool, xOwner, 500),
				move(xMyUSDC, xUSDC, to, xOwner, repaid)}}
		if _, ok := after[lender]; !ok {
			w.after[lender] = usdc(pool, 9000+repaid-lent)
		}
		return w
	}
	named := func(name string, w twin, before accs) twin {
		w.name = name
		for k, s := range before {
			w.before[k] = s
		}
		return w
	}
	takes := func(n, brings uint64) []ins {
		return []ins{move(xMyUSDC, xUSDC, xPool, xOwner, n), move(xPool, xUSDC, xMyUSDC, pool, brings)}
	}
	passes := func(more ...ins) []ins { return append([]ins{move(xMyUSDC, xUSDC, xPool, xOwner, 500)}, more...) }
	orderIsOurs := accs{order: kept(1, xOwner)}
	const freed = 6960 * 328
	back := func(from pk, n uint64) []ins {
		return passes(xTok.TransferChecked(vault, signing.NativeMint, xMyWSOL, pool, 7_000_000, 9),
			xTok.TransferChecked(xMyWSOL, signing.NativeMint, xPool, xOwner, 7_000_000+n, 9))
	}
	is := func(f ...func(*walletfi.Intent)) []func(*walletfi.Intent) { return f }
	list := []twin{
		{name: "an arbitrage a unit short", intent: is(gets(xUSDC, 510)), after: accs{xMyUSDC: myUSDC(809)}, inner: takes(500, 509), statesToo: true},
		{name: "an arbitrage that takes nothing and brings less", intent: is(gets(xUSDC, 510)), after: accs{xMyUSDC: myUSDC(809)}, inner: takes(1, 10), statesToo: true},
		{name: "takes all and brings nothing, where less should arrive than may leave", intent: is(gets(xUSDC, 400)), after: accs{xMyUSDC: myUSDC(300)}, inner: takes(500, 0), statesToo: true},
		{name: "what is spent of it comes back, and of another mint all is spent", intent: is(spends(xJUP, 9), gets(xUSDC, 510)), after: accs{xMyUSDC: myUSDC(810)}, inner: takes(500, 510), statesToo: true},
		{name: "an arbitrage that is paid by SOL", intent: is(gets(xUSDC, 510)), after: accs{xMyUSDC: myUSDC(810), xOwner: sol(1)}, inner: append(takes(500, 510), txbuild.Transfer(xOwner, xThief, 1)), statesToo: true},

		named("it gets less back", lends(4000, 4000, lender, accs{xMyUSDC: myUSDC(300), lender: usdc(pool, 8999)}), nil),
		named("it is the thief's in the end", lends(4000, 4000, lender, accs{xMyUSDC: myUSDC(300), lender: usdc(xThief, 9000)}), nil),
		named("it is closed", lends(4000, 4000, lender, accs{xMyUSDC: myUSDC(300), lender: {}}), nil),
		named("a position of ours is paid out, and paid in as the thief's", lends(4000, 4000, lender, accs{xMyUSDC: myUSDC(300), order: kept(0, xOwner)}), orderIsOurs),
		named("a position of ours comes to the thief", lends(4000, 4000, lender, accs{xMyUSDC: myUSDC(300), order: kept(1, xThief)}), orderIsOurs),
		named("more is paid back than was lent", lends(4000, 4001, lender, accs{xMyUSDC: myUSDC(299)}), nil),
		named("it is paid back twice", func() twin {
			w := lends(300, 300, lender, accs{xMyUSDC: myUSDC(0), lender: usdc(pool, 9300)})
			w.inner = append(w.inner, move(xMyUSDC, xUSDC, lender, xOwner, 300))
			return w
		}(), nil),
		named("what is paid before it is lent", func() twin {
			w := lends(4000, 4000, lender, accs{xMyUSDC: myUSDC(300)})
			w.inner[0], w.inner[2] = w.inner[2], w.inner[0]
			return w
		}(), nil),

		{name: "JUP of ours is approved and taken", intent: is(gets(xBONK, 5)), before: accs{xMyJUP: jup(xOwner, 900)}, after: accs{xMyJUP: jup(xOwner, 823)}, statesToo: true,
			inner: passes(xTok.Approve(xMyJUP, xThief, xOwner, 77), move(xMyJUP, xJUP, xPool, xThief, 77), xTok.Revoke(xMyJUP, xOwner))},
		{name: "what comes is approved, and ours is taken too", intent: is(gets(xBONK, 5)), before: accs{xMyJUP: jup(xOwner, 900)}, after: accs{xMyJUP: jup(xOwner, 899)}, statesToo: true,
			inner: passes(move(xPool, xJUP, xMyJUP, pool, 77), xTok.Approve(xMyJUP, xThief, xOwner, 78), move(xMyJUP, xJUP, xPool, xThief, 78), xTok.Revoke(xMyJUP, xOwner))},
		{name: "what comes is approved for ever", intent: is(gets(xBONK, 5)), before: accs{xMyJUP: jup(xOwner, 0)}, after: accs{xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 77, delegateTo(xThief, 77))}, statesToo: true,
			inner: passes(move(xPool, xJUP, xMyJUP, pool, 77), xTok.Approve(xMyJUP, xThief, xOwner, 77))},
		{name: "without an exchange", after: accs{xMyUSDC: myUSDC(300), xMyBONK: bonk(5)}, before: accs{xMyJUP: jup(xOwner, 0)},
			inner: passes(move(xPool, xJUP, xMyJUP, pool, 77), xTok.Approve(xMyJUP, xThief, xOwner, 77), move(xMyJUP, xJUP, xPool, xThief, 77), xTok.Revoke(xMyJUP, xOwner))},

		{name: "an order of ours closes to us, and the SOL goes on", intent: is(gets(xBONK, 5)), before: orderIsOurs, after: accs{order: {}},
			inner: passes(txbuild.Transfer(xOwner, xThief, freed))},
		{name: "it closes to us while SOL passes, and goes on", intent: is(gets(xBONK, 5)), before: accs{order: kept(1, xOwner), vault: wsol(pool, 9_000_000), xMyWSOL: wsol(xOwner, 0)},
			after: accs{order: {}, vault: wsol(pool, 2_000_000), xOwner: sol(0), xMyWSOL: wsol(xOwner, 0)}, inner: append(back(vault, 0), txbuild.Transfer(xOwner, xThief, freed))},
		{name: "the vault that SOL passes from is closed", intent: is(gets(xBONK, 5)), before: accs{vault: wsol(pool, 9_000_000), xMyWSOL: wsol(xOwner, 0)},
			after: accs{vault: {}, xMyWSOL: wsol(xOwner, 0)}, inner: back(vault, 0)},
		{name: "the vault is lent to and fro", intent: is(gets(xBONK, 5)), before: accs{order: kept(1, xOwner), vault: wsol(pool, 9_000_000), xMyWSOL: wsol(xOwner, 0)},
			after: accs{order: {}, vault: wsol(pool, 9_000_000), xMyWSOL: wsol(xOwner, 0)},
			inner: append(passes(xTok.TransferChecked(vault, signing.NativeMint, xMyWSOL, pool, 7_000_000, 9), xTok.TransferChecked(xMyWSOL, signing.NativeMint, vault, xOwner, 7_000_000, 9)),
				txbuild.Transfer(xOwner, xThief, freed))},
	}
	var all []attempt
	for _, w := range list {
		before, after := swapped(w.before, w.after)
		writes := []pk{xMyUSDC, xMyBONK, xMyJUP, xMyWSOL, xPool, xThief, xThUSDC, lender, order, vault}
		p := xPolicy(sim(shows(before, after, w.inner...)))
		all = append(all, attempt{name: w.name, policy: p, set: []xTx{v0(call(writes...))}, intent: xIntent(w.intent...)})
		if w.statesToo {
			p := xPolicy(sim(shows(before, after).states()))
			all = append(all, attempt{name: "states: " + w.name, policy: p, set: []xTx{v0(call(writes...))}, intent: xIntent(w.intent...)})
		}
	}
	runAttempts(t, all)
}

// TestOutsideMultisigs: who may sign for a token account is in its owner's account, shown or read.
func TestOutsideMultisigs(t *testing.T) {
	theirs, msig := outAddr("aux"), outAddr("msig")
	reads := func(s signing.Resolver) func(*signing.Policy) { return func(p *signing.Policy) { p.Resolver = s } }
	empties := func(change ...func([]byte)) *shown {
		return shows(accs{theirs: held(signing.TokenProgram, xJUP, msig, 900, change...)}, accs{theirs: held(signing.TokenProgram, xJUP, msig, 0)}).states()
	}
	set := func(reader pk) []xTx {
		c := call(theirs)
		c.Accounts = append(c.Accounts, txbuild.Readonly(reader))
		return []xTx{v0(c)}
	}
	of := func(s state) *reading { return &reading{accounts: accs{msig: s}} }
	long := multisig(xFriend, xOwner)
	long.Data = append(long.Data, 0)
	runAttempts(t, []attempt{
		{name: "a multisig that only a reader shows", policy: xPolicy(sim(empties()), reads(of(multisig(xFriend, xOwner)))), set: set(msig), intent: xIntent(onlySpends()), rule: signing.RuleBlind},
		{name: "of a key of ours", policy: xPolicy(sim(empties()), keysAre(xDeleg), reads(of(multisig(xDeleg)))), set: set(msig), intent: xIntent(onlySpends()), rule: signing.RuleBlind},
		{name: "that is a delegate", policy: xPolicy(sim(shows(accs{theirs: held(signing.TokenProgram, xJUP, xFriend, 900, delegateTo(msig, 900))}, accs{theirs: held(signing.TokenProgram, xJUP, xFriend, 0)}).states()),
			reads(of(multisig(xFriend, xOwner)))), set: set(msig), intent: xIntent(onlySpends()), rule: signing.RuleBlind},
		{name: "a reader that fails", policy: xPolicy(sim(empties()), reads(&reading{err: errors.New("down")})), set: set(msig), intent: xIntent(onlySpends()), rule: signing.RuleBlind},
		{name: "others alone may sign", policy: xPolicy(sim(empties()), reads(of(multisig(xFriend)))), set: set(msig), intent: xIntent(onlySpends()), honest: true},
		{name: "past its signers", policy: xPolicy(sim(empties()), reads(of(func() state { s := multisig(xFriend, xOwner); s.Data[1] = 1; return s }()))), set: set(msig), intent: xIntent(onlySpends()), honest: true},
		{name: "not initialised", policy: xPolicy(sim(empties()), reads(of(func() state { s := multisig(xFriend, xOwner); s.Data[2] = 0; return s }()))), set: set(msig), intent: xIntent(onlySpends()), honest: true},
		{name: "another program's", policy: xPolicy(sim(empties()), reads(of(func() state { s := multisig(xFriend, xOwner); s.Owner = xProg; return s }()))), set: set(msig), intent: xIntent(onlySpends()), honest: true},
		{name: "of another length", policy: xPolicy(sim(empties()), reads(of(long))), set: set(msig), intent: xIntent(onlySpends()), honest: true},
		{name: "not among the accounts, so that it cannot be used", policy: xPolicy(sim(empties()), reads(of(multisig(xFriend, xOwner)))), set: set(xThief), intent: xIntent(onlySpends()), honest: true},
	})
}

// TestOutsideMints: so many long mints change that looking for who controls them would take too long.
func TestOutsideMints(t *testing.T) {
	before, after, few := accs{}, accs{}, accs{}
	var all []pk
	for i := range byte(50) {
		k, long := outAddr(string('a'+rune(i))+" mint"), make([]byte, 10_240)
		long[165] = 1
		longer := append(long[:len(long):len(long)], 0)
		all = append(all, k)
		before[k] = state{Lamports: bigRent, Owner: signing.Token2022Program, Data: long}
		after[k] = state{Lamports: bigRent, Owner: signing.Token2022Program, Data: longer}
	}
	few[all[0]] = after[all[0]]
	table := txbuild.Table{Address: outAddr("table")}
	for _, k := range all {
		table.Holds = append(table.Holds, txbuild.Key(k))
	}
	tables := func(p *signing.Policy) { p.Resolver = &reading{tables: map[pk][]pk{outAddr("table"): all}} }
	set := []xTx{{format: txbuild.V0, ins: []ins{call(all...)}, tables: []txbuild.Table{table}}}
	runAttempts(t, []attempt{
		{name: "all change", policy: xPolicy(tables, sim(shows(before, after).states())), set: set, intent: xIntent(onlySpends()), rule: signing.RuleBlind},
		{name: "one changes", policy: xPolicy(tables, sim(shows(before, few).states())), set: set, intent: xIntent(onlySpends()), honest: true},
	})
}
