package paging

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

func echo(_ context.Context, part []int) ([]int, error) { return slices.Clone(part), nil }

func TestSplitSizes(t *testing.T) {
	for name, test := range map[string]struct {
		n, size int
		want    []int // the size of each part
	}{
		"empty":             {n: 0, size: 3, want: nil},
		"one item":          {n: 1, size: 3, want: []int{1}},
		"below the cap":     {n: 2, size: 3, want: []int{2}},
		"at the cap":        {n: 3, size: 3, want: []int{3}},
		"one above":         {n: 4, size: 3, want: []int{3, 1}},
		"twice the cap":     {n: 6, size: 3, want: []int{3, 3}},
		"one at a time":     {n: 3, size: 1, want: []int{1, 1, 1}},
		"no cap":            {n: 300, size: 0, want: []int{300}},
		"send-batch of 300": {n: 300, size: 128, want: []int{128, 128, 44}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, parallel := range []int{0, 1, 2, 64} {
				outs, err := Split(t.Context(), count(0, test.n), test.size, parallel, nil, echo)
				require.NoError(t, err)
				var sizes []int
				for _, out := range outs {
					sizes = append(sizes, len(out))
				}
				assert.Equal(t, test.want, sizes)
				assert.Equal(t, count(0, test.n), slices.Concat(outs...))
			}
		})
	}
}

func TestSplitMergesInOrderWhateverEndsFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		running, most := 0, 0
		enter := func(by int) {
			mu.Lock()
			defer mu.Unlock()
			running += by
			most = max(most, running)
		}
		began := time.Now()
		outs, err := Split(t.Context(), count(0, 10), 1, 4, nil, func(ctx context.Context, part []int) (int, error) {
			enter(+1)
			defer enter(-1)
			<-time.After(time.Duration(10-part[0]) * time.Second) // the first takes longest
			return part[0], nil
		})
		require.NoError(t, err)
		assert.Equal(t, count(0, 10), outs)
		assert.Equal(t, 4, most)
		assert.Less(t, time.Since(began), 20*time.Second, "55 s one after the other")
	})
}

func TestSplitCarriesWhatTheOthersBrought(t *testing.T) {
	broken, odd := errors.New("broken"), errors.New("odd")
	for _, parallel := range []int{1, 3} {
		outs, err := Split(t.Context(), count(0, 10), 3, parallel, nil, func(_ context.Context, part []int) ([]int, error) {
			switch part[0] {
			case 3:
				return nil, broken
			case 9:
				return []int{-9}, odd
			}
			return part, nil
		})
		assert.Equal(t, [][]int{{0, 1, 2}, nil, {6, 7, 8}, {-9}}, outs)
		partial := wiretest.As[*walletfi.PartialError](t, err)
		assert.Equal(t, 6, partial.Done)
		assert.Equal(t, 10, partial.Total)
		assert.Equal(t, 3, partial.First)
		assert.ErrorIs(t, err, broken)
		assert.ErrorIs(t, err, odd)
		assert.EqualError(t, err, "6 of 10 done, first failure at item 3: items 3 to 5: broken\nitems 9 to 9: odd")
	}
}

func TestSplitOfOnePartReturnsItsOwnError(t *testing.T) {
	broken := errors.New("broken")
	outs, err := Split(t.Context(), []int{1, 2}, 2, 1, nil, func(context.Context, []int) (string, error) { return "half", broken })
	assert.Equal(t, broken, err)
	assert.Equal(t, []string{"half"}, outs)
}

func TestSplitBeginsNothingOnceTheContextEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	begun := 0
	outs, err := Split(ctx, count(0, 5), 2, 1, nil, func(_ context.Context, part []int) (int, error) {
		begun++
		cancel() // while the first part is under way
		return len(part), nil
	})
	assert.Equal(t, 1, begun)
	assert.Equal(t, []int{2, 0, 0}, outs)
	assert.ErrorIs(t, err, context.Canceled)
	partial := wiretest.As[*walletfi.PartialError](t, err)
	assert.Equal(t, walletfi.PartialError{Done: 2, Total: 5, First: 2, Causes: partial.Causes}, *partial)
}

func TestSplitPartsCannotOverwriteEachOther(t *testing.T) {
	items := count(0, 4)
	_, err := Split(t.Context(), items, 2, 1, nil, func(_ context.Context, part []int) (int, error) {
		_ = append(part, -1)
		return 0, nil
	})
	require.NoError(t, err)
	assert.Equal(t, count(0, 4), items)
}

// TestSplitTells: progress never falls, one call at a time, and reaches the end also
// if parts fail or never start.
func TestSplitTells(t *testing.T) {
	for _, parallel := range []int{1, 4} {
		for _, size := range []int{3, 100} {
			var told []int
			_, _ = Split(t.Context(), count(0, 10), size, parallel, func(done, total int) {
				require.Equal(t, 10, total)
				told = append(told, done)
			}, func(_ context.Context, part []int) (int, error) {
				if part[0] == 3 {
					return 0, errors.New("broken")
				}
				return 0, nil
			})
			require.True(t, slices.IsSorted(told))
			require.Len(t, told, map[int]int{3: 4, 100: 1}[size])
			require.Equal(t, 10, told[len(told)-1])
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	last := 0
	require.Error(t, wiretest.Error(Split(ended, count(0, 5), 2, 1, func(done, _ int) { last = done }, echo)))
	require.Equal(t, 5, last)
}
