package wallet

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
)

var errAway = errors.New("away")

// questioning is a pass on a node that shows the truth of a ledger, or fails at one question.
func questioning(t *testing.T, tip uint64, failing string) (*pass, *Honest) {
	n := &Honest{
		T: t, Tip: func() Head { return made(tip) }, Block: func(string) Head { return made(5000) },
		Status: func(string) (walletfi.SignatureStatus, error) { return walletfi.SignatureStatus{}, nil },
		Nonce:  func(string, uint64) string { return "43" }, Used: func(string, string) string { return "" },
	}
	n.Hear = func(_ context.Context, question string) error {
		if question == failing {
			return errAway
		}
		return nil
	}
	return &pass{
		node: n, valid: n, final: made(tip - Finality), dear: &pauses{}, home: func(context.Context) error { return nil },
	}, n
}

// questioned is a transaction that a pass is asked about.
func questioned(signature string) *item {
	return &item{
		flight: &flight{}, after: made(4960),
		step: EntryStep{Signature: signature, Own: signature, Blockhash: "5000", NonceAccount: "account"},
	}
}

// TestNonceAtAnyFailure: what a node fails to tell is the error, and takes nothing back.
func TestNonceAtAnyFailure(t *testing.T) {
	for what, row := range map[string]struct {
		failing string
		change  func(p *pass, n *Honest, it *item)
		says    string
		is      error
	}{
		"another ledger": {is: errAway, change: func(p *pass, _ *Honest, _ *item) {
			p.home = func(context.Context) error { return errAway }
		}},
		"the value":                {failing: "nonce", is: errAway},
		"what used it":             {failing: "use", is: errAway},
		"it was not seen before":   {says: "it has not shown the nonce with the transaction's value before"},
		"it was seen in that slot": {says: "it has not shown the nonce with the transaction's value before", change: held(5200 - Finality)},
		"of a sponsor's": {says: "what used the nonce is not found", change: func(p *pass, n *Honest, it *item) {
			held(5100)(p, n, it)
			it.step.Signature = ""
		}},
		"in a quick turn":     {is: errLeft, change: func(p *pass, _ *Honest, _ *item) { p.quick = true }},
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
			before := it.shown.Held
			err := p.nonce(t.Context(), it)
			require.Error(t, err)
			if row.is != nil {
				require.ErrorIs(t, err, row.is)
			}
			require.ErrorContains(t, err, row.says)
			require.Empty(t, it.shown.Nulls)
			require.Empty(t, it.shown.UsedBy)
			require.Equal(t, before.Slot, it.shown.Held.Slot)
			require.Equal(t, p.quick, len(p.left) == 1)
		})
	}
}

func held(slot uint64) func(*pass, *Honest, *item) {
	return func(_ *pass, _ *Honest, it *item) { it.shown.Held = Head{Slot: slot} }
}

// goneAt is a nonce that has another value at a slot, held at a block whose height is known if it is not 0.
func goneAt(slot, heldHeight uint64) func(*pass, *Honest, *item) {
	return func(_ *pass, _ *Honest, it *item) {
		it.shown.Held, it.shown.Gone = Head{Slot: 5100, Height: heldHeight}, Head{Slot: slot}
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
		it.after, it.unsure, it.past = row.after, row.unsure, made(5150)
		it.shown.Held, it.shown.Gone = Head{Slot: 5100}, made(5150)
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
		require.Equal(t, Head{Slot: 5100}, it.shown.Held, what)
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
		it.after, it.shown.Held, it.shown.Gone = made(row.after), Head{Slot: 5100}, Head{Slot: 5160}
		require.ErrorIs(t, p.nonce(t.Context(), it), errNoAbsence, row)
		require.Len(t, node.asked, 1)
		require.Equal(t, made(row.from), node.asked[0].After, row)
		require.Len(t, node.blocks, row.blocks, row)
		require.Subset(t, slots[:row.blocks], node.blocks, row)
		known := Head{Slot: 5100}
		if row.gap == 0 && row.after < 5100 {
			known = made(5100)
		}
		require.Equal(t, known, it.shown.Held, row)
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
		it.after, it.shown.Held = row.after, row.held
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
		it.after, it.shown.Held, it.shown.Gone = made(row.after), made(row.held), Head{Slot: 5160}
		require.ErrorIs(t, p.nonce(t.Context(), it), errNoAbsence, row)
		require.Equal(t, []walletfi.AbsenceQuery{{
			Signatures: []string{"s"}, After: made(row.from), Last: 4149, Until: made(5150),
		}}, node.asked, row)
		require.Equal(t, made(5150), it.shown.Gone, row)
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
		p.node, p.quick = node, true
		it := questioned("s")
		it.step.Blockhash, it.shown.Held.Slot = "42", row.held
		err := p.nonce(t.Context(), it)
		require.Equal(t, row.gone > 0, errors.Is(err, errLeft), "%s: %v", what, err)
		require.Equal(t, row.asked, node.asked, what)
		require.Equal(t, row.want, it.shown.Held.Slot, what)
		require.Equal(t, row.gone, it.shown.Gone.Slot, what)
	}
}

