package takeover

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// A seen decision is one that the client was told.
type seen struct {
	client     string
	ids        []string
	signatures []string
	code       string
}

// counts are what one run did.
type counts struct {
	requests, signed, held, nonces, restores, windows, kills, frozen, made, madeSigned, exited, robbed int
	above, unlogged                                                                                    []string
	codes                                                                                              map[string]int
}

// An attacker is the client that was taken over.
type attacker struct {
	t     testing.TB
	d     *dice
	r     *rig
	j     *court
	mu    sync.Mutex
	held  [][]byte // signed, not sent yet
	asked []signing.SetRequest
	whose []*request
	seen  []seen
	log   map[string]signer.Entry // by hash
	old   []image
	n     counts
	lost  map[string]int // refusals that a kill took, by client
	made  []key
	exit  bool // it only exits, since then
	stop  bool // the signer was frozen, and not thawed since
}

type image struct {
	store   string
	entries int64
}

func newAttacker(t testing.TB, r *rig, d *dice) *attacker {
	return &attacker{t: t, d: d, r: r, j: newCourt(r.c), log: map[string]signer.Entry{}, lost: map[string]int{}, n: counts{codes: map[string]int{}}}
}

// build makes the request's bytes, in which everyone signs whose key the client has.
func (a *attacker) build(q *request) (r signing.SetRequest) {
	r.Unsigned.Intent = q.intent
	r.Count = len(q.drafts)
	r.Key = fmt.Sprint(a.d.n(5))
	for _, t := range q.drafts {
		raw := t.encode()
		if a.d.in(40) {
			raw[a.d.n(len(raw))] ^= byte(1 + a.d.n(255))
		}
		r.Unsigned.Transactions = append(r.Unsigned.Transactions, encoded(raw))
		if a.d.in(3) {
			r.Unsigned.Blockhash = t.blockhash.String()
		}
	}
	if a.d.in(3) && len(q.drafts) > 1 {
		r.First = a.d.n(len(q.drafts))
		r.Count = 1 + a.d.n(len(q.drafts)-r.First)
	}
	if a.d.in(10) {
		r.Unsigned.LastValidBlockHeight = height(a.r.c.slot) + uint64(a.d.n(400))
	}
	return r
}

// request asks for signatures, and keeps what it gets.
func (a *attacker) request(client string, q *request, r signing.SetRequest) {
	ctx := context.Background()
	stopped, exits := a.stop, a.exit
	d, err := a.r.s.SignSet(ctx, client, r)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n.requests++
	if q.nonce {
		a.n.nonces++
	}
	if err != nil {
		var no *signing.SetRefusal
		require.ErrorAs(a.t, err, &no)
		a.n.codes[no.Code]++
		a.seen = append(a.seen, seen{client: client, code: no.Code})
		return
	}
	a.n.signed++
	a.n.codes["signed"]++
	if a.j.made[q.owner] {
		a.n.madeSigned++
	}
	if exits {
		a.n.exited++
	}
	if stopped {
		a.n.above = append(a.n.above, "signed although it was frozen")
	}
	told := seen{client: client}
	for _, m := range d.Messages {
		told.ids = append(told.ids, m.ID)
	}
	require.Len(a.t, d.Signatures, r.Count)
	for i, s := range d.Signatures {
		told.signatures = append(told.signatures, s.String())
		tx, err := signing.Decode(r.Unsigned.Transactions[r.First+i])
		require.NoError(a.t, err)
		raw := tx.Bytes()
		copy(raw[slot(raw, q.owner):], s[:])
		a.cosign(raw)
		a.held = append(a.held, raw)
		a.sign(client, raw, exits)
	}
	a.seen = append(a.seen, told)
}

// sign tells the court for whom a message was signed.
func (a *attacker) sign(client string, raw []byte, exits bool) {
	p, err := parse(raw, a.r.c.table)
	require.NoError(a.t, err)
	a.r.c.mu.Lock()
	defer a.r.c.mu.Unlock()
	m := string(p.message)
	if was, ok := a.j.signedBy[m]; ok && was != client {
		client = ""
	}
	a.j.signedBy[m] = client
	if exits && !a.j.before[m] {
		a.j.exits[m] = true
	}
	a.j.before[m] = a.j.before[m] || !exits
}

