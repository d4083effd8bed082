package ratelimit

import "time"

// ticks is the number of instants of a window that are told apart. Releases are
// rounded up to the next tick, so that a budget of 100,000 a day needs no more
// memory than a budget of 1,000, and loses a thousandth of its rate.
const ticks = 1024

// window counts the slots of one budget that were answered less than Per ago.
// All instants are the time since the limiter was made.
type window struct {
	requests int
	per      time.Duration
	tick     time.Duration
	answered int // slots in releases
	releases releaseRing
}

func newWindow(b Budget) window {
	return window{requests: b.Requests, per: b.Per, tick: (b.Per + ticks - 1) / ticks}
}

// free returns how many slots may be reserved now, with so many requests under
// way.
func (w *window) free(now time.Duration, underWay int) int {
	w.release(now)
	return w.requests - w.answered - underWay
}

// answer notes that an answer arrived now: its slot comes free a window later.
func (w *window) answer(now time.Duration) {
	w.release(now)
	w.answered++
	w.releases.add(w.releaseTime(now), min(w.requests, ticks+2))
}

// releaseTime returns when the slot comes free whose answer arrived at the
// given instant: at the first tick after a whole window. After it, not at its
// end: a service whose windows include both ends would count both requests.
func (w *window) releaseTime(answered time.Duration) time.Duration {
	return (answered+w.per)/w.tick*w.tick + w.tick
}

// release frees the slots whose time has come.
func (w *window) release(now time.Duration) {
	for w.releases.len > 0 {
		first := w.releases.first()
		if first.at > now {
			return
		}
		w.answered -= first.slots
		w.releases.drop()
	}
}

// earliest returns when a request can have a slot that has so many others ahead
// of it, if the requests under way are answered now and those ahead at once.
// The slot can come later; it comes sooner only if a request turns out never to
// have been sent.
func (w *window) earliest(now time.Duration, underWay, ahead int) time.Duration {
	rounds, slot := ahead/w.requests, ahead%w.requests
	at := w.freeAt(now, underWay, slot)
	if rounds == 0 {
		return at
	}
	round := w.releaseTime(0) // from tick to tick
	if time.Duration(rounds) > never/round {
		return never
	}
	return addSaturating(w.releaseTime(at), time.Duration(rounds-1)*round)
}

// freeAt returns when a slot comes free after so many others.
func (w *window) freeAt(now time.Duration, underWay, slot int) time.Duration {
	slot -= max(w.free(now, underWay), 0)
	if slot < 0 {
		return now
	}
	for i := range w.releases.len {
		r := w.releases.at(i)
		if slot < r.slots {
			return r.at
		}
		slot -= r.slots
	}
	return w.releaseTime(now)
}

// release is a number of slots that come free at the same tick.
type release struct {
	at    time.Duration
	slots int
}

// releaseRing is a queue of releases in the order of their time.
type releaseRing struct {
	buf  []release
	head int
	len  int
}

func (r *releaseRing) at(i int) *release {
	i += r.head
	if i >= len(r.buf) {
		i -= len(r.buf)
	}
	return &r.buf[i]
}

func (r *releaseRing) first() *release { return &r.buf[r.head] }

func (r *releaseRing) drop() {
	r.len--
	if r.head++; r.head == len(r.buf) {
		r.head = 0
	}
}

// add counts another slot that comes free at the given tick, which is not before
// the last tick of the ring. The ring grows up to limit entries.
func (r *releaseRing) add(at time.Duration, limit int) {
	if r.len > 0 {
		if last := r.at(r.len - 1); last.at == at {
			last.slots++
			return
		}
	}
	if r.len == len(r.buf) {
		r.grow(limit)
	}
	r.len++
	*r.at(r.len - 1) = release{at: at, slots: 1}
}

func (r *releaseRing) grow(limit int) {
	larger := make([]release, max(r.len+1, min(max(2*r.len, 8), limit)))
	for i := range r.len {
		larger[i] = *r.at(i)
	}
	r.buf, r.head = larger, 0
}