// TestNonceHeldWhereItWas: what is known of the block in which the nonce had the value is not forgotten when a node
// tells the same one or an earlier one.
func TestNonceHeldWhereItWas(t *testing.T) {
	for at, want := range map[uint64]Head{5149: made(5150), 5150: made(5150), 5151: {Slot: 5151}} {
		p, n := questioning(t, 5200, "")
		p.node = &values{Prover: n, tell: []nonceValue{{"42", at}}}
		it := questioned("s")
		it.step.Blockhash, it.shown.Held = "42", made(5150)
		require.NoError(t, p.nonce(t.Context(), it))
		require.Equal(t, want, it.shown.Held)
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
		p.final = made(row.final)
		it := questioned("s")
		it.step.Blockhash, it.final = "42", p.final
		it.shown.Held, it.shown.Gone = made(5100), made(5120)
		it.shown.Nulls = []walletfi.Null{{AsOfSlot: 5150}}
		err := p.nonce(t.Context(), it)
		if row.is != nil {
			require.ErrorIs(t, err, row.is, what)
		} else {
			require.Equal(t, row.nulls == 2, err == nil, "%s: %v", what, err)
		}
		require.Len(t, it.shown.Nulls, row.nulls, what)
		require.Equal(t, row.known, it.final, what)
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

// TestWhatIsAskedAtOnce: statuses that a node's cache still has are asked for in a quick turn too. What takes a
// call for each block is put off.
func TestWhatIsAskedAtOnce(t *testing.T) {
	const after, cached = 4000, 4000 + freshWindow
	for _, row := range []struct {
		final     uint64 // height
		block     uint64 // slot of the blockhash's own block, 0 if it is not known
		signature string
		now       bool
	}{
		{cached - 1, 5000, "s", true}, {cached, 5000, "s", false},
		{cached - 1, 0, "s", true}, {cached, 0, "s", true},
		{cached + sinceFinal - 1, 0, "s", true}, {cached + sinceFinal, 0, "s", false},
		{cached + sinceFinal - 1, 1, "s", false}, {4001, 5000, "", false},
	} {
		p, _ := questioning(t, 5200, "")
		node := &absences{Prover: p.node}
		p.node, p.quick, p.final = node, true, made(row.final+1000)
		it := questioned(row.signature)
		it.step.Own = "s"
		it.shown.Block.Slot = row.block
		q := walletfi.AbsenceQuery{After: Head{Slot: 5000, Height: after}}
		err := p.together(t.Context(), q, []*item{it})
		require.Equal(t, row.now, len(node.asked) == 1, row)
		if row.now {
			require.ErrorIs(t, err, errNoAbsence, row)
			require.Empty(t, p.left, row)
			continue
		}
		require.Equal(t, errLeft, err, row)
		require.Equal(t, [][]*item{{it}}, p.left, row)
		p.leave(nil) // the lock is free
	}
}

// TestMessageAtAnyFailure: the bytes and the node's answer.
func TestMessageAtAnyFailure(t *testing.T) {
	tx, _ := signedTransfer(t)
	q := walletfi.AbsenceQuery{After: made(4960), Last: 4010, Until: made(5100), Blockhash: "5000"}
	for _, row := range []struct {
		failing, text string
		is            error
	}{{"message", string(tx), errAway}, {"", "AQ==", nil}} {
		p, _ := questioning(t, 5200, row.failing)
		it := questioned("")
		it.step.Transaction = walletfi.Base64Transaction(row.text)
		err := p.message(t.Context(), q, it)
		require.Error(t, err)
		if row.is != nil {
			require.ErrorIs(t, err, row.is)
		}
		require.Empty(t, it.shown.Nulls)
	}
	p, _ := questioning(t, 5200, "")
	it := questioned("")
	it.step.Transaction = tx
	require.NoError(t, p.together(t.Context(), q, []*item{it}))
	require.Len(t, it.shown.Nulls, 2)
	p, _ = questioning(t, 5200, "message")
	require.ErrorIs(t, p.together(t.Context(), q, []*item{it}), errAway)
}

// TestSettledAtAnyFailure: what a node does not tell changes nothing.
func TestSettledAtAnyFailure(t *testing.T) {
	for what, row := range map[string]struct {
		failing string
		home    error
		wait    uint64 // slots until what was seen is final
		stalled bool
		asked   int
		final   uint64
	}{
		"it tells":             {"", nil, 64, false, 1, 5300 - Finality},
		"it is away":           {"ended", nil, 64, false, 2, 5064}, // a block of then is final
		"another ledger":       {"", errAway, 64, false, 0, 5000},
		"soon":                 {"", nil, 63, false, 0, 5000},
		"soon, and it stalls":  {"", nil, 63, true, 1, 5300 - Finality},
		"it is not so far":     {"ended", nil, 269, false, 3, 5000}, // nor is a block soon after
		"just so far":          {"ended", nil, 268, false, 2, 5268},
		"final already, stall": {"", nil, 0, true, 0, 5000},
	} {
		p, n := questioning(t, 5300, row.failing)
		p.stalled, p.home = row.stalled, func(context.Context) error { return row.home }
		it := questioned("s")
		p.final = made(5000)
		it.final = p.final
		it.shown.Nulls = []walletfi.Null{{AsOfSlot: 5000 + row.wait, Final: 5000}}
		require.Equal(t, row.wait, proof.Wait(&it.shown, it.final), what)
		p.settled(t.Context(), "5000", []*item{it})
		require.Len(t, n.Asked(), row.asked, what)
		require.Equal(t, row.final, it.final.Slot, what)
		require.Len(t, it.shown.Nulls, 1, what)
	}
}

// TestSureAtAFailure: a head that was only told stays unsure if its block is not shown.
func TestSureAtAFailure(t *testing.T) {
	p, _ := questioning(t, 5200, "final block")
	it := questioned("s")
	it.unsure = true
	require.ErrorIs(t, p.sure(t.Context(), it), errAway)
	require.Equal(t, made(4960), it.after)
}

// TestBeginsAtAnyFailure: when a blockhash is asked for, and when its block is looked for.
func TestBeginsAtAnyFailure(t *testing.T) {
	const after = 3960
	for what, row := range map[string]struct {
		failing string
		final   uint64 // height
		valid   bool   // the node tells
		asked   []string
		says    string
	}{
		"it tells":                    {"", 4050, true, []string{"valid", "age"}, ""},
		"it is away":                  {"valid", 4050, true, []string{"valid"}, "away"},
		"it cannot tell, and is soon": {"", after + 99, false, nil, "does not call the blockhash valid"},
		"it cannot tell, and is late": {"", after + 100, false, []string{"block", "age"}, ""},
		"its block is not shown":      {"block", after + 100, false, []string{"block"}, "away"},
		"nothing is final":            {"", 0, true, []string{"valid"}, "no final block is known"},
	} {
		p, n := questioning(t, 5100, row.failing)
		if p.final = made(row.final + 1000); row.final == 0 {
			p.final = Head{}
		}
		if !row.valid {
			p.valid = nil
		}
		it := questioned("s")
		err := p.begins(t.Context(), "5000", it)
		require.Equal(t, row.asked, n.Asked(), what)
		if row.says == "" {
			require.NoError(t, err, what)
			require.NotZero(t, it.shown.Seen, what)
			continue
		}
		require.ErrorContains(t, err, row.says, what)
		require.Zero(t, it.shown.Seen, what)
	}
}

// finding is where a block was looked for, and for how long.
type finding struct {
	walletfi.Prover
	errs  []error
	near  []Head
	left  []time.Duration // 0 without a deadline
	ended []context.Context
}

func (f *finding) BlockOf(ctx context.Context, _ string, near Head) (Head, error) {
	end, ok := ctx.Deadline()
	f.near, f.left, f.ended = append(f.near, near), append(f.left, 0), append(f.ended, ctx)
	if ok {
		f.left[len(f.left)-1] = time.Until(end)
	}
	return made(5000), f.errs[len(f.near)-1]
}

// TestWhereAndHowLongABlockIsLookedFor: by the service's word first, and where it was not found, from what was
// final. A search that is not needed is short.
func TestWhereAndHowLongABlockIsLookedFor(t *testing.T) {
	word := made(4990)
	for what, row := range map[string]struct {
		told  uint64 // where the service's word puts it
		known bool
		last  uint64
		errs  []error
		near  []Head
		short bool
	}{
		"found":                         {3990, false, 0, []error{nil}, []Head{word}, false},
		"not there":                     {3990, false, 0, []error{walletfi.ErrNotFound, nil}, []Head{word, made(4960)}, false},
		"away":                          {3990, false, 0, []error{errAway}, []Head{word}, false},
		"no word":                       {0, false, 0, []error{walletfi.ErrNotFound}, []Head{made(4960)}, false},
		"of use, and not needed":        {3990, true, 3960 + tooWide, []error{nil}, []Head{word}, true},
		"needed, as the window is wide": {3990, true, 3960 + tooWide + 1, []error{nil}, []Head{word}, false},
	} {
		node := &finding{errs: row.errs}
		p, n := questioning(t, 5200, "")
		node.Prover, p.node = n, node
		it := questioned("s")
		it.known, it.last = row.known, row.last
		if row.told > 0 {
			it.told = row.told + 150
		}
		err := p.find(t.Context(), "5000", []*item{it})
		require.Equal(t, row.near, node.near, what)
		require.ErrorIs(t, err, row.errs[len(row.errs)-1], what)
		require.Equal(t, err == nil, it.shown.Block == made(5000), what)
		require.Equal(t, row.short, node.left[0] > 0, what)
		require.LessOrEqual(t, node.left[0], shortSearch, what)
		if row.short {
			require.Error(t, node.ended[0].Err(), "its timer is stopped")
		}
	}
}

// TestWideWindow: one that is wider than it need be, and one whose block would make it narrower.
func TestWideWindow(t *testing.T) {
	for _, row := range []struct {
		known       bool
		last, block uint64
		told        uint64
		wide, vague bool
	}{
		{true, 3960 + tooWide + 1, 0, 0, true, true}, {true, 3960 + tooWide, 0, 0, false, false},
		{false, 3960 + tooWide + 1, 0, 0, false, false}, {true, 3960 + tooWide + 1, 1, 0, false, false},
		{true, 3960, 0, 3990 + 150, false, true}, {false, 3960, 0, 3990 + 150, false, false},
		{true, 3960, 1, 3990 + 150, false, false},
	} {
		it := &item{after: made(4960), known: row.known, last: row.last, told: row.told}
		it.shown.Block.Slot = row.block
		require.Equal(t, row.wide, it.wide(), row)
		require.Equal(t, row.vague, it.vague(), row)
	}
}

// TestEndOfSeveral: the blockhash is asked for at the latest of the blocks past their ends, once at least one
// has ended, on the wallet's ledger; an answer that is missing leaves all as it was.
func TestEndOfSeveral(t *testing.T) {
	ending := func(last, past, gone uint64) *item {
		it := questioned("s")
		it.known, it.last, it.past, it.shown.Seen = true, last, made(past), 5000
		if gone > 0 {
			it.shown.Gone = made(gone)
		}
		return it
	}
	for what, row := range map[string]struct {
		failing string
		home    error
		items   []*item
		slot    uint64 // asked for, 0 if it is not
		fails   bool
		gone    []uint64 // slots
	}{
		"two":                {"", nil, []*item{ending(4151, 5160, 0), ending(4151, 5170, 0)}, 5170, false, []uint64{5170, 5170}},
		"the later first":    {"", nil, []*item{ending(4151, 5170, 0), ending(4151, 5160, 0)}, 5170, false, []uint64{5170, 5170}},
		"one has not ended":  {"", nil, []*item{ending(4180, 5180, 0), ending(4151, 5152, 0)}, 5152, false, []uint64{0, 5152}},
		"none has":           {"", nil, []*item{ending(4151, 5151, 0)}, 5000, false, []uint64{0}},
		"it was shown":       {"", nil, []*item{ending(4151, 5160, 5152)}, 0, false, []uint64{5152}},
		"it was shown early": {"", nil, []*item{ending(4151, 5160, 5151)}, 5160, false, []uint64{5160}},
		"it is away":         {"ended", nil, []*item{ending(4151, 5160, 0)}, 5160, true, []uint64{0}},
		"another ledger":     {"", errAway, []*item{ending(4151, 5160, 0)}, 0, true, []uint64{0}},
	} {
		p, n := questioning(t, 5300, row.failing)
		node := &ends{Prover: n}
		p.node, p.home = node, func(context.Context) error { return row.home }
		err := p.blockhash(t.Context(), "5000", row.items)
		require.Equal(t, row.fails, err != nil, what)
		if row.fails {
			require.ErrorIs(t, err, errAway, what)
		}
		var asked []uint64
		if row.slot > 0 {
			asked = []uint64{row.slot}
		}
		require.Equal(t, asked, node.slots, what)
		for i, it := range row.items {
			require.Equal(t, row.gone[i], it.shown.Gone.Slot, what)
		}
	}
}

// TestEndBeforeItMustBe: a blockhash that was seen valid late is asked for before it must have ended, of a
// node that knows it, unless its block or its end is known. A block that is told is looked for when its end
// has come. No other answer than "too old" says anything.
func TestEndBeforeItMustBe(t *testing.T) {
	const bound = 4100 // the block is of height 4000
	for what, row := range map[string]struct {
		tip     uint64
		failing string
		home    error
		change  func(*item)
		asked   bool
		want    uint64
	}{
		"it has ended":        {5183, "", nil, func(*item) {}, true, 4000},
		"it has ended before": {5203, "", nil, func(*item) {}, true, 4020},
		"it is valid":         {5182, "", nil, func(*item) {}, true, bound},
		"it is away":          {5203, "ended", nil, func(*item) {}, true, bound},
		"another ledger":      {5203, "", errAway, func(*item) {}, true, bound},
		"its block is known":  {5203, "", nil, func(it *item) { it.shown.Block = made(5000) }, false, bound},
		"its block is told":   {5203, "", nil, func(it *item) { it.told = 4150 }, false, 4000},
		"it is told, not yet": {5183, "", nil, func(it *item) { it.told = 4150 }, false, bound},
		"it is told, and is":  {5184, "", nil, func(it *item) { it.told = 4150 }, false, 4000},
		"it is told of later": {5183, "", nil, func(it *item) { it.told = 4151 }, false, bound},
		"its end is known":    {5203, "", nil, func(it *item) { it.shown.Gone = made(5400) }, false, bound},
		"its end is not told": {5203, "", nil, func(it *item) { it.known = false }, false, bound},
		"it was seen later":   {5203, "", nil, func(it *item) { it.shown.Seen = 5172 }, false, bound},
		"it was seen there":   {5203, "", nil, func(it *item) { it.shown.Seen = 5171 }, true, 4020},
	} {
		p, n := questioning(t, row.tip, row.failing)
		node := &ends{Prover: n}
		p.node, p.home = node, func(context.Context) error { return row.home }
		items := []*item{questioned("a"), questioned("b")}
		for _, it := range items {
			it.known, it.last, it.after, it.shown.Seen, it.shown.Bound = true, bound+151, made(5060), 5100, bound
			row.change(it)
		}
		require.NoError(t, p.blockhash(t.Context(), "5000", items), what)
		require.Equal(t, row.asked, len(node.slots) == 1, what)
		for _, it := range items {
			require.EqualValues(t, row.want, it.shown.Bound, what)
		}
	}
}

// ends notes the slots at which a blockhash is asked for.
type ends struct {
	walletfi.Prover
	slots []uint64
}

func (e *ends) BlockhashAt(ctx context.Context, blockhash string, slot uint64) (walletfi.BlockhashState, error) {
	e.slots = append(e.slots, slot)
	state, err := e.Prover.BlockhashAt(ctx, blockhash, slot)
	if err != nil {
		return walletfi.BlockhashState{AsOfSlot: slot}, err // what is told with an error says nothing
	}
	return state, nil
}

// TestStepsShareTheirBlockhash: what a step's node has shown of its blockhash serves a later step of the
// set, and nothing else that it has shown does.
func TestStepsShareTheirBlockhash(t *testing.T) {
	end := func(seen, bound uint64) walletfi.NodeEvidence {
		return walletfi.NodeEvidence{Node: "a", Seen: seen, Bound: bound, Age: 152, Block: made(bound + 1000)}
	}
	shown := end(5010, 4005)
	shown.Gone, shown.Nulls, shown.Missing = made(5200), []walletfi.Null{{AsOfSlot: 5200}}, "something"
	for what, row := range map[string]struct {
		change func(first, second *EntryStep)
		want   []walletfi.NodeEvidence
	}{
		"nothing shown": {func(*EntryStep, *EntryStep) {}, []walletfi.NodeEvidence{end(5010, 4005)}},
		"shown later": {func(_, second *EntryStep) {
			second.Evidence.Nodes = []walletfi.NodeEvidence{{Node: "a", Seen: 5050, Bound: 4050, UsedBy: "x"}}
		}, []walletfi.NodeEvidence{end(5010, 4005)}},
		"shown before": {func(_, second *EntryStep) {
			second.Evidence.Nodes = []walletfi.NodeEvidence{{Node: "a", Seen: 5001, Bound: 4001}}
		}, []walletfi.NodeEvidence{{Node: "a", Seen: 5001, Bound: 4001}}},
		"another node": {func(_, second *EntryStep) {
			second.Evidence.Nodes = []walletfi.NodeEvidence{{Node: "b", Seen: 5001, Bound: 4001}}
		}, []walletfi.NodeEvidence{{Node: "b", Seen: 5001, Bound: 4001}, end(5010, 4005)}},
		"another blockhash": {func(first, _ *EntryStep) { first.Blockhash = "other" }, nil},
		"a nonce":           {func(first, _ *EntryStep) { first.NonceAccount = "n" }, nil},
		"for a nonce":       {func(_, second *EntryStep) { second.NonceAccount = "n" }, nil},
		"not seen":          {func(first, _ *EntryStep) { first.Evidence.Nodes[0].Seen = 0 }, nil},
		"nothing known":     {func(first, _ *EntryStep) { first.Evidence = nil }, nil},
	} {
		first := EntryStep{Blockhash: "5000", Evidence: &walletfi.Evidence{Nodes: []walletfi.NodeEvidence{shown}}}
		second := EntryStep{Blockhash: "5000", Evidence: &walletfi.Evidence{After: made(4960)}}
		row.change(&first, &second)
		f := newFlight(&parcel{}, Entry{Steps: []EntryStep{first, second}}, 1)
		require.Equal(t, row.want, f.evidence.Nodes, what)
		require.Equal(t, made(4960), f.evidence.After, what)
	}
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
		p.final = made(5140)
		it.final, it.shown.Nulls = p.final, []walletfi.Null{{AsOfSlot: 5150, Final: 5140}}
		if row.asked == nil {
			it.final = made(5150) // it is known
		}
		err := p.settledNonce(t.Context(), it)
		require.Equal(t, row.final, it.final, what)
		require.Equal(t, row.final.Slot >= 5150, err == nil, "%s: %v", what, err)
		require.Equal(t, row.asked, n.Asked(), what)
		require.Len(t, it.shown.Nulls, 1, what)
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

// TestValidBeforeAHeadIsKnown: that a blockhash was valid is asked once, and bounds its block by the first final
// head that is known afterwards, whether that is older or newer.
func TestValidBeforeAHeadIsKnown(t *testing.T) {
	for final, bound := range map[uint64]uint64{5050: 4068, 5068: 4068, 5080: 4080} { // it was valid in slot 5068
		b := provingOn(t, 1)
		f := b.sent("s", 5000, 4960)
		b.tip = 5069
		ask := func() []string {
			b.mu.Lock()
			p := b.passOf(0, []*flight{f})
			b.mu.Unlock()
			p.run(t.Context())
			b.mu.Lock()
			b.shown(0, p)
			b.mu.Unlock()
			return b.nodes[0].Asked()
		}
		require.Equal(t, []string{"valid"}, ask())
		require.Contains(t, f.evidence.Nodes[0].Missing, "no final block is known")
		require.Zero(t, f.evidence.Nodes[0].Seen)
		require.Empty(t, ask(), "it is known")
		b.prover.learn(made(final))
		require.Equal(t, []string{"age"}, ask())
		require.Equal(t, uint64(5068), f.evidence.Nodes[0].Seen)
		require.Equal(t, bound, f.evidence.Nodes[0].Bound)
	}
}

// TestNearerHeads: a final head that is nearer to the slot in which the blockhash was valid tells how many blocks
// there are up to it, and the end is reached sooner.
func TestNearerHeads(t *testing.T) {
	b := provingOn(t, 1)
	f := b.sent("s", 5000, 4960)
	b.turn(5069, f)
	require.Equal(t, uint64(4068), f.evidence.Nodes[0].Bound, "a block a slot")
	for _, row := range []struct {
		final Head
		bound uint64
	}{
		{Head{Slot: 5060, Height: 4050}, 4058}, {Head{Slot: 5068, Height: 4051}, 4051}, {Head{Slot: 5069, Height: 4051}, 4051},
	} {
		b.prover.learn(row.final)
		b.mu.Lock()
		p := b.passOf(0, []*flight{f})
		b.mu.Unlock()
		require.Equal(t, row.bound, p.items[0].shown.Bound)
		require.Equal(t, row.bound+proof.Age, p.items[0].last)
		require.Equal(t, row.bound, f.evidence.Nodes[0].Bound)
	}
}

// TestFinalityByANodeAhead: where the first answer had seen much more than was final by the heads, another node of the
// address than that of the blocks has given it. Either may tell sooner than the other what is final, and both are asked.
func TestFinalityByANodeAhead(t *testing.T) {
	for what, row := range map[string]struct {
		gap, wait uint64 // slots from what was final at the first answer, and from what is now, to what that had seen
		tip       uint64
		failing   string
		asked     []string
		final     Head
	}{
		"it is":              {64, 20, 5096, "", []string{"ended"}, Head{Slot: 5064}},
		"it is, by a block":  {64, 20, 5096, "ended", []string{"ended", "final block"}, made(5064)},
		"it is not":          {64, 20, 5095, "", []string{"ended", "final block", "final block"}, made(5044)},
		"it was not so far":  {63, 20, 5200, "", nil, made(5043)},
		"it is known":        {64, 0, 5200, "", nil, made(5064)},
		"and by far":         {70, 64, 5102, "", []string{"ended"}, Head{Slot: 5070}},
		"by far, by a block": {70, 64, 5102, "ended", []string{"ended", "final block"}, made(5070)},
	} {
		p, n := questioning(t, row.tip, row.failing)
		it := questioned("s")
		it.final = made(5000 + row.gap - row.wait)
		p.final = it.final
		it.shown.Nulls = []walletfi.Null{{AsOfSlot: 5000 + row.gap, Final: 5000}}
		n.Block = func(string) Head { return made(4800) }
		p.settled(t.Context(), "4800", []*item{it})
		require.Equal(t, row.asked, n.Asked(), what)
		require.Equal(t, row.final, it.final, what)
	}
}

// TestPaceOfANodeAhead: its blocks may be final before the heads say so.
func TestPaceOfANodeAhead(t *testing.T) {
	for _, row := range []struct {
		seen uint64
		want time.Duration
	}{{5263, 12600 * time.Millisecond}, {5264, 6400 * time.Millisecond}, {5220, 4 * time.Second}} {
		b := provingOn(t, 1)
		f := b.sent("s", 5000, 4960)
		b.turn(5232, f) // 5200 is final
		b.prover.grown = time.Now()
		*proof.Node(f.evidence, "node 0") = walletfi.NodeEvidence{
			Node: "node 0", Seen: 5000, Bound: 4000, Gone: made(5160), Nulls: []walletfi.Null{{AsOfSlot: row.seen, Final: 5200}},
		}
		require.Equal(t, row.want, b.untilNews(f), row.seen)
	}
}

// TestFinalityByABlockOfAnotherSlot: a node may show another slot's block in place of the one that it is asked for.
func TestFinalityByABlockOfAnotherSlot(t *testing.T) {
	for height, want := range map[uint64]bool{4139: false, 4140: false, 4141: true, 4150: true, 4151: false} { // 4140 is final
		p, n := questioning(t, 5200, "")
		p.node, p.final = another{n, height}, made(5140)
		it := questioned("s")
		it.final, it.shown.Nulls = p.final, []walletfi.Null{{AsOfSlot: 5150, Final: 5140}}
		err := p.finalBlock(t.Context(), it)
		require.Equal(t, want, err == nil, height)
		require.Equal(t, want, it.final == Head{Slot: 5150, Height: height}, height)
	}
}

// another is a node whose final blocks have one height.
type another struct {
	*Honest
	height uint64
}

func (a another) FinalBlock(_ context.Context, slot uint64) (Head, error) {
	if slot > 5150 {
		return Head{}, errAway
	}
	return Head{Slot: slot, Height: a.height}, nil
}
