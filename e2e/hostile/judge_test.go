package hostile

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/walletfi/walletfi-go/e2e/calls"
	"github.com/walletfi/walletfi-go/observe"
)

// place names a member of the answers of a call, and the way in which they lied there.
type place struct{ op, path, class string }

func (p place) String() string { return p.op + "\t" + p.path + "\t" + p.class }

// harm says what may come of a lie that is believed, the worst first.
type harm byte

const (
	worst   harm = iota + 1 // another value, or a zero, is valid where it decides
	silent                  // nothing says that what decides was not read
	against                 // an answer to another request is taken, or a repeated or refused one
	little                  // a value that was never said, where nothing hangs on it
	quiet                   // nothing says that what decides nothing was not read, or came twice
)

// finding is a lie that was believed.
type finding struct {
	harm   harm
	count  int
	sample string
}

// judge gives calls their spoiled answers.
type judge struct {
	oracle   oracle
	some     func(op, path string) bool // the members that are looked at
	met      map[place]bool             // the members that were looked at
	known    map[place]bool             // those that were met in another shape of the answers
	members  int
	answers  int
	tested   map[place]bool
	believed map[place]*finding
}

func newJudge(o oracle) *judge {
	return &judge{
		oracle: o, some: func(string, string) bool { return true },
		met: map[place]bool{}, tested: map[place]bool{}, believed: map[place]*finding{},
	}
}

// sampled takes a part of the members, another one for each seed.
func sampled(seed, parts uint64) func(op, path string) bool {
	return func(op, path string) bool {
		h := fnv.New64a()
		fmt.Fprint(h, seed, op, path)
		return h.Sum64()%parts == 0
	}
}

// found keeps a verdict.
func (j *judge) found(p place, h harm, sample string) {
	j.answers++
	j.tested[p] = true
	if h == 0 {
		return
	}
	f := j.believed[p]
	if f == nil {
		f = &finding{harm: h, sample: sample}
		j.believed[p] = f
	}
	f.count++
	if h < f.harm {
		f.harm, f.sample = h, sample
	}
}

// row gives a call all lies that are due to it.
func (j *judge) row(ctx context.Context, r *calls.Row) {
	body := r.Exchanges[0].Body
	if !strings.HasPrefix(body, "{") && !strings.HasPrefix(body, "[") {
		return // nothing, or a text that has no members
	}
	honest, err := r.Answered(ctx, trimmed(body))
	if err == nil {
		body = trimmed(body)
	} else if honest, err = r.Answered(ctx, body); err != nil {
		j.found(place{r.Op, "", "harmless"}, against, "the honest answer: "+err.Error())
		return
	}
	if _, bytes := honest.([]byte); bytes {
		return // what came is handed on
	}
	j.failures(ctx, r, body)
	seen := typed(honest)
	for _, m := range members(body)[1:] {
		name := place{op: r.Op, path: m.path}
		if m.edge && m.kind != 'z' && !j.known[name] && j.some(r.Op, m.path) {
			j.members++
			j.met[name] = true
			j.member(ctx, r, body, seen, m)
		}
	}
}

// listener hears whether an observer is told that something is wrong with a member.
type listener struct {
	observe.None
	path string
	told bool
}

func (l *listener) Observe(_ context.Context, e observe.Event) {
	d, ok := e.(observe.Drift)
	if !ok || d.Fault == "" {
		return
	}
	name := d.Member[strings.LastIndexByte(d.Member, '.')+1:]
	for step := range strings.SplitSeq(l.path, ".") {
		step, _, _ = strings.Cut(step, "[")
		l.told = l.told || step == name
	}
}

// failures says no beside an honest answer, and what looks like it.
func (j *judge) failures(ctx context.Context, r *calls.Row, body string) {
	for _, f := range failuresOf(r.Op, body) {
		spoiled := beside(body, f.member, f.value)
		if spoiled == "" || spoiled == body || !j.some(r.Op, f.member) {
			continue
		}
		_, err := r.Answered(ctx, spoiled)
		class, h := "failure", harm(0)
		if !f.refusal {
			class = "harmless"
		}
		if f.refusal != (err != nil) {
			h = against
		}
		j.found(place{r.Op, f.member, class}, h, fmt.Sprintf("%s: %v", f.value, err))
	}
	for _, a := range added[r.Op] {
		if j.some(r.Op, a.member) {
			got, err := r.Answered(ctx, beside(body, a.member, a.value))
			h, sample := verdict(lie{class: "request", said: a.value}, &rule{decides: true}, true, nil, got, err, false)
			j.found(place{r.Op, a.member, "request"}, h, sample)
		}
	}
}

// member lies about one member. Where the honest value is a zero, one that is not stands in
// for it, if the client takes it: what is read as a zero would be seen by nobody.
func (j *judge) member(ctx context.Context, r *calls.Row, body string, seen map[string]leaf, m member) {
	if fuller, ok := map[string]string{`0`: `7`, `"0"`: `"7"`, `""`: `"x7"`, `false`: `true`}[m.text(body)]; ok {
		if got, err := r.Answered(ctx, m.with(body, fuller)); err == nil {
			body, seen = m.with(body, fuller), typed(got)
			m.to = m.from + len(fuller)
		}
	}
	rule := j.oracle.of(r.Op, m)
	rule.hidden, rule.unnamed = j.oracle.isHidden(r.Op), !j.oracle.isNamed(r.Op, m.path)
	shows := true
	if got, err := r.Answered(ctx, m.with(body, rule.other(m.text(body)))); err == nil {
		shows = len(changes(seen, typed(got))) > 0
	}
	if rule.null {
		_, err := r.Answered(ctx, m.with(body, "null"))
		h := map[bool]harm{true: against}[err != nil]
		j.found(place{r.Op, m.path, "harmless"}, h, fmt.Sprintf("null: %v", err))
	}
	for _, l := range lies(r.Exchanges[0], body, m, rule) {
		heard := &listener{path: m.path}
		got, err := r.Observed(ctx, l.body, heard)
		h, sample := verdict(l, rule, shows, seen, got, err, heard.told)
		j.found(place{r.Op, m.path, l.class}, h, sample)
	}
}
