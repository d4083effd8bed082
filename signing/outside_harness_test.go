package signing_test

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

type (
	pk    = signing.PublicKey
	ins   = txbuild.Instruction
	state = signing.AccountState
	accs  = map[pk]state
)

func outKey(name string) *signing.LocalKey {
	seed := sha256.Sum256([]byte("outside " + name))
	k, err := signing.NewLocalKeyFromSeed(seed[:])
	if err != nil {
		panic(err)
	}
	return k
}

func outPrivate(name string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte("outside " + name))
	return ed25519.NewKeyFromSeed(seed[:])
}

func outAddr(name string) pk { return pk(sha256.Sum256([]byte("outside address " + name))) }

var (
	xKey     = outKey("owner")
	xOwner   = xKey.PublicKey()
	xUSDC    = outAddr("usdc")
	xBONK    = outAddr("bonk") // Token-2022, which no intent names unless it says so
	xJUP     = outAddr("jup")
	xProg    = outAddr("pinned program")
	xRogue   = outAddr("rogue")
	xThief   = outAddr("thief")
	xPool    = outAddr("pool")
	xFriend  = outAddr("friend")
	xSponsor = outKey("sponsor").PublicKey()
	xFresh   = outKey("fresh").PublicKey()
	xDeleg   = outAddr("named delegate")
	xHash    = outAddr("blockhash")
	xMyUSDC  = signing.AssociatedTokenAddress(xOwner, xUSDC, signing.TokenProgram)
	xMyBONK  = signing.AssociatedTokenAddress(xOwner, xBONK, signing.Token2022Program)
	xMyJUP   = signing.AssociatedTokenAddress(xOwner, xJUP, signing.TokenProgram)
	xMyWSOL  = signing.AssociatedTokenAddress(xOwner, signing.NativeMint, signing.TokenProgram)
	xThUSDC  = signing.AssociatedTokenAddress(xThief, xUSDC, signing.TokenProgram)
	xFrUSDC  = signing.AssociatedTokenAddress(xFriend, xUSDC, signing.TokenProgram)

	xTok = txbuild.Token{Program: signing.TokenProgram}
	xT22 = txbuild.Token{Program: signing.Token2022Program}
)

const xRent = 2_039_280

// xTx is a transaction of a set.
type xTx struct {
	format txbuild.Format
	payer  pk
	ins    []ins
	tables []txbuild.Table
	by     []string // signed already
	hash   pk
}

func (x xTx) encoded() walletfi.EncodedTransaction {
	t := txbuild.Transaction{Format: x.format, Payer: x.payer, Blockhash: x.hash, Instructions: x.ins, Tables: x.tables}
	if x.payer.IsZero() {
		t.Payer = xOwner
	}
	if x.hash.IsZero() {
		t.Blockhash = xHash
	}
	b := t.Bytes()
	for _, n := range x.by {
		s := t.SignBy(outPrivate(n))
		for i := range b {
			b[i] |= s[i]
		}
	}
	return walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(b))
}

func v0(i ...ins) xTx { return xTx{format: txbuild.V0, ins: i} }

// xSwap spends 500 USDC.
func xIntent(change ...func(*walletfi.Intent)) walletfi.Intent {
	i := walletfi.Intent{Service: "swap", Owner: xOwner.String(), Spend: []walletfi.Asset{{Mint: xUSDC.String(), Amount: 500}}}
	for _, f := range change {
		f(&i)
	}
	return i
}

func spends(mint pk, n uint64) func(*walletfi.Intent) {
	return func(i *walletfi.Intent) {
		i.Spend = append(i.Spend, walletfi.Asset{Mint: mint.String(), Amount: walletfi.Amount(n)})
	}
}

func onlySpends(list ...walletfi.Asset) func(*walletfi.Intent) {
	return func(i *walletfi.Intent) { i.Spend = list }
}

