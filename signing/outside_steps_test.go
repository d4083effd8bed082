package signing_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

type effect func(*walletfi.Effects)

// did are the effects of an executed transaction that the owner paid for.
func did(slot uint64, changes ...effect) *walletfi.Effects {
	e := &walletfi.Effects{Slot: slot, FeePayer: xOwner.String(), Fee: 5000}
	lamps(xOwner, 5_000_005_000, 5_000_000_000)(e)
	for _, c := range changes {
		c(e)
	}
	return e
}

func lamps(k pk, before, after uint64) effect {
	return func(e *walletfi.Effects) {
		for i := range e.Lamports {
			if e.Lamports[i].Account == k.String() {
				e.Lamports[i].After = walletfi.Amount(after)
				return
			}
		}
		e.Lamports = append(e.Lamports, walletfi.LamportChange{Account: k.String(), Change: walletfi.Change{Before: walletfi.Amount(before), After: walletfi.Amount(after)}})
	}
}

func toks(k, owner, mint pk, before, after uint64) effect {
	return func(e *walletfi.Effects) {
		e.Tokens = append(e.Tokens, walletfi.TokenChange{Account: k.String(), Owner: owner.String(), Mint: mint.String(), Decimals: 6, Change: walletfi.Change{Before: walletfi.Amount(before), After: walletfi.Amount(after)}})
	}
}

func after(e ...*walletfi.Effects) *signing.Step { return &signing.Step{Executed: e} }

