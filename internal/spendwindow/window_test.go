package spendwindow_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/spendwindow"
)

var start = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

// debit is a debit as the oracle has it.
type debit struct {
	amount uint64
	open   bool
	at     time.Time
}

// total adds up, without rounding, what is open and what landed within a length before now.
func total(debits map[int]debit, now time.Time, length time.Duration) *big.Int {
	sum := new(big.Int)
	for _, d := range debits {
		if d.open || d.at.Add(length).After(now) {
			sum.Add(sum, new(big.Int).SetUint64(d.amount))
		}
	}
	return sum
}

// capped is a sum as a window tells it.
func capped(sum *big.Int) uint64 {
	if !sum.IsUint64() {
		return math.MaxUint64
	}
	return sum.Uint64()
}

func TestWindowNeverCountsLess(t *testing.T) {
	lengths := []time.Duration{1, 7, time.Second, 24 * time.Hour, 30 * 24 * time.Hour, 1025, 1024*time.Second + 1}
	compared, rounded := 0, 0
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		length := lengths[random.IntN(len(lengths))]
		w, debits, now := spendwindow.New[int](length), map[int]debit{}, start
		for id := range 300 {
			now = now.Add(time.Duration(random.Int64N(int64(length)/20 + 2)))
			d := debit{amount: random.Uint64N(1000), open: true}
			if random.IntN(100) == 0 {
				d.amount = math.MaxUint64 - random.Uint64N(3)
			}
			debits[id] = d
			w.Open(id, d.amount)
			if id > 10 {
				other := random.IntN(id)
				ended, known := debits[other]
				switch {
				case !known || !ended.open:
				case random.IntN(3) == 0:
					delete(debits, other)
					w.Drop(other)
				default:
					ended.open, ended.at = false, now.Add(-time.Duration(random.Int64N(int64(length)/5+1)))
					debits[other] = ended
					w.Land(other, ended.at)
				}
			}
			asked := now
			if random.IntN(4) == 0 {
				asked = now.Add(-time.Duration(random.Int64N(int64(length)))) // a clock that went back
				w.Sum(now)
			}
			least := capped(total(debits, now, length))
			most := capped(total(debits, now, length+spendwindow.Step(length)))
			sum := w.Sum(asked)
			require.GreaterOrEqual(t, sum, least, "seed %d, debit %d: something is free early", seed, id)
			if most < math.MaxUint64 { // a step that was once beyond 2^64-1 stays there
				require.True(t, sum <= most || overflown(debits), "seed %d, debit %d: %d counts, at most %d", seed, id, sum, most)
			}
			compared++
			if sum != least {
				rounded++
			}
		}
	}
	assert.Equal(t, 200*300, compared)
	assert.NotZero(t, rounded, "the rounding was never seen")
}

// overflown reports that a step may have held more than 2^64-1.
func overflown(debits map[int]debit) bool {
	large := 0
	for _, d := range debits {
		if d.amount > math.MaxUint64/2 {
			large++
		}
	}
	return large > 1
}

func TestSinceAndUntilAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		length := time.Duration(1 + random.Int64N(int64(40*24*time.Hour)))
		if random.IntN(2) == 0 {
			length = time.Duration(1 + random.Int64N(5000))
		}
		at := time.Unix(0, random.Int64N(int64(1e18))-int64(1e17))
		until := spendwindow.Until(at, length)
		require.False(t, spendwindow.Since(until, length).Before(at) || spendwindow.Since(until, length).Equal(at),
			"%v of %v still counts", at, length)
		require.False(t, spendwindow.Since(until.Add(-1), length).After(at), "%v of %v is free early", at, length)
		kept := until.Sub(at)
		require.Greater(t, kept, length)
		require.LessOrEqual(t, kept, length+spendwindow.Step(length))
	}
}

func TestOpenCountsAtAnyAge(t *testing.T) {
	w := spendwindow.New[string](time.Hour)
	w.Open("held", 70)
	assert.Equal(t, uint64(70), w.Sum(start))
	assert.Equal(t, uint64(70), w.Sum(start.AddDate(10, 0, 0)))
	_, ever := w.FitsAt(start, 40, 100)
	assert.False(t, ever, "no time frees what is open")
	landed := start.AddDate(10, 0, 0)
	w.Land("held", landed)
	assert.Equal(t, uint64(70), w.Sum(landed.Add(time.Hour)))
	assert.Zero(t, w.Sum(landed.Add(time.Hour+time.Minute)))
}

func TestOneIDCountsOnce(t *testing.T) {
	w := spendwindow.New[string](time.Hour)
	w.Open("same", 70)
	w.Open("same", 60)
	assert.Equal(t, uint64(70), w.Sum(start))
	w.Open("same", 80)
	assert.Equal(t, uint64(80), w.Sum(start))
	w.Land("same", start)
	w.Land("same", start)
	w.Drop("same")
	assert.Equal(t, uint64(80), w.Sum(start), "what has landed is neither counted twice nor dropped")
}

func TestFitsAtIsTheFirstMoment(t *testing.T) {
	answered, never := 0, 0
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 3))
		w := spendwindow.New[int](time.Hour)
		for range 1 + random.IntN(20) {
			w.Age(random.Uint64N(50), start.Add(-time.Duration(random.Int64N(int64(time.Hour)))))
		}
		w.Open(1, random.Uint64N(40))
		amount, ceiling := random.Uint64N(60), random.Uint64N(200)
		at, ok := w.FitsAt(start, amount, ceiling)
		if !ok {
			never++
			require.False(t, w.Fits(start.AddDate(1, 0, 0), amount, ceiling), "seed %d", seed)
			continue
		}
		answered++
		if at.After(start) {
			require.False(t, w.Fits(at.Add(-1), amount, ceiling), "seed %d: it fits earlier", seed)
		}
		require.True(t, w.Fits(at, amount, ceiling), "seed %d: it does not fit", seed)
	}
	assert.NotZero(t, answered)
	assert.NotZero(t, never)
}

func TestSumsStayAtTheGreatestAmount(t *testing.T) {
	w := spendwindow.New[int](time.Hour)
	w.Age(math.MaxUint64, start)
	w.Age(5, start)
	w.Open(1, math.MaxUint64)
	assert.Equal(t, uint64(math.MaxUint64), w.Sum(start))
	assert.False(t, w.Fits(start, 1, math.MaxUint64))
	assert.True(t, w.Fits(start, 0, math.MaxUint64))
	_, ever := w.FitsAt(start, 1, math.MaxUint64)
	assert.False(t, ever)
}

func TestMemoryIsBounded(t *testing.T) {
	w, now := spendwindow.New[int](time.Hour), start
	for id := range 100_000 {
		now = now.Add(time.Second)
		w.Open(id, 1)
		w.Land(id, now)
		require.LessOrEqual(t, w.Steps(now), spendwindow.Steps+2)
	}
	assert.InDelta(t, 3600, float64(w.Sum(now)), 5)
}

func TestALengthIsPositive(t *testing.T) {
	assert.Panics(t, func() { spendwindow.New[int](0) })
}
