package paid

import (
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
)

// place is where in its work a process is hit.
type place int

const (
	atWrite place = iota
	atRequest
	atMoment
)

// deed is what befalls it.
type deed int

const (
	dies deed = iota
	stands
	restarts
)

// blow is something that befalls a process: at its n-th journal write or
// request, before or after that is carried out, or after a time.
type blow struct {
	where place
	n     int
	after bool
	when  time.Duration
	do    deed
	wait  time.Duration // how long it stands still
}

// blows draws what befalls a process.
func (p *proc) blows() (list []blow) {
	d, shares := p.dice.of("blows"), p.s.plan.Shares
	if d.of("dies").chance(shares.Deaths) {
		list = append(list, d.of("death").blow(dies))
	}
	if d.of("stands").chance(shares.Pauses) {
		for i := range d.of("pauses").int(1, 3) {
			b := d.of("pause", i).blow(stands)
			b.wait = d.of("wait", i).long(3*time.Second, p.s.plan.Stop)
			list = append(list, b)
		}
	}
	if d.of("restarts").chance(shares.Orderly) {
		b := d.of("restart").blow(restarts)
		b.where = atMoment
		list = append(list, b)
	}
	return list
}

// blow draws where and when. Most are early: a payment has few writes.
func (d dice) blow(do deed) blow {
	b := blow{do: do, after: d.of("after").chance(0.5)}
	switch x := d.of("where").float(); {
	case x < 0.4:
		b.where, b.n = atWrite, int(d.of("n").long(1, 24))
	case x < 0.8:
		b.where, b.n = atRequest, int(d.of("n").long(1, 120))
	default:
		b.where, b.when = atMoment, d.of("when").long(100*time.Millisecond, 5*time.Minute)
	}
	return b
}

// count counts a write or a request and returns its number.
func (p *proc) count(where place) int {
	if where == atRequest {
		p.s.requests.Add(1)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts[where]++
	return p.counts[where]
}

// hit carries out what befalls the process at a point, and reports whether it
// dies there.
func (p *proc) hit(where place, n int, after bool) (died bool) {
	for _, b := range p.planned {
		if b.where == where && b.n == n && b.after == after {
			p.strike(b)
			died = died || b.do == dies
		}
	}
	return died
}

// strike carries out a blow, unless quiet has come.
func (p *proc) strike(b blow) {
	if p.s.calm() {
		return
	}
	switch b.do {
	case dies:
		p.die("dies")
	case stands:
		p.stand(b.wait)
	case restarts:
		p.s.diary.add("%s is closed", p.name)
		p.close()
	}
}

// stand makes the process stand still for a while.
func (p *proc) stand(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead || p.still != nil {
		return
	}
	p.s.diary.add("%s stands still for %v", p.name, d)
	still := make(chan struct{})
	p.still = still
	p.pauses = append(p.pauses, [2]time.Time{time.Now(), time.Now().Add(d)})
	time.AfterFunc(d, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.still = nil
		close(still)
		p.s.diary.add("%s goes on", p.name)
	})
}

// pass waits while the process stands still. It is false if the process is
// dead: then nothing that it does may reach anybody.
func (p *proc) pass() bool {
	for {
		p.mu.Lock()
		dead, still := p.dead, p.still
		p.mu.Unlock()
		if dead || still == nil {
			return !dead
		}
		select {
		case <-still:
		case <-p.gone:
		}
	}
}

// wellUntil reports whether the process neither died nor stood still between
// two moments.
func (p *proc) wellUntil(from, to time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended.IsZero() && p.ended.Before(to) {
		return false
	}
	for _, pause := range p.pauses {
		if pause[0].Before(to) && pause[1].After(from) {
			return false
		}
	}
	return true
}

// awake are the times between two moments in which the process lived and did not
// stand still.
func (p *proc) awake(from, to time.Time) (spans []world.Span) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended.IsZero() && p.ended.Before(to) {
		to = p.ended
	}
	for _, pause := range p.pauses {
		if from.Before(pause[0]) && pause[0].Before(to) {
			spans = append(spans, world.Span{From: from, To: pause[0]})
		}
		from = later(from, pause[1])
	}
	if from.Before(to) {
		spans = append(spans, world.Span{From: from, To: to})
	}
	return spans
}
