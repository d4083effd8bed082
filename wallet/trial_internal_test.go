package wallet

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// tryDoors ends trials of doors as lands says, by number of the trial and of the door.
func tryDoors(t *tracker, n int, doors []*door, lands func(trial, door int) bool) (given map[*door]int) {
	given = map[*door]int{}
	for i := range n * trialEvery {
		c := parcelOf(1, doors...)
		first := t.firstDoors(c)
		for at, d := range doors {
			if len(first) == 1 && first[0] == d {
				given[d]++
				t.tried(c, lands(i/trialEvery, at))
			}
		}
		t.tried(c, true) // there is none
	}
	return given
}

// TestTrialsTellADeadDoor: after 64 trials in vain, if the others land meanwhile; once, and again
// when it has come back.
func TestTrialsTellADeadDoor(t *testing.T) {
	a, b := &door{name: "a"}, &door{name: "b"}
	tr := &tracker{}
	given := tryDoors(tr, 126, []*door{a, b}, func(_, door int) bool { return door == 0 })
	require.Equal(t, map[*door]int{a: 63, b: 63}, given, "in turn, each eighth")
	require.False(t, b.barren)
	tryDoors(tr, 2, []*door{a, b}, func(_, door int) bool { return door == 0 })
	require.True(t, b.barren)
	require.False(t, a.barren)
	tryDoors(tr, 2, []*door{a, b}, func(_, _ int) bool { return true })
	require.False(t, b.barren)

	a, b = &door{name: "a"}, &door{name: "b"}
	tryDoors(&tracker{}, 1000, []*door{a, b}, func(trial, door int) bool { return door == 0 && trial < 30 })
	require.False(t, b.barren, "nobody lands anything")
	require.False(t, a.barren)
	tryDoors(&tracker{}, 40, []*door{a, b}, func(_, door int) bool { return door == 0 })
	require.True(t, b.barren)
	alone, sent := parcelOf(1, a), parcelOf(1, a, b)
	sent.left = true
	for range 100 {
		for _, c := range []*parcel{alone, sent} {
			require.Equal(t, c.doors, tr.firstDoors(c))
			require.Nil(t, c.alone)
		}
	}
}

// TestTurnsBySuccess: a door that lands nothing gets one in four of its turns, one that lands half
// as much every other one, and the best one those; a door that has come back gets its own again.
func TestTurnsBySuccess(t *testing.T) {
	for _, c := range []struct {
		name  string
		lands func(trial, door int) bool
		want  [2]int // of 80 turns
	}{
		{"alike", func(_, _ int) bool { return true }, [2]int{40, 40}},
		{"nothing is known", nil, [2]int{40, 40}},
		{"one lands nothing", func(_, door int) bool { return door == 0 }, [2]int{70, 10}},
		{"one lands half", func(trial, door int) bool { return door == 0 || trial/2%2 == 0 }, [2]int{60, 20}},
		{"neither lands", func(_, _ int) bool { return false }, [2]int{40, 40}},
		{"it has come back", func(trial, door int) bool { return door == 0 || trial > 500 }, [2]int{40, 40}},
	} {
		t.Run(c.name, func(t *testing.T) {
			doors := []*door{{name: "a"}, {name: "b"}}
			if c.lands != nil {
				tryDoors(&tracker{}, 800, doors, c.lands)
			}
			var got [2]int
			p := parcelOf(1, doors...)
			for p.sends = 1; p.sends <= 80; p.sends++ {
				turn := p.turnOf()
				require.Len(t, turn, 1)
				for i, d := range doors {
					if turn[0] == d {
						got[i]++
					}
				}
			}
			require.Equal(t, c.want, got)
			p.sends = 1
			p.under[doors[0]] = true
			require.Equal(t, doors[1:], p.turnOf(), "the other one has not answered")
		})
	}
}
