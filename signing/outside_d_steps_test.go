package signing_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// effectsOf tells, as the ledger does, of a transaction that has led from one state to another.
func effectsOf(slot uint64, before, after accs, payer pk) *walletfi.Effects {
	e := &walletfi.Effects{Slot: slot, FeePayer: payer.String(), Fee: 5000}
	keys := slices.SortedFunc(maps.Keys(after), func(a, b pk) int { return slices.Compare(a[:], b[:]) })
	token := func(s state) bool {
		return len(s.Data) >= 165 && (s.Owner == signing.TokenProgram || s.Owner == signing.Token2022Program)
	}
	for _, k := range keys {
		b, a := before[k], after[k]
		if b.Lamports != a.Lamports {
			lamps(k, uint64(b.Lamports), uint64(a.Lamports))(e)
		}
		of, had, has := a, uint64(0), uint64(0)
		if token(b) {
			had, of = amountOf(b), b
		}
		if token(a) {
			has, of = amountOf(a), a
		}
		if had != has {
			toks(k, pk(of.Data[32:64]), pk(of.Data[:32]), had, has)(e)
		}
	}
	return e
}

// inSteps is the step of a set at which so many are executed, on what the ledger has then; between them
// others may change it.
func inSteps(a attempt, done int, between func(*ledger)) attempt {
	in := a.policy.Simulator.(inOrder)
	s := *in.script
	s.states, s.untold = false, false
	step := &signing.Step{}
	l := &ledger{accs: maps.Clone(s.start)}
	for n := range done {
		before := maps.Clone(l.accs)
		s.set[n].run(l)
		step.Executed = append(step.Executed, effectsOf(uint64(9+n), before, l.accs, xOwner))
	}
	if between != nil {
		between(l)
	}
	now := &script{start: l.accs, set: []played{s.set[done]}}
	a.policy.Simulator, a.policy.Resolver, a.step = now, &reading{accounts: l.accs}, step
	return a
}

// TestOutsideDSteps: sets that are signed one by one, with what others do between.
func TestOutsideDSteps(t *testing.T) {
	pays := []ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500)}
	brings := []ins{moveBONK(dPoolBONK, xMyBONK, dPool, 5)}
	scam := outAddr("scam")
	listedAux := func(a attempt) attempt {
		a.policy.Accounts = append(a.policy.Accounts, signing.OwnAccount{Address: dAux, Mint: xJUP})
		return a
	}
	set := func(name string, honest bool, calls ...[]ins) attempt {
		return inSets(name, honest, dSwap, accs{xMyWSOL: dWSOL(xOwner, 0), xMyUSDC: dUSDC(xOwner, 2000)}, true,
			calls...)
	}
	does := func(i ...ins) func(*ledger) {
		return func(l *ledger) {
			for _, x := range i {
				l.do(x)
			}
		}
	}
	ten := func(from int) (list []ins) {
		for _, k := range several(20)[from : from+10] {
			list = append(list, makes(xOwner, k, scam, xOwner)...)
		}
		return list
	}
	wrap := []ins{txbuild.Transfer(xOwner, xMyWSOL, 3_000_000_000), xTok.SyncNative(xMyWSOL)}
	runAttempts(t, []attempt{
		inSteps(set("T1 paid, then brought, the first", false, pays, brings), 0, nil),
		inSteps(set("T1b honest: half, then half, the first", true,
			[]ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 250), moveBONK(dPoolBONK, xMyBONK, dPool, 2)},
			[]ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 250), moveBONK(dPoolBONK, xMyBONK, dPool, 3)}), 0, nil),
		inSteps(set("T2 honest: paid, then brought, the second", true, pays, brings), 1, nil),
		inSteps(set("T3 paid twice", false, pays, seq(pays, brings)), 1, nil),
		inSteps(set("T4 brought, then taken", false, seq(pays, brings), []ins{moveBONK(xMyBONK, dThBONK, xOwner, 5)}),
			1, nil),
		inSteps(set("T5 ten accounts, then ten", false, seq(pays, brings, ten(0)), ten(10)), 1, nil),
		inSteps(set("T6 honest: ten accounts, then none", true, seq(pays, ten(0)), brings), 1, nil),
		inSteps(set("T7 honest: somebody sends us JUP between", true, pays, brings), 1,
			does(moveJUP(dPoolJUP, xMyJUP, dPool, 7))),
		inSteps(set("T8 somebody sends us JUP between, and the second takes it", false, pays,
			seq(brings, []ins{moveJUP(xMyJUP, dThJUP, xOwner, 7)})), 1, does(moveJUP(dPoolJUP, xMyJUP, dPool, 7))),
		inSteps(set("T9 somebody sends us BONK between, and the second brings less", false, pays,
			[]ins{moveBONK(dPoolBONK, xMyBONK, dPool, 4)}), 1, does(moveBONK(dPoolBONK, xMyBONK, dPool, 1))),
		inSteps(set("T10 3 SOL are wrapped, then go", false, seq(pays, brings, wrap),
			[]ins{moveWSOL(xMyWSOL, dThWSOL, xOwner, 3_000_000_000)}), 1, nil),
		inSteps(set("T11 3 SOL are wrapped, then close to the thief", false, seq(pays, brings, wrap),
			[]ins{xTok.Close(xMyWSOL, xThief, xOwner)}), 1, nil),
		inSteps(set("T12 honest: 3 SOL are wrapped, then unwrapped", true, seq(pays, wrap),
			seq(brings, []ins{xTok.Close(xMyWSOL, xOwner, xOwner)})), 1, nil),
		inSteps(set("T13 the wrapped account is the thief's to close since the first, 3 SOL follow", false,
			seq(pays, brings, []ins{xTok.SetAuthority(xMyWSOL, xOwner, 3, xThief)}), wrap), 1, nil),
		inSteps(set("T14 the wrapped account is the thief's since the first, 3 SOL follow", false,
			seq(pays, brings, []ins{xTok.SetAuthority(xMyWSOL, xOwner, 2, xThief)}), wrap), 1, nil),
		inSteps(set("T15 JUP is approved in the first, and taken in the second", false,
			seq(pays, []ins{xTok.Approve(xMyJUP, xThief, xOwner, 900)}),
			seq(brings, []ins{moveJUP(xMyJUP, dThJUP, xThief, 900)})), 1, nil),
		inSteps(set("T16 the delegate of the first takes between", false,
			seq(pays, []ins{xTok.Approve(xMyUSDC, xThief, xOwner, 300)}), brings), 1,
			does(moveUSDC(xMyUSDC, xThUSDC, xThief,
				300))).limit("effects do not tell of permissions"),
		inSteps(set("T17 our JUP account closes in the first, its rent goes in the second", false,
			seq(pays, brings, []ins{moveJUP(xMyJUP, dPoolJUP, xOwner, 0)}),
			[]ins{txbuild.Transfer(xOwner, xThief, xRent)}), 1, nil),
		inSteps(set("T18 in between: JUP comes, then more goes", false,
			seq(pays, []ins{moveJUP(dPoolJUP, xMyJUP, dPool, 77)}),
			seq(brings, []ins{moveJUP(xMyJUP, dThJUP, xOwner, 78)})), 1, nil),
		inSteps(set("T19 honest: in between, as much", true, seq(pays, []ins{moveJUP(dPoolJUP, xMyJUP, dPool, 77)}),
			seq(brings, []ins{moveJUP(xMyJUP, dPoolJUP, xOwner, 77)})), 1, nil),
		inSteps(set("T20 in between: JUP goes, then less comes", false,
			seq(pays, []ins{moveJUP(xMyJUP, dPoolJUP, xOwner, 77)}),
			seq(brings, []ins{moveJUP(dPoolJUP, xMyJUP, dPool, 76)})), 1, nil),
		listedAux(inSteps(set("T21 JUP goes to an account that is listed since, the thief's", false,
			seq(pays, []ins{}), seq(brings, []ins{moveJUP(xMyJUP, dAux, xOwner, 900)})), 1,
			func(l *ledger) { l.accs[dAux] = dJUP(xThief, 0) })),
		inSteps(set("T22 3 SOL into our JUP account in the first, nothing in the second", false,
			seq(pays, []ins{txbuild.Transfer(xOwner, xMyJUP, 3_000_000_000)}), brings), 1, nil),
		inSteps(set("T23 3 SOL into our JUP account in the second", false, pays,
			seq(brings, []ins{txbuild.Transfer(xOwner, xMyJUP, 3_000_000_000)})), 1, nil),
		inSteps(set("T24 honest: three, the third", true, pays, brings, []ins{}), 2, nil),
		inSteps(set("T25 three, the third pays", false, pays, brings, pays), 2, nil),
		inSteps(set("T26 honest: the first's account is closed by us between", true,
			seq(pays, makes(xOwner, dAux, scam, xOwner)), brings), 1, does(xTok.Close(dAux, xOwner, xOwner))),
	})
}

