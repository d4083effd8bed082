package evidence

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

// TestNonceAtAnyFailure: what a node fails to tell is the error, and takes nothing back.
func TestNonceAtAnyFailure(t *testing.T) {
	for what, row := range map[string]struct {
		failing string
		change  func(p *Pass, n *Honest, it *Item)
		says    string
		is      error
	}{
		"another ledger": {is: errAway, change: func(p *Pass, _ *Honest, _ *Item) {
			p.home = func(context.Context) error { return errAway }
		}},
		"the value":                {failing: "nonce", is: errAway},
		"what used it":             {failing: "use", is: errAway},
		"it was not seen before":   {says: "it has not shown the nonce with the transaction's value before"},
		"it was seen in that slot": {says: "it has not shown the nonce with the transaction's value before", change: held(5200 - Finality)},
		"of a sponsor's": {says: "what used the nonce is not found", change: func(p *Pass, n *Honest, it *Item) {
			held(5100)(p, n, it)
			it.Step.Signature = ""
		}},
		"in a quick turn":     {is: errLeft, change: func(p *Pass, _ *Honest, _ *Item) { p.Quick = true }},
		"its first block":     {failing: "final block", is: errAway, change: held(4900)},
		"the window":          {failing: "absence of 1", is: errAway, change: goneAt(5150, 0)},
		"the newest is gone":  {says: "is the newest", change: goneAt(5200-Finality, 0)},
		"gone at the final":   {failing: "final block", is: errAway, change: goneAt(5200-Finality, 4100)},
		"gone past the final": {is: walletfi.ErrUnavailable, change: goneAt(5200, 4100)},
	} {
		t.Run(what, func(t *testing.T) {
			p, n := questioning(t, 5200, row.failing)
			it := questioned("s")
			if row.change != nil {
				row.change(p, n, it)
			}
			before := it.Shown.Held
			err := p.nonce(t.Context(), it)
			require.Error(t, err)
			if row.is != nil {
				require.ErrorIs(t, err, row.is)
			}
			require.ErrorContains(t, err, row.says)
			require.Empty(t, it.Shown.Nulls)
			require.Empty(t, it.Shown.UsedBy)
			require.Equal(t, before.Slot, it.Shown.Held.Slot)
			require.Equal(t, p.Quick, len(p.Left) == 1)
		})
	}
}

func held(slot uint64) func(*Pass, *Honest, *Item) {
	return func(_ *Pass, _ *Honest, it *Item) { it.Shown.Held = Head{Slot: slot} }
}

// goneAt is a nonce that has another value at a slot, held at a block whose height is known if it is not 0.
func goneAt(slot, heldHeight uint64) func(*Pass, *Honest, *Item) {
	return func(_ *Pass, _ *Honest, it *Item) {
		it.Shown.Held, it.Shown.Gone = Head{Slot: 5100, Height: heldHeight}, Head{Slot: slot}
	}
}

// TestWindowOfANonceBeginsBefore: if the block at which the value was held is not told, or if it is older, the
// window begins at what was final before the signature, if its height is known.
func TestWindowOfANonceBeginsBefore(t *testing.T) {
	for what, row := range map[string]struct {
		after  Head
		unsure bool
		from   Head // zero for an error
	}{
		"before":             {made(4960), false, made(4960)},
		"the same slot":      {made(5100), false, made(5100)},
		"after":              {made(5101), false, made(5101)},
		"after the end":      {made(5160), false, made(5149)},
		"only told":          {made(4960), true, Head{}},
		"height not known":   {Head{Slot: 4960}, false, Head{}},
		"nor in its slot":    {Head{Slot: 5100}, false, Head{}},
		"the lowest heights": {Head{Slot: 4960, Height: 1}, false, Head{Slot: 4960, Height: 1}},
	} {
		p, _ := questioning(t, 5200, "")
		node := &absences{Prover: p.node}
		p.node = node
		it := questioned("s")
		it.After, it.Unsure, it.Past = row.after, row.unsure, made(5150)
		it.Shown.Held, it.Shown.Gone = Head{Slot: 5100}, made(5150)
		err := p.between(t.Context(), it, false)
		if row.from.Slot == 0 {
			require.ErrorIs(t, err, errAway, what)
			require.Empty(t, node.asked, what)
			continue
		}
		require.ErrorIs(t, err, errNoAbsence, what)
		require.Equal(t, []walletfi.AbsenceQuery{{
			Signatures: []string{"s"}, After: row.from, Last: 4150, Until: made(5200 - Finality),
		}}, node.asked, what)
		require.Equal(t, Head{Slot: 5100}, it.Shown.Held, what)
	}
}

