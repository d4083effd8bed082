package paid

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"

	"github.com/walletfi/walletfi-go"
)

// execute executes a set under a key and says how it ended, "" if the process
// died.
func (c *caller) execute(d dice, a *asked, name string) string {
	p := c.process(d)
	opts := wallet.ExecuteOptions{Key: name, Signer: pen{c.k.owner, p, name}}
	if a.nonce != nil {
		opts.Guard = []signing.Option{signing.WithNonce(signing.Nonce{
			Account: signing.PublicKey(a.nonce.account), Value: signing.PublicKey(a.nonce.value),
		})}
	}
	if c.k.machine.sponsored {
		opts.Submitter = relay{p}
	}
	c.s.court.given(a.b)
	var res *wallet.Result
	heard, err := c.during(d, p, "Execute", func(ctx context.Context) error {
		var err error
		if c.k.bundle {
			res, err = p.w.ExecuteBundle(ctx, a.u, bundler{p}, opts)
		} else {
			res, err = p.w.Execute(ctx, a.u, opts)
		}
		return err
	})
	if !heard {
		return ""
	}
	if c.s.plan.Shares.Shared > 0 && (errors.Is(err, wallet.ErrKeyReused) || errors.Is(err, walletfi.ErrInvalidRequest)) {
		c.s.diary.add("Execute of %q: %v", name, err)
		return refusedBytes
	}
	c.s.court.executes(c.k, a.b, name, res, err)
	return endOf(err)
}

// placed carries the key out as an order.
func (c *caller) placed(d dice) string {
	p := c.process(d)
	opts := wallet.PlaceOptions{
		Key: c.k.name, Signer: pen{c.k.owner, p, c.k.name}, Attempts: d.of("attempts").int(1, 3),
	}
	order := wallet.OrderFunc(func(ctx context.Context) (walletfi.Unsigned, error) {
		if !p.pass() {
			return walletfi.Unsigned{}, errDead
		}
		b, u, err := c.s.service.build(ctx, c.k, nil)
		if err == nil {
			c.s.court.given(b)
		}
		return u, err
	})
	var placed *wallet.Placed
	heard, err := c.during(d, p, "Place", func(ctx context.Context) error {
		var err error
		placed, err = p.w.Place(ctx, order, opts)
		return err
	})
	if !heard {
		return ""
	}
	if placed == nil {
		c.s.court.result(c.k, "Place", nil, err)
		return endOf(err)
	}
	c.s.court.result(c.k, "Place", &placed.Result, err)
	return endOf(err)
}

// during makes a call in a process, at times with a context that ends early
// and with somebody who looks on. heard is false if the process died: then
// nobody learned how the call ended.
func (c *caller) during(d dice, p *proc, what string, do func(context.Context) error) (heard bool, err error) {
	c.n++
	one := call{p: p, from: time.Now()}
	ctx := p.ctx
	if d.of("deadline").chance(c.s.plan.Shares.Deadline) {
		bound := d.of("bound").long(time.Second, 2*time.Minute)
		one.cut = time.Now().Add(bound)
		bounded, cancel := context.WithTimeout(ctx, bound)
		defer cancel()
		ctx = bounded
	}
	if !p.pass() {
		return false, nil
	}
	c.s.diary.add("%s: %s in %s", c.k.name, what, p.name)
	stop := c.peek(d, p)
	err = do(ctx)
	stop()
	heard = p.pass()
	one.to = time.Now()
	c.s.court.called(c.k, one)
	return heard, err
}

// peek looks at the key's outcome while a call is under way: now and then, and
// whenever the journal has taken something of it.
func (c *caller) peek(d dice, p *proc) (stop func()) {
	if !d.of("peek").chance(c.s.plan.Shares.Peek) {
		return func() {}
	}
	ctx, cancel := context.WithCancel(p.ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for i := range 12 {
			timer := time.NewTimer(d.of("peek", i).long(50*time.Millisecond, 20*time.Second))
			select {
			case <-timer.C:
			case <-c.k.stirred:
				timer.Stop()
				time.Sleep(100 * time.Microsecond) // what happens at one instant has no order
			case <-ctx.Done():
				return
			}
			c.outcome(ctx, p, "Outcome")
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// outcome asks what the journal says of the key.
func (c *caller) outcome(ctx context.Context, p *proc, source string) (known string) {
	if c.k.machine.keyless {
		return "unknown"
	}
	from := c.s.court.moment()
	o, err := p.w.Outcome(ctx, c.k.name)
	if !p.pass() || ctx.Err() != nil {
		return ""
	}
	c.s.court.outcome(c.k, source, from, o, err)
	if err != nil || !o.Settled() {
		return "unknown"
	}
	for _, step := range o.Steps {
		if step.State != wallet.StateConfirmed {
			return string(step.State)
		}
	}
	if len(o.Steps) == 0 {
		return "not sent"
	}
	return "confirmed"
}

// settle follows what is in doubt, and asks for the key then.
func (c *caller) settle(d dice) string {
	p := c.process(d)
	c.s.settle(c.k.machine, p, 0)
	c.n++
	return c.outcome(p.ctx, p, "Outcome after Settle")
}

// settle calls Settle in a process, and judges all that it says.
func (s *stage) settle(m *machine, p *proc, bound time.Duration) {
	one := call{p: p, from: time.Now()}
	ctx := p.ctx
	if bound > 0 {
		bounded, cancel := context.WithTimeout(ctx, bound)
		defer cancel()
		ctx = bounded
	}
	if !p.pass() {
		return
	}
	s.diary.add("Settle in %s", p.name)
	from := s.court.moment()
	list, _ := p.w.Settle(ctx)
	heard := p.pass()
	one.to = time.Now()
	m.mu.Lock()
	m.settled = append(m.settled, one)
	m.mu.Unlock()
	if !heard {
		return
	}
	for _, o := range list {
		if k := s.court.keyOf(o.Key); k != nil {
			s.court.outcome(k, "Settle", from, o, nil)
		}
	}
}

// look lists what is unsettled, and asks for the key.
func (c *caller) look(d dice) {
	p := c.process(d)
	c.n++
	from := time.Now()
	if list, err := p.w.Unsettled(p.ctx); err == nil && p.pass() && !c.k.machine.keyless {
		c.s.court.unsettled("Unsettled", from, c.k.machine.keys, list)
	}
	c.outcome(p.ctx, p, "Outcome")
}

// called notes a call.
func (c *court) called(k *key, one call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k.calls = append(k.calls, one)
}

// keyOf is the key of a name.
func (c *court) keyOf(name string) *key {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byName[name]
}

// spent reports whether a transaction of the key was called confirmed: then
// the key does not pay again.
func (c *caller) spent() bool {
	c.s.court.mu.Lock()
	defer c.s.court.mu.Unlock()
	for _, x := range c.k.signed() {
		if slices.Contains(x.words, wallet.StateConfirmed) {
			return true
		}
	}
	return false
}
