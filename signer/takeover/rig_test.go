package takeover

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

const (
	sol = 1_000_000_000
	tok = 1_000_000
)

// The mints: usdc of the first token program, late of the second, and junk without a ceiling.
var usdc, late, junk, wsol = named("usdc"), named("late"), named("junk"), signing.NativeMint

func programOf(mint key) key {
	if mint == late {
		return signing.Token2022Program
	}
	return signing.TokenProgram
}

func decimals(mint key) int {
	if mint == wsol {
		return 9
	}
	return 6
}

func ata(owner, mint key) key { return signing.AssociatedTokenAddress(owner, mint, programOf(mint)) }

// secret is a key that follows from its name.
func secret(name string) *signing.LocalKey {
	seed := named("secret", name)
	k, err := signing.NewLocalKeyFromSeed(seed[:])
	if err != nil {
		panic(err)
	}
	return k
}

func public(name string) key { return secret(name).PublicKey() }

// Who is on the ledger: two owners, two payees, and strangers that the client has keys of.
var (
	alice, bob, shop, friend          = public("alice"), public("bob"), public("shop"), public("friend")
	thief, relay, sponsor, feeAccount = public("thief"), public("relay"), public("sponsor"), public("fee")
	nonce, table                      = named("nonce"), named("table")
	second                            = map[key]key{alice: named("second", "a"), bob: named("second", "b")}
)

// A limit is the most that may leave at once, and within a minute, ten minutes and an hour.
type limit struct {
	transaction, minute, ten, hour int64
}

// limits are those that the policy states and the court holds: of each owner and payee, by mint, in
// hundredths of a token or of SOL.
var limits = map[key]map[key]limit{
	alice: {wsol: {100, 200, 400, 800}, usdc: {10000, 15000, 30000, 60000}, late: {5000, 10000, 20000, 50000}},
	bob:   {wsol: {50, 100, 200, 300}, usdc: {5000, 8000, 12000, 20000}},
	all:   {wsol: {50, 150, 200, 300}, usdc: {2000, 6000, 9000, 14000}},
	shop:  {wsol: {90, 190, 380, 700}, usdc: {10000, 12000, 27000, 50000}},
}

// made and summed are the limits of each owner that the client has made, and of all of them.
var (
	made = map[key]limit{wsol: {50, 80, 120, 200}, usdc: {2000, 3000, 5000, 8000}}
	all  = named("all that were made")
)

const mostMade, madeInTen, madeInHour = 6, 2, 4

// limitsOf are the limits of an owner or a payee.
func limitsOf(k key) map[key]limit {
	if l, ok := limits[k]; ok {
		return l
	}
	return made
}

// exposures are how much of a mint may be in reach of unproven code.
var exposures = map[key]map[key]int64{
	alice: {wsol: 6000, usdc: 110000, late: 150000},
	bob:   {wsol: 500, usdc: 10000},
}

func unit(mint key) int64 {
	if mint == wsol {
		return sol / 100
	}
	return tok / 100
}

const (
	feeMost, tipMost, rentMost, foreignMost = 100_000, 2_000_000, 10_000_000, 2_039_280
)

func mintName(mint key) string {
	if mint == wsol {
		return "SOL"
	}
	return mint.String()
}

// A plan says how a run is set up, besides the client's choices. The zero value is one honest node.
// The last members are faults that a test plants, to see that the court finds them.
type plan struct {
	nodes, liars int // nodes besides the first, and how many of the last lie
	lie          lie
	early        bool // there are permissions from before the signer
	hoards       bool // the client sends nothing before the end
	drains       bool // the client fills every window, at once and again
	flaky        bool // the first node fails now and then
	turns        bool // the programs of strangers take all they can in the end

	ceilings, exposures int64 // how many times more the policy allows than the court, 0 for as much
	halved              bool  // the longer windows of the policy are half as long
	undying             bool  // the ledger executes at any age, and its nodes deny it
	thaws               bool  // somebody thaws at once, and the court does not know
	forgets             bool  // the log has lost the first signature
	withAnchor          bool  // an old copy is restored together with its anchor
}

