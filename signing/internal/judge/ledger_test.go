package judge

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

var known = Key{1, 2, 3}

// leaving is an amount of SOL under a rule.
func leaving(amount uint64, may caps.Bucket, by string) (caps.Item, source) {
	return caps.Item{Mint: program.NativeMint, Amount: amount, May: may}, source{rule: by, to: &known}
}

// ledgerOf has a transaction for each list of items.
func ledgerOf(c caps.Caps, steps int, transactions ...[]caps.Item) *ledger {
	l := &ledger{want: &wanted{caps: c}, findings: &Findings{}, steps: steps}
	for i, items := range transactions {
		l.begins = append(l.begins, len(l.items))
		for _, item := range items {
			l.items = append(l.items, item)
			l.sources = append(l.sources, source{Site: rule.Site{Transaction: i}, rule: rule.SystemTransfer, to: &known})
		}
	}
	return l
}

func refusals(l *ledger) (rules []string) {
	for _, r := range l.findings.Refusals {
		rules = append(rules, r.Rule)
	}
	return rules
}

func TestStepsOfACase(t *testing.T) {
	c := new(Case)
	c.begin()
	require.Equal(t, 200_000, c.ledger.steps)
	j := new(Judge)
	require.Zero(t, testing.AllocsPerRun(100, func() { j.Open().Close() }), "a case is used again")
}

// A set is too complex if the steps end before an answer is found, and not if
// they end with it.
func TestTooComplexOnlyWithoutAnAnswer(t *testing.T) {
	tip := caps.Item{Mint: program.NativeMint, Amount: 2, May: caps.Tip}
	l := ledgerOf(caps.Caps{Tip: 1}, 3, []caps.Item{tip}) // to find that it does not fit takes three steps
	l.settle(true)
	require.Equal(t, []string{rule.Tip}, refusals(l))
	for _, steps := range []int{2, 1, 0} { // which ends at -1, and at -2
		l := ledgerOf(caps.Caps{Tip: 1}, steps, nil, []caps.Item{tip})
		l.settle(true)
		require.Equal(t, []string{rule.TooComplex}, refusals(l))
		r := l.findings.Refusals[0]
		require.Equal(t, rule.Site{Transaction: 1, Instruction: rule.Envelope}, r.Site)
		require.Equal(t, "amounts that can be matched to their caps in 200000 steps", r.Allowed)
		require.Equal(t, "1 amounts in 1 transactions that cannot", r.Found)
	}
	l = ledgerOf(caps.Caps{Tip: 2}, 4, []caps.Item{tip}) // to find that it fits takes four
	l.settle(true)
	require.Empty(t, refusals(l))
	require.Zero(t, l.steps)
}

// What each transaction sends is matched by itself, and then what all of them
// send: each refusal names the first that does not fit.
func TestSettle(t *testing.T) {
	spend := func(n uint64) caps.Item {
		return caps.Item{Mint: program.NativeMint, Amount: n, May: caps.Spend}
	}
	five := caps.Caps{Spend: []caps.Limit{{Mint: program.NativeMint, Most: 5}}}
	settled := func(transactions ...[]caps.Item) *ledger {
		l := ledgerOf(five, 1000)
		for i, items := range transactions {
			of := ledgerOf(five, 0, items)
			l.begins = append(l.begins, len(l.items))
			for j := range of.sources {
				of.sources[j].Transaction = i
			}
			l.items, l.sources = append(l.items, of.items...), append(l.sources, of.sources...)
			l.settle(i == len(transactions)-1)
		}
		return l
	}
	require.Empty(t, refusals(settled([]caps.Item{spend(2)}, []caps.Item{spend(3)})))
	l := settled([]caps.Item{spend(3)}, []caps.Item{spend(3)})
	require.Equal(t, []string{rule.Set}, refusals(l))
	require.Equal(t, 1, l.findings.Refusals[0].Transaction)
	require.Contains(t, l.findings.Refusals[0].Found, ", 0.000000006 SOL in all so far, with the other transactions of the set")
	l = settled([]caps.Item{spend(6)}, []caps.Item{spend(3)})
	require.Equal(t, []string{rule.SystemTransfer}, refusals(l))
	require.Zero(t, l.findings.Refusals[0].Transaction)
	l = settled([]caps.Item{spend(3)}, []caps.Item{spend(6)}, []caps.Item{spend(3)})
	require.Equal(t, []string{rule.SystemTransfer, rule.Set}, refusals(l), "what a rule took out counts no more")
	require.Equal(t, []int{1, 2}, []int{l.findings.Refusals[0].Transaction, l.findings.Refusals[1].Transaction})
}