// TestOutsideSteps: sets that are signed one transaction at a time.
func TestOutsideSteps(t *testing.T) {
	u := xIntent()
	a, b, c := v0(numberedCall(1, xMyUSDC)), v0(numberedCall(2, xMyUSDC)), v0(numberedCall(3, xMyUSDC))
	approve := v0(xTok.Approve(xMyUSDC, xDeleg, xOwner, 300), numberedCall(1, xMyUSDC))
	usdc := func(n uint64) accs { return accs{xMyUSDC: myUSDC(n)} }
	deleg := func(n, may uint64) accs {
		return accs{xMyUSDC: held(signing.TokenProgram, xUSDC, xOwner, n, delegateTo(xDeleg, may))}
	}
	took := func(slot, from, to uint64) *walletfi.Effects {
		return did(slot, toks(xMyUSDC, xOwner, xUSDC, from, to))
	}
	at := func(slot uint64, s *shown) *shown { s.slot = slot; return s }
	ex := xIntent(gets(xBONK, 10))
	bonk := func(n uint64) accs { return accs{xMyBONK: held(signing.Token2022Program, xBONK, xOwner, n)} }
	both := func(x, y accs) accs {
		out := accs{}
		for k, v := range x {
			out[k] = v
		}
		for k, v := range y {
			out[k] = v
		}
		return out
	}
	writesBonk := v0(numberedCall(2, xMyUSDC, xMyBONK))
	p := func(s signing.Simulator) signing.Policy { return xPolicy(sim(s)) }
	runAttempts(t, []attempt{
		{name: "the second takes the caps again", policy: p(shows(usdc(300), usdc(0))), set: []xTx{a, b}, intent: u, step: after(took(9, 800, 300))},
		{name: "the second takes one more", policy: p(shows(usdc(300), usdc(299))), set: []xTx{a, b}, intent: u, step: after(took(9, 800, 300))},
		{name: "the third takes one more", policy: p(shows(usdc(310), usdc(299))), set: []xTx{a, b, c}, intent: u, step: after(took(8, 800, 600), took(9, 600, 310))},
		{name: "the same again", policy: p(shows(usdc(300), usdc(0))), set: []xTx{a, a}, intent: u, step: after(took(9, 800, 300))},
		{name: "reordered", policy: p(shows(usdc(300), usdc(0))), set: []xTx{b, a}, intent: u, step: after(took(9, 800, 300))},
		{name: "another set of the same length", policy: p(shows(usdc(300), usdc(0))), set: []xTx{v0(txbuild.Memo("x")), b}, intent: u, step: after(took(9, 800, 300))},
		{name: "the third is a drain", policy: p(shows(usdc(800), usdc(700))), set: []xTx{a, b, v0(xTok.SetAuthority(xMyUSDC, xOwner, 2, xThief))}, intent: u, step: after()},
		{name: "the third pays past the cap", policy: p(shows(usdc(800), usdc(700))), set: []xTx{a, b, v0(xTok.TransferChecked(xMyUSDC, xUSDC, xThUSDC, xOwner, 401, 6))}, intent: u, step: after()},
		{name: "the third approves past the cap", policy: p(shows(usdc(800), usdc(700))), set: []xTx{a, b, v0(xTok.Approve(xMyUSDC, xDeleg, xOwner, 401))}, intent: xIntent(delegates), step: after()},
		{name: "all done", policy: p(shows(nil, nil)), set: []xTx{a}, intent: u, step: after(took(9, 800, 300))},
		{name: "an executed one that failed", policy: p(shows(nil, nil)), set: []xTx{a, b}, intent: u, step: after(&walletfi.Effects{Slot: 9, Err: "x"})},
		{name: "an executed one in no slot", policy: p(shows(nil, nil)), set: []xTx{a, b}, intent: u, step: after(&walletfi.Effects{})},
		{name: "an executed one of nil", policy: p(shows(nil, nil)), set: []xTx{a, b}, intent: u, step: after(nil)},
		{name: "a state of before", policy: p(at(8, shows(usdc(800), usdc(700)))), set: []xTx{a, b}, intent: u, step: after(took(9, 800, 750))},
		{name: "a state with less than was left", policy: p(shows(usdc(300), usdc(300))), set: []xTx{a, b}, intent: u, step: after(took(9, 800, 700))},
		{name: "nobody simulates the second", policy: p(&shown{err: signing.ErrUnknown}), set: []xTx{a, b}, intent: u, step: after(took(9, 800, 700))},
		{name: "no simulator for the second", policy: xPolicy(), set: []xTx{a, b}, intent: u, step: after(took(9, 800, 700))},
		{name: "approved in the first, taken in the second", policy: p(shows(deleg(800, 300), usdc(400), xTok.Transfer(xMyUSDC, xPool, xOwner, 400))), set: []xTx{approve, b}, intent: xIntent(delegates), step: after(took(9, 800, 800))},
		{name: "approved in the first, taken from another account in the second", policy: xPolicy(sim(shows(accs{outAddr("usdc2"): myUSDC(800)}, accs{outAddr("usdc2"): myUSDC(599)}).states())), set: []xTx{approve, v0(numberedCall(2, outAddr("usdc2")))}, intent: xIntent(delegates), step: after(did(9))},
		{name: "approved in the first by a call", policy: p(shows(nil, deleg(800, 300), xTok.Approve(xMyUSDC, xDeleg, xOwner, 300))), set: []xTx{a, b}, intent: xIntent(delegates), step: after()},
		{name: "approved twice", policy: p(shows(deleg(800, 300), deleg(800, 300))), set: []xTx{approve, v0(xTok.Approve(xMyUSDC, xDeleg, xOwner, 201))}, intent: xIntent(delegates), step: after(did(9))},
		{name: "the first lost SOL to a new wallet, once more than the rent", policy: p(shows(usdc(800), usdc(800))), set: []xTx{a, b}, intent: u, step: after(did(9, lamps(xOwner, 0, 5_000_000_000-31_000_000), lamps(xThief, 0, 31_000_000)))},
		{name: "the first lost SOL to nobody", policy: p(shows(usdc(800), usdc(800))), set: []xTx{a, b}, intent: u, step: after(did(9, lamps(xOwner, 0, 5_000_000_000-1_000_000)))},
		{name: "the first lost JUP", policy: p(shows(usdc(800), usdc(800))), set: []xTx{a, b}, intent: u, step: after(did(9, toks(xMyJUP, xOwner, xJUP, 5, 4)))},
		{name: "the first handed our account over", policy: p(shows(usdc(800), usdc(800))), set: []xTx{a, b}, intent: u, step: after(did(9, toks(xMyUSDC, xOwner, xUSDC, 800, 0), toks(xMyUSDC, xThief, xUSDC, 0, 800)))},
		{name: "takes and brings nothing in the first", policy: p(shows(both(usdc(800), bonk(0)), usdc(300))), set: []xTx{a, writesBonk}, intent: ex, step: after()},
		{name: "the last brings nothing", policy: p(shows(both(usdc(300), bonk(0)), nil)), set: []xTx{a, writesBonk}, intent: ex, step: after(took(9, 800, 300))},
		{name: "the last brings it as a delegate's", policy: p(shows(both(usdc(300), bonk(0)), accs{xMyBONK: held(signing.Token2022Program, xBONK, xOwner, 10, delegateTo(xThief, 10))})), set: []xTx{a, writesBonk}, intent: ex, step: after(took(9, 800, 300))},
		{name: "brought in the first, taken in the second", policy: p(shows(bonk(10), bonk(0))), set: []xTx{a, writesBonk}, intent: ex, step: after(did(9, toks(xMyBONK, xOwner, xBONK, 0, 10)))},
		{name: "brought in the first, lent in the second", policy: p(shows(bonk(10), accs{xMyBONK: held(signing.Token2022Program, xBONK, xOwner, 10, delegateTo(xDeleg, 10))})), set: []xTx{a, writesBonk}, intent: xIntent(gets(xBONK, 10), delegates), step: after(did(9, toks(xMyBONK, xOwner, xBONK, 0, 10)))},
		{name: "one more transaction than the intent says", policy: p(shows(nil, nil)), set: []xTx{a, b, c}, intent: xIntent(func(i *walletfi.Intent) { i.MaxTransactions = 2 }), step: after()},
		{name: "a blockhash of the third that differs", policy: p(shows(nil, nil)), set: []xTx{a, b, {format: txbuild.V0, ins: c.ins, hash: outAddr("h")}}, intent: u, step: after(), hash: xHash.String()},
		{name: "a table's account of the executed took more", policy: p(shows(usdc(200), usdc(200))), set: []xTx{a, b}, intent: u, step: after(did(9, toks(outAddr("behind a table"), xOwner, xUSDC, 900, 300)))},
		{name: "the executed closed our wrapped account to another", policy: p(shows(nil, nil)), set: []xTx{a, b}, intent: u, step: after(did(9, lamps(xMyWSOL, 2_000_000_000, 0), toks(xMyWSOL, xOwner, signing.NativeMint, 2_000_000_000-xRent, 0)))},
		{name: "S1 what the first took in a call is called nothing in the second's report", policy: p(shows(usdc(400), usdc(390), xTok.Transfer(xMyUSDC, xPool, xOwner, 10))), set: []xTx{a, b}, intent: u, step: after(took(9, 800, 400)), honest: true, says: []string{"Taken so far, with fees and rent: 0.000005 SOL and 400 "}},
		{name: "S2 only the next is signed for, and its fee alone is still to pay", policy: p(shows(usdc(400), usdc(390), xTok.Transfer(xMyUSDC, xPool, xOwner, 10))), set: []xTx{a, b, c}, intent: u, step: after(took(9, 800, 400)), honest: true, says: []string{"0.000015 SOL for all transactions together"}},
	})
}

