package signer_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
)

const (
	line1   = 100_000_000 // the most of a transaction without a grant
	lineAll = 300_000_000 // and of an hour
)

// drawnGrants is one history of payments and grants, with what docs/signer.md says of each request.
type drawnGrants struct {
	*rig
	*testing.T
	d      *rand.Rand
	grants []*drawnGrant
	all    []*drawnTx
	final  time.Time // of the last block that the signer has surely seen
	mode   signer.Mode
	second bool // the other policy is in force
	what   []string
	wrong  []string
	n      map[string]int
}

type drawnGrant struct {
	protocol.Grant
	client        string
	to            signing.PublicKey
	parts         []int64 // lamports of each transaction
	most          int64
	expires       time.Time
	yes           []string
	denied        time.Time
	ended         bool // by a change of the policy
	asked, signed signing.SetRequest
}

// drawnTx is a transaction that was signed.
type drawnTx struct {
	*signing.Transaction
	client   string
	under    *drawnGrant
	late     bool   // its grant did not allow anything when it was signed
	set      string // the message of the first of its set
	index    int
	asked    walletfi.EncodedTransaction
	to       signing.PublicKey
	lamports int64
	landed   uint64
	failed   bool
	seen     time.Time // when the signer has surely seen that
	looks    int       // how often the signer looked at it since it is dead
}

func (h *drawnGrants) now() time.Time { return at(h.slot) }

// one draws an element.
func one[T any](d *rand.Rand, all ...T) T { return all[d.IntN(len(all))] }

// set builds a set of payments.
func (h *drawnGrants) set(to signing.PublicKey, parts ...int64) signing.SetRequest {
	var q signing.SetRequest
	sum := int64(0)
	for _, lamports := range parts {
		sum += lamports
		next := h.pay(to, uint64(lamports))
		next.Unsigned.Transactions = append(q.Unsigned.Transactions, next.Unsigned.Transactions...)
		q = next
	}
	q.Count = len(parts)
	q.Unsigned.Intent.Spend[0].Amount = walletfi.Amount(sum)
	return q
}

// live says whether a transaction can still land, or has.
func (h *drawnGrants) live(x *drawnTx) bool {
	return x.landed > 0 || head(h.slot).Height <= h.born[x.Blockhash().String()]+151
}

// counts are the least and the most that a transaction may count now.
func (h *drawnGrants) counts(x *drawnTx) (least, most int64) {
	most = x.lamports + baseFee
	if x.landed == 0 {
		return map[bool]int64{true: most}[h.live(x)], map[bool]int64{true: most}[x.looks < 10]
	}
	if least = most; x.failed {
		least = baseFee
	}
	if !x.seen.IsZero() {
		most = least
	}
	return least * map[bool]int64{true: 1}[h.now().Sub(at(x.landed)) < time.Hour],
		most * map[bool]int64{true: 1}[x.seen.IsZero() || h.now().Sub(x.seen) < 63*time.Minute]
}

// fits says whether a sum stays below a limit together with what counts: 1 surely, -1 surely not.
func (h *drawnGrants) fits(sum, limit int64, which func(*drawnTx) bool) int {
	least, most := sum, sum
	for _, x := range h.all {
		if which(x) {
			l, m := h.counts(x)
			least, most = least+l, most+m
		}
	}
	return map[bool]int{true: 1}[most <= limit] - map[bool]int{true: 1}[least > limit]
}

