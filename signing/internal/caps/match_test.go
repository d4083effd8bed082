package caps

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/txwire"
)

var native, usdc = txwire.Key{1}, txwire.Key{2}

// Whatever the order of the items, Fit finds an assignment if there is any:
// held against trying every assignment.
func TestMatchingFindsWhatThereIs(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	found, none := 0, 0
	for range 4000 {
		w := &Caps{Tip: uint64(r.IntN(6)), Rent: uint64(r.IntN(6)),
			Spend: []Limit{{native, uint64(r.IntN(12))}, {usdc, uint64(r.IntN(12))}},
			Fee:   []Limit{{native, uint64(r.IntN(6))}, {usdc, uint64(r.IntN(6))}}}
		m := Matching{Caps: w, Steps: new(1 << 20)}
		for range 1 + r.IntN(2) {
			m.Begins = append(m.Begins, len(m.Items))
			for range r.IntN(4) {
				item := Item{Mint: native, Amount: uint64(1 + r.IntN(5))}
				switch r.IntN(4) {
				case 0:
					item.May = Tip | Fee
				case 1:
					item.May = Spend | Tip | Fee
				case 2:
					item.Mint, item.May = usdc, Spend|Fee
				case 3:
					item.May = Rent
				}
				m.Items = append(m.Items, item)
			}
		}
		want := exhaustive(&m, 0)
		got := m.Fit()
		require.Equal(t, want, got, "%+v", m)
		if got {
			found++
		} else {
			none++
			i, _ := m.Unfit()
			require.Less(t, i, len(m.Items))
		}
	}
	require.Greater(t, found, 500)
	require.Greater(t, none, 500)
}

// A search that nobody waits for any more ends at the next look, however many
// steps it has left.
func TestMatchingGivesUp(t *testing.T) {
	done := make(chan struct{})
	close(done)
	m := Matching{Caps: &Caps{Tip: 3, Spend: []Limit{{native, 300}}, Fee: []Limit{{native, 3}}}, Steps: new(1 << 60), Done: done}
	for range 16 {
		m.Begins = append(m.Begins, len(m.Items))
		for range 20 {
			m.Items = append(m.Items, Item{Mint: native, Amount: 1, May: Spend | Tip | Fee})
		}
	}
	require.False(t, m.Fit())
	require.Negative(t, *m.Steps)
	m.Done, m.Steps = nil, new(1_000_000)
	require.False(t, m.Fit())
	require.Negative(t, *m.Steps, "it goes on as long as it may without one")
}

// exhaustive tries every assignment of items from i on.
func exhaustive(m *Matching, i int) bool {
	if i == len(m.Items) {
		return holds(m)
	}
	for _, as := range []Bucket{Spend, Tip, Fee, Rent} {
		if m.Items[i].May&as == 0 {
			continue
		}
		m.Items[i].As = as
		if exhaustive(m, i+1) {
			return true
		}
	}
	return false
}

// holds checks an assignment by adding it up.
func holds(m *Matching) bool {
	type key struct {
		as   Bucket
		mint txwire.Key
	}
	total, count := map[key]uint64{}, map[[2]int]int{}
	for i, item := range m.Items {
		total[key{item.As, item.Mint}] += item.Amount
		for n, from := range m.Begins {
			if i >= from && (n+1 == len(m.Begins) || i < m.Begins[n+1]) {
				count[[2]int{n, int(item.As)}]++
			}
		}
	}
	for k, sum := range total {
		limit := map[Bucket]uint64{Spend: Most(m.Caps.Spend, k.mint), Tip: m.Caps.Tip, Fee: Most(m.Caps.Fee, k.mint), Rent: m.Caps.Rent}[k.as]
		if sum > limit {
			return false
		}
	}
	for k, n := range count {
		if n > 1 && (k[1] == int(Tip) || k[1] == int(Fee)) {
			return false
		}
	}
	return true
}