// TestWindowOfANonceNearAGap: if the block at which the value was held is in a gap, the window begins at
// one that is shown not long before, but not before what was final when it was signed. Of that one nothing is asked.
func TestWindowOfANonceNearAGap(t *testing.T) {
	slots := []uint64{5100, 5099, 5098, 5096, 5092, 5084, 5068, 5036}
	for _, row := range []struct {
		gap, after, from uint64
		blocks           int // that are asked for
	}{
		{0, 4960, 5100, 1}, {1, 4960, 5099, 2}, {2, 4960, 5098, 3}, {9, 4960, 5084, 6}, {64, 4960, 5036, 8},
		{65, 4960, 4960, 8}, {9, 5084, 5084, 5}, {9, 5090, 5090, 5}, {9, 5099, 5099, 1}, {0, 5100, 5100, 0},
	} {
		p, n := questioning(t, 5200, "")
		n.Advanced = func() Head { return made(5150) }
		node := &absences{Prover: n, from: 5101 - row.gap}
		p.node = node
		it := questioned("s")
		it.After, it.Shown.Held, it.Shown.Gone = made(row.after), Head{Slot: 5100}, Head{Slot: 5160}
		require.ErrorIs(t, p.nonce(t.Context(), it), errNoAbsence, row)
		require.Len(t, node.asked, 1)
		require.Equal(t, made(row.from), node.asked[0].After, row)
		require.Len(t, node.blocks, row.blocks, row)
		require.Subset(t, slots[:row.blocks], node.blocks, row)
		known := Head{Slot: 5100}
		if row.gap == 0 && row.after < 5100 {
			known = made(5100)
		}
		require.Equal(t, known, it.Shown.Held, row)
	}
}

// TestHeldBlock: the later of the block in which the nonce had its value and of what was final when the transaction
// was signed. Of two of one slot it is the latter. No node is asked.
func TestHeldBlock(t *testing.T) {
	for _, row := range []struct{ held, after, want Head }{
		{made(5100), made(4960), made(5100)}, {made(5100), made(5101), made(5101)},
		{Head{Slot: 5100, Height: 4101}, made(5100), made(5100)},
		{Head{Slot: 5100, Height: 1}, Head{}, Head{Slot: 5100, Height: 1}},
	} {
		p, n := questioning(t, 5200, "final block")
		it := questioned("s")
		it.After, it.Shown.Held = row.after, row.held
		block, err := p.held(t.Context(), it)
		require.NoError(t, err)
		require.Equal(t, row.want, block)
		require.Empty(t, n.Asked())
	}
}

// TestWindowBeforeAnAdvance: it ends before the block in which another transaction advanced the
// nonce, and begins at the later of two blocks.
func TestWindowBeforeAnAdvance(t *testing.T) {
	for _, row := range []struct{ held, after, from uint64 }{
		{5100, 4960, 5100}, {5100, 5099, 5100}, {5100, 5120, 5120}, {5100, 5149, 5149}, {5100, 5150, 5149},
		{5100, 5160, 5149},
	} {
		p, n := questioning(t, 5200, "")
		n.Advanced = func() Head { return made(5150) }
		node := &absences{Prover: n}
		p.node = node
		it := questioned("s")
		it.After, it.Shown.Held, it.Shown.Gone = made(row.after), made(row.held), Head{Slot: 5160}
		require.ErrorIs(t, p.nonce(t.Context(), it), errNoAbsence, row)
		require.Equal(t, []walletfi.AbsenceQuery{{
			Signatures: []string{"s"}, After: made(row.from), Last: 4149, Until: made(5150),
		}}, node.asked, row)
		require.Equal(t, made(5150), it.Shown.Gone, row)
	}
}