// page says what the page has of payments that are not signed yet: 1 signed, -1 refused, 0 either.
func (h *drawnGrants) page(client string, to signing.PublicKey, parts []int64, u *drawnGrant, asks bool) int {
	says, sum := 1, int64(0)
	for _, p := range parts {
		sum += p + baseFee
		if p+baseFee > 2*sol || u == nil && !asks && p+baseFee > line1 {
			return -1
		}
	}
	if to == thief || h.mode == signer.ModeFrozen && !asks || h.mode == signer.ModeExit && to != rescue && !asks {
		return -1
	}
	if h.mode != signer.ModeOpen {
		says = 0 // the page does not say that the rest is as always
	}
	says = min(says, h.fits(sum, 5*sol, func(*drawnTx) bool { return true }))
	if client == "other" {
		says = min(says, h.fits(sum, 2*sol, func(x *drawnTx) bool { return x.client == client }))
	}
	if u == nil && !asks {
		says = min(says, h.fits(sum, lineAll, func(x *drawnTx) bool { return x.under == nil }))
		if client == "other" { // nor whether its share is of this line too
			says = min(says, max(0, h.fits(sum, lineAll*4/10, func(x *drawnTx) bool { return x.under == nil })))
		}
	}
	return says
}

// allows says what the page has of a set under a grant, but for the ceilings.
func (h *drawnGrants) allows(u *drawnGrant, client, set string, to signing.PublicKey, parts []int64) int {
	says, held := 1, int64(0)
	for _, x := range h.all {
		if x.under != u || x.landed == 0 && x.looks >= 10 {
			continue
		}
		says = 0 // a part of the same set, or not yet surely dead
		if h.live(x) {
			held += x.lamports
			if x.set != set {
				return -1
			}
		}
	}
	for _, p := range parts {
		held += p
	}
	if client != u.client || to != u.to || held > u.most || !h.open(u) {
		return -1
	}
	if h.now().After(u.expires.Add(-time.Minute)) {
		return 0
	}
	return says
}

// open says whether a grant may allow something now.
func (h *drawnGrants) open(u *drawnGrant) bool {
	return len(u.yes) >= 2 && u.denied.IsZero() && !u.ended && h.final.Before(u.expires)
}

// judge compares what the signer did with what the page says.
func (h *drawnGrants) judge(says int, err error, what string, args ...any) {
	h.what = append(h.what, fmt.Sprintf(what, args...)+fmt.Sprintf(": %v", err))
	h.n[map[int]string{1: "must", -1: "must not", 0: "either"}[says]]++
	if says == 1 && err != nil || says == -1 && err == nil {
		h.wrong = append(h.wrong, fmt.Sprint(len(h.what), " ", h.what[len(h.what)-1]))
	}
}

// sends asks for count transactions of a set, from first on, and keeps what was signed.
func (h *drawnGrants) sends(client string, to signing.PublicKey, q signing.SetRequest, u *drawnGrant) {
	var fresh []*drawnTx
	var parts []int64
	set, sum, young := "", int64(0), true
	for i, encoded := range q.Unsigned.Transactions {
		tx, err := signing.Decode(encoded)
		require.NoError(h.t, err)
		if i == 0 {
			set = string(tx.Message())
		}
		sum += lamportsOf(h.T, tx)
		young = young && head(h.slot).Height < h.born[tx.Blockhash().String()]+100
		known := func(x *drawnTx) bool { return string(x.Message()) == string(tx.Message()) && x.client == client }
		if i < q.First || i >= q.First+q.Count || slices.ContainsFunc(h.all, known) {
			continue
		}
		require.NoError(h.t, signing.SignUnchecked(h.t.Context(), tx, ownerKey))
		x := &drawnTx{Transaction: tx, client: client, under: u, set: set, index: i, to: to, asked: encoded}
		x.lamports = lamportsOf(h.T, tx)
		fresh, parts = append(fresh, x), append(parts, x.lamports)
	}
	says := h.page(client, to, parts, u, false)
	q.Grant = ""
	if u != nil {
		q.Grant = u.Grant.Grant.ID
		says = min(says, h.allows(u, client, set, to, parts))
	}
	if q.First > 0 || len(fresh) < q.Count || !young {
		says = min(says, 0)
	}
	if len(fresh) == 0 {
		says = 0 // it is signed already
	}
	q.Unsigned.Intent.Spend = []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(sum)}}
	d, err := h.SignSet(h.t.Context(), client, q)
	h.judge(says, err, "%s sends %d (%d of %d under %d)", client, parts, q.First, q.Count, slices.Index(h.grants, u))
	if err != nil {
		return
	}
	h.n["used"] += map[bool]int{true: 1}[u != nil && len(fresh) > 0]
	for _, x := range fresh {
		x.late = u != nil && !h.open(u)
		require.Contains(h.t, d.Signatures, x.Signature())
	}
	if h.all = append(h.all, fresh...); u != nil {
		u.signed = q
	}
}

