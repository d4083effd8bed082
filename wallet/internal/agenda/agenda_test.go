package agenda

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

type task struct{ due, place int }

// TestOrder: whatever is put, moved, removed and taken, what comes first is the least of
// what is planned, and what is not planned has no place.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	a := &Agenda[*task]{
		Compare: func(a, b *task) int { return cmp.Compare(a.due, b.due) },
		Place:   func(x *task) *int { return &x.place },
	}
	_, any := a.First()
	require.False(t, any)
	var planned []*task
	taken := 0
	for range 20_000 {
		switch n := len(planned); {
		case n == 0 || r.IntN(3) == 0:
			x := &task{due: r.IntN(50)}
			planned = append(planned, x)
			a.Put(x)
		case r.IntN(3) == 0:
			x := planned[r.IntN(n)]
			x.due = r.IntN(50)
			a.Put(x)
		case r.IntN(2) == 0:
			i := r.IntN(n)
			a.Remove(planned[i])
			require.Zero(t, planned[i].place)
			a.Remove(planned[i]) // it has gone
			planned = slices.Delete(planned, i, i+1)
		default:
			least := slices.MinFunc(planned, a.Compare).due
			first, any := a.First()
			require.True(t, any)
			require.Equal(t, least, first.due)
			require.Same(t, first, a.Take())
			require.Zero(t, first.place)
			planned = slices.DeleteFunc(planned, func(x *task) bool { return x == first })
			taken++
		}
		require.Equal(t, len(planned), a.Len())
	}
	require.Greater(t, taken, 3000)
}
