package wallet

import (
	"maps"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/spendwindow"
	"github.com/walletfi/walletfi-go/wallet/internal/takes"
)

// Spend counts under Config.Spend, in an entry of its own that is no payment's.
type Spend struct {
	// Time is the latest that the limits were held at: it does not go back.
	Time time.Time `json:"time,omitzero"`
	// Open are transactions that may still land.
	Open []Debit `json:"open,omitempty"`
	// Landed has left, by mint, as long as a window counts it, the oldest first.
	Landed map[string][]Landed `json:"landed,omitempty"`
}

// Debit says how much one transaction takes.
type Debit struct {
	// Key is that of the payment's entry, empty if nothing follows it any more: it counts for ever.
	Key string `json:"key,omitempty"`
	// ID is the SHA-256 of the message, in hexadecimal. "rest" is of the steps to come, of a set that
	// is signed step by step.
	ID string `json:"id"`
	// Claim is the version of the entry at which it was about to be signed.
	Claim uint64 `json:"claim"`
	// Takes has each mint once.
	Takes []Taken `json:"takes"`
}

// Taken is how much a transaction takes of a mint.
type Taken struct {
	Mint   string          `json:"mint"`
	Amount walletfi.Amount `json:"amount"`
	// Cost is the part that counts of a transaction that failed, too: fees, tips and rent.
	Cost walletfi.Amount `json:"cost,omitzero"`
}

// Landed is an amount that has left, and when.
type Landed struct {
	// At is the time from which on it ages, in Unix milliseconds, rounded up.
	At     int64           `json:"at"`
	Amount walletfi.Amount `json:"amount"`
}

func (l Landed) time() time.Time { return time.UnixMilli(l.At) }

// restID is the Debit.ID of what is not signed yet of a set in steps.
const restID = "rest"

// taken is nil for nil alone.
func taken(all takes.List) []Taken {
	if all == nil {
		return nil
	}
	list := []Taken{}
	for _, t := range all {
		list = append(list, Taken(t))
	}
	return list
}

func (d Debit) of(mint string) (amount walletfi.Amount) {
	for _, t := range d.Takes {
		if t.Mint == mint {
			amount = plus(amount, t.Amount)
		}
	}
	return amount
}

func (d Debit) same(other Debit) bool { return d.Key == other.Key && d.ID == other.ID }

// sumOf adds up debits by mint.
func sumOf(debits []Debit) (all takes.List) {
	for _, d := range debits {
		for _, t := range d.Takes {
			all.Add(t.Mint, t.Amount, false)
		}
	}
	return all
}

func (s *Spend) clone() *Spend {
	if s == nil {
		return nil
	}
	c := &Spend{Time: s.Time, Open: slices.Clone(s.Open), Landed: maps.Clone(s.Landed)}
	for i := range c.Open {
		c.Open[i].Takes = slices.Clone(c.Open[i].Takes)
	}
	for mint := range c.Landed {
		c.Landed[mint] = slices.Clone(c.Landed[mint])
	}
	return c
}

// land counts amounts that have left at a time.
func (s *Spend) land(all []Taken, at time.Time) {
	if s.Landed == nil {
		s.Landed = map[string][]Landed{}
	}
	for _, t := range all {
		if t.Amount == 0 {
			continue
		}
		s.Landed[t.Mint] = append(s.Landed[t.Mint], Landed{At: at.Add(time.Millisecond - 1).UnixMilli(), Amount: t.Amount})
	}
}

// shed drops what no window counts any more, and joins what the shortest window that counts it holds
// in one step. Times are only rounded up, so that nothing frees early.
func (s *Spend) shed(limits []SpendLimit) {
	for mint, all := range s.Landed {
		joined := map[int64]walletfi.Amount{}
		for _, l := range all {
			shortest := time.Duration(0)
			for _, limit := range limits {
				counts := limit.Mint == mint && !l.time().Before(spendwindow.Since(s.Time, limit.Within))
				if counts && (shortest == 0 || limit.Within < shortest) {
					shortest = limit.Within
				}
			}
			if shortest > 0 {
				step := max(spendwindow.Step(shortest).Milliseconds(), 1)
				at := (l.At + step - 1) / step * step
				joined[at] = plus(joined[at], l.Amount)
			}
		}
		delete(s.Landed, mint)
		for _, at := range slices.Sorted(maps.Keys(joined)) {
			s.Landed[mint] = append(s.Landed[mint], Landed{at, joined[at]})
		}
	}
}

