package predictmeta

import (
	"context"
	"errors"
	"math/bits"
	"sync"
	"time"
)

// ErrStreamClosed is what Recv returns after Close.
var ErrStreamClosed = errors.New("predictmeta: the stream is closed")

// feedQueue holds what the consumer has not taken yet: so many events, made of
// so many bytes of messages, at the most. What is too much goes, oldest first,
// and leaves behind how many there were and which gaps were among them.
type feedQueue struct {
	mu       sync.Mutex
	ring     []queued // its length is a power of 2
	head     uint64   // number of the oldest event
	tail     uint64   // number of the next one
	size     int      // of all
	maxLen   uint64
	maxSize  int
	latest   map[feedKey]uint64 // number of the newest of each, where it may be replaced; nil means never
	dropped  int                // thrown away since the consumer was last told
	lostGap  *Gap               // that stood among them, as one
	waiting  int                // consumers
	ready    chan struct{}      // wakes one of them
	finished chan struct{}      // closed with err set
	err      error              // why nothing more comes
}

type queued struct {
	event FeedEvent
	size  int
}

func newFeedQueue(events, bytes int, keepLatest bool) *feedQueue {
	q := &feedQueue{
		ring: make([]queued, 1<<bits.Len(uint(events-1))), maxLen: uint64(events), maxSize: bytes,
		ready: make(chan struct{}, 1), finished: make(chan struct{}),
	}
	if keepLatest {
		q.latest = map[feedKey]uint64{}
	}
	return q
}

// made is an event with what it takes of the queue's bounds.
func made(event FeedEvent, bytes int) queued {
	const overhead = 256 // beside the bytes of its message
	return queued{event, bytes + overhead}
}

// put adds events. It never waits for the consumer.
func (q *feedQueue) put(events ...queued) {
	q.mu.Lock()
	for _, e := range events {
		if q.err == nil && !q.replace(e.event, e.size) {
			for q.head != q.tail && (q.tail-q.head >= q.maxLen || q.size+e.size > q.maxSize) {
				q.evict()
			}
			q.add(e)
		}
	}
	wake := q.waiting > 0
	q.mu.Unlock()
	if wake {
		q.wake()
	}
}

func (q *feedQueue) at(number uint64) *queued { return &q.ring[number&uint64(len(q.ring)-1)] }

// replace puts an event in the place of one that it makes obsolete, which
// keeps a ticker that changes all the time from being put off for ever.
func (q *feedQueue) replace(event FeedEvent, size int) bool {
	switch e := event.(type) {
	case *Disconnected:
		if q.head == q.tail {
			return false
		}
		if last := q.at(q.tail - 1); isDisconnected(last.event) {
			last.event = event
			return true
		}
	case *Gap:
		// What comes after a gap must not take a place before it.
		clear(q.latest)
	case *BookRefresh:
		delete(q.latest, feedKey{typeBook, e.Ticker}) // nor what comes after a book
	default:
		return q.latest != nil && q.replaceUpdate(event, size)
	}
	return false
}

func (q *feedQueue) replaceUpdate(event FeedEvent, size int) bool {
	e, ok := event.(update)
	if !ok {
		return false
	}
	number, ok := q.latest[e.key()]
	if !ok {
		q.latest[e.key()] = q.tail // where it is about to be put
		return false
	}
	old := q.at(number)
	*e.skipped() = *old.event.(update).skipped() + 1
	q.size += size - old.size
	*old = queued{event, size}
	return true
}

func isDisconnected(event FeedEvent) bool {
	_, ok := event.(*Disconnected)
	return ok
}

func (q *feedQueue) add(e queued) {
	*q.at(q.tail) = e
	q.tail++
	q.size += e.size
}

// pop takes the oldest event; the queue must not be empty.
func (q *feedQueue) pop() FeedEvent {
	place := q.at(q.head)
	event := place.event
	q.size -= place.size
	*place = queued{}
	if q.latest != nil {
		if e, ok := event.(update); ok && q.latest[e.key()] == q.head {
			delete(q.latest, e.key())
		}
	}
	q.head++
	return event
}

// evict throws the oldest event away. Gaps that meet without an event between
// them are one: all that was sent between them was thrown away too.
func (q *feedQueue) evict() {
	switch e := q.pop().(type) {
	case update:
		q.dropped += 1 + *e.skipped()
	case *Gap:
		if q.lostGap != nil {
			e.From = earlier(e.From, q.lostGap.From)
		}
		q.lostGap = e
	case *Disconnected: // the gap says the same
	default:
		q.dropped++
	}
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// next returns what the consumer is told next, nil where there is nothing.
func (q *feedQueue) next() FeedEvent {
	switch {
	case q.dropped > 0:
		d := &Dropped{q.dropped}
		q.dropped = 0
		return d
	case q.lostGap != nil:
		gap := q.lostGap
		q.lostGap = nil
		return gap
	case q.head != q.tail:
		return q.pop()
	}
	return nil
}

// take waits for the next event, as long as ctx lasts.
func (q *feedQueue) take(ctx context.Context) (FeedEvent, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for {
		q.mu.Lock()
		event, err := q.next(), q.err
		if event == nil && err == nil {
			q.waiting++
		}
		more := event != nil && q.waiting > 0 && q.head != q.tail
		q.mu.Unlock()
		switch {
		case more:
			q.wake()
			return event, nil
		case event != nil:
			return event, nil
		case err != nil:
			return nil, err
		}
		select {
		case <-q.ready:
		case <-q.finished:
		case <-ctx.Done():
			err = ctx.Err()
		}
		q.mu.Lock()
		q.waiting--
		q.mu.Unlock()
		if err != nil {
			return nil, err
		}
	}
}

func (q *feedQueue) wake() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// finish lets nothing more in, for the first reason that is given. What is
// there is still taken unless it is to be forgotten.
func (q *feedQueue) finish(err error, forget bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if forget {
		clear(q.ring)
		q.head, q.tail, q.size, q.dropped, q.lostGap = 0, 0, 0, 0, nil
		clear(q.latest)
	}
	if q.err == nil {
		q.err = err
		close(q.finished)
	}
}