// TestNonceOfANodeBehind: a node that tells the transaction's value from long before what is final is
// asked again, for what another one of its address may know. What it told counts all the same.
func TestNonceOfANodeBehind(t *testing.T) {
	const final = 5168
	for what, row := range map[string]struct {
		told       []nonceValue
		held, want uint64 // before, and after
		gone       uint64
		asked      []uint64
	}{
		"of the newest":            {[]nonceValue{{"42", final}}, 5000, final, 0, []uint64{0}},
		"a little behind":          {[]nonceValue{{"42", final - 32}}, 5000, final - 32, 0, []uint64{0}},
		"too far, and no other":    {[]nonceValue{{"42", final - 33}, {}}, 5000, final - 33, 0, []uint64{0, final - 32}},
		"before, and no other":     {[]nonceValue{{"42", 4999}, {}}, 5000, 5000, 0, []uint64{0, final - 32}},
		"another that has it":      {[]nonceValue{{"42", 5100}, {"42", 5160}}, 5000, 5160, 0, []uint64{0, final - 32}},
		"another that has not":     {[]nonceValue{{"42", 5100}, {"43", 5160}}, 5000, 5100, 5160, []uint64{0, final - 32}},
		"the first time":           {[]nonceValue{{"42", 5100}, {"43", 5160}}, 0, 5100, 5160, []uint64{0, final - 32}},
		"the first time, before":   {[]nonceValue{{"41", 5100}, {"42", 5160}}, 0, 5160, 0, []uint64{0, final - 32}},
		"it is away":               {[]nonceValue{{}}, 5000, 5000, 0, []uint64{0}},
		"since the first slot":     {[]nonceValue{{"43", 5001}}, 1, 1, 5001, []uint64{0}},
		"the next value, behind":   {[]nonceValue{{"43", 5001}}, 5000, 5000, 5001, []uint64{0}},
		"the value before, behind": {[]nonceValue{{"41", 5000}, {"43", 5160}}, 5000, 5000, 5160, []uint64{0, final - 32}},
	} {
		p, n := questioning(t, final+Finality, "")
		node := &values{Prover: n, tell: row.told}
		p.node, p.Quick = node, true
		it := questioned("s")
		it.Step.Blockhash, it.Shown.Held.Slot = "42", row.held
		err := p.nonce(t.Context(), it)
		require.Equal(t, row.gone > 0, errors.Is(err, errLeft), "%s: %v", what, err)
		require.Equal(t, row.asked, node.asked, what)
		require.Equal(t, row.want, it.Shown.Held.Slot, what)
		require.Equal(t, row.gone, it.Shown.Gone.Slot, what)
	}
}

// TestNonceHeldWhereItWas: what is known of the block in which the nonce had the value is not forgotten when a node
// tells the same one or an earlier one.
func TestNonceHeldWhereItWas(t *testing.T) {
	for at, want := range map[uint64]Head{5149: made(5150), 5150: made(5150), 5151: {Slot: 5151}} {
		p, n := questioning(t, 5200, "")
		p.node = &values{Prover: n, tell: []nonceValue{{"42", at}}}
		it := questioned("s")
		it.Step.Blockhash, it.Shown.Held = "42", made(5150)
		require.NoError(t, p.nonce(t.Context(), it))
		require.Equal(t, want, it.Shown.Held)
	}
}

type nonceValue struct {
	value string
	at    uint64
}

// values tells one value of a nonce after the other, and an error in place of an empty one.
type values struct {
	walletfi.Prover
	tell  []nonceValue
	asked []uint64 // the least slots
}

func (v *values) NonceAt(_ context.Context, _ string, minSlot uint64) (walletfi.NonceState, error) {
	told := v.tell[len(v.asked)]
	v.asked = append(v.asked, minSlot)
	if told.value == "" {
		return walletfi.NonceState{}, errAway
	}
	return walletfi.NonceState{Value: told.value, AsOfSlot: told.at}, nil
}

