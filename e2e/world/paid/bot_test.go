package paid

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"

	"github.com/walletfi/walletfi-go"
)

// caller pays a key, as a program does: it asks until it knows, and pays anew
// what has come to nothing.
type caller struct {
	s    *stage
	k    *key
	dice dice
	n    int // calls so far
	last *asked
}

// asked is what was last asked of a wallet for the key.
type asked struct {
	b     *build
	u     walletfi.Unsigned
	nonce *nonceValue
}

// mostCalls is after how many calls a caller gives up.
const mostCalls = 7

// call plays the caller of a key from its first word to its last.
func (s *stage) call(k *key) {
	c := &caller{s: s, k: k, dice: k.dice.of("caller")}
	time.Sleep(k.start)
	s.liken(k)
	done, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.bystanders(done, k)
	end := c.pay()
	builds := c.dice.of("builds").int(2, 4)
	for c.n < mostCalls && s.court.count(k) < builds {
		d := c.dice.of("next", c.n)
		switch end {
		case "confirmed":
			if d.of("again").chance(s.plan.Shares.Again) {
				time.Sleep(d.of("later").long(time.Second, s.plan.Rest))
				c.ask(d)
			}
			return
		case "unknown", "":
			// Unknown, or nobody came back to say anything.
			time.Sleep(d.of("rest").long(time.Second, s.plan.Rest))
			end = c.comeBack(d)
		default:
			if !d.of("slow").chance(0.8) {
				time.Sleep(d.of("rest").long(100*time.Millisecond, time.Minute))
			}
			if c.spent() && d.of("leave").chance(0.5) {
				return
			}
			end = c.pay()
		}
	}
}

// bystanders are others who act while the key is paid.
func (s *stage) bystanders(done context.Context, k *key) {
	if k.poor {
		for i := range k.dice.of("money").int(1, 3) {
			time.AfterFunc(k.dice.of("money", i).long(100*time.Millisecond, 90*time.Second), func() { s.endow(k, i) })
		}
	}
	if k.nonce == (world.Key{}) {
		return
	}
	if k.dice.of("others").chance(s.plan.Shares.Advance) {
		for i := range k.dice.of("advances").int(1, 3) {
			time.AfterFunc(k.dice.of("advance", i).long(100*time.Millisecond, 3*time.Minute), func() { s.advance(k, i) })
		}
	}
	// A nonce that nobody advances lets a transaction live for ever. In the end
	// somebody does.
	go func() {
		for i := 3; rest(done, k.dice.of("advance", i).span(time.Minute, 4*time.Minute)); i++ {
			s.advance(k, i)
		}
		s.advance(k, -2) // nobody asks for it any more
	}()
}

// comeBack asks again for a key that is in doubt.
func (c *caller) comeBack(d dice) string {
	switch x := d.of("how").float(); {
	case c.k.machine.keyless && c.last != nil:
		// Without a key another build is another payment, once this one is settled.
		return c.handIn(d, c.last)
	case x < 0.35:
		return c.settle(d)
	case x < 0.5:
		c.look(d)
		return "unknown"
	case x < 0.5+c.s.plan.Shares.Same && c.last != nil:
		return c.handIn(d, c.last)
	}
	return c.pay()
}

// ask asks a key that has ended once more.
func (c *caller) ask(d dice) {
	if c.k.machine.keyless && c.last != nil {
		c.handIn(d, c.last)
		return
	}
	if d.of("execute").chance(0.5) {
		c.pay()
		return
	}
	c.look(d)
}

// pay has the key built anew and executes it, at times twice at once.
func (c *caller) pay() string {
	d := c.dice.of("pay", c.n)
	if c.k.place {
		return c.placed(d)
	}
	if d.of("double").chance(c.s.plan.Shares.Double) && !c.k.machine.keyless {
		second := &caller{s: c.s, k: c.k, dice: c.dice.of("second", c.n)}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			time.Sleep(d.of("apart").long(time.Millisecond, 5*time.Second))
			second.one(d.of("other"))
		}()
		end := c.one(d)
		<-ended
		return end
	}
	return c.one(d)
}

// one builds and executes once. It is "" if the service or the nonce's node
// did not answer, or the process died.
func (c *caller) one(d dice) string {
	p := c.process(d)
	ctx, cancel := context.WithTimeout(p.ctx, 5*time.Minute)
	defer cancel()
	nonce, _, err := c.k.readNonce(ctx, p)
	if err != nil {
		c.n++
		return ""
	}
	b, u, err := c.s.service.build(ctx, c.k, nonce)
	if err != nil {
		c.n++
		return ""
	}
	c.last = &asked{b, u, nonce}
	return c.handIn(d, c.last)
}

// handIn executes what was built, at times once more meanwhile: for another key,
// or without any.
func (c *caller) handIn(d dice, a *asked) string {
	name, other, again := c.k.name, c.k.name+" again", c.s.plan.Shares.Shared
	if c.k.machine.keyless {
		name, other, again = "", "", c.s.plan.Shares.Double
	}
	if !d.of("again").chance(again) {
		return c.execute(d, a, name)
	}
	if other != "" {
		c.s.court.share(c.k)
	}
	second := &caller{s: c.s, k: c.k, dice: c.dice.of("again", c.n)}
	ended := make(chan string)
	go func() {
		time.Sleep(d.of("apart").long(time.Millisecond, 90*time.Second))
		ended <- second.execute(d.of("other"), a, other)
	}()
	end := c.execute(d, a, name)
	return worse(end, <-ended)
}

// worse is what two calls with the same bytes leave to the caller: one that has
// paid is enough, and one that may yet pay must be waited for.
func worse(a, b string) string {
	for _, end := range []string{"confirmed", "unknown", ""} {
		if a == end || b == end {
			return end
		}
	}
	if a == refusedBytes {
		return b
	}
	return a
}

// refusedBytes is the end of an execution whose bytes another key has.
const refusedBytes = "refused"

// process is the process that the next call goes to.
func (c *caller) process(d dice) *proc { return c.k.machine.proc(d.of("process").int(0, 1)) }
