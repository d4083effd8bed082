package caps

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/txwire"
)

var native, usdc = txwire.Key{1}, txwire.Key{2}

// anything lists what a simulated call's lamports may count as.
const anything = Spend | Tip | Fee | Rent

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
				switch r.IntN(5) {
				case 0:
					item.May = Tip | Fee
				case 1:
					item.May = Spend | Tip | Fee
				case 2:
					item.Mint, item.May = usdc, Spend|Fee
				case 3:
					item.May = Rent
				case 4:
					if i := slices.IndexFunc(m.Items, func(i Item) bool { return i.May == anything }); i < 0 {
						item.May = anything // one of a set: how several share the rent is not searched
					} else {
						item.May = Spend
					}
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
	m := Matching{Caps: &Caps{Tip: 3, Spend: []Limit{{native, 300}}, Fee: []Limit{{native, 3}}}, Steps: new(math.MaxInt), Done: done}
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

// fit matches items, and says what each counts as.
func fit(caps Caps, begins []int, items ...Item) (ok bool, as []Bucket) {
	m := Matching{Caps: &caps, Items: items, Begins: begins, Steps: new(1 << 20)}
	ok = m.Fit()
	for _, item := range m.Items {
		as = append(as, item.As)
	}
	return ok, as
}

// In a simulated call an amount may be rent, spend, tip or fee. What else can only
// be rent or a tip gets its room first, whatever the order.
func TestRentLeavesRoom(t *testing.T) {
	whatever := Item{Mint: native, Amount: 5, May: Spend | Tip | Fee | Rent}
	rent, tip := Item{Mint: native, Amount: 3, May: Rent}, Item{Mint: native, Amount: 2, May: Tip | Fee}
	anyTwo := whatever
	anyTwo.Amount = 2
	for _, row := range []struct {
		name  string
		caps  Caps
		items [2]Item
		as    [2]Bucket
	}{
		{"spend beside rent", Caps{Rent: 5, Spend: []Limit{{native, 5}}}, [2]Item{whatever, rent}, [2]Bucket{Spend, Rent}},
		{"both rent", Caps{Rent: 8, Spend: []Limit{{native, 5}}}, [2]Item{whatever, rent}, [2]Bucket{Rent, Rent}},
		{"rent, tried as a tip before", Caps{Rent: 2, Tip: 2}, [2]Item{anyTwo, tip}, [2]Bucket{Rent, Tip}},
		{"a tip beside rent", Caps{Rent: 3, Tip: 5}, [2]Item{whatever, rent}, [2]Bucket{Tip, Rent}},
	} {
		for _, order := range [][2]int{{0, 1}, {1, 0}} {
			ok, as := fit(row.caps, []int{0}, row.items[order[0]], row.items[order[1]])
			require.True(t, ok, row.name)
			require.Equal(t, []Bucket{row.as[order[0]], row.as[order[1]]}, as, row.name)
		}
	}
	ok, _ := fit(Caps{Rent: 4, Tip: 4, Spend: []Limit{{native, 4}}}, []int{0}, whatever)
	require.False(t, ok, "too large for each")
}

// What adds up needs no search, and so no step of one.
func TestMatchingWithoutSearch(t *testing.T) {
	for _, row := range []struct {
		item Item
		caps Caps
		as   Bucket
	}{
		{Item{Mint: usdc, Amount: 3, May: Spend | Tip | Fee}, Caps{Spend: []Limit{{native, 9}, {usdc, 3}}}, Spend},
		{Item{Mint: usdc, Amount: 3, May: Burn}, Caps{Spend: []Limit{{usdc, 1}}, Burn: []Limit{{native, 9}, {usdc, 3}}}, Burn},
		{Item{Mint: native, Amount: 3, May: Rent | Spend | Tip | Fee}, Caps{Rent: 3}, Rent},
		{Item{Mint: native, Amount: 3, May: ForeignRent}, Caps{ForeignRent: 3}, ForeignRent},
	} {
		m := Matching{Caps: &row.caps, Items: []Item{row.item}, Begins: []int{0}, Steps: new(0)}
		require.True(t, m.Fit())
		require.Zero(t, *m.Steps)
		require.Equal(t, row.as, m.Items[0].As)
		m.Items[0].Amount++
		require.False(t, m.Fit(), "one more is past the cap")
	}
	nothing := Matching{Caps: &Caps{}, Items: []Item{{Mint: native, May: Spend}}, Begins: []int{0}, Steps: new(0)}
	require.True(t, nothing.Fit(), "nothing needs no cap")
	nothing.Items[0].Amount = 1
	require.False(t, nothing.Fit())
}

// Each item that is looked at is a step, and each choice of tip and fee, so that the bound is one of work.
func TestMatchingCountsItsSteps(t *testing.T) {
	tip := Item{Mint: native, Amount: 1, May: Tip}
	steps := func(most int) (bool, int) {
		m := Matching{Caps: &Caps{Tip: 1}, Items: []Item{{}, {}, tip}[2:], Begins: []int{2}, Steps: &most}
		return m.Fit(), most
	}
	for _, row := range []struct {
		most, left int
		ok         bool
	}{
		// To look at the item is two steps, without the tip is one, and with it one more.
		{4, 0, true}, {5, 1, true}, {3, -1, false}, {2, -1, false}, {1, -1, false}, {0, -2, false},
	} {
		ok, left := steps(row.most)
		require.Equal(t, row.ok, ok, "%d steps", row.most)
		require.Equal(t, row.left, left, "%d steps", row.most)
	}
}

// It is so for each transaction of a set.
func TestMatchingCountsTheStepsOfASet(t *testing.T) {
	tip := Item{Mint: native, Amount: 1, May: Tip}
	m := Matching{Caps: &Caps{Tip: 2}, Items: []Item{tip, tip}, Begins: []int{0, 1}, Steps: new(8)}
	require.True(t, m.Fit())
	require.Zero(t, *m.Steps, "four for each transaction")
}

// Done is looked at each time that so many steps have passed, and not before.
func TestMatchingLooksAtDone(t *testing.T) {
	done := make(chan struct{})
	m := Matching{Steps: new(10 * look), Done: done}
	require.True(t, m.work(look), "a look, and nobody has gone")
	close(done)
	require.True(t, m.work(look-1))
	require.Equal(t, 10*look-(2*look-1), *m.Steps)
	require.False(t, m.work(1))
	require.Equal(t, -1, *m.Steps)
	m = Matching{Steps: new(5)}
	require.True(t, m.work(5))
	require.Zero(t, *m.Steps)
	require.False(t, m.work(1))
}

// The second and later transactions of a set are matched by themselves, too.
func TestMatchingFromALaterItem(t *testing.T) {
	item := Item{Mint: native, Amount: 2, May: Tip | Fee}
	caps := Caps{Tip: 4, Fee: []Limit{{native, 2}}}
	ok, as := fit(caps, []int{7, 8, 10}, item, item, item)
	require.True(t, ok)
	require.Equal(t, []Bucket{Tip, Tip, Fee}, as)
	ok, _ = fit(caps, []int{7}, item, item, item)
	require.False(t, ok, "one transaction has a tip and a fee")
	ok, _ = fit(caps, []int{7, 8, 10}, item, item, item, item)
	require.False(t, ok, "past both caps")
}

func TestUnfitNamesTheItem(t *testing.T) {
	tip := Item{Mint: native, Amount: 2, May: Tip | Fee}
	spend := Item{Mint: native, Amount: 2, May: Spend}
	burn := Item{Mint: native, Amount: 2, May: Burn}
	rent := Item{Mint: native, Amount: 2, May: Rent}
	foreign := Item{Mint: native, Amount: 2, May: ForeignRent}
	other := Item{Mint: usdc, Amount: 2, May: Spend}
	caps := Caps{Tip: 2, Fee: []Limit{{native, 2}}, Spend: []Limit{{native, 5}}, Burn: []Limit{{native, 3}}, Rent: 3, ForeignRent: 3}
	for _, row := range []struct {
		name   string
		begins []int
		items  []Item
		at     int
		past   bool
		total  uint64
		cap    uint64
	}{
		{"a third tip", []int{0}, []Item{tip, spend, tip, tip}, 3, false, 0, 0},
		{"a tip of another transaction, past the cap", []int{0, 2}, []Item{tip, tip, tip}, 2, false, 0, 0},
		{"spend", []int{0}, []Item{spend, other, spend, spend}, 1, true, 2, 0},
		{"spend of one mint", []int{0}, []Item{spend, burn, spend, tip, spend}, 4, true, 6, 5},
		{"burn", []int{0}, []Item{burn, spend, burn}, 2, true, 4, 3},
		{"rent", []int{0}, []Item{rent, foreign, rent}, 2, true, 4, 5},
		{"rent for others", []int{0}, []Item{foreign, rent, foreign}, 2, true, 4, 5},
	} {
		m := Matching{Caps: &caps, Items: row.items, Begins: row.begins, Steps: new(1 << 20)}
		require.False(t, m.Fit(), row.name)
		at, past := m.Unfit()
		require.Equal(t, row.at, at, row.name)
		require.Equal(t, row.past, past, row.name)
		if past {
			require.Equal(t, Sum{low: row.total}, m.Total(at), row.name)
			require.Equal(t, row.cap, m.Cap(&m.Items[at]), row.name)
		}
	}
}

// If each item fits by itself, and some as the one tip or fee, but not all of them
// together, the last is named.
func TestUnfitTogether(t *testing.T) {
	caps := Caps{Tip: 3, Fee: []Limit{{native, 2}}}
	items := []Item{{Mint: native, Amount: 2, May: Tip | Fee}, {Mint: native, Amount: 3, May: Tip | Fee}}
	ok, as := fit(caps, []int{0}, items...)
	require.True(t, ok, "the first is the fee")
	require.Equal(t, []Bucket{Fee, Tip}, as)
	caps.Tip = 2
	m := Matching{Caps: &caps, Items: items, Begins: []int{0}, Steps: new(1 << 20)}
	require.False(t, m.Fit())
	at, past := m.Unfit()
	require.Equal(t, 1, at)
	require.False(t, past)
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