// TestFinalityOfANonce: what the first answer had seen is final if the node tells the nonce's value in a
// finalized block that late. Until it does, nothing else is asked for.
func TestFinalityOfANonce(t *testing.T) {
	for what, row := range map[string]struct {
		tip   uint64
		value string
		final uint64 // known; the node's is the tip's
		is    error
		nulls int
		known Head
	}{
		"not yet":            {5181, "43", 5140, walletfi.ErrUnavailable, 1, made(5140)},
		"not yet, nor gone":  {5181, "42", 5140, walletfi.ErrUnavailable, 1, made(5140)},
		"it is":              {5182, "43", 5140, nil, 2, Head{Slot: 5150}},
		"the value is there": {5182, "42", 5140, nil, 1, made(5140)},
		"it was known":       {5181, "42", 5150, nil, 2, made(5150)},
	} {
		p, n := questioning(t, row.tip, "")
		n.Block = func(string) Head { return made(5100) }
		n.Nonce, n.Advanced = func(string, uint64) string { return row.value }, func() Head { return made(5120) }
		p.Final = made(row.final)
		it := questioned("s")
		it.Step.Blockhash, it.Final = "42", p.Final
		it.Shown.Held, it.Shown.Gone = made(5100), made(5120)
		it.Shown.Nulls = []walletfi.Null{{AsOfSlot: 5150}}
		err := p.nonce(t.Context(), it)
		if row.is != nil {
			require.ErrorIs(t, err, row.is, what)
		} else {
			require.Equal(t, row.nulls == 2, err == nil, "%s: %v", what, err)
		}
		require.Len(t, it.Shown.Nulls, row.nulls, what)
		require.Equal(t, row.known, it.Final, what)
		require.Equal(t, row.nulls == 2, slices.Contains(n.Asked(), "absence of 1"), what)
	}
}

// absences notes what it is asked, and shows no block from a slot on.
type absences struct {
	walletfi.Prover
	asked  []walletfi.AbsenceQuery
	blocks []uint64 // slots of which it was asked for the block
	from   uint64   // the first slot that it shows no block of
}

var errNoAbsence = errors.New("no absence")

func (a *absences) FinalBlock(_ context.Context, slot uint64) (Head, error) {
	a.blocks = append(a.blocks, slot)
	if slot < a.from {
		return made(slot), nil
	}
	return Head{}, errAway
}

func (a *absences) Absence(_ context.Context, q walletfi.AbsenceQuery) (*walletfi.Absence, error) {
	a.asked = append(a.asked, q)
	return nil, errNoAbsence
}

// TestFinalityOfANonceByABlock: where the head does not grow and a node that lags tells the accounts, a final
// block of the slot that the first answer had seen, or of one soon after, shows that it is final.
func TestFinalityOfANonceByABlock(t *testing.T) {
	for what, row := range map[string]struct {
		stalled bool
		tip     uint64
		lacks   uint64 // a slot without a block
		final   Head
		asked   []string
	}{
		"it is":              {true, 5182, 0, made(5150), []string{"nonce", "final block"}},
		"the slot has none":  {true, 5186, 5150, made(5154), []string{"nonce", "final block", "final block"}},
		"it is not yet":      {true, 5181, 0, made(5140), []string{"nonce", "final block", "final block"}},
		"nor the one after":  {true, 5185, 5150, made(5140), []string{"nonce", "final block", "final block"}},
		"the head goes on":   {false, 5182, 0, made(5140), []string{"nonce"}},
		"the first had seen": {true, 5181, 0, made(5150), nil},
	} {
		p, n := questioning(t, row.tip, "nonce")
		p.node, p.stalled = gapped{n, row.lacks}, row.stalled
		it := questioned("s")
		p.Final = made(5140)
		it.Final, it.Shown.Nulls = p.Final, []walletfi.Null{{AsOfSlot: 5150, Final: 5140}}
		if row.asked == nil {
			it.Final = made(5150) // it is known
		}
		err := p.settledNonce(t.Context(), it)
		require.Equal(t, row.final, it.Final, what)
		require.Equal(t, row.final.Slot >= 5150, err == nil, "%s: %v", what, err)
		require.Equal(t, row.asked, n.Asked(), what)
		require.Len(t, it.Shown.Nulls, 1, what)
	}
}

// gapped is a node that has no block of a slot.
type gapped struct {
	*Honest
	slot uint64
}

func (g gapped) FinalBlock(ctx context.Context, slot uint64) (Head, error) {
	block, err := g.Honest.FinalBlock(ctx, slot)
	if slot == g.slot {
		return Head{}, walletfi.ErrUnavailable
	}
	return block, err
}
