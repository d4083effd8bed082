package ratelimit

import "time"

// ticks is how many instants of a window are told apart. Releases are rounded
// up to the next, so that a budget of 100,000 a day needs no more memory than
// one of 1,000, for a thousandth of its rate.
const ticks = 1024

// window counts the slots of one budget that were answered less than Per ago.
// All instants are time since the limiter was made.
type window struct {
	requests int
	per      time.Duration
	tick     time.Duration
	cooling  int // slots in releases
	releases releaseRing
}

func newWindow(b Budget) window {
	return window{requests: b.Requests, per: b.Per, tick: (b.Per + ticks - 1) / ticks}
}

// free returns how many slots may be taken now, with so many under way.
func (w *window) free(now time.Duration, underWay int) int {
	w.thaw(now)
	return w.requests - w.cooling - underWay
}

// cool notes that an answer arrived now: its slot comes free a window later.
func (w *window) cool(now time.Duration) {
	w.thaw(now)
	w.cooling++
	w.releases.add(w.release(now), min(w.requests, ticks+2))
}

// release is when a slot comes free whose answer arrived at the given instant:
// the first tick after a whole window. After, not at: a service whose windows
// include both their ends would count both requests.
func (w *window) release(answered time.Duration) time.Duration {
	return (answered+w.per)/w.tick*w.tick + w.tick
}

// thaw frees the slots whose time has come.
func (w *window) thaw(now time.Duration) {
	for w.releases.len > 0 {
		first := w.releases.first()
		if first.at > now {
			return
		}
		w.cooling -= first.slots
		w.releases.drop()
	}
}

// earliest is when a request that has so many others ahead of it can have a
// slot, if those under way are answered now and those ahead at once: it can be
// later, and sooner only where a request turns out never to have been sent.
func (w *window) earliest(now time.Duration, underWay, ahead int) time.Duration {
	rounds, slot := ahead/w.requests, ahead%w.requests
	at := w.freedAt(now, underWay, slot)
	if rounds == 0 {
		return at
	}
	round := w.release(0) // from tick to tick
	if time.Duration(rounds) > never/round {
		return never
	}
	return addSaturating(w.release(at), time.Duration(rounds-1)*round)
}

// freedAt is when the slot comes free that has so many others free before it.
func (w *window) freedAt(now time.Duration, underWay, slot int) time.Duration {
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
	return w.release(now)
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

// add counts one more slot that comes free at the given tick, which is not
// before the last one's. The ring grows up to most entries.
func (r *releaseRing) add(at time.Duration, most int) {
	if r.len > 0 {
		if last := r.at(r.len - 1); last.at == at {
			last.slots++
			return
		}
	}
	if r.len == len(r.buf) {
		r.grow(most)
	}
	r.len++
	*r.at(r.len - 1) = release{at: at, slots: 1}
}

func (r *releaseRing) grow(most int) {
	larger := make([]release, max(r.len+1, min(max(2*r.len, 8), most)))
	for i := range r.len {
		larger[i] = *r.at(i)
	}
	r.buf, r.head = larger, 0
}