func (a attempt) limit(why string) attempt { a.known = why; return a }

// TestOutsideDRandomSets: random calls, cut into sets at random, in order or in steps.
func TestOutsideDRandomSets(t *testing.T) {
	signed, refused := 0, 0
	for round := range rolls(20) {
		r := &roller{Rand: rand.New(rand.NewPCG(rollSeed(), 1<<40|uint64(round)))}
		more := accs{xMyWSOL: dWSOL(xOwner, 200_000_000), dVault: solNow(7_000_000_000), dVaultJUP: dJUP(dVault, 60)}
		r.l = &ledger{accs: world(more)}
		r.calls = swaps()
		for _, i := range r.calls {
			r.l.do(i)
		}
		for range 1 + r.IntN(5) {
			r.roll()
		}
		parts := [][]ins{{}}
		for _, i := range r.calls {
			if r.IntN(3) == 0 && len(parts) < 4 {
				parts = append(parts, []ins{})
			}
			parts[len(parts)-1] = append(parts[len(parts)-1], i)
		}
		problem := lossOf(world(more), r.l.accs)
		for _, told := range []bool{true, false} {
			a := inSets("in order", false, dSwap, more, told, parts...)
			listed(dVault, pk{})(&a.policy)
			if ok, _, _ := a.run(t.Context()); !ok {
				refused++
			} else if signed++; problem != "" {
				t.Errorf("SIGNED in order, told %v: %s\n%d parts\n%s", told, problem, len(parts), say(r.calls))
			}
		}
		whole := true
		for n := range parts {
			a := inSteps(inSets("steps", false, dSwap, more, true, parts...), n, nil)
			listed(dVault, pk{})(&a.policy)
			ok, _, _ := a.run(t.Context())
			if !ok {
				whole = false
				break
			}
		}
		if !whole {
			refused++
		} else if signed++; problem != "" {
			t.Errorf("SIGNED in steps: %s\n%d parts\n%s", problem, len(parts), say(r.calls))
			for n, p := range parts {
				t.Logf("part %d\n%s", n, say(p))
			}
		}
	}
	if signed == 0 || refused == 0 {
		t.Errorf("%d signed, %d refused", signed, refused)
	}
	t.Log(signed, refused)
}
