package linear

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/walletfi/walletfi-go/wallet"
)

// client is one goroutine of a process, which asks the journal this and that.
type client struct {
	id      int
	rng     *rand.Rand
	process *process
	world   *world
	history *history
	last    map[string]uint64 // the version at which the client has seen each key last
	hurried int               // Stores under a context that ends early, still to come
	before  func()            // is called before each operation
}

// trouble is something that no order of the operations has to do with.
type trouble struct{ text string }

func (c *client) run(ops int) (troubles []trouble) {
	for range ops {
		c.before()
		switch c.rng.IntN(8) {
		case 0: // leases end
			time.Sleep(time.Duration(c.rng.IntN(10)) * time.Millisecond)
		case 1, 2, 3: // otherwise the operations of a fast journal hardly overlap
			runtime.Gosched()
		}
		key := c.world.keys[c.rng.IntN(len(c.world.keys))]
		holder := c.world.holders[c.rng.IntN(len(c.world.holders))]
		switch n := c.rng.IntN(100); {
		case n < 22:
			c.load(key)
		case n < 60:
			c.store(key)
		case n < 70:
			troubles = append(troubles, c.list()...)
		case n < 80:
			c.renew(holder)
		default:
			c.alive(holder)
		}
	}
	return troubles
}

func (c *client) load(key string) {
	from := c.history.now()
	e, err := c.process.get().Load(context.Background(), key)
	if err != nil {
		c.history.count("read without an answer")
		return
	}
	c.last[key] = e.Version
	c.history.count("load")
	c.record(key, from, c.history.now(), keyInput{call: callLoad}, keyOutput{seen: recordOf(e)})
}

// store writes on the version that the client has seen last, or on another one.
func (c *client) store(key string) {
	e := c.world.entry(c.rng, key)
	in := keyInput{call: callStore, was: c.last[key], entry: recordOf(e)}
	switch c.rng.IntN(10) {
	case 0:
		in.was = 0
	case 1:
		in.was = c.world.versions(c.rng) // never stored
	}
	ctx, cancel := context.WithCancel(context.Background())
	if c.hurried > 0 && c.rng.IntN(5) == 0 {
		c.hurried--
		ctx, cancel = context.WithTimeout(ctx, time.Duration(c.rng.IntN(2000))*time.Microsecond)
	}
	defer cancel()
	from := c.history.now()
	err := c.process.get().Store(ctx, in.was, e)
	til := c.history.now()
	out := keyOutput{fenced: errors.Is(err, wallet.ErrFenced)}
	switch {
	case err == nil:
		c.last[key] = e.Version
		c.history.count("stored")
	case out.fenced:
		c.history.count("fenced")
	default:
		out.lost, til = true, c.fate(err)
		c.history.count("store without an answer")
	}
	c.record(key, from, til, in, out)
}

// fate is by when an operation without an answer has happened, if it happens.
func (c *client) fate(err error) int64 {
	if !errors.Is(err, errDied) {
		return never
	}
	c.process.get() // waits for the next process
	return c.history.now()
}

// list is a read of each key on its own: a journal need not list all keys as they
// were at one moment. What is yielded was read by then.
func (c *client) list() (troubles []trouble) {
	q := c.world.query(c.rng)
	from := c.history.now()
	shown, place := map[string]bool{}, -1
	type sight struct {
		key string
		til int64
		out keyOutput
	}
	var sights []sight
	for e, err := range c.process.get().List(context.Background(), q) {
		if err != nil {
			c.history.count("read without an answer")
			return nil
		}
		here, known := c.world.order[e.Key]
		if !known || here <= place {
			troubles = append(troubles, trouble{fmt.Sprintf("List: key %q comes after place %d", e.Key, place)})
		}
		shown[e.Key], place = true, here
		sights = append(sights, sight{e.Key, c.history.now(), keyOutput{seen: recordOf(e)}})
	}
	til := c.history.now()
	for _, key := range c.world.keys {
		if !shown[key] {
			sights = append(sights, sight{key, til, keyOutput{}})
			c.history.count("not listed")
		}
	}
	for _, s := range sights {
		if s.out.seen != nil {
			c.history.count("listed")
		}
		c.record(s.key, from, s.til, keyInput{call: callList, query: q}, s.out)
	}
	return troubles
}

func (c *client) renew(holder string) {
	in := leaseInput{call: callRenew, lease: time.Duration(c.rng.IntN(30)) * time.Millisecond, from: c.history.now()}
	switch c.rng.IntN(6) {
	case 0:
		in.lease = -in.lease
	case 1:
		in.lease = time.Hour
	}
	err := c.process.get().Renew(context.Background(), holder, in.lease)
	in.til = c.history.now()
	if err != nil {
		in.til = c.fate(err)
		c.history.count("renew without an answer")
	}
	c.recordLease(holder, in, leaseOutput{lost: err != nil})
}

func (c *client) alive(holder string) {
	in := leaseInput{call: callAlive, from: c.history.now()}
	alive, err := c.process.get().Alive(context.Background(), holder)
	in.til = c.history.now()
	if err != nil {
		c.history.count("read without an answer")
		return
	}
	c.history.count(fmt.Sprintf("alive %t", alive))
	c.recordLease(holder, in, leaseOutput{alive: alive})
}

func (c *client) record(key string, from, til int64, in keyInput, out keyOutput) {
	c.history.add("key "+key, porcupine.Operation{ClientId: c.id, Input: in, Output: out, Call: from, Return: til})
}

func (c *client) recordLease(holder string, in leaseInput, out leaseOutput) {
	c.history.add("holder "+holder, porcupine.Operation{
		ClientId: c.id, Input: in, Output: out, Call: in.from, Return: in.til,
	})
}
