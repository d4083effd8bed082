package ratelimit

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWindowRoundsReleasesUp(t *testing.T) {
	for name, test := range map[string]struct {
		per, tick, answered, want time.Duration
	}{
		"between two ticks": {per: 1024 * time.Second, tick: time.Second, answered: 1500 * time.Millisecond, want: 1026 * time.Second},
		"just before one":   {per: 1024 * time.Second, tick: time.Second, answered: 2*time.Second - 1, want: 1026 * time.Second},
		"on one":            {per: 1024 * time.Second, tick: time.Second, answered: 2 * time.Second, want: 1027 * time.Second},
		"a minute":          {per: time.Minute, tick: 58_593_750, answered: 1, want: time.Minute + 58_593_750},
		"not divisible":     {per: time.Second, tick: 976_563, answered: 0, want: 1024 * 976_563},
		"a nanosecond":      {per: 1, tick: 1, answered: 5, want: 7},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWindow(Budget{Requests: 1, Per: test.per})
			assert.Equal(t, test.tick, w.tick)
			got := w.releaseTime(test.answered)
			assert.Equal(t, test.want, got)
			assert.Greater(t, got, test.answered+test.per, "after a whole window")
			assert.LessOrEqual(t, got, test.answered+test.per+test.tick)
		})
	}
}

// TestWindowMemory: however many slots a budget has, its releases fit the
// ticks of a window.
func TestWindowMemory(t *testing.T) {
	for _, requests := range []int{1, 7, 60, 5000, 1 << 30} {
		w := newWindow(Budget{Requests: requests, Per: time.Hour})
		now := time.Duration(0)
		for range 200_000 {
			if w.free(now, 0) > 0 {
				w.answer(now)
			}
			now += 97 * time.Millisecond
		}
		assert.LessOrEqual(t, len(w.releases.buf), min(requests, ticks+2))
		assert.Positive(t, w.releases.len)
	}
}

// TestWindowMemoryOfAnswersAlone: earlier requests are answered all through the
// day, and no slot is asked for.
func TestWindowMemoryOfAnswersAlone(t *testing.T) {
	w := newWindow(Budget{Requests: 1 << 30, Per: time.Hour})
	for i := range 20_000 {
		w.answer(time.Duration(i) * time.Second)
	}
	assert.LessOrEqual(t, len(w.releases.buf), ticks+2)
	assert.InDelta(t, 3600, w.answered, 5)
}

// plainWindow is a window that keeps a list of every slot.
type plainWindow struct {
	requests int
	per      time.Duration
	tick     time.Duration
	releases []time.Duration
}

func (w *plainWindow) release(now time.Duration) {
	w.releases = slices.DeleteFunc(w.releases, func(at time.Duration) bool { return at <= now })
}

func (w *plainWindow) releaseTime(at time.Duration) time.Duration {
	for at += w.per + 1; at%w.tick != 0; at++ {
	}
	return at
}

// earliest gives each request ahead the slot that comes free first.
func (w *plainWindow) earliest(now time.Duration, underWay, ahead int) time.Duration {
	w.release(now)
	slots := slices.Clone(w.releases)
	for range underWay {
		slots = append(slots, w.releaseTime(now))
	}
	for len(slots) < w.requests {
		slots = append(slots, now)
	}
	for range ahead {
		slices.Sort(slots)
		slots = append(slots[1:], w.releaseTime(slots[0]))
	}
	return slices.Min(slots)
}

// FuzzWindow holds the window to the plain one over any schedule: each byte is
// a step, of which the low bits say what happens and the others how much time
// goes by.
func FuzzWindow(f *testing.F) {
	f.Add(uint16(3), uint32(1000), []byte{0, 0, 0, 1, 1, 2, 255, 254, 253, 9, 8, 7})
	f.Add(uint16(1), uint32(1), []byte{0, 1, 0, 1, 4, 5, 8, 9})
	f.Add(uint16(40), uint32(60_000), slices.Repeat([]byte{0, 1, 32, 33, 66, 129}, 40))
	f.Add(uint16(1), uint32(1), []byte("070"))
	f.Add(uint16(3), uint32(1000), []byte("007"))
	f.Fuzz(func(t *testing.T, requests uint16, per uint32, steps []byte) {
		steps = steps[:min(len(steps), 300)]
		b := Budget{Requests: int(requests%50) + 1, Per: time.Duration(per%100_000) + 1}
		w := newWindow(b)
		plain := plainWindow{requests: b.Requests, per: b.Per, tick: w.tick}
		now, underWay := time.Duration(0), 0
		for _, step := range steps {
			now += time.Duration(step>>2) * b.Per / 64
			plain.release(now)
			require.Equal(t, b.Requests-len(plain.releases)-underWay, w.free(now, underWay))
			switch step & 3 {
			case 0:
				if w.free(now, underWay) > 0 {
					underWay++
				}
			case 1:
				if underWay > 0 {
					underWay--
					w.answer(now)
					plain.releases = append(plain.releases, plain.releaseTime(now))
				}
			case 2:
				underWay = max(underWay-1, 0) // never sent
			case 3:
				ahead := int(step>>2) * 2
				require.Equal(t, plain.earliest(now, underWay, ahead), w.earliest(now, underWay, ahead))
			}
		}
	})
}

func TestWindowEarliestDoesNotOverflow(t *testing.T) {
	w := newWindow(Budget{Requests: 1, Per: maxPer})
	w.answer(0)
	assert.Equal(t, never, w.earliest(time.Hour, 0, math.MaxInt))
	assert.Equal(t, never, w.earliest(time.Hour, 0, 1))
	assert.Greater(t, w.earliest(time.Hour, 0, 0), maxPer)
}
