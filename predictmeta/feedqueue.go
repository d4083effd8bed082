package predictmeta

import (
	"context"
	"errors"
	"math/bits"
	"sync"
	"time"
)

// ErrStreamClosed is the error of [Stream.Recv] after [Stream.Close].
var ErrStreamClosed = errors.New("predictmeta: the stream is closed")

// feedQueue holds the events that the consumer has not received, up to a number
// of events and a number of bytes of their messages. Beyond that it discards the
// oldest, and remembers how many there were, which gaps were among them, and
// whether there was a connection after them.
type feedQueue struct {
	mu       sync.Mutex
	ring     []queued // its length is a power of 2
	head     uint64   // number of the oldest event
	tail     uint64   // number of the next one
	size     int      // of all
	evicted  int      // events that were discarded
	popped   time.Duration
	maxLen   uint64
	maxSize  int
	slow     slowPolicies
	latest   map[feedKey]uint64 // number of the newest event of each key that may be replaced
	lost     lostEvents         // since the consumer was last notified
	told     linkState          // what the consumer knows of the connection
	waiting  int                // consumers
	ready    chan struct{}      // wakes one of them
	finished chan struct{}      // closed with err set
	err      error              // why the stream ended
}

type queued struct {
	event FeedEvent
	size  int
	at    time.Duration // since the stream began; 0 if nothing is observed
}

func newFeedQueue(events, bytes int, slow slowPolicies) *feedQueue {
	return &feedQueue{
		ring: make([]queued, 1<<bits.Len(uint(events-1))), maxLen: uint64(events), maxSize: bytes,
		slow: slow, latest: map[feedKey]uint64{},
		ready: make(chan struct{}, 1), finished: make(chan struct{}),
	}
}

// made returns an event with its size in the queue.
func made(event FeedEvent, bytes int) queued {
	const overhead = 256 // in addition to the bytes of its message
	return queued{event: event, size: bytes + overhead}
}

// put adds events. It never waits for the consumer. It returns how many it discarded
// for want of room.
func (q *feedQueue) put(events ...queued) (discarded int) {
	q.mu.Lock()
	before := q.evicted
	for _, e := range events {
		if q.err != nil {
			continue
		}
		if q.replace(e) {
			for q.tail-q.head > 1 && q.size > q.maxSize { // it may be larger than what it replaced
				q.evict()
			}
			continue
		}
		for q.head != q.tail && (q.tail-q.head >= q.maxLen || q.size+e.size > q.maxSize) {
			q.evict()
		}
		q.add(e)
	}
	wake := q.waiting > 0
	discarded = q.evicted - before
	q.mu.Unlock()
	if wake {
		q.wake()
	}
	return discarded
}

func (q *feedQueue) at(number uint64) *queued { return &q.ring[number&uint64(len(q.ring)-1)] }

// replace puts an event in the place of one that it makes obsolete, so that a
// ticker that changes all the time keeps its place in the queue.
func (q *feedQueue) replace(newer queued) bool {
	event := newer.event
	switch e := event.(type) {
	case *RetryFailed:
		if q.head == q.tail {
			return false
		}
		if last := q.at(q.tail - 1); isRetryFailed(last.event) {
			last.event = event
			return true
		}
	case *Gap:
		// No event from after a gap may take a place before it.
		clear(q.latest)
	case *BookRefresh:
		delete(q.latest, feedKey{typeBook, e.Ticker}) // nor from after a book
	case update:
		return q.slow.of(e.channel()) == KeepLatest && q.replaceUpdate(e, newer)
	}
	return false
}

func (q *feedQueue) replaceUpdate(e update, newer queued) bool {
	number, ok := q.latest[e.key()]
	if !ok {
		q.latest[e.key()] = q.tail // the caller puts it there
		return false
	}
	old := q.at(number)
	*e.skipped() = *old.event.(update).skipped() + 1
	q.size += newer.size - old.size
	*old = newer
	return true
}

func isRetryFailed(event FeedEvent) bool {
	_, ok := event.(*RetryFailed)
	return ok
}

func (q *feedQueue) add(e queued) {
	*q.at(q.tail) = e
	q.tail++
	q.size += e.size
}

// pop removes the oldest event; the queue must not be empty.
func (q *feedQueue) pop() FeedEvent {
	place := q.at(q.head)
	event := place.event
	q.size -= place.size
	q.popped = place.at
	*place = queued{}
	if e, ok := event.(update); ok && len(q.latest) > 0 {
		if number, replaceable := q.latest[e.key()]; replaceable && number == q.head {
			delete(q.latest, e.key())
		}
	}
	q.head++
	return event
}

// evict discards the oldest event.
func (q *feedQueue) evict() {
	q.evicted++
	q.lost.add(q.pop())
}

// lag is how many events wait, and when the last that was taken came.
func (q *feedQueue) lag() (waiting int, since time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return int(q.tail - q.head), q.popped
}

// next returns the next event for the consumer, nil if there is none.
func (q *feedQueue) next() (event FeedEvent) {
	if event = q.lost.next(q.told); event == nil && q.head != q.tail {
		event = q.pop()
	}
	if state := linkStateOf(event); state != linkUnknown {
		q.told = state
	}
	return event
}

// take waits for the next event, no longer than ctx lasts.
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

// finish ends the queue; the first reason given stays. Events in the queue can
// still be taken, unless forget is true.
func (q *feedQueue) finish(err error, forget bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if forget {
		clear(q.ring)
		q.head, q.tail, q.size, q.lost = 0, 0, 0, lostEvents{}
		clear(q.latest)
	}
	if q.err == nil {
		q.err = err
		close(q.finished)
	}
}
