package paid

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/world"
)

// relay is the door of a sponsor: it adds the fee payer's signature last and
// sends. Its answer is lost at times, and what it sends too. It may sign what it
// was given before once more, with another signature.
type relay struct{ p *proc }

var (
	errLost  = errors.New("the answer is lost")
	errCrowd = fmt.Errorf("the relay is busy: %w", walletfi.ErrNotSent)
)

// Submit implements walletfi.Submitter.
func (r relay) Submit(ctx context.Context, signed walletfi.Signed) (string, error) {
	p := r.p
	n := p.count(atRequest)
	died := p.hit(atRequest, n, false)
	if !p.pass() || died {
		return "", errDead
	}
	x := p.s.court.of(signed)
	if x == nil {
		return "", walletfi.ErrRejected
	}
	knocks, away := p.s.court.knock(x)
	d := x.build.key.dice.of("relay", x.build.n, x.i, knocks, away)
	if knocks == 1 && d.of("busy").chance(0.05) {
		return "", p.s.court.turnAway(x)
	}
	if !rest(ctx, d.of("way").span(5*time.Millisecond, 300*time.Millisecond)) {
		return "", ctx.Err() // the bytes are with the relay by now, or not
	}
	raw, said := x.raw, x.wire
	if d.of("anew").chance(p.s.plan.Shares.Anew) {
		var other world.Signature
		if raw, other = p.s.court.signAnew(x, d); d.of("says").chance(0.5) {
			said = other
		}
	}
	switch y := d.of("send").float(); {
	case y < 0.6:
		p.s.leak(x, raw)
	case y < 0.8:
		// It keeps the bytes for as long as they live, and may send them last of all.
		time.AfterFunc(d.of("later").long(time.Second, 90*time.Second), func() { p.s.leak(x, raw) })
	}
	died = p.hit(atRequest, n, true)
	if !p.pass() || died {
		return "", errDead
	}
	switch y := d.of("answer").float(); {
	case y < 0.15:
		return "", &walletfi.OutcomeUnknownError{Cause: errLost}
	case y < 0.2:
		return "", errLost
	}
	return said.String(), nil
}

// of is the transaction that a door is given.
func (c *court) of(signed walletfi.Signed) *tx {
	raw, err := base64.StdEncoding.DecodeString(string(signed.Transaction))
	if err != nil || len(raw) == 0 || len(raw) < 1+64*int(raw[0]) {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byMessage[string(raw[1+64*int(raw[0]):])]
}

// knock numbers the visits of a transaction to the doors of the stage, and says
// how often it was turned away.
func (c *court) knock(x *tx) (knocks, away int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	x.knocks++
	return x.knocks, x.away
}

// turnAway forgets a visit: a door that was never given a transaction may say
// that it did not send it, and only then.
func (c *court) turnAway(x *tx) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	x.knocks--
	x.away++
	return errCrowd
}

// leak sends a transaction from outside of all processes.
func (s *stage) leak(x *tx, raw []byte) {
	s.diary.add("%s goes out as %.12s", x.name(), world.Signature(raw[1:65]))
	if err := s.w.Leak(raw); err != nil {
		panic(err)
	}
}

// leakBundle sends transactions that land together, unless it did already.
func (s *stage) leakBundle(list []*tx) {
	var raws [][]byte
	for _, x := range list {
		raws = append(raws, x.raw)
	}
	s.diary.add("%s goes out in a bundle of %d", list[0].name(), len(list))
	if err := s.w.LeakBundle(raws); err != nil {
		panic(err)
	}
}

// bundler is a service that lands transactions together.
type bundler struct{ p *proc }

// SubmitBundle implements walletfi.BundleSubmitter.
func (r bundler) SubmitBundle(ctx context.Context, txs []walletfi.Signed) (string, error) {
	p := r.p
	n := p.count(atRequest)
	died := p.hit(atRequest, n, false)
	if !p.pass() || died || len(txs) == 0 {
		return "", errDead
	}
	var list []*tx
	for _, signed := range txs {
		x := p.s.court.of(signed)
		if x == nil {
			return "", walletfi.ErrRejected
		}
		list = append(list, x)
	}
	knocks, away := p.s.court.knock(list[0])
	d := list[0].build.key.dice.of("bundle", list[0].build.n, knocks, away)
	if knocks == 1 && d.of("busy").chance(0.05) {
		return "", p.s.court.turnAway(list[0])
	}
	if !rest(ctx, d.of("way").span(5*time.Millisecond, 300*time.Millisecond)) {
		return "", ctx.Err()
	}
	if d.of("lands").chance(0.35) {
		p.s.leakBundle(list)
	}
	died = p.hit(atRequest, n, true)
	if !p.pass() || died {
		return "", errDead
	}
	if d.of("answer").chance(0.15) {
		return "", &walletfi.OutcomeUnknownError{Cause: errLost}
	}
	return fmt.Sprintf("bundle %d", n), nil
}
