// Package spendwindow is the arithmetic of limits on what is spent within a sliding window
// of time. A Window asks no clock; it keeps nothing outside of memory.
//
// A debit counts from when it is made. While it is open, which is until its transaction is
// proven landed or dead, it counts at any age: a transaction that is signed and held can be
// sent at any time. Landed, it ages from the time that it landed at, and counts for the
// length of the window. Dead, it does not count.
//
// Times are rounded to steps of 1/1024 of the window, so that a window takes little memory.
// Rounding only delays: a debit counts for the length of the window and up to a step more.
package spendwindow

import (
	"math"
	"math/bits"
	"slices"
	"time"
)

// Steps is the number of steps of a window.
const Steps = 1024

// Step is the precision of a window: a 1/1024 of its length, rounded up, at least 1 ns.
func Step(length time.Duration) time.Duration {
	return max(1, (length-1)/Steps+1)
}

// Since returns the moment from which on landed debits count at now.
func Since(now time.Time, length time.Duration) time.Time {
	return time.Unix(0, floor(now.UnixNano()-int64(length), length))
}

// Until returns the first moment at which a debit that landed at a time does not count any
// more: at counts at now exactly if it is not before Since(now), or now is before Until(at).
func Until(at time.Time, length time.Duration) time.Time {
	return time.Unix(0, floor(at.UnixNano(), length)+int64(Step(length))+int64(length))
}

// floor rounds nanoseconds down to a step of the window.
func floor(ns int64, length time.Duration) int64 {
	step := int64(Step(length))
	rest := ns % step
	if rest < 0 {
		rest += step
	}
	return ns - rest
}

// Add adds amounts. A sum beyond 2^64-1 stays there.
func Add(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return math.MaxUint64
	}
	return sum
}

// Window adds up debits of one kind, each known by an ID. It is not safe for concurrent use.
type Window[ID comparable] struct {
	length time.Duration
	now    time.Time // the latest that was given: time does not go back
	open   map[ID]uint64
	aging  []aging // by time, no two of a step
}

// aging holds the amounts that landed within a step.
type aging struct {
	at     int64 // the step's beginning, in nanoseconds
	amount uint64
}

// New returns an empty window of a length, which is positive.
func New[ID comparable](length time.Duration) *Window[ID] {
	if length <= 0 {
		panic("spendwindow: the length of a window is not positive")
	}
	return &Window[ID]{length: length, open: map[ID]uint64{}}
}

// Open counts a debit until [Window.Land] or [Window.Drop]. The same ID counts once, with
// the greatest of its amounts.
func (w *Window[ID]) Open(id ID, amount uint64) {
	w.open[id] = max(w.open[id], amount)
}

// Land has an open debit age from the time that its transaction landed at. A debit that is
// not open is left as it is.
func (w *Window[ID]) Land(id ID, at time.Time) {
	amount, open := w.open[id]
	if !open {
		return
	}
	delete(w.open, id)
	w.Age(amount, at)
}

// Age counts an amount that left at a time.
func (w *Window[ID]) Age(amount uint64, at time.Time) {
	step := floor(at.UnixNano(), w.length)
	i, found := slices.BinarySearchFunc(w.aging, step, func(a aging, step int64) int {
		switch {
		case a.at < step:
			return -1
		case a.at > step:
			return 1
		}
		return 0
	})
	if found {
		w.aging[i].amount = Add(w.aging[i].amount, amount)
		return
	}
	w.aging = slices.Insert(w.aging, i, aging{step, amount})
}

// Drop stops counting an open debit, whose transaction is proven dead.
func (w *Window[ID]) Drop(id ID) { delete(w.open, id) }

// Sum adds up what counts at now: all that is open, and all that landed within the window before.
// A time before an earlier one is taken for that one.
func (w *Window[ID]) Sum(now time.Time) uint64 {
	w.advance(now)
	sum := uint64(0)
	for _, amount := range w.open {
		sum = Add(sum, amount)
	}
	for _, a := range w.aging {
		sum = Add(sum, a.amount)
	}
	return sum
}

// advance drops what does not count any more.
func (w *Window[ID]) advance(now time.Time) {
	if now.After(w.now) {
		w.now = now
	}
	since := Since(w.now, w.length).UnixNano()
	first := slices.IndexFunc(w.aging, func(a aging) bool { return a.at >= since })
	if first < 0 {
		first = len(w.aging)
	}
	w.aging = slices.Delete(w.aging, 0, first)
}

// Fits reports whether an amount more would not take the window above a ceiling at now.
func (w *Window[ID]) Fits(now time.Time, amount, ceiling uint64) bool {
	sum := w.Sum(now)
	return sum <= ceiling && amount <= ceiling-sum
}

// FitsAt returns the first moment from now on at which an amount fits under a ceiling if
// nothing else is spent, false if that takes the end of an open debit, or never comes.
func (w *Window[ID]) FitsAt(now time.Time, amount, ceiling uint64) (time.Time, bool) {
	sum := w.Sum(now)
	if w.Fits(now, amount, ceiling) {
		return w.now, true
	}
	if sum == math.MaxUint64 || amount > ceiling {
		return time.Time{}, false
	}
	for _, a := range w.aging {
		sum -= a.amount
		if sum <= ceiling && amount <= ceiling-sum {
			return Until(time.Unix(0, a.at), w.length), true
		}
	}
	return time.Time{}, false
}