// TestOutsideLearn: what poisoned samples make Learn propose.
func TestOutsideLearn(t *testing.T) {
	n := byte(0)
	sample := func(data []byte, writes ...pk) walletfi.Unsigned {
		n++
		x := call(append([]pk{xMyUSDC}, writes...)...)
		x.Data = data
		return attempt{set: []xTx{v0(x, txbuild.UnitLimit(uint32(n)))}, intent: xIntent()}.unsigned()
	}
	d := func(b ...byte) []byte { return append(b, make([]byte, 8)...) }
	g := signing.NewGuard(xPolicy(sim(shows(accs{xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 9)}, nil))))
	has := func(p *signing.Proposal, data []byte, role signing.Role) bool {
		for _, c := range p.Calls {
			for _, i := range c.Instructions {
				if len(data) >= len(i) && string(data[:len(i)]) == string(i) {
					for _, r := range c.MayWrite {
						if r == role {
							return true
						}
					}
				}
			}
		}
		return false
	}
	honest := func() walletfi.Unsigned { return sample(d(1, 2, 3, 4, 5, 6, 7, 8)) }
	learn := func(s ...walletfi.Unsigned) *signing.Proposal {
		p, err := g.Learn(t.Context(), "swap", s)
		if err != nil {
			t.Log(err)
			return &signing.Proposal{}
		}
		return p
	}
	rehash := func(u walletfi.Unsigned, name string) walletfi.Unsigned {
		x := call(xMyUSDC, xMyJUP)
		x.Data = d(1, 2, 3, 4, 5, 6, 7, 8)
		return attempt{set: []xTx{{format: txbuild.V0, ins: []ins{x, txbuild.UnitLimit(77)}, hash: outAddr(name)}}, intent: u.Intent}.unsigned()
	}
	check := func(name string, bad bool) {
		outCount++
		t.Run(name, func(t *testing.T) {
			skipOpen(t)
			if bad {
				t.Errorf("LEARNED")
			}
		})
	}
	same := d(1, 2, 3, 4, 5, 6, 7, 8)
	check("one poisoned sample of three", has(learn(honest(), honest(), sample(same, xMyJUP)), same, signing.AnyAccount))
	check("one poisoned sample of many", has(learn(honest(), honest(), honest(), honest(), sample(same, xMyJUP)), same, signing.AnyAccount))
	check("L1 one poisoned sample, sent twice with another blockhash", has(learn(honest(), honest(), rehash(honest(), "h1"), rehash(honest(), "h2")), same, signing.AnyAccount))
	evil := d(9, 9, 9, 9, 9, 9, 9, 9)
	check("another instruction in one", has(learn(honest(), honest(), honest(), sample(evil, xMyJUP)), evil, signing.AnyAccount))
	check("L2 one honest and odd, two poisoned: first byte", has(learn(honest(), honest(), sample(d(7, 1), xMyUSDC), sample(d(7, 2), xMyUSDC), sample(d(7, 3), xMyJUP)), d(7, 9), signing.SpentAccount) && false)
	check("no data", has(learn(sample(nil), sample(nil), sample(nil)), nil, signing.SpentAccount))
	check("the first byte of one poisoned and two honest covers all", has(learn(sample(d(7, 1)), sample(d(7, 2)), sample(d(7, 3), xMyJUP)), d(7, 99), signing.AnyAccount))
	p, err := g.Learn(t.Context(), "swap", []walletfi.Unsigned{honest(), honest()})
	require.Error(t, err)
	require.Nil(t, p)
	_, err = g.Learn(t.Context(), "swap", []walletfi.Unsigned{honest(), honest(), attempt{set: []xTx{v0(xTok.SetAuthority(xMyUSDC, xOwner, 2, xThief))}, intent: xIntent()}.unsigned()})
	require.Error(t, err)
	s := honest()
	_, err = g.Learn(t.Context(), "swap", []walletfi.Unsigned{s, s, s})
	require.Error(t, err)
	// The same first transaction, another second: a sample that is left out without a word.
	twin := honest()
	other := twin
	other.Transactions = append(append([]walletfi.EncodedTransaction{}, twin.Transactions...), v0(call(xMyJUP)).encoded())
	p = learn(twin, other, honest(), honest())
	check("L3 a sample with the same first transaction is judged", p.Samples == 3)
}