// fate says what has become of a debit.
type fate int

const (
	fateOpen   fate = iota // it may still land
	fateLanded             // whole
	fateFailed             // only its cost has left
	fateDead               // nothing has left
	fateLeft               // it may land for a while, and nothing tells
)

// fate tells it by the entry of its key. If that is given up, nothing follows its transactions further.
func (d Debit) fate(e Entry, givenUp bool) fate {
	i := slices.IndexFunc(e.Steps, func(s EntryStep) bool { return s.Debit == d.ID })
	switch {
	case e.Version == 0 && d.ID != restID:
		return fateLanded // it was settled, and the journal has dropped it
	case i < 0 && e.Version == d.Claim:
		return fateOpen // it is being signed
	case d.ID == restID && e.goesOn() && !givenUp:
		return fateOpen
	case i < 0:
		return fateDead // what is not recorded is not sent, and it can be recorded no more
	}
	switch e.Steps[i].State {
	case KeyConfirmed:
		if e.goesOn() && !givenUp {
			return fateOpen // before the next step is signed it is known how much it has taken
		}
		return fateLanded
	case KeyFailed:
		return fateFailed
	case KeyExpired, KeyReleased:
		return fateDead
	}
	if givenUp {
		return fateLeft
	}
	return fateOpen
}

// goesOn reports a set that is signed step by step, of which a step is to be signed yet.
func (e Entry) goesOn() bool {
	return slices.ContainsFunc(e.Steps, func(s EntryStep) bool { return s.unsigned() && s.State == KeyClaimed })
}

// lastSlot is the last in which a transaction of the entry was executed.
func (e Entry) lastSlot() (slot uint64) {
	for _, s := range e.Steps {
		slot = max(slot, s.Slot)
	}
	return slot
}

// replace drops what a reservation is in place of. The steps before it have landed. What was signed under a later
// claim stays: it is of another process, which has gone on with the set.
func (s *Spend) replace(r reservation, at time.Time) {
	var before []Taken
	s.Open = slices.DeleteFunc(s.Open, func(d Debit) bool {
		again := slices.ContainsFunc(r.debits, d.same) || d.ID == restID && d.Key == r.stepOf
		if !again && r.stepOf != "" && d.Key == r.stepOf && d.Claim < r.debits[0].Claim {
			before = append(before, d.Takes...)
			return true
		}
		return again
	})
	if len(before) > 0 && r.exact != nil {
		before = r.exact
	}
	s.land(before, at)
}

// lingerFor is longer than a blockhash lives.
const lingerFor = time.Hour

// end counts what has become of the debits of an entry. What a durable nonce keeps alive stays.
func (s *Spend) end(e Entry, givenUp bool, at time.Time) {
	open := s.Open[:0]
	for _, d := range s.Open {
		if d.Key != e.Key {
			open = append(open, d)
			continue
		}
		switch d.fate(e, givenUp) {
		case fateOpen:
			open = append(open, d)
		case fateLanded:
			s.land(d.Takes, at)
		case fateFailed:
			for i := range d.Takes {
				d.Takes[i].Amount = d.Takes[i].Cost
			}
			s.land(d.Takes, at)
		case fateLeft:
			if slices.ContainsFunc(e.Steps, func(s EntryStep) bool { return s.Debit == d.ID && s.NonceAccount != "" }) {
				d.Key = ""
				open = append(open, d)
				break
			}
			s.land(d.Takes, at.Add(lingerFor))
		}
	}
	s.Open = open
}
