package signer_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/internal/passkey"
	"github.com/walletfi/walletfi-go/signer/internal/passkey/passkeytest"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
)

const (
	line1   = 100_000_000 // the most of a transaction without a grant
	lineAll = 300_000_000 // and of an hour
)

// says is an answer of docs/signer.md about a request.
type says int

const (
	no     says = iota - 1 // it must be refused
	either                 // the page is silent
	yes                    // it must be signed, or taken
)

// grantsPage is a rig, and what the page says of what is asked of its signer.
type grantsPage struct {
	*rig
	*testing.T
	d      *rand.Rand
	grants []*drawnGrant
	txs    []*drawnTx
	final  time.Time // of the last block that the signer has surely seen
	mode   signer.Mode
	what   []string
	wrong  []string
	n      map[string]int
	keys   map[string]*passkeytest.Passkey // of approvers, who have keys of OpenSSH's too, and of eve
}

// newGrantsPage is a page of approvers with both kinds of keys.
func newGrantsPage(t *testing.T, seed uint64, n map[string]int) *grantsPage {
	h := &grantsPage{T: t, d: rand.New(rand.NewPCG(seed, 30)), n: n, final: begin, mode: signer.ModeOpen}
	h.keys = map[string]*passkeytest.Passkey{}
	for _, name := range []string{"ann", "bob", "cid", "eve"} {
		h.keys[name] = passkeytest.New(t, passkey.Site{Origin: origin, RP: strings.TrimPrefix(origin, "https://")})
	}
	h.rig = newRig(t, 3, under(t, h.policy()))
	return h
}

func (h *grantsPage) policy() string {
	text := strings.Replace(approvedText(), "grant_lasts =", fmt.Sprintf("page = %q\ngrant_lasts =", origin), 1)
	for _, name := range []string{"ann", "bob", "cid"} {
		was := fmt.Sprintf("name = %q", name)
		text = strings.Replace(text, was, fmt.Sprintf("%s\npasskeys = [%q]", was, h.keys[name].Key()), 1)
	}
	return text
}

type drawnGrant struct {
	protocol.Grant
	client  string
	to      signing.PublicKey
	parts   []int64 // lamports of each transaction
	most    int64
	expires time.Time
	by      []string // who approved it
	denied  time.Time
	ended   bool // by a change of the policy
	asked   signing.SetRequest
	signed  signing.SetRequest // the last that was, under it
}

// drawnTx is a transaction that was signed.
type drawnTx struct {
	*signing.Transaction
	asked    walletfi.EncodedTransaction
	client   string
	under    *drawnGrant
	closed   bool   // the grant allowed nothing then
	set      string // the message of the first of its set
	index    int    // within that
	to       signing.PublicKey
	lamports int64
	landed   uint64 // 0 if it has not
	failed   bool
	seen     time.Time // when the signer has surely seen that
	looks    int       // how often it looked since the transaction is dead
}

func (h *grantsPage) now() time.Time { return at(h.slot) }

// age is the age of a blockhash in blocks.
func (h *grantsPage) age(tx *signing.Transaction) uint64 {
	return head(h.slot).Height - h.born[tx.Blockhash().String()]
}

// live says whether a transaction has landed, or still can.
func (h *grantsPage) live(x *drawnTx) bool { return x.landed > 0 || h.age(x.Transaction) <= 151 }

// dead says that the signer must know that a transaction is dead.
func (x *drawnTx) dead() bool { return x.landed == 0 && x.looks >= 10 }

// counts are the least and the most that a transaction may count now. What landed ages from when the
// signer saw it, by a clock that may be two minutes late.
func (h *grantsPage) counts(x *drawnTx) (least, most int64) {
	least, most = x.lamports+baseFee, x.lamports+baseFee
	if x.failed {
		least = baseFee
	}
	if !x.seen.IsZero() {
		most = least
	}
	if !h.live(x) || x.landed > 0 && h.now().Sub(at(x.landed)) >= time.Hour {
		least = 0
	}
	if x.dead() || !x.seen.IsZero() && h.now().Sub(x.seen) > 63*time.Minute {
		most = 0
	}
	return least, most
}

