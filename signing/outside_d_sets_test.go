package signing_test

import (
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

func burns(what ...pk) func(*walletfi.Intent) {
	return func(i *walletfi.Intent) {
		for _, k := range what {
			i.BurnAll = append(i.BurnAll, k.String())
		}
	}
}

// TestOutsideDBurn: what burning all covers, and nothing else.
func TestOutsideDBurn(t *testing.T) {
	aux := policies(listed(dAux, xJUP))
	both := accs{dAux: dJUP(xOwner, 300)}
	only := func(f ...func(*walletfi.Intent)) []func(*walletfi.Intent) { return append(intents(onlySpends()), f...) }
	runTrials(t, []trial{
		{name: "B1 honest: all of the mint within the call", modes: tellsAll, intent: only(burns(xJUP)),
			inner: []ins{xTok.Burn(xMyJUP, xJUP, xOwner, 900)}, honest: true},
		{name: "B2 honest: by the transaction itself", intent: only(burns(xJUP)),
			after: []ins{xTok.Burn(xMyJUP, xJUP, xOwner, 900)}, honest: true},
		{name: "B3 a part is burned, the rest taken", intent: only(burns(xJUP)),
			inner: []ins{moveJUP(xMyJUP, dThJUP, xOwner, 800)}, after: []ins{xTok.Burn(xMyJUP, xJUP, xOwner, 100)}},
		{name: "B4 all is taken", intent: only(burns(xJUP)), inner: []ins{moveJUP(xMyJUP, dThJUP, xOwner, 900)}},
		{name: "B5 the account is named, and another of the mint burned", intent: only(burns(xMyJUP)), policy: aux,
			start: both, after: []ins{xTok.Burn(dAux, xJUP, xOwner, 300)}},
		{name: "B6 within the call", intent: only(burns(xMyJUP)), policy: aux, start: both,
			inner: []ins{xTok.Burn(dAux, xJUP, xOwner, 300)}},
		{name: "B7 honest: both are named", intent: only(burns(xMyJUP, dAux)), policy: aux, start: both,
			after: []ins{xTok.Burn(dAux, xJUP, xOwner, 300), xTok.Burn(xMyJUP, xJUP, xOwner, 900)}, honest: true},
		{name: "B8 it is moved out before, and nothing burned", intent: only(burns(xMyJUP)), policy: aux, start: both,
			before: []ins{moveJUP(xMyJUP, dAux, xOwner, 900)}, inner: []ins{moveJUP(dAux, dThJUP, xOwner, 900)}},
		{name: "B9 JUP comes in and all is taken", intent: only(burns(xJUP)),
			inner: []ins{moveJUP(dPoolJUP, xMyJUP, dPool, 100), moveJUP(xMyJUP, dThJUP, xOwner, 1000)}},
		{name: "B10 all is approved to a named delegate", intent: only(burns(xJUP), delegates),
			inner: []ins{xTok.Approve(xMyJUP, xDeleg, xOwner, 900)}},
		{name: "B11 half is burned, half approved to a named delegate", intent: only(burns(xJUP), delegates),
			inner: []ins{xTok.Burn(xMyJUP, xJUP, xOwner, 450), xTok.Approve(xMyJUP, xDeleg, xOwner, 450)}},
		{name: "B12 burned, and closed to the thief", intent: only(burns(xJUP)), inner: []ins{},
			after: []ins{xTok.Burn(xMyJUP, xJUP, xOwner, 900), xTok.Close(xMyJUP, xThief, xOwner)}},
		{name: "B13 honest: burned, and closed to us", intent: only(burns(xJUP)), inner: []ins{},
			after: []ins{xTok.Burn(xMyJUP, xJUP, xOwner, 900), xTok.Close(xMyJUP, xOwner, xOwner)}, honest: true},
		{name: "B14 all SOL is to be burned, and wrapped SOL is taken", intent: only(burns(dSOL)),
			start: accs{xMyWSOL: dWSOL(xOwner, 900)}, inner: []ins{moveWSOL(xMyWSOL, dThWSOL, xOwner, 900)}},
		{name: "B15 all of the wallet is to be burned, and SOL is taken", intent: only(burns(xOwner)),
			inner: []ins{txbuild.Transfer(xOwner, xThief, 900_000_000)}},
		{name: "B16 JUP is to be burned, BONK is", intent: only(burns(xJUP)),
			inner: []ins{xT22.Burn(xMyBONK, xBONK, xOwner, 10)}},
		{name: "B17 burned by a friend's delegate within the call", intent: only(),
			start: accs{xMyJUP: dJUP(xOwner, 900, delegateTo(xFriend, 900))},
			inner: []ins{xTok.Burn(xMyJUP, xJUP, xFriend, 900)}},
	})
}

// TestOutsideDLies: simulators that contradict themselves, or show what cannot be.
func TestOutsideDLies(t *testing.T) {
	lie := func(name string, drain []ins, f func(n int, s *signing.Simulation), modes ...string) (list []attempt) {
		w := trial{name: name, intent: dSwap, inner: swaps(drain...), modes: modes,
			start: accs{xMyWSOL: dWSOL(xOwner, 0)}}
		for _, a := range w.attempts() {
			switch s := a.policy.Simulator.(type) {
			case *script:
				s.changes = f
			case inOrder:
				s.changes = f
			}
			list = append(list, a)
		}
		return list
	}
	takes := []ins{moveJUP(xMyJUP, dThJUP, xOwner, 900)}
	ownerIs := func(s *signing.Simulation, to state) {
		for i, before := range s.Before {
			if before.Lamports == dOwnerSOL || before.Lamports == dOwnerSOL-5000 {
				s.After[i] = to
			}
		}
	}
	var all []attempt
	for _, l := range [][]attempt{
		lie("S1 the calls are told, the states stay", takes,
			func(_ int, s *signing.Simulation) { copy(s.After, s.Before) }),
		lie("S2 the states change, no call is told", takes, func(_ int, s *signing.Simulation) { s.Inner = nil }),
		lie("S3 the fee is not paid", nil, func(_ int, s *signing.Simulation) { ownerIs(s, solNow(dOwnerSOL)) },
			"told", "states"),
		lie("S4 half of the fee is paid", nil, func(_ int,
			s *signing.Simulation) {
			ownerIs(s, solNow(dOwnerSOL-2500))
		}, "told", "states"),
		lie("S5 all is nothing", takes, func(_ int, s *signing.Simulation) { clear(s.Before); clear(s.After) }),
		lie("S7 one account is missing", nil, func(_ int,
			s *signing.Simulation) {
			s.After = s.After[:len(s.After)-1]
		}),
		lie("S8 one too many", nil, func(_ int, s *signing.Simulation) { s.Before = append(s.Before, state{}) }),
		lie("S9 a call of no instruction", nil, func(_ int, s *signing.Simulation) {
			s.Inner = append(s.Inner, signing.InnerInstruction{Outer: 99, Program: signing.TokenProgram,
				Data: []byte{3, 1, 0, 0, 0, 0, 0, 0, 0}, Accounts: []pk{xMyJUP, dThJUP, xOwner}})
		}, "told", "second told", "step"),
		lie("S10 a call that is cut short", nil, func(_ int, s *signing.Simulation) {
			s.Inner = append(s.Inner, signing.InnerInstruction{Program: signing.TokenProgram, Data: []byte{3, 1},
				Accounts: []pk{xMyJUP, dThJUP, xOwner}})
		}, "told", "second told", "step"),
		lie("S11 a call with too few accounts", nil, func(_ int, s *signing.Simulation) {
			s.Inner = append(s.Inner, signing.InnerInstruction{Program: signing.TokenProgram,
				Data: []byte{3, 1, 0, 0, 0, 0, 0, 0, 0}, Accounts: []pk{xMyJUP}})
		}, "told", "second told", "step"),
		lie("S12 a call of the token program without data", nil, func(_ int, s *signing.Simulation) {
			s.Inner = append(s.Inner, signing.InnerInstruction{Program: signing.TokenProgram,
				Accounts: []pk{xMyJUP, dThJUP, xOwner}})
		}, "told", "second told", "step"),
		lie("S13 a token account of 164 bytes", takes, func(_ int, s *signing.Simulation) {
			s.Inner = nil
			for i, b := range s.Before {
				if len(b.Data) == 165 && pk(b.Data[:32]) == xJUP && pk(b.Data[32:64]) == xOwner {
					s.After[i].Data = b.Data[:164]
				}
			}
		}),
		lie("S14 a mint that turns", takes, func(_ int, s *signing.Simulation) {
			for i, b := range s.Before {
				if len(b.Data) == 165 && pk(b.Data[:32]) == xJUP && pk(b.Data[32:64]) == xOwner {
					s.After[i] = dUSDC(xOwner, 900)
				}
			}
		}),
		lie("S15 an owner who gets 2^64-1", takes, func(_ int,
			s *signing.Simulation) {
			ownerIs(s, solNow(^uint64(0)))
			s.Inner = nil
		}),
		lie("S16 it fails, in words", takes, func(_ int, s *signing.Simulation) { s.Err = " " }),
		lie("S17 a slot of 1", nil, func(_ int, s *signing.Simulation) { s.Slot = 1 }, "step"),
		lie("S18 no slot", nil, func(_ int, s *signing.Simulation) { s.Slot = 0 }, "step"),
		lie("S20 the second's fee is not paid", nil, func(n int, s *signing.Simulation) {
			for i, b := range s.Before {
				if n == 1 && b.Lamports == dOwnerSOL-5000 {
					s.After[i] = b
				}
			}
		}, "second", "second told"),
		lie("S21 states alone, with calls nevertheless", takes,
			func(_ int, s *signing.Simulation) { s.StatesOnly = true; copy(s.After, s.Before) }, "told"),
	} {
		all = append(all, l...)
	}
	short := inSets("S19 the second does not have the SOL that the first has brought", false,
		intents(gets(dSOL, 1_000_000_000)), nil, false,
		[]ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500), txbuild.Transfer(dPool, xOwner, 1_000_000_000)}, []ins{})
	short.policy.Simulator.(inOrder).changes = func(n int, s *signing.Simulation) {
		for i, b := range s.Before {
			if n == 1 && b.Lamports > dOwnerSOL && b.Lamports < 2*dOwnerSOL {
				s.Before[i], s.After[i] = solNow(uint64(b.Lamports-1_000_000_000)), solNow(uint64(b.Lamports-1_000_005_000))
			}
		}
	}
	all = append(all, short)
	runAttempts(t, all)
}

