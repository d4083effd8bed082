package wallet

import (
	"cmp"
	"time"

	"github.com/walletfi/walletfi-go/wallet/internal/agenda"
)

// plans are what the tracker is to do, and when.
type plans struct {
	sends  *agenda.Agenda[*parcel] // by next
	asks   *agenda.Agenda[*flight] // by next; those of which no question is under way
	proofs *agenda.Agenda[*flight] // by proveAt; those not found of which a proof is wanted
	// ready are the parcels that are due, by their first door: what was sent least goes
	// first, then what waits longest.
	ready map[*door]*agenda.Agenda[*parcel]
}

// planned are the tracker's plans. The lock is held.
func (t *tracker) planned() *plans {
	if t.plans == nil {
		t.plans = &plans{
			sends: parcels(func(a, b *parcel) int { return a.next.Compare(b.next) }),
			asks: &agenda.Agenda[*flight]{
				Compare: func(a, b *flight) int { return a.next.Compare(b.next) },
				Place:   func(f *flight) *int { return &f.askPlace },
			},
			proofs: &agenda.Agenda[*flight]{
				Compare: func(a, b *flight) int { return a.proveAt.Compare(b.proveAt) },
				Place:   func(f *flight) *int { return &f.provePlace },
			},
			ready: map[*door]*agenda.Agenda[*parcel]{},
		}
	}
	return t.plans
}

func parcels(compare func(a, b *parcel) int) *agenda.Agenda[*parcel] {
	return &agenda.Agenda[*parcel]{Compare: compare, Place: func(c *parcel) *int { return &c.place }}
}

// follows reports whether f is the tracker's, and not at its end. The lock is held.
func (t *tracker) follows(f *flight) bool {
	_, ok := t.parcels[f.parcel]
	return ok && !f.finished
}

// planSend plans the next time that c is sent. The lock is held.
func (t *tracker) planSend(c *parcel, at time.Time) {
	t.forgetSend(c)
	if c.next = at; len(c.doors) > 0 {
		c.in = t.planned().sends
		c.in.Put(c)
	}
}

// forgetSend ends that plan. The lock is held.
func (t *tracker) forgetSend(c *parcel) {
	if c.place > 0 {
		c.in.Remove(c)
	}
}

// planAsk plans the next question after f's status, unless one is under way. The lock is
// held.
func (t *tracker) planAsk(f *flight) {
	if t.follows(f) && !f.asking {
		t.planned().asks.Put(f)
	}
}

// soon has f's status asked for at once. The lock is held.
func (t *tracker) soon(f *flight, now time.Time) {
	f.next, f.hinted = now, true
	t.planAsk(f)
}

// planProof plans the next turn of questions for a proof, if one is wanted. The lock is
// held.
func (t *tracker) planProof(f *flight) {
	if t.follows(f) && f.proveWait > 0 && !f.status.Found {
		t.planned().proofs.Put(f)
	}
}

// forget ends the plans of a flight that has come to its end. The lock is held.
func (t *tracker) forget(f *flight) {
	t.planned().asks.Remove(f)
	t.planned().proofs.Remove(f)
}

// makeReady moves the parcels that are due to their doors. The lock is held.
func (t *tracker) makeReady(now time.Time) {
	sends := t.planned().sends
	for c, any := sends.First(); any && !c.next.After(now); c, any = sends.First() {
		if c.idle() {
			t.planSend(c, now.Add(t.resendEvery))
			continue
		}
		t.ready(c)
	}
}

// ready has c sent as soon as its doors have room. The lock is held.
func (t *tracker) ready(c *parcel) {
	t.forgetSend(c)
	c.in = t.readyAt(c.doors[0])
	c.in.Put(c)
}

func (t *tracker) readyAt(d *door) *agenda.Agenda[*parcel] {
	ready := t.planned().ready
	if ready[d] == nil {
		ready[d] = parcels(func(a, b *parcel) int {
			return cmp.Or(cmp.Compare(a.sends, b.sends), a.next.Compare(b.next))
		})
	}
	return ready[d]
}

// roundSize is how many flights are asked for in one round.
const roundSize = atOnce * batchSize

// dueAsks takes the flights whose status is to be asked for. Those that are not due yet
// fill the last batch: they cost no further question. The lock is held.
func (t *tracker) dueAsks(now time.Time) (due []*flight) {
	asks := t.planned().asks
	for f, any := asks.First(); any && len(due) < roundSize; f, any = asks.First() {
		if f.next.After(now) && (t.batch == nil || len(due)%batchSize == 0) {
			break
		}
		due = append(due, asks.Take())
	}
	return due
}

// dueProofs takes the flights for which nodes are to be asked, and those that are soon:
// they share questions. The lock is held.
func (t *tracker) dueProofs(now time.Time) (due []*flight) {
	proofs := t.planned().proofs
	until := now
	for f, any := proofs.First(); any && !f.proveAt.After(until); f, any = proofs.First() {
		proofs.Take()
		if !f.status.Found {
			due, until = append(due, f), now.Add(firstProof)
		}
	}
	return due
}
