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

func one[T any](d *rand.Rand, all ...T) T { return all[d.IntN(len(all))] }

// set builds a set of payments.
func (h *grantsPage) set(to signing.PublicKey, parts ...int64) (q signing.SetRequest) {
	for _, lamports := range parts {
		before := q.Unsigned.Transactions
		q = h.pay(to, uint64(lamports))
		q.Unsigned.Transactions = append(before, q.Unsigned.Transactions...)
	}
	q.Count = len(parts)
	q.Unsigned.Intent.Spend[0].Amount = 0
	for _, lamports := range parts {
		q.Unsigned.Intent.Spend[0].Amount += walletfi.Amount(lamports)
	}
	return q
}

// sends asks for signatures, under a grant or none, and keeps what was signed.
func (h *grantsPage) sends(client string, to signing.PublicKey, q signing.SetRequest, u *drawnGrant) {
	var fresh []*drawnTx
	var parts []int64
	s, set, sum := yes, "", int64(0)
	for i, encoded := range q.Unsigned.Transactions {
		tx, err := signing.Decode(encoded)
		require.NoError(h, err)
		x := &drawnTx{Transaction: tx, asked: encoded, client: client, under: u, index: i, to: to}
		x.lamports, x.closed = lamportsOf(h.T, tx), u != nil && !h.open(u)
		if i == 0 {
			set = string(tx.Message())
		}
		if x.set, sum = set, sum+x.lamports; h.age(tx) > 100 {
			s = either
		}
		same := func(y *drawnTx) bool { return y.client == client && string(y.Message()) == string(tx.Message()) }
		if i >= q.First && i < q.First+q.Count && !slices.ContainsFunc(h.txs, same) {
			require.NoError(h, signing.SignUnchecked(h.Context(), tx, ownerKey))
			fresh, parts = append(fresh, x), append(parts, x.lamports)
		}
	}
	if q.First > 0 || len(fresh) < q.Count || h.mode == signer.ModeExit {
		s = either
	}
	s = min(s, h.pays(client, to, parts, u != nil))
	if h.mode == signer.ModeFrozen || h.mode == signer.ModeExit && to != rescue {
		s = no
	}
	if q.Grant = ""; u != nil {
		q.Grant = u.Grant.Grant.ID
		s = min(s, h.allows(u, client, set, to, parts))
	}
	if len(fresh) == 0 {
		s = either // it has these signatures already
	}
	q.Unsigned.Intent.Spend = []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(sum)}}
	d, err := h.SignSet(h.Context(), client, q)
	h.judge(s, err, "%s sends %d, from %d, under %d", client, parts, q.First, slices.Index(h.grants, u))
	if err != nil {
		return
	}
	for _, x := range fresh {
		require.Contains(h, d.Signatures, x.Signature())
	}
	if h.txs = append(h.txs, fresh...); u != nil && len(fresh) > 0 {
		u.signed = q
		h.n["used"]++
	}
}

// asks asks for a grant, now and then for more than the set takes.
func (h *grantsPage) asks(client string, to signing.PublicKey, parts ...int64) {
	u := &drawnGrant{client: client, to: to, parts: parts, asked: h.set(to, parts...), expires: h.now().Add(time.Hour)}
	u.most = int64(u.asked.Unsigned.Intent.Spend[0].Amount)
	u.most += u.most / one(h.d, u.most*2, u.most*2, u.most*2, 10, 1)
	most := []grant.Amount{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(u.most)}}
	g, err := h.AskGrant(h.Context(), client, protocol.NewGrant{Request: protocol.Request(u.asked), Most: most})
	if h.judge(h.asking(u), err, "%s asks for %d, at most %d, for %s", client, parts, u.most, to); err == nil {
		u.Grant = *g
		h.grants = append(h.grants, u)
		h.n["asked"]++
	}
}

// decides has someone say something of a grant, or now and then sign another one's text.
func (h *grantsPage) decides(u *drawnGrant, v grant.Verdict) {
	name, text, s := one(h.d, "ann", "ann", "bob", "bob", "cid", "cid", "eve"), u, no
	if h.d.IntN(12) == 0 {
		text = one(h.d, h.grants...)
	}
	if text == u {
		s = h.deciding(u, name, v)
	}
	signature, err := text.Grant.Grant.Sign(approver(name), v)
	require.NoError(h, err)
	if h.d.IntN(2) == 0 {
		signature = h.keys[name].Says(text.Grant.Grant.Text(), v)
		h.n["by passkey"]++
	}
	_, err = h.Decide(h.Context(), protocol.Verdict{ID: u.Grant.Grant.ID, Signature: signature})
	switch h.judge(s, err, "%s %s %d", name, v, slices.Index(h.grants, u)); {
	case err != nil:
	case v == grant.Denies:
		u.denied = h.now()
		h.n["denied"]++
	case !slices.Contains(u.by, name):
		if u.by = append(u.by, name); len(u.by) == 2 {
			h.n["approved"]++
		}
	}
}