// inSets is a set of pinned calls that a node runs in order, or step by step.
func inSets(name string, honest bool, i []func(*walletfi.Intent), start accs, told bool, calls ...[]ins) attempt {
	s := &script{start: world(start), untold: !told, states: !told}
	a := attempt{name: name, honest: honest, intent: xIntent(i...)}
	for n, c := range calls {
		w := trial{inner: c}
		x := w.transaction()
		x.ins[0].Data = []byte{1, byte(n)}
		s.set = append(s.set, played{tx: x, inner: c})
		a.set = append(a.set, x)
	}
	a.policy = xPolicy(sim(inOrder{s}), func(p *signing.Policy) { p.Resolver = &reading{accounts: s.start} })
	return a
}

// TestOutsideDBundles: what several transactions do together.
func TestOutsideDBundles(t *testing.T) {
	scam := outAddr("scam")
	ten := func(from int) (list []ins) {
		for _, k := range several(20)[from : from+10] {
			list = append(list, makes(xOwner, k, scam, xOwner)...)
		}
		return list
	}
	pays := []ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500)}
	brings := []ins{moveBONK(dPoolBONK, xMyBONK, dPool, 5)}
	type row struct {
		name   string
		honest bool
		intent []func(*walletfi.Intent)
		start  accs
		calls  [][]ins
	}
	var all []attempt
	for _, r := range []row{
		{"K1 honest: paid in the first, brought in the second", true, dSwap, nil, [][]ins{pays, brings}},
		{"K2 honest: brought in the first, paid in the second", true, dSwap, nil, [][]ins{brings, pays}},
		{"K3 paid in both", false, dSwap, accs{xMyUSDC: dUSDC(xOwner, 2000)}, [][]ins{seq(pays, brings), pays}},
		{"K4 brought, and taken again", false, dSwap, nil,
			[][]ins{seq(pays, brings), {moveBONK(xMyBONK, dThBONK, xOwner, 5)}}},
		{"K5 brought in the first, and lost in the third", false, dSwap, nil,
			[][]ins{seq(pays, brings), {}, {moveBONK(xMyBONK, dThBONK, xOwner, 1)}}},
		{"K6 ten accounts in each", false, dSwap, nil, [][]ins{seq(pays, brings, ten(0)), ten(10)}},
		{"K7 honest: ten in the second", true, dSwap, nil, [][]ins{seq(pays, brings), ten(0)}},
		{"K8 JUP goes to an account of ours that becomes the thief's in the second", false, dSwap,
			accs{dAux: dJUP(xOwner, 0)}, [][]ins{seq(pays, brings, []ins{moveJUP(xMyJUP, dAux, xOwner, 900)}),
				{xTok.SetAuthority(dAux, xOwner, 2, xThief)}}},
		{"K9 made in the first, closed to the thief in the second", false, dSwap, nil,
			[][]ins{seq(pays, brings, makes(xOwner, dAux, scam, xOwner)), {xTok.Close(dAux, xThief, xOwner)}}},
		{"K10 made in the first with the thief's close authority in the second", false, dSwap, nil,
			[][]ins{seq(pays, brings, makes(xOwner, dAux, dSOL, xOwner)),
				{xTok.SetAuthority(dAux, xOwner, 3, xThief)}}},
		{"K11 honest: made in the first, closed in the second", true, dSwap, nil,
			[][]ins{seq(pays, brings, makes(xOwner, dAux, scam, xOwner)), {xTok.Close(dAux, xOwner, xOwner)}}},
		{"K12 closed in the first, its rent goes in the second", false, dSwap, accs{xMyJUP: dJUP(xOwner, 0)},
			[][]ins{seq(pays, brings, []ins{xTok.Close(xMyJUP, xOwner, xOwner)}),
				{txbuild.Transfer(xOwner, xThief, xRent)}}},
		{"K13 3 SOL are wrapped in the first, and go in the second", false, dSwap, accs{xMyWSOL: dWSOL(xOwner, 0)},
			[][]ins{seq(pays, brings, []ins{txbuild.Transfer(xOwner, xMyWSOL, 3_000_000_000),
				xTok.SyncNative(xMyWSOL)}), {moveWSOL(xMyWSOL, dThWSOL, xOwner, 3_000_000_000)}}},
		{"K14 3 SOL are wrapped in the first, and closed to the thief in the second", false, dSwap,
			accs{xMyWSOL: dWSOL(xOwner, 0)}, [][]ins{seq(pays, brings,
				[]ins{txbuild.Transfer(xOwner, xMyWSOL, 3_000_000_000), xTok.SyncNative(xMyWSOL)}),
				{xTok.Close(xMyWSOL, xThief, xOwner)}}},
		{"K15 honest: 3 SOL are wrapped in the first, unwrapped in the second", true, dSwap,
			accs{xMyWSOL: dWSOL(xOwner, 0)}, [][]ins{seq(pays, brings,
				[]ins{txbuild.Transfer(xOwner, xMyWSOL, 3_000_000_000), xTok.SyncNative(xMyWSOL)}),
				{xTok.Close(xMyWSOL, xOwner, xOwner)}}},
		{"K16 approved in the first, taken in the second", false, dSwap, nil,
			[][]ins{seq(pays, brings, []ins{xTok.Approve(xMyJUP, xThief, xOwner, 900)}),
				{moveJUP(xMyJUP, dThJUP, xThief, 900)}}},
		{"K17 in between: JUP comes in the first, more goes in the second", false, dSwap, nil,
			[][]ins{seq(pays, []ins{moveJUP(dPoolJUP, xMyJUP, dPool, 77)}),
				seq(brings, []ins{moveJUP(xMyJUP, dThJUP, xOwner, 78)})}},
		{"K18 honest: in between, as much", true, dSwap, nil,
			[][]ins{seq(pays, []ins{moveJUP(dPoolJUP, xMyJUP, dPool, 77)}),
				seq(brings, []ins{moveJUP(xMyJUP, dPoolJUP, xOwner, 77)})}},
		{"K19 in between: JUP goes first, and comes back less", false, dSwap, nil,
			[][]ins{seq(pays, []ins{moveJUP(xMyJUP, dPoolJUP, xOwner, 77)}),
				seq(brings, []ins{moveJUP(dPoolJUP, xMyJUP, dPool, 76)})}},
		{"K20 two tips", false, intents(gets(xBONK, 5), tips(10_000)), nil,
			[][]ins{seq(pays, brings, []ins{txbuild.Transfer(xOwner, xFriend, 10_000)}),
				{txbuild.Transfer(xOwner, xThief, 10_000)}}},
		{"K21 honest: a tip in the second", true, intents(gets(xBONK, 5), tips(10_000)), nil,
			[][]ins{seq(pays, brings), {txbuild.Transfer(xOwner, xFriend, 10_000)}}},
	} {
		all = append(all, inSets(r.name+", told", r.honest, r.intent, r.start, true, r.calls...))
		all = append(all, inSets(r.name+", states", r.honest, r.intent, r.start, false, r.calls...))
	}
	runAttempts(t, all)
}
