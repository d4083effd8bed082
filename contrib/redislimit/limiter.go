package redislimit

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go/internal/running"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// ticks is the number of instants of a window that are told apart, as in package
// ratelimit.
const ticks = 1024

// Limiter keeps the budgets of one scope for all processes of a [Fleet], which makes it.
// It is safe for concurrent use.
type Limiter struct {
	fleet   *Fleet
	scope   ratelimit.Scope
	name    string     // of the hash in Redis
	process string     // this limiter among those of the fleet
	windows [][3]int64 // requests, length, tick
	keep    time.Duration
	running running.Group

	// A report holds calls for writing, so that no command is under way whose effect
	// it would miss; each other command holds it for reading.
	calls sync.RWMutex

	mu      sync.Mutex
	state   state
	waiters waiters
	pumping bool
	beating bool
	kick    chan struct{} // wakes the pump
}

var (
	_ ratelimit.Holder = (*Limiter)(nil)
	_ ratelimit.Prober = (*Limiter)(nil)
)

func newLimiter(f *Fleet, scope ratelimit.Scope, name, process string, budgets []ratelimit.Budget) *Limiter {
	l := &Limiter{
		fleet:   f,
		scope:   scope,
		name:    name,
		process: process,
		kick:    make(chan struct{}, 1),
		windows: [][3]int64{},
	}
	longest := time.Duration(0)
	for _, b := range budgets {
		length := max(1, b.Per.Microseconds()+1) // rounded up
		if b.Per%time.Microsecond == 0 {
			length = b.Per.Microseconds()
		}
		longest = max(longest, b.Per)
		// Two of one length would be counted in the same fields: the smaller one holds.
		if i := slices.IndexFunc(l.windows, func(w [3]int64) bool { return w[1] == length }); i >= 0 {
			l.windows[i][0] = min(l.windows[i][0], int64(b.Requests))
			continue
		}
		l.windows = append(l.windows, [3]int64{int64(b.Requests), length, (length + ticks - 1) / ticks})
	}
	l.state.sent = make([]ledger, len(l.windows))
	l.keep = 30*24*time.Hour + 2*min(longest, 10*365*24*time.Hour)
	return l
}

// Permit reserves a slot of every budget for this process; see [ratelimit.Limiter]. An
// error that is neither a refusal nor ctx's is a [*ratelimit.LimiterError].
func (l *Limiter) Permit(ctx context.Context, maxWait time.Duration) (func(context.Context, bool) error, error) {
	if ctx.Err() != nil {
		return nil, ended(ctx)
	}
	w := newWaiter(ctx, maxWait)
	at, err := l.try(w, maxWait > 0)
	switch {
	case err != nil:
		return nil, l.failed(err)
	case w.granted:
		return l.permit(w.probe), nil
	case at.After(w.latest):
		return nil, l.refusal(at)
	}
	l.join(w, at)
	timer := time.NewTimer(max(0, time.Until(w.arrived.Add(max(0, maxWait)))))
	defer timer.Stop()
	select {
	case <-w.ready:
	case <-timer.C:
		l.leave(w)
	case <-ctx.Done():
		if l.leave(w); w.granted {
			_ = l.permit(w.probe)(ctx, false)
		}
		return nil, ended(ctx)
	}
	switch {
	case w.granted:
		return l.permit(w.probe), nil
	case w.err != nil:
		return nil, l.failed(w.err)
	}
	return nil, l.refusal(w.at)
}

// permit returns the done function of a slot that was granted.
func (l *Limiter) permit(probe bool) func(context.Context, bool) error {
	var called atomic.Bool
	return func(_ context.Context, sent bool) error {
		if called.Swap(true) {
			return nil
		}
		return l.done(sent, probe)
	}
}

// done reports to Redis that a request ended. If it does not hear of that, the next report
// says so; until then the slot counts as under way.
func (l *Limiter) done(sent, probe bool) error {
	over := func() { l.state.probing = l.state.probing && !probe }
	lost := func() { over(); l.state.ended(sent) }
	err := l.do(func(r *request) { r.Op, r.WasSent, r.Probe = "done", sent, probe }, func(a answer) {
		over()
		l.state.underWay--
		if sent {
			l.state.note(l.windows, a.now, 1)
		}
	}, lost)
	if !sent {
		l.wake()
	}
	return l.failed(err)
}

// Hold lets nothing through until then, in the whole fleet. It never shortens a hold.
func (l *Limiter) Hold(_ context.Context, until time.Time) error {
	in := time.Until(until)
	if in <= 0 {
		return nil
	}
	return l.failed(l.do(func(r *request) { r.Op, r.In = "hold", micros(in) }, nil, nil))
}

// Doubt implements [ratelimit.Prober], for the whole fleet: one request at a time of all
// processes probes.
func (l *Limiter) Doubt(_ context.Context, probe, until time.Time) error {
	in := time.Until(until)
	if in <= 0 {
		return nil
	}
	return l.failed(l.do(func(r *request) {
		r.Op, r.FirstIn, r.In = "doubt", micros(max(0, time.Until(probe))), micros(in)
	}, nil, nil))
}

// Trust implements [ratelimit.Prober].
func (l *Limiter) Trust(context.Context) error {
	err := l.do(func(r *request) { r.Op = "trust" }, nil, nil)
	l.wake()
	return l.failed(err)
}

// Tighten applies the service's own count to the whole fleet; see [ratelimit.Limiter].
func (l *Limiter) Tighten(_ context.Context, remaining int, reset time.Time) error {
	in := time.Until(reset)
	if in <= 0 {
		return nil
	}
	return l.failed(l.do(func(r *request) {
		r.Op, r.Remaining, r.In = "tighten", max(0, remaining), micros(in)
	}, nil, nil))
}