// A rule takes out the item that it refuses and all that fall under it, in the
// transactions that are matched. The others keep their order and their transaction.
func TestDrop(t *testing.T) {
	amounts := func(l *ledger) (all []uint64) {
		for i, item := range l.items {
			require.EqualValues(t, item.Amount, l.sources[i].movement, "with its source")
			all = append(all, item.Amount)
		}
		return all
	}
	seven := func() *ledger {
		l := ledgerOf(caps.Caps{Tip: 1}, 0, nil, nil, nil, nil)
		l.begins = []int{0, 2, 4, 6}
		for i, row := range []struct {
			may caps.Bucket
			by  string
		}{
			{caps.Tip, rule.SystemTransfer}, {caps.Spend, rule.TokenTransfer}, // the first falls under Tip
			{caps.Rent, rule.Rent}, {caps.Spend, rule.TokenTransfer},
			{caps.Spend, rule.SystemTransfer}, {caps.Spend, rule.TokenTransfer},
			{caps.Rent, rule.Rent},
		} {
			item, from := leaving(uint64(i), row.may, row.by)
			from.movement = i
			l.items, l.sources = append(l.items, item), append(l.sources, from)
		}
		return l
	}
	l := seven()
	l.drop(0, 5, rule.TokenTransfer)
	require.Equal(t, []uint64{0, 2, 4, 6}, amounts(l))
	require.Equal(t, []int{0, 1, 2, 3}, l.begins)
	l = seven()
	l.drop(2, 5, rule.TokenTransfer)
	require.Equal(t, []uint64{0, 1, 2, 4, 6}, amounts(l), "an earlier transaction is as it was")
	require.Equal(t, []int{0, 2, 3, 4}, l.begins)
	l = seven()
	l.drop(0, 4, rule.Tip)
	require.Equal(t, []uint64{1, 2, 3, 5, 6}, amounts(l), "the one that was refused, whatever its rule")
	require.Equal(t, []int{0, 1, 3, 4}, l.begins)
}

// The rule of an item that no cap has room for: a recipient that nobody named is
// refused as a tip where the caller asked for one, and as unknown where it hides.
func TestFallsUnder(t *testing.T) {
	tips, fees := caps.Caps{Tip: 1}, caps.Caps{Fee: []caps.Limit{{Mint: program.NativeMint, Most: 1}}}
	for _, row := range []struct {
		name   string
		caps   caps.Caps
		may    caps.Bucket
		hidden bool
		want   string
	}{
		{"spend", tips, caps.Spend | caps.Tip | caps.Fee, false, rule.SystemTransfer},
		{"spend alone", tips, caps.Spend, false, rule.SystemTransfer},
		{"rent", tips, caps.Rent, false, rule.SystemTransfer},
		{"rent, where a fee is asked for", fees, caps.Rent, false, rule.SystemTransfer},
		{"hidden rent", tips, caps.Rent, true, rule.SystemTransfer},
		{"a tip or a fee", tips, caps.Tip | caps.Fee, false, rule.Tip},
		{"a tip", tips, caps.Tip, false, rule.Tip},
		{"a fee, where a tip is asked for", tips, caps.Fee, false, rule.SystemTransfer},
		{"a fee", fees, caps.Fee, false, rule.Tip},
		{"neither asked for", caps.Caps{}, caps.Tip | caps.Fee, false, rule.SystemTransfer},
		{"hidden", tips, caps.Tip | caps.Fee, true, rule.Lookup},
		{"hidden, of the spend", tips, caps.Spend | caps.Tip, true, rule.SystemTransfer},
		{"hidden fee", tips, caps.Fee, true, rule.Lookup},
	} {
		item, from := leaving(3, row.may, rule.SystemTransfer)
		if row.hidden {
			from.to = nil
		}
		l := &ledger{want: &wanted{caps: row.caps}, items: []caps.Item{item}, sources: []source{from}}
		require.Equal(t, row.want, l.fallsUnder(0), row.name)
	}
}

// Rent that a check of the bytes assumed is not lost if a simulation says so.
func TestUnpaid(t *testing.T) {
	other := Key{9}
	for _, row := range []struct {
		name   string
		as     caps.Bucket
		to     *Key
		unpaid bool
	}{
		{"rent", caps.Rent, &known, true}, {"rent for another wallet", caps.ForeignRent, &known, true},
		{"rent of a new account", caps.Rent, &other, false}, {"rent of a hidden account", caps.Rent, nil, false},
		{"spend", caps.Spend, &known, false}, {"a tip", caps.Tip, &known, false}, {"nothing", 0, &known, false},
	} {
		l := &ledger{costs: []rented{{account: Key{7}}, {account: known}}}
		l.items, l.sources = []caps.Item{{Amount: 5}}, []source{{to: row.to}}
		require.Equal(t, row.unpaid, l.cost(0, row.as) == 0, row.name)
		l.costs[1].lamports = 3
		require.Equal(t, row.unpaid, l.cost(0, row.as) == 3, row.name)
		l.costs[1].lamports = 6
		require.Equal(t, uint64(5), l.cost(0, row.as), row.name)
	}
}

// Token-2022 rounds its fee up and caps it.
func TestTransferFee(t *testing.T) {
	for _, row := range []struct {
		points       uint16
		most, amount uint64
		fee          uint64
	}{
		{100, 1000, 10_000, 100}, {100, 1000, 10_001, 101}, {100, 1000, 9_999, 100}, {100, 99, 10_000, 99},
		{1, 1000, 1, 1}, {1, 1000, 0, 0}, {0, 1000, 10_000, 0},
		{10_000, ^uint64(0), ^uint64(0), ^uint64(0)}, {20_000, ^uint64(0), 70, 70}, {9_999, ^uint64(0), 10_000, 9_999},
	} {
		require.Equal(t, row.fee, TransferFee{row.points, row.most}.of(row.amount), "%+v", row)
	}
}