// policy is the text of the policy.
func (q plan) policy() string {
	times, more, short := max(q.ceilings, 1), max(q.exposures, 1), time.Minute
	if q.halved {
		short /= 2
	}
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("version = 1\ngenesis = %q\nadmins = [7]\nrescue = [%q]", named("genesis"), friend)
	p("fee_receivers = [%q]\nsponsors = [%q]", feeAccount, sponsor)
	p("[fees]\nnetwork = %d\ntip = %d\nrent = %d\nforeign_rent = %d", feeMost, tipMost, rentMost, foreignMost)
	ceilings := func(whose string, k key) {
		for _, mint := range []key{wsol, usdc, late} {
			l, ok := limitsOf(k)[mint]
			if !ok {
				continue
			}
			u := unit(mint) * times
			p("[[%s]]\nmint = %q\ntransaction = %d", whose, mintName(mint), l.transaction*u)
			p("window = [{length = \"%v\", most = %d}, {length = \"%v\", most = %d}, {length = \"%v\", most = %d}]",
				time.Minute, l.minute*u, 10*short, l.ten*u, 60*short, l.hour*u)
		}
	}
	for _, o := range []string{"alice", "bob"} {
		k := public(o)
		p("[[owner]]\nname = %q\nkey = %q\nnonces = [%q]", o, k, nonce)
		p("[[owner.account]]\naddress = %q\nmint = %q", second[k], usdc)
		ceilings("owner.ceiling", k)
		for _, mint := range []key{wsol, usdc, late} {
			if most, ok := exposures[k][mint]; ok {
				p("[[owner.exposure]]\nmint = %q\nmost = %d", mintName(mint), most*more*unit(mint))
			}
		}
	}
	p("[[template]]\nname = \"users\"\nmost = %d", mostMade)
	p("made = [{length = \"10m\", most = %d}, {length = \"1h\", most = %d}]", madeInTen, madeInHour)
	ceilings("template.ceiling", key{})
	ceilings("template.sum", all)
	for i, share := range []int{100, 40} {
		p("[[client]]\nname = \"c%d\"\nuid = %d\nowners = [\"alice\", \"bob\"]", i, 1000+i)
		p("services = [\"\", \"lending\", \"amm\"]\nshare = %d\nrate = 1000", share)
		p("templates = [\"users\"]")
	}
	p("[[payee]]\nname = \"shop\"\naddress = %q", shop)
	ceilings("payee.ceiling", shop)
	p("[[payee]]\nname = \"friend\"\naddress = %q", friend)
	pins := func(program key, ours bool) {
		for _, ins := range []string{deposits, withdraws, borrows, repays} {
			p("[[service.pin]]\nprogram = %q\ninstructions = [\"%x\"]", program, ins)
			p("may_write = [\"owner\", \"spent\", \"received\", \"named\"]")
			if ours {
				p("must_be_ours = [1]")
			}
		}
	}
	p("[[service]]\nname = \"lending\"")
	pins(vault, true)
	p("[[service]]\nname = \"amm\"\nblind = true")
	pins(wild, false)
	return b.String()
}

// fund puts the accounts on the ledger.
func (c *chain) fund(early bool) {
	set := func(k key, lamports uint64) { c.accounts[k] = account{lamports: lamports} }
	hold := func(at, owner, mint key, amount uint64) token {
		lamports := uint64(rent)
		if mint == wsol {
			lamports += amount
		}
		data := with(opened(mint, owner, programOf(mint), lamports), 64, amount)
		c.accounts[at] = account{lamports, programOf(mint), data}
		return data
	}
	for _, mint := range []key{usdc, late, junk, wsol} {
		data := make([]byte, 82)
		data[44], data[45] = byte(decimals(mint)), 1
		c.accounts[mint] = account{1_461_600, programOf(mint), data}
		hold(named("pool", mint.String()), named("vaults"), mint, 1_000_000*tok)
		for _, who := range []key{thief, shop, friend} {
			hold(ata(who, mint), who, mint, 1000*tok)
		}
		for _, who := range []key{alice, bob} {
			for _, program := range []key{vault, wild} {
				data := with(slicesOf(who[:], mint[:], make([]byte, 16)), 64, 10_000*tok)
				c.accounts[position(program, who, mint)] = account{1_000_000, program, data}
			}
		}
	}
	set(alice, 50*sol)
	set(bob, 30*sol)
	for _, who := range []key{thief, relay, sponsor, shop, friend, feeAccount} {
		set(who, 1000*sol)
	}
	hold(ata(alice, usdc), alice, usdc, 1000*tok)
	hold(ata(alice, late), alice, late, 1000*tok)
	hold(ata(alice, junk), alice, junk, 500*tok)
	hold(ata(alice, wsol), alice, wsol, 0)
	hold(second[alice], alice, usdc, 1000*tok)
	bobs := hold(ata(bob, usdc), bob, usdc, 0)
	wrapped := hold(ata(bob, wsol), bob, wsol, 0)
	other := hold(second[bob], bob, usdc, 600*tok)
	if early {
		// From before there was a signer: the thief may take what comes into Bob's account of usdc
		// and closes that of wrapped SOL, and Alice may take from Bob's other one.
		bobs.approve(thief)
		other.approve(alice)
		wrapped[129] = 1
		copy(wrapped[133:], thief[:])
	}
	hold(ata(bob, junk), bob, junk, 500*tok)
	value := c.hashOf(c.slot - 1000)
	c.accounts[nonce] = account{1_500_000, signing.SystemProgram, slicesOf(make([]byte, 8), alice[:], value[:], make([]byte, 8))}
	c.tables[table] = []key{
		shop, friend, thief, ata(shop, usdc), ata(thief, usdc), ata(alice, usdc), ata(thief, late), usdc, late,
		ata(friend, late), relay,
	}
}