func gets(mint pk, n uint64) func(*walletfi.Intent) {
	return func(i *walletfi.Intent) {
		i.Receive = append(i.Receive, walletfi.Asset{Mint: mint.String(), Amount: walletfi.Amount(n)})
	}
}

func xPolicy(change ...func(*signing.Policy)) signing.Policy {
	p := signing.Policy{Pins: map[string][]pk{"swap": {xProg}}}
	for _, f := range change {
		f(&p)
	}
	return p
}

func blindly(p *signing.Policy) { p.AllowBlind = []string{"swap"} }

func sim(s signing.Simulator) func(*signing.Policy) {
	return func(p *signing.Policy) { p.Simulator = s }
}

func typedPin(may ...signing.Role) func(*signing.Policy) {
	return func(p *signing.Policy) {
		p.TypedPins = map[string][]signing.Pin{"swap": {{Program: xProg, Instructions: []signing.Discriminator{{1}}, MayWrite: may}}}
	}
}

// call is a pinned call with our signature.
func call(writes ...pk) ins {
	accounts := []txbuild.Account{txbuild.WritableSigner(xOwner)}
	for _, k := range writes {
		accounts = append(accounts, txbuild.Writable(k))
	}
	return txbuild.Call(xProg, []byte{1}, accounts...)
}

func numberedCall(n byte, writes ...pk) ins {
	c := call(writes...)
	c.Data = []byte{1, n}
	return c
}

// xTok state
func held(program, mint, owner pk, n uint64, change ...func([]byte)) state {
	d := make([]byte, 165)
	copy(d, mint[:])
	copy(d[32:], owner[:])
	binary.LittleEndian.PutUint64(d[64:], n)
	d[108] = 1
	for _, f := range change {
		f(d)
	}
	s := state{Lamports: xRent, Owner: program, Data: d}
	if mint == signing.NativeMint {
		s.Lamports += walletfi.Amount(n)
	}
	return s
}

func delegateTo(k pk, n uint64) func([]byte) {
	return func(d []byte) {
		binary.LittleEndian.PutUint32(d[72:], 1)
		copy(d[76:], k[:])
		binary.LittleEndian.PutUint64(d[121:], n)
	}
}

func closeBy(k pk) func([]byte) {
	return func(d []byte) {
		binary.LittleEndian.PutUint32(d[129:], 1)
		copy(d[133:], k[:])
	}
}

func myUSDC(n uint64) state { return held(signing.TokenProgram, xUSDC, xOwner, n) }

// shown plays what is before and after.
type shown struct {
	before, after accs
	inner         []signing.InnerInstruction
	statesOnly    bool
	slot          uint64
	err           error
	fails         string
}

// shows begins with an owner of 5 SOL and 800 USDC; the fee is paid.
func shows(before, after accs, inner ...ins) *shown {
	s := &shown{before: accs{xOwner: {Lamports: 5_000_000_000}, xMyUSDC: myUSDC(800)},
		after: accs{xOwner: {Lamports: 5_000_000_000 - 5000}}, slot: 9}
	for k, v := range before {
		s.before[k] = v
	}
	for k, v := range after {
		s.after[k] = v
	}
	for _, i := range inner {
		s.inner = append(s.inner, innerOf(0, i))
	}
	return s
}

func innerOf(outer int, i ins) signing.InnerInstruction {
	in := signing.InnerInstruction{Outer: outer, Program: i.Program, Data: i.Data}
	for _, a := range i.Accounts {
		in.Accounts = append(in.Accounts, a.Key)
	}
	return in
}

func (s *shown) at(outer int) *shown {
	for i := range s.inner {
		s.inner[i].Outer = outer
	}
	return s
}

func (s *shown) states() *shown { s.statesOnly = true; return s }

func (s *shown) Simulate(_ context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	if s.err != nil {
		return nil, s.err
	}
	out := &signing.Simulation{Slot: s.slot, StatesOnly: s.statesOnly, Err: s.fails}
	if !s.statesOnly {
		out.Inner = s.inner
	}
	for _, k := range r.Accounts {
		b, a := s.before[k], s.before[k]
		if x, ok := s.after[k]; ok {
			a = x
		}
		out.Before, out.After = append(out.Before, b), append(out.After, a)
	}
	return out, nil
}