// asks asks for a grant.
func (h *drawnGrants) asks(client string, to signing.PublicKey, parts []int64) {
	u := &drawnGrant{client: client, to: to, parts: parts, asked: h.set(to, parts...), expires: h.now().Add(time.Hour)}
	for _, p := range parts {
		u.most += p
	}
	ask := protocol.NewGrant{Request: protocol.Request(u.asked)}
	if h.d.IntN(4) == 0 {
		u.most += u.most / one(h.d, int64(1), 10)
		ask.Most = []grant.Amount{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(u.most)}}
	}
	says, waiting := h.page(client, to, parts, nil, true), 0
	for _, other := range h.grants {
		if other.client != client || other.ended && other.denied.IsZero() {
			continue
		}
		if rests := h.now().Sub(other.denied); !other.denied.IsZero() && other.to == to && rests < 61*time.Minute {
			says = min(says, -map[bool]int{true: 1}[rests < 59*time.Minute])
		}
		if other.denied.IsZero() && len(other.yes) < 2 && h.final.Before(other.expires) {
			waiting++
		}
	}
	if slices.Max(parts) <= line1 {
		says = min(says, 0) // it needs none
	}
	if waiting >= 8 {
		says = min(says, 0) // one may be about to expire
	}
	g, err := h.AskGrant(h.Context(), client, ask)
	h.judge(says, err, "%s asks for %d of at most %d for %s", client, parts, u.most, to)
	if err != nil {
		return
	}
	u.Grant = *g
	h.grants = append(h.grants, u)
	h.n["asked"]++
}

// decides has an approver, or eve, say something of a grant, or of another one.
func (h *drawnGrants) decides(u *drawnGrant, name string, v grant.Verdict) {
	text := u
	if h.d.IntN(12) == 0 {
		text = one(h.d, h.grants...)
	}
	signature, err := text.Grant.Grant.Sign(approver(name), v)
	require.NoError(h, err)
	_, err = h.Decide(h.Context(), protocol.Verdict{ID: u.Grant.Grant.ID, Signature: signature})
	says := 1
	switch {
	case text != u || name == "eve" || !u.denied.IsZero() || u.ended || !h.final.Before(u.expires):
		says = -1
	case v == grant.Approves && (slices.Contains(u.yes, name) || len(u.yes) >= 2),
		h.mode != signer.ModeOpen, h.now().After(u.expires.Add(-time.Minute)):
		says = 0
	}
	h.judge(says, err, "%s %s %d", name, v, slices.Index(h.grants, u))
	switch {
	case err != nil:
	case v == grant.Denies:
		u.denied = h.now()
		h.n["denied"]++
	case !slices.Contains(u.yes, name):
		u.yes = append(u.yes, name)
		h.n["approved"] += map[bool]int{true: 1}[len(u.yes) == 2]
	}
}