// uses asks for what a grant is for, or for something else.
func (h *grantsPage) uses(u *drawnGrant) {
	client, to, parts := u.client, u.to, slices.Clone(u.parts)
	q := h.set(to, parts...)
	switch what := h.d.IntN(14); {
	case what < 3: // the set of before, or the one that was signed
		if q = u.asked; what == 0 && u.signed.Count > 0 {
			q = u.signed
		}
	case what < 5: // less, so that something else would fit
		parts[0] /= 2 + h.d.Int64N(3)
		q = h.set(to, parts...)
	case what < 7:
		parts[0] = one(h.d, parts[0]+1, u.most, u.most+1, line1)
		q = h.set(to, parts...)
	case what < 8:
		to = one(h.d, payee, rescue, thief)
		q = h.set(to, parts...)
	case what < 9:
		client = one(h.d, "trader", "other")
		u = one(h.d, u, one(h.d, h.grants...))
	case what < 10 || u.signed.Count > 0 && what > 11: // another second half
		if q = h.set(to, parts[0], line1/2); u.signed.Count > 0 {
			q.Unsigned.Transactions[0] = u.signed.Unsigned.Transactions[0]
		}
	case what < 12 && len(h.txs) > 0: // what was signed under another grant or none, and the other way round
		x := one(h.d, h.txs[max(0, len(h.txs)-4):]...)
		if small := h.ungranted(u); len(small) > 0 && what == 11 {
			x = one(h.d, small...)
		}
		client, to = x.client, x.to
		q = h.set(to, x.lamports)
		q.Unsigned.Transactions[0] = x.asked
		h.sends(client, to, q, u)
		u = nil
		q = one(h.d, q, h.set(to, line1*9/10))
	}
	if n := len(q.Unsigned.Transactions); n > 1 && h.d.IntN(2) == 0 { // in two requests, or the second alone
		if q.Count = 1; h.d.IntN(2) == 0 {
			h.sends(client, to, q, u)
		}
		q.First = n - 1
	}
	h.sends(client, to, q, u)
}

// ungranted are payments that went out without the grant that would allow them.
func (h *grantsPage) ungranted(u *drawnGrant) (all []*drawnTx) {
	for _, x := range h.txs {
		if x.under == nil && x.client == u.client && x.to == u.to && h.age(x.Transaction) < 100 {
			all = append(all, x)
		}
	}
	return all
}

// usesApproved uses what was approved lately, which may have ended since.
func (h *grantsPage) usesApproved() {
	for _, u := range slices.Backward(h.grants) {
		if len(u.by) >= 2 {
			h.uses(u)
			return
		}
	}
}

// looks has the signer look at the chain.
func (h *grantsPage) looks() {
	require.NoError(h, h.Settle(h.Context()))
	h.final = at(h.slot - finality)
	for _, x := range h.txs {
		switch {
		case x.landed > 0 && x.landed <= h.slot-finality && x.seen.IsZero():
			x.seen = h.now()
		case x.landed == 0 && h.age(x.Transaction) > 151+finality:
			x.looks++
		}
	}
}

func (h *grantsPage) lands(x *drawnTx) {
	if fails := one(h.d, "", "", "Custom"); h.land(x.Transaction, fails) {
		x.landed, x.failed = h.slot, fails != ""
	}
}

// step has one thing happen.
func (h *grantsPage) step() {
	client, to := one(h.d, "trader", "trader", "other"), one(h.d, payee, payee, payee, payee, rescue, rescue, thief)
	about := func(all ...int64) int64 { return one(h.d, all...) + h.d.Int64N(3) - 1 }
	switch what := h.d.IntN(24); {
	case what < 4:
		parts := []int64{about(line1/10, line1/2, line1*9/10, line1-baseFee, line1), about(line1/2, line1-baseFee)}
		h.sends(client, to, h.set(to, parts[:max(1, h.d.IntN(6)-3)]...), nil)
	case what < 7:
		parts := []int64{about(2*line1, 4*line1, sol, 2*sol-baseFee), about(line1, 2*line1, sol)}
		for range one(h.d, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9) {
			h.asks(client, to, parts[:1+h.d.IntN(3)/2]...)
		}
	case what < 9 && len(h.txs) > 0: // as a rule one of the newest, whose grant is used again
		x := one(h.d, h.txs[max(0, len(h.txs)-one(h.d, 3, 3, 100)):]...)
		if h.lands(x); x.under != nil && h.d.IntN(2) == 0 {
			h.pass(2 * finality * slotTime)
			h.looks()
			h.uses(x.under)
		}
	case what < 10:
		if h.pass(time.Duration(h.d.IntN(90)) * time.Second); h.d.IntN(2) == 0 {
			h.looks()
		}
	case what < 11:
		wait := one(h.d, 20*time.Second, 5*time.Minute)
		for range one(h.d, 1, 14, 14) { // for what did not land to be proven dead, or over an hour
			h.pass(wait)
			h.looks()
		}
		h.usesApproved()
	case what < 13:
		h.handled()
	case len(h.grants) > 0: // one of the newest, which is approved first as a rule
		u := one(h.d, h.grants[max(0, len(h.grants)-1-h.d.IntN(3)):]...)
		switch waits := len(u.by) < 2 && u.denied.IsZero() && !u.ended; {
		case waits && h.d.IntN(8) > 0:
			for range 1 + h.d.IntN(4) {
				h.decides(u, grant.Approves)
			}
			h.uses(u)
		case h.d.IntN(8) == 0:
			h.decides(u, one(h.d, grant.Denies, grant.Denies, grant.Approves))
		default:
			h.uses(u)
		}
	}
}