// Held implements [ratelimit.Holder].
func (l *Limiter) Held(context.Context) (time.Time, error) {
	var until time.Time
	err := l.do(func(r *request) { r.Op = "held" }, func(a answer) {
		if a.rest[0] > a.now {
			until = a.local(a.rest[0])
		}
	}, nil)
	return until, l.failed(err)
}

// Lift implements [ratelimit.Holder].
func (l *Limiter) Lift(context.Context) error {
	err := l.do(func(r *request) { r.Op = "lift" }, nil, nil)
	l.wake()
	return l.failed(err)
}

func (l *Limiter) refusal(at time.Time) error {
	return &ratelimit.Error{Class: l.scope.Class, ResetAt: at}
}

func (l *Limiter) failed(err error) error {
	if err == nil {
		return nil
	}
	return &ratelimit.LimiterError{
		Service: l.scope.Service,
		Class:   l.scope.Class,
		Cause:   fmt.Errorf("redislimit: %w", err),
	}
}

func ended(ctx context.Context) error {
	return fmt.Errorf("redislimit: waiting for a slot under the rate limit: %w", ctx.Err())
}

// micros rounds up.
func micros(d time.Duration) int64 {
	return min(int64(d/time.Microsecond)+1, 100*366*24*time.Hour.Microseconds())
}

// local converts an instant of Redis's clock, as soon as the answer came.
func (a answer) local(at int64) time.Time {
	return time.Now().Add(time.Duration(min(at-a.now, 100*366*24*time.Hour.Microseconds())) * time.Microsecond)
}

// do runs a command, after a report if Redis asks for one. then sees its answer and
// lost that it failed, both under the lock, before a report can begin.
func (l *Limiter) do(command func(*request), then func(answer), lost func()) error {
	var err error
	for range 4 {
		if err = l.report(false); err != nil {
			break
		}
		var again bool
		if again, err = l.once(command, then, lost); !again {
			return err
		}
	}
	if err == nil {
		err = fmt.Errorf("redis loses its state again and again")
	}
	if lost != nil {
		l.mu.Lock()
		lost()
		l.mu.Unlock()
	}
	return err
}

// once runs a command. again says that Redis did nothing and asks for a report.
func (l *Limiter) once(command func(*request), then func(answer), lost func()) (again bool, err error) {
	l.calls.RLock()
	defer l.calls.RUnlock()
	l.mu.Lock()
	r := l.request()
	command(r)
	l.mu.Unlock()
	a, err := l.run(r)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil:
		l.state.unsure = true
		if lost != nil {
			lost()
		}
		return false, err
	case a.code != codeOK:
		l.state.unsure = true
		return true, nil
	}
	l.state.seen(a)
	if then != nil {
		then(a)
	}
	return false, nil
}

// request has what every command says. The lock is held.
func (l *Limiter) request() *request {
	s := &l.state
	return &request{
		Process: l.process, Epoch: s.epoch, Session: s.session, Seq: s.seq, Nonce: rand.Text(),
		Windows: l.windows, Lease: micros(l.fleet.cfg.Lease), Report: micros(l.fleet.cfg.ReportPeriod),
		Keep:     l.keep.Milliseconds(),
		Probing:  s.probing,
		UnderWay: s.underWay, Owed: s.owed, Sent: [][][2]int64{}, Ask: [][3]int64{}, Urgent: []int64{}, Ordinary: []int64{},
	}
}

// report sends Redis what this process has under way, and what it sent if Redis does
// not know; if not always, only where something is unsure.
func (l *Limiter) report(always bool) error {
	l.mu.Lock()
	due := always || l.state.due()
	l.mu.Unlock()
	if !due {
		return nil
	}
	l.calls.Lock()
	defer l.calls.Unlock()
	full := false
	for range 4 {
		l.mu.Lock()
		if !always && !l.state.due() { // another did it
			l.mu.Unlock()
			return nil
		}
		l.state.session++
		r := l.request()
		r.Op = "sync"
		if r.Full = full || r.Epoch == ""; r.Full {
			r.Sent = l.state.report()
		}
		l.mu.Unlock()
		a, err := l.run(r)
		if err != nil {
			l.mu.Lock()
			l.state.unsure = true
			l.mu.Unlock()
			return err
		}
		if a.code == codeOK {
			l.mu.Lock()
			l.state.reported(l.windows, a, r.Owed)
			l.mu.Unlock()
			return nil
		}
		full = a.code == codeReport
	}
	return fmt.Errorf("redis does not take a report")
}

// beat reports while anything of this process counts, so that the lease is renewed and
// a loss of state is noticed.
func (l *Limiter) beat() {
	every := min(l.fleet.cfg.Lease, l.fleet.cfg.ReportPeriod) / 3
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-l.fleet.ctx.Done():
			return
		case <-ticker.C:
		}
		l.mu.Lock()
		l.state.forget(l.windows)
		if !l.state.counts() && l.waiters.len() == 0 {
			l.beating = false
			l.mu.Unlock()
			return
		}
		l.mu.Unlock()
		_ = l.report(true) // the next beat tries again, and the next command fails
	}
}

// live starts the beat. The lock is held.
func (l *Limiter) live() {
	if !l.beating && l.fleet.ctx.Err() == nil {
		l.beating = true
		l.running.Go(l.beat)
	}
}

// wake has the pump ask again.
func (l *Limiter) wake() {
	select {
	case l.kick <- struct{}{}:
	default:
	}
}

// ages of the first that wait, in microseconds.
func ages(list []*waiter) []int64 {
	all := make([]int64, 0, 8)
	for _, w := range list[:min(len(list), 8)] {
		all = append(all, time.Since(w.arrived).Microseconds())
	}
	return slices.Clip(all)
}