// uses asks for something under a grant.
func (h *drawnGrants) uses(u *drawnGrant) {
	client, to, parts := u.client, u.to, slices.Clone(u.parts)
	q := h.set(to, parts...)
	switch h.d.IntN(14) {
	case 9, 10, 11: // less, so that another one would fit
		parts[0] /= 2 + h.d.Int64N(3)
		q = h.set(to, parts...)
	case 0, 1:
		q = u.asked
	case 2:
		if q = u.asked; u.signed.Count > 0 {
			q = u.signed
		}
	case 3:
		parts[0] += one(h.d, 1, u.most/10, u.most-u.parts[0], u.most-u.parts[0]+1, line1)
		q = h.set(to, parts...)
	case 4:
		to = one(h.d, payee, rescue, thief)
		q = h.set(to, parts...)
	case 5:
		client = one(h.d, "trader", "other")
	case 6:
		u, q = one(h.d, h.grants...), h.set(to, parts...)
	case 7: // another second half, of what may be signed already
		if q = h.set(to, append(parts, line1/2)...); u.signed.Count > 0 {
			q.Unsigned.Transactions[0] = u.signed.Unsigned.Transactions[0]
		}
	case 8: // the same under another grant, or under none
		if q = u.asked; len(h.all) > 0 {
			x := one(h.d, h.all...)
			client, to = x.client, x.to
			q = h.set(to, x.lamports)
			q.Unsigned.Transactions[0] = x.asked
		}
		if h.d.IntN(3) == 0 {
			u = nil
		}
	}
	if n := len(q.Unsigned.Transactions); n > 1 {
		switch h.d.IntN(3) {
		case 0: // in two requests
			q.Count = 1
			h.sends(client, to, q, u)
			q.First = 1
		case 1:
			q.First, q.Count = h.d.IntN(n), 1
		}
	}
	h.sends(client, to, q, u)
}

// look has the signer look at the chain.
func (h *drawnGrants) look() {
	require.NoError(h, h.Settle(h.Context()))
	final := h.slot - finality
	h.final = at(final)
	for _, x := range h.all {
		switch {
		case x.landed > 0 && x.landed <= final && x.seen.IsZero():
			x.seen = h.now()
		case x.landed == 0 && head(final).Height > h.born[x.Blockhash().String()]+151:
			x.looks++
		}
	}
}

func (h *drawnGrants) lands(x *drawnTx) {
	fails := one(h.d, "", "", "", "Custom")
	if h.land(x.Transaction, fails) {
		x.landed, x.failed = h.slot, fails != ""
	}
}

// step has one thing happen.
func (h *drawnGrants) step() {
	client := one(h.d, "trader", "trader", "other")
	amount := func(all ...int64) int64 { return one(h.d, all...) + h.d.Int64N(3) - 1 }
	to := one(h.d, payee, payee, payee, payee, payee, rescue, rescue, thief)
	switch h.d.IntN(24) {
	case 0, 1, 2, 3:
		q := h.set(to, amount(9_000_000, line1/2, line1*9/10, line1-baseFee, line1, 2*line1))
		if h.d.IntN(5) == 0 {
			q = h.set(to, amount(line1/2, line1-baseFee), amount(line1/2, line1-baseFee))
		}
		h.sends(client, to, q, nil)
	case 4, 5, 6:
		parts := []int64{amount(2*line1, 4*line1, sol, 2*sol-baseFee)}
		if h.d.IntN(3) == 0 {
			parts = append(parts, amount(line1, 2*line1, sol))
		}
		h.asks(client, to, parts)
	case 7, 8, 9, 10, 11, 12, 13, 18, 19, 20, 21:
		h.withGrant()
	case 14, 15:
		if len(h.all) > 0 {
			h.lands(one(h.d, h.all...))
		}
	case 16:
		h.pass(time.Duration(h.d.IntN(90)) * time.Second)
		if h.d.IntN(2) == 0 {
			h.look()
		}
	case 17:
		wait, times := one(h.d, time.Minute, 10*time.Minute, 30*time.Minute, 61*time.Minute), 1
		if h.d.IntN(2) == 0 {
			wait, times = 20*time.Second, 14 // for what did not land to die
		}
		for range times {
			h.pass(wait)
			h.look()
		}
	default:
		h.handled()
	}
}

// withGrant has something happen with a grant, one of the newest as a rule.
func (h *drawnGrants) withGrant() {
	if len(h.grants) == 0 {
		return
	}
	u := one(h.d, h.grants[max(0, len(h.grants)-1-h.d.IntN(3)):]...)
	switch names := []string{"ann", "bob", "cid", "ann", "bob", "cid", "eve"}; {
	case len(u.yes) < 2 && u.denied.IsZero() && !u.ended && h.d.IntN(8) > 0:
		for range 1 + h.d.IntN(4) {
			h.decides(u, one(h.d, names...), grant.Approves)
		}
	case h.d.IntN(8) == 0:
		h.decides(u, one(h.d, names...), one(h.d, grant.Denies, grant.Denies, grant.Approves))
	default:
		h.uses(u)
	}
}

