package signing_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

var (
	dPool     = outAddr("pool authority")
	dPoolUSDC = outAddr("pool usdc")
	dPoolBONK = outAddr("pool bonk")
	dPoolJUP  = outAddr("pool jup")
	dPoolWSOL = outAddr("pool wsol")
	dThBONK   = outAddr("thief's bonk")
	dThJUP    = outAddr("thief's jup")
	dThWSOL   = outAddr("thief's wsol")
	dVault    = outAddr("smart vault")
	dVaultJUP = signing.AssociatedTokenAddress(dVault, xJUP, signing.TokenProgram)
	dAux      = outAddr("aux")
	dOrder    = outAddr("order")
	dFrBONK   = signing.AssociatedTokenAddress(xFriend, xBONK, signing.Token2022Program)
	dKey      = outKey("maker").PublicKey()
	dSOL      = signing.NativeMint
)

const dOwnerSOL = 5_000_000_000

func dUSDC(owner pk, n uint64, c ...func([]byte)) state {
	return held(signing.TokenProgram, xUSDC, owner, n, c...)
}

func dJUP(owner pk, n uint64, c ...func([]byte)) state {
	return held(signing.TokenProgram, xJUP, owner, n, c...)
}

func dWSOL(owner pk, n uint64, c ...func([]byte)) state {
	return held(signing.TokenProgram, dSOL, owner, n, func(d []byte) { d[109], d[113] = 1, 0 }, func(d []byte) {
		for _, f := range c {
			f(d)
		}
	})
}

func dBONK(owner pk, n uint64, c ...func([]byte)) state {
	return held(signing.Token2022Program, xBONK, owner, n, c...)
}

// world is how an attempt begins: 5 SOL, 800 USDC, 10 BONK and 900 JUP of ours, a pool, and a thief's accounts.
func world(more accs) accs {
	w := accs{
		xOwner: solNow(dOwnerSOL), xMyUSDC: dUSDC(xOwner, 800), xMyBONK: dBONK(xOwner, 10), xMyJUP: dJUP(xOwner, 900),
		dPool: solNow(100_000_000_000), dPoolUSDC: dUSDC(dPool, 100_000), dPoolBONK: dBONK(dPool, 100_000),
		dPoolJUP: dJUP(dPool, 100_000), dPoolWSOL: dWSOL(dPool, 9_000_000_000),
		xThief: solNow(1_000_000_000), xThUSDC: dUSDC(xThief, 0), dThBONK: dBONK(xThief, 0), dThJUP: dJUP(xThief, 0),
		dThWSOL: dWSOL(xThief, 0), xFrUSDC: dUSDC(xFriend, 0), xFriend: solNow(1_000_000_000),
		dKey: solNow(1_000_000_000),
	}
	maps.Copy(w, more)
	return w
}

func moveUSDC(from, to, by pk, n uint64) ins { return xTok.TransferChecked(from, xUSDC, to, by, n, 6) }
func moveJUP(from, to, by pk, n uint64) ins  { return xTok.TransferChecked(from, xJUP, to, by, n, 6) }
func moveBONK(from, to, by pk, n uint64) ins { return xT22.TransferChecked(from, xBONK, to, by, n, 6) }
func moveWSOL(from, to, by pk, n uint64) ins { return xTok.TransferChecked(from, dSOL, to, by, n, 9) }

// swaps are the calls of an honest swap of 500 USDC for 5 BONK, and what follows.
func swaps(more ...ins) []ins {
	return append([]ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500), moveBONK(dPoolBONK, xMyBONK, dPool, 5)}, more...)
}

var dSwap = []func(*walletfi.Intent){gets(xBONK, 5)}

// trial is one script, shown in each of the ways that a simulator has.
type trial struct {
	name     string
	intent   []func(*walletfi.Intent) // in addition to at most 500 USDC
	policy   []func(*signing.Policy)
	start    accs
	before   []ins // the transaction's own, before and after its call
	inner    []ins
	pokes    pokes
	after    []ins
	writes   []pk     // further accounts of the call
	by       []string // further keys that sign
	honest   bool
	modes    []string // nil for all
	alone    bool     // no reader
	known    string
	payer    pk
	readonly []pk
	says     []string
	not      []string
}

// tellsAll are the ways that tell the calls.
var tellsAll = []string{"told", "second told", "step"}

var dModes = []string{"told", "states", "second", "second told", "step"}

func (w trial) transaction() xTx {
	c := call()
	seen := []pk{xOwner}
	signers := map[pk]bool{}
	for _, n := range w.by {
		signers[outKey(n).PublicKey()] = true
	}
	name := func(k pk) {
		if slices.Contains(seen, k) || slices.Contains(w.readonly, k) {
			return
		}
		seen = append(seen, k)
		c.Accounts = append(c.Accounts, txbuild.Account{Key: k, Writable: true, Signer: signers[k]})
	}
	for _, i := range w.inner {
		for _, a := range i.Accounts {
			name(a.Key)
		}
	}
	for k := range w.pokes {
		name(k)
	}
	for _, k := range w.writes {
		name(k)
	}
	for _, k := range w.readonly {
		c.Accounts = append(c.Accounts, txbuild.Readonly(k))
	}
	x := v0(append(append(slices.Clone(w.before), c), w.after...)...)
	x.by, x.payer, x.format = w.by, w.payer, txbuild.Formats[len(w.name)%3]
	return x
}

func (w trial) attempts() (list []attempt) {
	modes := w.modes
	if modes == nil {
		modes = dModes
	}
	start := world(w.start)
	reads := &reading{accounts: start}
	main := played{tx: w.transaction(), inner: w.inner, pokes: w.pokes}
	memo := played{tx: v0(txbuild.Memo("first"))}
	for _, m := range modes {
		a := attempt{name: w.name + ", " + m, intent: xIntent(w.intent...), honest: w.honest, known: w.known,
			says: w.says, not: w.not}
		s := &script{start: start, set: []played{main}, states: m == "states"}
		node := signing.Simulator(s)
		switch m {
		case "second", "second told":
			s.set, s.untold = []played{memo, main}, m == "second"
			node = inOrder{s}
		case "step":
			s.set = []played{memo, main}
			a.step = after(did(9))
		}
		p := xPolicy(sim(node))
		if !w.alone {
			p.Resolver = reads
		}
		for _, f := range w.policy {
			f(&p)
		}
		a.policy = p
		for _, x := range s.set {
			a.set = append(a.set, x.tx)
		}
		list = append(list, a)
	}
	return list
}

func runTrials(t *testing.T, trials []trial) {
	t.Helper()
	var all []attempt
	for _, w := range trials {
		s := &script{start: world(w.start), set: []played{{tx: w.transaction(), inner: w.inner, pokes: w.pokes}}}
		if err := s.at(1).err; err != nil {
			t.Fatalf("%s: the chain would not run it: %v", w.name, err)
		}
		all = append(all, w.attempts()...)
	}
	runAttempts(t, all)
}