// fits says whether a sum stays below a limit, with what counts.
func (h *grantsPage) fits(sum, limit int64, which func(*drawnTx) bool) says {
	least, most := sum, sum
	for _, x := range h.txs {
		if which(x) {
			l, m := h.counts(x)
			least, most = least+l, most+m
		}
	}
	switch {
	case least > limit:
		return no
	case most > limit:
		return either
	}
	return yes
}

// pays says whether payments that are not signed yet pass the ceilings and, unless a grant is named or
// asked for, the lines.
func (h *grantsPage) pays(client string, to signing.PublicKey, parts []int64, granted bool) says {
	sum := int64(len(parts)) * baseFee
	for _, p := range parts {
		if sum += p; p+baseFee > 2*sol || !granted && p+baseFee > line1 {
			return no
		}
	}
	if to == thief {
		return no
	}
	theirs := func(x *drawnTx) bool { return x.client == client }
	small := func(x *drawnTx) bool { return x.under == nil }
	s := h.fits(sum, 5*sol, func(*drawnTx) bool { return true })
	if client == "other" {
		s = min(s, h.fits(sum, 2*sol, theirs))
	}
	if granted {
		return s
	}
	if s = min(s, h.fits(sum, lineAll, small)); client == "other" {
		// The page does not say that its share is of the line as well.
		s = min(s, max(either, h.fits(sum, lineAll*4/10, small)))
	}
	return s
}

// open says whether a grant can allow anything now.
func (h *grantsPage) open(u *drawnGrant) bool {
	return len(u.by) >= 2 && u.denied.IsZero() && !u.ended && h.final.Before(u.expires)
}

// old says that a grant may have expired.
func (h *grantsPage) old(u *drawnGrant) bool { return h.now().After(u.expires.Add(-time.Minute)) }

// allows says whether a grant allows payments of a set that are not signed yet.
func (h *grantsPage) allows(u *drawnGrant, client, set string, to signing.PublicKey, parts []int64) says {
	s, held := yes, int64(0)
	if h.old(u) {
		s = either
	}
	for _, p := range parts {
		held += p
	}
	for _, x := range h.txs {
		if x.under != u || x.dead() {
			continue
		}
		s = either // it is of the same set, or not proven dead
		if h.live(x) {
			if held += x.lamports; x.set != set {
				return no
			}
		}
	}
	if client != u.client || to != u.to || held > u.most || !h.open(u) {
		return no
	}
	return s
}

// asking says whether a grant may be asked for.
func (h *grantsPage) asking(u *drawnGrant) says {
	s, waiting := h.pays(u.client, u.to, u.parts, true), 0
	if slices.Max(u.parts) <= line1 || h.mode != signer.ModeOpen {
		s = min(s, either)
	}
	for _, x := range h.grants {
		rests := h.now().Sub(x.denied)
		switch {
		case x.client != u.client:
		case !x.denied.IsZero() && x.to == u.to && rests < 59*time.Minute:
			return no
		case !x.denied.IsZero() && x.to == u.to && rests < 63*time.Minute:
			s = min(s, either)
		case x.denied.IsZero() && !x.ended && h.old(x):
			s = min(s, either) // it may wait still
		case x.denied.IsZero() && !x.ended && len(x.by) < 2:
			waiting++
		}
	}
	if waiting >= 8 {
		return no
	}
	return s
}

// deciding says whether what an approver says is taken.
func (h *grantsPage) deciding(u *drawnGrant, name string, v grant.Verdict) says {
	switch {
	case name == "eve" || !u.denied.IsZero() || u.ended || !h.final.Before(u.expires):
		return no
	case v == grant.Approves && (slices.Contains(u.by, name) || len(u.by) >= 2), h.mode != signer.ModeOpen, h.old(u):
		return either
	}
	return yes
}

// judge holds what the signer did against what the page says.
func (h *grantsPage) judge(s says, err error, format string, args ...any) {
	what := fmt.Sprintf("%d at %s: ", len(h.what), h.now().Format(time.TimeOnly)) + fmt.Sprintf(format, args...)
	h.what = append(h.what, fmt.Sprint(what, ": ", err))
	h.n[map[says]string{yes: "must", no: "must not", either: "either"}[s]]++
	if s == yes && err != nil || s == no && err == nil {
		h.wrong = append(h.wrong, fmt.Sprint(what, ": ", err))
	}
}