// cosign signs for everyone but the owners.
func (a *attacker) cosign(raw []byte) {
	for _, n := range []string{"thief", "relay", "sponsor", "shop", "friend", "fee"} {
		if i := slot(raw, public(n)); i >= 0 {
			p, _ := parse(raw, a.r.c.table)
			s, _ := secret(n).Sign(context.Background(), p.message)
			copy(raw[i:], s[:])
		}
	}
}

// ask makes a request, or repeats one, for another client too.
func (a *attacker) ask() {
	if len(a.asked) > 0 && a.d.in(15) {
		i := a.d.n(len(a.asked))
		a.request(pick(a.d, "c0", "c1", a.whose[i].client), a.whose[i], a.asked[i])
		return
	}
	q := ask(a.d, a.r.c, a.made)
	r := a.build(q)
	if len(a.asked) < 50 {
		a.asked, a.whose = append(a.asked, r), append(a.whose, q)
	} else {
		i := a.d.n(50)
		a.asked[i], a.whose[i] = r, q
	}
	if a.d.in(20) {
		a.judge(q.client, r)
	}
	a.request(q.client, q, r)
}

// judge asks what would be, which counts nothing.
func (a *attacker) judge(client string, r signing.SetRequest) {
	ctx := context.Background()
	now := a.r.c.Now()
	was, err := a.r.s.Ledger(ctx)
	require.NoError(a.t, err)
	d, err := a.r.s.Judge(ctx, client, r)
	is, _ := a.r.s.Ledger(ctx)
	if a.r.c.Now() != now {
		was = is // what has landed ages
	}
	if err == nil && len(d.Signatures) > 0 || !reflect.DeepEqual(was, is) {
		a.n.above = append(a.n.above, "a request was counted or signed that was only to be judged")
	}
}

// race asks several times at once.
func (a *attacker) race() {
	var all sync.WaitGroup
	first := ask(a.d, a.r.c, a.made)
	r := a.build(first)
	for i := range 3 + a.d.n(3) {
		q, r := first, r
		if i%2 == 1 {
			q = ask(a.d, a.r.c, a.made)
			r = a.build(q)
		}
		all.Go(func() { a.request(q.client, q, r) })
	}
	all.Wait()
}

// send executes some of what is held: the newest, one of any age, or many in any order.
func (a *attacker) send(most int) {
	if a.r.hoards && a.n.requests < episode {
		return
	}
	for range min(most, len(a.held)) {
		i := len(a.held) - 1
		if a.d.in(2) {
			i = a.d.n(len(a.held))
		}
		raw := a.held[i]
		a.held[i] = a.held[len(a.held)-1]
		a.held = a.held[:len(a.held)-1]
		if err := a.r.c.send(raw); err != nil && a.d.in(2) {
			a.held = append(a.held, raw) // again later
		}
		a.n.held++
	}
}

// others sends a transaction that needs no owner: refunds, top-ups, and what was allowed
// before there was a signer.
func (a *attacker) others() {
	who, n := pick(a.d, "alice", "bob"), uint64(0)
	k := public(who)
	d := &draft{blockhash: a.r.c.recent(1)}
	switch a.d.n(6) {
	case 0:
		n = a.d.amount(k, wsol)
		d.payer, d.calls = shop, []call{lamports(shop, k, n)}
	case 1:
		d.payer, d.calls = shop, []call{checked(usdc, ata(shop, usdc), second[k], shop, a.d.amount(k, usdc))}
	case 2:
		d.payer, d.calls = friend, []call{checked(late, ata(friend, late), ata(alice, late), friend, a.d.amount(alice, late))}
	case 3, 4: // what came into Bob's account
		has := token(a.r.c.accounts[ata(bob, usdc)].data).amount()
		if has == 0 {
			return
		}
		d.payer, d.calls = thief, []call{checked(usdc, ata(bob, usdc), ata(thief, usdc), thief, has)}
	default:
		if a.r.c.accounts[ata(bob, wsol)].lamports <= rent {
			return
		}
		d.payer, d.calls = thief, []call{closing(wsol, ata(bob, wsol), thief, thief)}
	}
	raw := d.encode()
	a.cosign(raw)
	_ = a.r.c.send(raw)
}

// settle has the signer look at its nodes, as its own watch does, or not for a while.
func (a *attacker) settle() {
	_ = a.r.s.Settle(context.Background())
}

