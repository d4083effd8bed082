package takeover

import (
	"fmt"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go/signing"
)

// A side is someone's money of a mint.
type side struct{ who, mint key }

// A flow is an amount that left an owner, or came to a payee, in one execution.
type flow struct {
	amount int64
	at     time.Time
	graded bool   // it called a program that only a simulation has judged
	client string // who had it signed, empty if nobody or several did
}

// A court watches the executions on a ledger. It knows what the policy says in the words of
// limits and exposures, and asks the signer nothing.
type court struct {
	c        *chain
	flows    map[side][]flow
	income   map[side][]flow
	signedBy map[string]string // by message
	exits    map[string]bool   // the messages that were signed while the signer only exits
	before   map[string]bool   // and those that were signed at another time
	made     map[key]bool      // owners that the client has made
	robbed   map[key]bool      // owners whose money went without a signature of the signer's
	windows  int
	faults   []string
}

func newCourt(c *chain) *court {
	j := &court{c: c, flows: map[side][]flow{}, income: map[side][]flow{}, signedBy: map[string]string{},
		exits: map[string]bool{}, before: map[string]bool{}, made: map[key]bool{}, robbed: map[key]bool{}}
	c.tell = j.saw
	return j
}

// worth adds what an account holds for somebody: lamports at their key and in their token
// accounts, tokens, and what the vault holds for them less what they owe it. The vault gives
// that to nobody else without their signature, and to whom the instruction says, so that a
// withdrawal to another one lowers it. Wild is pinned without saying so: what it has is gone.
func (j *court) worth(sum map[side]int64, k key, a account, sign int64) {
	lamports := sign * int64(a.lamports)
	t := token(a.data)
	switch {
	case a.owner == vault && len(a.data) == 80:
		if !j.c.turned {
			in := int64(order.Uint64(a.data[64:])) - int64(order.Uint64(a.data[72:]))
			sum[side{key(a.data[:32]), key(a.data[32:64])}] += sign * in
		}
	case (a.owner == signing.TokenProgram || a.owner == signing.Token2022Program) && t.ok():
		if j.lent(t) {
			return
		}
		sum[side{t.owner(), wsol}] += lamports
		if !t.native() {
			sum[side{t.owner(), t.mint()}] += sign * int64(t.amount())
		}
	default:
		sum[side{k, wsol}] += lamports
	}
}

// lent reports an account that is as good as a stranger's, who is its delegate or closes it.
func (j *court) lent(t token) bool {
	to, most := t.delegate()
	return j.owner(t.owner()) && (most > 0 && !j.owner(to) || t.native() && !j.owner(t.closer()))
}

// saw takes in an execution. The chain is locked.
func (j *court) saw(e *execution) {
	sum := map[side]int64{}
	for k, a := range e.after {
		j.worth(sum, k, a, 1)
		j.worth(sum, k, e.before[k], -1)
	}
	f := flow{at: j.c.time(e.slot), graded: graded(e.p), client: j.signedBy[string(e.p.message)]}
	lost, together := map[key]int64{}, map[key]int64{}
	for s, d := range sum {
		f.amount = -d
		switch {
		case !j.owner(s.who):
		case d < 0:
			lost[s.mint] -= d
			if _, signed := j.signedBy[string(e.p.message)]; !signed || j.c.turned && f.graded {
				j.robbed[s.who] = true
			}
			j.flows[s] = append(j.flows[s], f)
			j.check(s, f)
			if j.made[s.who] {
				together[s.mint] -= d
			}
		case d > 0:
			f.amount = d
			j.income[s] = append(j.income[s], f)
		}
	}
	for mint, n := range together {
		f.amount = n
		j.flows[side{all, mint}] = append(j.flows[side{all, mint}], f)
		j.check(side{all, mint}, f)
	}
	for s, d := range sum {
		if d <= 0 || j.owner(s.who) || lost[s.mint] == 0 {
			continue
		}
		f.amount = min(d, lost[s.mint])
		if s.who == shop && limits[shop][s.mint].hour > 0 {
			j.flows[s] = append(j.flows[s], f)
			j.check(s, f)
		}
		j.astray(s, f, e.p.message)
	}
}

func (j *court) owner(k key) bool { return k == alice || k == bob || k == all || j.made[k] }

func graded(p *parsed) bool {
	return slices.ContainsFunc(p.calls, func(c call) bool { return c.program == vault || c.program == wild })
}

// astray finds what came to a stranger: no more than a tip and the rent of an account, in SOL.
func (j *court) astray(s side, f flow, message []byte) {
	listed := []key{shop, friend, feeAccount, named("vaults")}
	if j.exits[string(message)] {
		if f.graded {
			j.fault("a program was called in exit mode")
		}
		listed = []key{friend}
	}
	if f.graded || slices.Contains(listed, s.who) || s.mint == wsol && f.amount <= tipMost+foreignMost {
		return
	}
	j.fault("%d of %s came to a stranger, %s, by %q", f.amount, name(s.mint), name(s.who), f.client)
}

// check holds a new flow against the windows that end with it.
func (j *court) check(s side, f flow) {
	l := limitsOf(s.who)[s.mint]
	u := unit(s.mint)
	spare := int64(0)
	if j.c.turned && j.owner(s.who) {
		spare = exposures[s.who][s.mint]*u + within(j.income[s], f.at, time.Hour, func(flow) bool { return true })
	}
	if f.amount > l.transaction*u+spare {
		j.fault("%d of %s left %s at once", f.amount, name(s.mint), name(s.who))
	}
	for _, w := range []struct {
		length time.Duration
		most   int64
	}{{time.Minute, l.minute * u}, {10 * time.Minute, l.ten * u}, {time.Hour, l.hour * u}} {
		rows := []struct {
			what   string
			most   int64
			counts func(flow) bool
		}{
			{"all", w.most + spare, func(flow) bool { return true }},
			{"proved", w.most, func(f flow) bool { return !f.graded }},
			{"c1's", w.most*40/100 + spare, func(f flow) bool { return f.client == "c1" }},
		}
		for _, row := range rows {
			if row.what == "c1's" && !j.owner(s.who) {
				continue
			}
			j.windows++
			if sum := within(j.flows[s], f.at, w.length, row.counts); sum > row.most {
				j.fault("%d of %s left %s within %v (%s), %d above", sum, name(s.mint), name(s.who), w.length, row.what,
					sum-row.most)
			}
		}
	}
}

// within sums the flows of the last while before a moment.
func within(all []flow, at time.Time, length time.Duration, counts func(flow) bool) (sum int64) {
	for _, f := range slices.Backward(all) {
		if !f.at.After(at.Add(-length)) {
			break
		}
		if counts(f) {
			sum += f.amount
		}
	}
	return sum
}

func (j *court) fault(format string, args ...any) {
	j.faults = append(j.faults, fmt.Sprintf("slot %d: ", j.c.slot)+fmt.Sprintf(format, args...))
}

func name(k key) string {
	for n, o := range map[string]key{
		"alice": alice, "bob": bob, "shop": shop, "friend": friend, "thief": thief, "relay": relay,
		"usdc": usdc, "late": late, "junk": junk, "SOL": wsol, "sponsor": sponsor,
	} {
		if o == k {
			return n
		}
	}
	return k.String()
}