// bundle plays one after another, the later ones by states alone as simulateBundle does.
type bundle []*shown

func (b bundle) Simulate(ctx context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	return b[0].Simulate(ctx, r)
}

func (b bundle) SimulateAfter(ctx context.Context, earlier []*signing.Transaction, r signing.SimulationRequest) (*signing.Simulation, error) {
	return b[len(earlier)].Simulate(ctx, r)
}

// attempt is one that must be refused unless honest.
type attempt struct {
	name   string
	policy signing.Policy
	set    []xTx
	intent walletfi.Intent
	step   *signing.Step
	opts   []signing.Option
	honest bool
	rule   signing.Rule // if it matters
	known  string       // a stated limit: signed, and why
	says   []string     // the report's text must have
	not    []string     // and must not
	hash   string
	end    uint64
}

func (a attempt) unsigned() walletfi.Unsigned {
	u := walletfi.Unsigned{Intent: a.intent, Blockhash: a.hash, LastValidBlockHeight: a.end}
	for _, x := range a.set {
		u.Transactions = append(u.Transactions, x.encoded())
	}
	return u
}

func (a attempt) run(ctx context.Context) (signed bool, r *signing.Report, err error) {
	g := signing.NewGuard(a.policy)
	if a.step != nil {
		var tx *signing.Transaction
		tx, r, err = g.SignStep(ctx, a.unsigned(), a.bound(), xKey, a.opts...)
		return err == nil && tx != nil, r, err
	}
	txs, r, err := g.SignSet(ctx, a.unsigned(), xKey, a.opts...)
	return err == nil && len(txs) > 0, r, err
}

// bound is the step whose executions have the signatures of the set's transactions, but for those that
// name one of their own.
func (a attempt) bound() (s signing.Step) {
	for i, e := range a.step.Executed {
		if e != nil && e.Signature == "" && i < len(a.set) {
			named := *e
			tx, err := signing.Decode(a.set[i].encoded())
			if err == nil && tx.FeePayer() == xOwner {
				signature, _ := xKey.Sign(context.Background(), tx.Message())
				named.Signature = signature.String()
			}
			e = &named
		}
		s.Executed = append(s.Executed, e)
	}
	return s
}

var outCount, outHonest int

func runAttempts(t *testing.T, list []attempt) {
	t.Helper()
	names := map[string]bool{}
	for _, a := range list {
		require.False(t, names[a.name], a.name)
		names[a.name] = true
		if a.honest {
			outHonest++
		} else {
			outCount++
		}
		t.Run(a.name, func(t *testing.T) {
			skipOpen(t)
			signed, r, err := a.run(t.Context())
			if os.Getenv("OUT_TEXT") != "" && r != nil {
				t.Log("\n" + r.Text())
			}
			switch {
			case a.honest && !signed:
				t.Errorf("FALSE REFUSAL: %v", err)
			case !a.honest && signed && a.known == "":
				t.Errorf("SIGNED\n%s", r.Text())
			case !a.honest && !signed && a.known != "":
				t.Errorf("no longer signed: %v", err)
			case !signed:
				var g *signing.GuardError
				if errors.As(err, &g) {
					if a.rule != "" && g.Rule != a.rule {
						t.Errorf("refused by %s: %v", g.Rule, err)
					}
					t.Logf("%s: %v", g.Rule, err)
				} else {
					t.Logf("error: %v", err)
				}
			}
			if r != nil {
				for _, s := range a.says {
					if !strings.Contains(r.Text(), s) {
						t.Errorf("REPORT does not say %q:\n%s", s, r.Text())
					}
				}
				for _, s := range a.not {
					if strings.Contains(r.Text(), s) {
						t.Errorf("REPORT says %q:\n%s", s, r.Text())
					}
				}
			}
		})
	}
}
