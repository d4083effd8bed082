package paid

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/walletfi/walletfi-go/wallet"
)

// journal is what one process sees of a machine's journal. It is durable,
// though the tests keep it in memory: what it took outlives the process. It
// stands still and ends with the process.
type journal struct {
	wallet.Journal
	p *proc
}

var errDisk = errors.New("the disk does not answer")

// Load implements wallet.Journal.
func (j journal) Load(ctx context.Context, key string) (wallet.Entry, error) {
	if !j.p.pass() {
		return wallet.Entry{}, errDead
	}
	return j.Journal.Load(ctx, key)
}

// Store implements wallet.Journal. The process may die or stand still before
// the write or after it, and the write may fail, done or not.
func (j journal) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	p := j.p
	n := p.count(atWrite)
	died := p.hit(atWrite, n, false)
	if !p.pass() || died {
		return errDead
	}
	d := p.dice.of("disk", n)
	fails := d.of("fails").chance(p.s.plan.Shares.Disk) && !p.s.calm()
	if fails && d.of("undone").chance(0.5) {
		return errDisk
	}
	err, moment := error(nil), func() { died = p.hit(atWrite, n, true) }
	if f, ok := j.Journal.(*file); ok {
		var write int
		write, err = f.store(ctx, was, e)
		heard := moment
		moment = func() { f.hold(write, heard) }
	} else {
		err = j.Journal.Store(ctx, was, e)
	}
	if err == nil {
		p.s.court.stored(e)
	}
	if p.m.sluggish {
		rest(ctx, d.of("slow").long(time.Millisecond, 500*time.Millisecond))
	}
	moment()
	if !p.pass() || died {
		return errDead
	}
	if fails {
		return errDisk
	}
	return err
}

// List implements wallet.Journal.
func (j journal) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	if !j.p.pass() {
		return func(yield func(wallet.Entry, error) bool) { yield(wallet.Entry{}, errDead) }
	}
	return j.Journal.List(ctx, q)
}

// Renew implements wallet.Journal.
func (j journal) Renew(ctx context.Context, holder string, lease time.Duration) error {
	if !j.p.pass() {
		return errDead
	}
	return j.Journal.Renew(ctx, holder, lease)
}

// Alive implements wallet.Journal.
func (j journal) Alive(ctx context.Context, holder string) (bool, error) {
	if !j.p.pass() {
		return false, errDead
	}
	return j.Journal.Alive(ctx, holder)
}