// admin freezes, or thaws what froze by itself.
func (a *attacker) admin() {
	ctx := context.Background()
	h, err := a.r.s.Health(ctx)
	require.NoError(a.t, err)
	if len(h.Frozen) > 0 {
		a.look(h.Frozen)
	}
	if h.Mode == signer.ModeOpen {
		switch a.d.n(40) {
		case 0, 1:
			require.NoError(a.t, a.r.s.Freeze(ctx, "admin", signer.ModeFrozen, "a look"))
			a.stop = true
		case 2:
			require.NoError(a.t, a.r.s.Freeze(ctx, "admin", signer.ModeExit, "away"))
			a.exit = true
		}
		return
	}
	if h.Mode == signer.ModeExit {
		if a.d.in(4) && !a.r.c.turned {
			require.NoError(a.t, a.r.s.Thaw(ctx, "admin", "back"))
			a.exit = false
		}
		return
	}
	a.stop = true
	a.n.frozen++
	if a.r.thaws {
		require.NoError(a.t, a.r.s.Thaw(ctx, "nobody", "planted"))
	}
	for range 2 {
		a.ask()
	}
	if a.r.c.turned {
		return
	}
	a.r.c.advance(0, -a.r.c.skew)
	require.NoError(a.t, a.r.s.Thaw(ctx, "admin", "looked"))
	a.stop, a.exit = false, false
}

// look has the admin look at owners that are frozen: the signer has to have a reason.
func (a *attacker) look(frozen []string) {
	for _, text := range frozen {
		if !a.j.robbed[hash(text)] {
			a.n.above = append(a.n.above, "frozen, and not robbed: "+name(hash(text)))
		}
	}
	a.n.robbed++
	if !a.stop && !a.exit {
		require.NoError(a.t, a.r.s.Thaw(context.Background(), "admin", "looked"))
	}
}

// step is one move of the client, of time, or of what happens to the signer.
func (a *attacker) step() {
	if a.d.drains && !a.d.in(30) {
		a.ask()
		a.send(len(a.held))
		a.r.c.advance(time.Duration(a.d.n(30))*time.Second, -a.r.c.skew)
		a.settle()
		a.admin()
		return
	}
	switch k := a.d.n(100); {
	case k < 55:
		a.ask()
	case k < 58:
		a.race()
	case k < 74:
		a.send(1 + a.d.n(3))
	case k < 77:
		a.send(len(a.held))
	case k < 82:
		a.others()
	case k < 92:
		a.settle()
	case k < 93 && a.d.in(3):
		a.make()
	case k < 93:
		a.kill()
	case k < 94:
		a.keep()
	case k < 95 && a.d.in(2):
		a.restore()
	case k < 96:
		a.r.c.advance(0, time.Duration(a.d.n(240)-120)*time.Second*time.Duration(pick(a.d, 1, 1, 1, 10)))
	default:
		a.admin()
	}
	if a.d.in(4) {
		a.admin()
	}
	a.r.c.advance(time.Duration(pick(a.d, 0, 0, 1, 2, 5, 20, 60))*time.Duration(a.d.n(1000))*time.Millisecond, 0)
	if a.d.in(150) {
		a.r.c.advance(time.Duration(a.d.n(90))*time.Minute, 0)
		a.settle()
	}
}

// run plays until so many requests were made, then sends all that is held.
func (a *attacker) run(requests int) counts {
	turn := requests * 9 / 10
	a.d.drains = a.r.drains
	for a.n.requests < requests {
		if a.r.turns && a.n.requests >= turn {
			a.r.c.turned = true
		}
		a.step()
	}
	for range 3 {
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(a.held), func(i, j int) { a.held[i], a.held[j] = a.held[j], a.held[i] })
		a.send(len(a.held))
		a.others()
		a.r.c.advance(30*time.Second, 0)
		a.settle()
	}
	a.reopen(a.r.store)
	a.harvest()
	a.unlogged()
	require.NoError(a.t, a.r.s.Close())
	_, err := signer.Audit(context.Background(), a.r.store, a.r.anchor, a.r.logKey.Public().(keyOf))
	if err != nil {
		a.n.unlogged = append(a.n.unlogged, "the audit: "+err.Error())
	}
	a.n.windows = a.j.windows
	a.n.above = append(a.n.above, a.j.faults...)
	return a.n
}

var _ walletfi.Clock = (*chain)(nil)