// welcome funds an owner that was made.
func (c *chain) welcome(k key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.accounts[k] = account{lamports: 10 * sol}
	data := with(opened(usdc, k, signing.TokenProgram, rent), 64, 300*tok)
	c.accounts[ata(k, usdc)] = account{rent, signing.TokenProgram, data}
}

func (t token) approve(to key) {
	t[72] = 1
	copy(t[76:], to[:])
	order.PutUint64(t[121:], 1_000_000*tok)
}

func slicesOf(parts ...[]byte) (b []byte) {
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

// A held key is an owner's, with a hook before it signs.
type heldKey struct {
	*signing.LocalKey
	hook *func() error
}

func (k heldKey) Sign(ctx context.Context, message []byte) (signing.Signature, error) {
	if f := *k.hook; f != nil {
		if err := f(); err != nil {
			return signing.Signature{}, err
		}
	}
	return k.LocalKey.Sign(ctx, message)
}

// A rig is a signer on a chain.
type rig struct {
	plan
	c      *chain
	nodes  []signer.Node
	s      *signer.Signer
	p      *signer.Policy
	dir    string
	copies int
	store  string
	anchor string
	hook   *func() error
	logKey ed25519.PrivateKey
	accept bool // whatever the policy is
}

func newRig(t testing.TB, seed uint64, q plan) *rig {
	r := &rig{plan: q, c: newChain(seed), dir: scratch(t), hook: new(func() error)}
	r.c.undying = q.undying
	r.c.fund(q.early)
	for i := range q.nodes + 1 {
		r.nodes = append(r.nodes, &node{c: r.c, name: fmt.Sprint("node", i), lies: q.lie * lie(min(max(i-q.nodes+q.liars, 0), 1))})
	}
	if q.flaky {
		var asked atomic.Int64
		r.nodes[0].(*node).hook = func(string) error {
			if asked.Add(1)%23 == 0 {
				return errNode
			}
			return nil
		}
	}
	var err error
	r.p, err = signer.ParsePolicy([]byte(q.policy()))
	require.NoError(t, err)
	seedOf := named("log")
	r.logKey = ed25519.NewKeyFromSeed(seedOf[:])
	r.store, r.anchor = filepath.Join(r.dir, "0.db"), filepath.Join(r.dir, "anchor")
	r.open(t)
	t.Cleanup(func() { _ = r.s.Close() })
	return r
}

// scratch is a folder in memory where the system has one: the store writes durably.
func scratch(t testing.TB) string {
	if dir, err := os.MkdirTemp("/dev/shm", "takeover"); err == nil {
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		return dir
	}
	return t.TempDir()
}

func (r *rig) open(t testing.TB) {
	accept := ""
	if r.accept {
		accept = r.p.Fingerprint()
	}
	s, err := signer.Open(context.Background(), signer.Config{
		Policy: r.p, Store: r.store, Anchor: r.anchor, LogKey: r.logKey, Nodes: r.nodes, Clock: r.c,
		Seed: secret("seed"), Accept: accept,
		Keys: []signing.Signer{heldKey{secret("alice"), r.hook}, heldKey{secret("bob"), r.hook}},
	})
	require.NoError(t, err)
	r.s = s
}

// image copies the store's files, as a kill at this moment would leave them.
func (r *rig) image() (store string, err error) {
	r.copies++
	store = filepath.Join(r.dir, fmt.Sprintf("%d.db", r.copies))
	for _, end := range []string{"", "-wal", "-shm", "-journal"} {
		if err := copyFile(r.store+end, store+end); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
	}
	return store, nil
}

func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o600)
}