// handled has an admin or the approvers do something to the signer.
func (h *drawnGrants) handled() {
	h.what = append(h.what, "is handled")
	switch h.d.IntN(6) {
	case 0:
		h.mode = one(h.d, signer.ModeFrozen, signer.ModeExit)
		require.NoError(h, h.Freeze(h.Context(), "uid 0", h.mode, "drawn"))
		h.withGrant()
		h.step()
		require.NoError(h, h.Thaw(h.Context(), "uid 0", "drawn"))
		h.mode = signer.ModeOpen
	case 1:
		next := parsed(h.T, approvedText()+map[bool]string{true: "\n"}[!h.second])
		require.NoError(h, h.change(next, h.rig.signs(next, "ann", "cid")...))
		h.second = !h.second
		for _, u := range h.grants {
			u.ended = true
		}
	default:
		h.reopen()
	}
	h.look()
}

// court says from the ledger what left beyond the lines, and how often a grant was used again or for
// something else.
func (h *drawnGrants) court() (above, replayed, rebound int) {
	var ungranted, all, others []paid // of the owner, and of the client with a share
	left, sets := map[*drawnGrant]int64{}, map[*drawnGrant][]*drawnTx{}
	for _, x := range h.all {
		e, executed := h.executed[x.Signature().String()]
		if !executed {
			continue
		}
		h.n["landed"]++
		p := paid{at(e.slot), baseFee}
		if e.err == "" {
			p.lamports += x.lamports
			left[x.under] += x.lamports
		}
		all = append(all, p)
		if x.client == "other" {
			others = append(others, p)
		}
		if x.under == nil {
			ungranted = append(ungranted, p)
			continue
		}
		again := func(y *drawnTx) bool { return y.set != x.set || y.index == x.index }
		if slices.ContainsFunc(sets[x.under], again) {
			replayed++
		}
		sets[x.under] = append(sets[x.under], x)
		if u := x.under; x.late || x.client != u.client || x.to != u.to || left[u] > u.most {
			rebound++
		}
	}
	require.Len(h, h.executed, len(all))
	above = max(0, int(worst(ungranted)-lineAll)) + max(0, int(worst(all)-5*sol)) + max(0, int(worst(others)-2*sol))
	h.n["closest"] = max(h.n["closest"], int(worst(ungranted)))
	return above, replayed, rebound
}

// TestDrawnGrants: whatever clients, approvers and admins do in whatever order, each request is answered as
// the page says, and nothing leaves but below the lines or once under a grant, as people approved it.
func TestDrawnGrants(t *testing.T) {
	runs, n := max(60, *drawnCases), map[string]int{}
	above, replayed, rebound, bad := 0, 0, 0, 0
	for seed := *drawnSeed; seed < *drawnSeed+uint64(runs); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			h := &drawnGrants{rig: newApproved(t, 3), T: t, d: rand.New(rand.NewPCG(seed, 30)), n: n, mode: signer.ModeOpen}
			h.final = begin
			for range 30 + h.d.IntN(31) {
				h.step()
			}
			for _, x := range h.all {
				h.lands(x) // if it still can
			}
			a, again, other := h.court()
			above, replayed, rebound = above+a, replayed+again, rebound+other
			if len(h.wrong) > 0 || a+again+other > 0 {
				bad++
				t.Errorf("seed %d: above=%d replayed=%d rebound=%d: %q of %q", seed, a, again, other, h.wrong, h.what)
			}
		})
	}
	t.Logf("grants: runs=%d asked=%d approved=%d denied=%d used=%d replayed=%d rebound=%d above the line=%d",
		runs, n["asked"], n["approved"], n["denied"], n["used"], replayed, rebound, above)
	t.Logf("bad=%d %v", bad, n)
}
