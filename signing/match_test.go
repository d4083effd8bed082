package signing

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever the order of the items, matching finds an assignment where there is
// one: held against trying every assignment.
func TestMatchingFindsWhatThereIs(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	found, none := 0, 0
	for range 4000 {
		w := &wanted{tip: uint64(r.IntN(6)), rent: uint64(r.IntN(6)),
			spend: []limit{{NativeMint, uint64(r.IntN(12))}, {usdc, uint64(r.IntN(12))}},
			fee:   []limit{{NativeMint, uint64(r.IntN(6))}, {usdc, uint64(r.IntN(6))}}}
		m := matching{want: w}
		for range 1 + r.IntN(2) {
			m.begins = append(m.begins, len(m.items))
			for range r.IntN(4) {
				item := outgoing{mint: NativeMint, amount: uint64(1 + r.IntN(5)), to: &stranger}
				switch r.IntN(4) {
				case 0:
					item.may = asTip | asFee
				case 1:
					item.may = asSpend | asTip | asFee
				case 2:
					item.mint, item.may = usdc, asSpend|asFee
				case 3:
					item.may = asRent
				}
				m.items = append(m.items, item)
			}
		}
		want := exhaustive(&m, 0)
		got := m.direct() || m.search()
		require.Equal(t, want, got, "%+v", m)
		if got {
			found++
		} else {
			none++
			require.NotNil(t, m.refusal())
		}
	}
	require.Greater(t, found, 500)
	require.Greater(t, none, 500)
}

// exhaustive tries every assignment of items from i on.
func exhaustive(m *matching, i int) bool {
	if i == len(m.items) {
		return holds(m)
	}
	for _, as := range []bucket{asSpend, asTip, asFee, asRent} {
		if m.items[i].may&as == 0 {
			continue
		}
		m.items[i].as = as
		if exhaustive(m, i+1) {
			return true
		}
	}
	return false
}

// holds checks an assignment by adding it up.
func holds(m *matching) bool {
	type key struct {
		as   bucket
		mint PublicKey
	}
	total, count := map[key]uint64{}, map[[2]int]int{}
	for i, item := range m.items {
		total[key{item.as, item.mint}] += item.amount
		for n, from := range m.begins {
			if i >= from && (n+1 == len(m.begins) || i < m.begins[n+1]) {
				count[[2]int{n, int(item.as)}]++
			}
		}
	}
	for k, sum := range total {
		limit := map[bucket]uint64{asSpend: most(m.want.spend, k.mint), asTip: m.want.tip, asFee: most(m.want.fee, k.mint), asRent: m.want.rent}[k.as]
		if sum > limit {
			return false
		}
	}
	for k, n := range count {
		if n > 1 && (k[1] == int(asTip) || k[1] == int(asFee)) {
			return false
		}
	}
	return true
}