// handled has an admin freeze, the approvers change their policy, or the process end.
func (h *grantsPage) handled() {
	switch h.d.IntN(6) {
	case 0:
		h.mode = one(h.d, signer.ModeFrozen, signer.ModeExit)
		require.NoError(h, h.Freeze(h.Context(), "uid 0", h.mode, "drawn"))
		for range 3 {
			h.step()
		}
		require.NoError(h, h.Thaw(h.Context(), "uid 0", "drawn"))
		h.mode = signer.ModeOpen
	case 1: // to one that says the same, and back at times
		first, second := parsed(h.T, h.policy()), parsed(h.T, h.policy()+"\n")
		for range 1 + h.d.IntN(2) {
			next := first
			if h.cfg.Policy.Fingerprint() == first.Fingerprint() {
				next = second
			}
			require.NoError(h, h.change(next, h.rig.signs(next, "ann", "cid")...))
		}
		for _, u := range h.grants {
			u.ended = true
		}
		h.looks()
		h.usesApproved()
	default:
		h.reopen()
	}
	h.looks()
}

// court counts from the ledger what left beyond the lines, how often a grant was used again, and how often for
// what it does not say.
func (h *grantsPage) court() {
	var small, all, others []paid
	left, fees, under := map[*drawnGrant]int64{}, map[*drawnGrant]int{}, map[*drawnGrant][]*drawnTx{}
	for _, x := range h.txs {
		e, executed := h.executed[x.Signature().String()]
		if !executed {
			continue
		}
		p := paid{at(e.slot), baseFee}
		if e.err == "" {
			p.lamports += x.lamports
			left[x.under] += x.lamports
		}
		all = append(all, p)
		if x.client == "other" {
			others = append(others, p)
		}
		u := x.under
		if u == nil {
			small = append(small, p)
			continue
		}
		if slices.ContainsFunc(under[u], func(y *drawnTx) bool { return y.set != x.set || y.index == x.index }) {
			h.n["replayed"]++
		}
		under[u] = append(under[u], x)
		fees[u] += baseFee
		if x.closed || x.client != u.client || x.to != u.to || left[u] > u.most || fees[u] > 10_000*len(u.parts) {
			h.n["rebound"]++
		}
	}
	require.Len(h, h.executed, len(all), "nothing else was signed")
	h.n["landed"] += len(all)
	h.n["closest"] = max(h.n["closest"], int(worst(small)))
	h.n["above"] += max(0, int(worst(small)-lineAll), int(worst(all)-5*sol), int(worst(others)-2*sol))
}

// TestDrawnGrants: whatever clients, approvers and admins do in whatever order, each request is answered as
// the page says, and what leaves is below the lines, or once under a grant and as people approved it.
func TestDrawnGrants(t *testing.T) {
	runs, n := max(60, *drawnCases), map[string]int{}
	for seed := *drawnSeed; seed < *drawnSeed+uint64(runs); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			h := newGrantsPage(t, seed, n)
			for range 30 + h.d.IntN(31) {
				h.step()
			}
			for _, x := range h.txs {
				h.lands(x) // if it still can
			}
			before := n["above"] + n["replayed"] + n["rebound"]
			h.court()
			if len(h.wrong) > 0 || n["above"]+n["replayed"]+n["rebound"] > before {
				t.Errorf("seed %d, of %v: %q, in %q", seed, n, h.wrong, h.what)
			}
		})
	}
	t.Logf("grants: runs=%d asked=%d approved=%d denied=%d used=%d replayed=%d rebound=%d above the line=%d",
		runs, n["asked"], n["approved"], n["denied"], n["used"], n["replayed"], n["rebound"], n["above"])
	t.Logf("approvals: granted=%d denied=%d replayed=%d rebound=%d",
		n["approved"], n["denied"], n["replayed"], n["rebound"])
	t.Logf("requests: %v", n)
	require.Greater(t, n["closest"], lineAll*8/10, "no run came near the line")
	least := map[string]int{"asked": 3, "approved": 2, "denied": 0, "used": 1, "landed": 1, "by passkey": 2, "must": 8, "must not": 8}
	for what, least := range least {
		require.Greater(t, n[what], least*runs, what)
	}
}
