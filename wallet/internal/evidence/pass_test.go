package evidence

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

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
		p.node, p.Quick, p.Final = node, true, made(row.final+1000)
		it := questioned(row.signature)
		it.Step.Own = "s"
		it.Shown.Block.Slot = row.block
		q := walletfi.AbsenceQuery{After: Head{Slot: 5000, Height: after}}
		err := p.together(t.Context(), q, []*Item{it})
		require.Equal(t, row.now, len(node.asked) == 1, row)
		if row.now {
			require.ErrorIs(t, err, errNoAbsence, row)
			require.Empty(t, p.Left, row)
			continue
		}
		require.Equal(t, errLeft, err, row)
		require.Equal(t, [][]*Item{{it}}, p.Left, row)
		p.leave(nil) // the lock is free
	}
}

// TestMessageAtAnyFailure: the bytes and the node's answer.
func TestMessageAtAnyFailure(t *testing.T) {
	key := signingtest.Key("payer")
	tx := signingtest.Transaction{FeePayer: key.PublicKey()}.Unsigned(t)
	q := walletfi.AbsenceQuery{After: made(4960), Last: 4010, Until: made(5100), Blockhash: "5000"}
	for _, row := range []struct {
		failing, text string
		is            error
	}{{"message", string(tx), errAway}, {"", "AQ==", nil}} {
		p, _ := questioning(t, 5200, row.failing)
		it := questioned("")
		it.Step.Transaction = walletfi.Base64Transaction(row.text)
		err := p.message(t.Context(), q, it)
		require.Error(t, err)
		if row.is != nil {
			require.ErrorIs(t, err, row.is)
		}
		require.Empty(t, it.Shown.Nulls)
	}
	p, _ := questioning(t, 5200, "")
	it := questioned("")
	it.Step.Transaction = tx
	require.NoError(t, p.together(t.Context(), q, []*Item{it}))
	require.Len(t, it.Shown.Nulls, 2)
	p, _ = questioning(t, 5200, "message")
	require.ErrorIs(t, p.together(t.Context(), q, []*Item{it}), errAway)
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
		p.Final = made(5000)
		it.Final = p.Final
		it.Shown.Nulls = []walletfi.Null{{AsOfSlot: 5000 + row.wait, Final: 5000}}
		require.Equal(t, row.wait, proof.Wait(&it.Shown, it.Final), what)
		p.settled(t.Context(), "5000", []*Item{it})
		require.Len(t, n.Asked(), row.asked, what)
		require.Equal(t, row.final, it.Final.Slot, what)
		require.Len(t, it.Shown.Nulls, 1, what)
	}
}

// TestSureAtAFailure: a head that was only told stays unsure if its block is not shown.
func TestSureAtAFailure(t *testing.T) {
	p, _ := questioning(t, 5200, "final block")
	it := questioned("s")
	it.Unsure = true
	require.ErrorIs(t, p.sure(t.Context(), it), errAway)
	require.Equal(t, made(4960), it.After)
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
		if p.Final = made(row.final + 1000); row.final == 0 {
			p.Final = Head{}
		}
		if !row.valid {
			p.valid = nil
		}
		it := questioned("s")
		err := p.begins(t.Context(), "5000", it)
		require.Equal(t, row.asked, n.Asked(), what)
		if row.says == "" {
			require.NoError(t, err, what)
			require.NotZero(t, it.Shown.Seen, what)
			continue
		}
		require.ErrorContains(t, err, row.says, what)
		require.Zero(t, it.Shown.Seen, what)
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
		it.Known, it.Last = row.known, row.last
		if row.told > 0 {
			it.Told = row.told + 150
		}
		err := p.find(t.Context(), "5000", []*Item{it})
		require.Equal(t, row.near, node.near, what)
		require.ErrorIs(t, err, row.errs[len(row.errs)-1], what)
		require.Equal(t, err == nil, it.Shown.Block == made(5000), what)
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
		it := &Item{After: made(4960), Known: row.known, Last: row.last, Told: row.told}
		it.Shown.Block.Slot = row.block
		require.Equal(t, row.wide, it.wide(), row)
		require.Equal(t, row.vague, it.vague(), row)
	}
}

// TestEndOfSeveral: the blockhash is asked for at the latest of the blocks past their ends, once at least one
// has ended, on the wallet's ledger; an answer that is missing leaves all as it was.
func TestEndOfSeveral(t *testing.T) {
	ending := func(last, past, gone uint64) *Item {
		it := questioned("s")
		it.Known, it.Last, it.Past, it.Shown.Seen = true, last, made(past), 5000
		if gone > 0 {
			it.Shown.Gone = made(gone)
		}
		return it
	}
	for what, row := range map[string]struct {
		failing string
		home    error
		items   []*Item
		slot    uint64 // asked for, 0 if it is not
		fails   bool
		gone    []uint64 // slots
	}{
		"two":                {"", nil, []*Item{ending(4151, 5160, 0), ending(4151, 5170, 0)}, 5170, false, []uint64{5170, 5170}},
		"the later first":    {"", nil, []*Item{ending(4151, 5170, 0), ending(4151, 5160, 0)}, 5170, false, []uint64{5170, 5170}},
		"one has not ended":  {"", nil, []*Item{ending(4180, 5180, 0), ending(4151, 5152, 0)}, 5152, false, []uint64{0, 5152}},
		"none has":           {"", nil, []*Item{ending(4151, 5151, 0)}, 5000, false, []uint64{0}},
		"it was shown":       {"", nil, []*Item{ending(4151, 5160, 5152)}, 0, false, []uint64{5152}},
		"it was shown early": {"", nil, []*Item{ending(4151, 5160, 5151)}, 5160, false, []uint64{5160}},
		"it is away":         {"ended", nil, []*Item{ending(4151, 5160, 0)}, 5160, true, []uint64{0}},
		"another ledger":     {"", errAway, []*Item{ending(4151, 5160, 0)}, 0, true, []uint64{0}},
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
			require.Equal(t, row.gone[i], it.Shown.Gone.Slot, what)
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
		change  func(*Item)
		asked   bool
		want    uint64
	}{
		"it has ended":        {5183, "", nil, func(*Item) {}, true, 4000},
		"it has ended before": {5203, "", nil, func(*Item) {}, true, 4020},
		"it is valid":         {5182, "", nil, func(*Item) {}, true, bound},
		"it is away":          {5203, "ended", nil, func(*Item) {}, true, bound},
		"another ledger":      {5203, "", errAway, func(*Item) {}, true, bound},
		"its block is known":  {5203, "", nil, func(it *Item) { it.Shown.Block = made(5000) }, false, bound},
		"its block is told":   {5203, "", nil, func(it *Item) { it.Told = 4150 }, false, 4000},
		"it is told, not yet": {5183, "", nil, func(it *Item) { it.Told = 4150 }, false, bound},
		"it is told, and is":  {5184, "", nil, func(it *Item) { it.Told = 4150 }, false, 4000},
		"it is told of later": {5183, "", nil, func(it *Item) { it.Told = 4151 }, false, bound},
		"its end is known":    {5203, "", nil, func(it *Item) { it.Shown.Gone = made(5400) }, false, bound},
		"its end is not told": {5203, "", nil, func(it *Item) { it.Known = false }, false, bound},
		"it was seen later":   {5203, "", nil, func(it *Item) { it.Shown.Seen = 5172 }, false, bound},
		"it was seen there":   {5203, "", nil, func(it *Item) { it.Shown.Seen = 5171 }, true, 4020},
	} {
		p, n := questioning(t, row.tip, row.failing)
		node := &ends{Prover: n}
		p.node, p.home = node, func(context.Context) error { return row.home }
		items := []*Item{questioned("a"), questioned("b")}
		for _, it := range items {
			it.Known, it.Last, it.After, it.Shown.Seen, it.Shown.Bound = true, bound+151, made(5060), 5100, bound
			row.change(it)
		}
		require.NoError(t, p.blockhash(t.Context(), "5000", items), what)
		require.Equal(t, row.asked, len(node.slots) == 1, what)
		for _, it := range items {
			require.EqualValues(t, row.want, it.Shown.Bound, what)
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
		it.Final = made(5000 + row.gap - row.wait)
		p.Final = it.Final
		it.Shown.Nulls = []walletfi.Null{{AsOfSlot: 5000 + row.gap, Final: 5000}}
		n.Block = func(string) Head { return made(4800) }
		p.settled(t.Context(), "4800", []*Item{it})
		require.Equal(t, row.asked, n.Asked(), what)
		require.Equal(t, row.final, it.Final, what)
	}
}

// TestFinalityByABlockOfAnotherSlot: a node may show another slot's block in place of the one that it is asked for.
func TestFinalityByABlockOfAnotherSlot(t *testing.T) {
	for height, want := range map[uint64]bool{4139: false, 4140: false, 4141: true, 4150: true, 4151: false} { // 4140 is final
		p, n := questioning(t, 5200, "")
		p.node, p.Final = another{n, height}, made(5140)
		it := questioned("s")
		it.Final, it.Shown.Nulls = p.Final, []walletfi.Null{{AsOfSlot: 5150, Final: 5140}}
		err := p.finalBlock(t.Context(), it)
		require.Equal(t, want, err == nil, height)
		require.Equal(t, want, it.Final == Head{Slot: 5150, Height: height}, height)
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

// TestWindowOfAGroup is the union of its items', on no one blockhash if they have
// several. The first goes alone if it must.
func TestWindowOfAGroup(t *testing.T) {
	it := func(signature, blockhash string, after, block, gone, last uint64) *Item {
		step := Step{Signature: signature, Own: signature, Blockhash: blockhash}
		i := &Item{Step: step, After: made(after), Last: last}
		if block > 0 {
			i.Shown.Block = made(block)
		}
		i.Shown.Gone = made(gone)
		return i
	}
	one := it("s", "a", 5000, 0, 5190, 4180)
	many := make([]*Item, 60)
	for i := range many {
		many[i] = it(fmt.Sprint(i), "a", 5000, 0, 5190, 4180)
	}
	for _, row := range []struct {
		what               string
		final              uint64
		items              []*Item
		n                  int
		after, last, until uint64
		blockhash, first   string
	}{
		{"one", 9500, []*Item{one}, 1, 5000, 4180, 5190, "a", "s"},
		{"one that is wide", 9500, []*Item{it("s", "a", 5000, 0, 9000, 7900)}, 1, 5000, 7900, 9000, "a", "s"},
		{"its own block is later", 9500, []*Item{it("s", "a", 5000, 5020, 5190, 4180)}, 1, 5020, 4180, 5190, "a", "s"},
		{"its own block is earlier", 9500, []*Item{it("s", "a", 5000, 4990, 5190, 4180)}, 1, 5000, 4180, 5190, "a", "s"},
		{"two on one blockhash", 9500, []*Item{one, it("t", "a", 5010, 0, 5190, 4185)}, 2, 5000, 4185, 5190, "a", "s"},
		{"two that ended apart", 9500, []*Item{one, it("t", "a", 5000, 0, 5191, 4180)}, 1, 5000, 4180, 5190, "a", "s"},
		{"two on two", 9500, []*Item{one, it("t", "b", 5010, 0, 5190, 4178)}, 2, 5000, 4180, 5190, "", "s"},
		{"the later begins earlier", 9500, []*Item{it("s", "a", 5000, 5020, 5190, 4180), it("t", "b", 5010, 0, 5190, 4178)},
			2, 5010, 4180, 5190, "", "s"},
		{"as wide as it may be", 9500, []*Item{one, it("t", "a", 5010, 0, 5190, 4200)}, 2, 5000, 4200, 5190, "a", "s"},
		{"a block wider", 9500, []*Item{one, it("t", "a", 5010, 0, 5190, 4201)}, 1, 5000, 4180, 5190, "a", "s"},
		{"wider, in the cache", 5252, []*Item{one, it("t", "a", 5010, 0, 5190, 4225)}, 2, 5000, 4225, 5190, "a", "s"},
		{"wider, the cache moves on", 5253, []*Item{one, it("t", "a", 5010, 0, 5190, 4225)}, 1, 5000, 4180, 5190, "a", "s"},
		{"two on two, in the cache", 5252, []*Item{one, it("t", "b", 5010, 0, 5190, 4178)}, 2, 5000, 4180, 5190, "", "s"},
		{"two on two, of which only their own blocks may be in it", 5253, []*Item{one, it("t", "b", 5010, 0, 5190, 4178)},
			1, 5000, 4180, 5190, "a", "s"},
		{"the later makes it wider", 9500, []*Item{it("s", "a", 5000, 5100, 5290, 4251), it("t", "b", 5010, 0, 5290, 4180)},
			1, 5100, 4251, 5290, "a", "s"},
		{"48", 9500, many[:48], 48, 5000, 4180, 5190, "a", "0"},
		{"more than 48", 9500, many, 48, 5000, 4180, 5190, "a", "0"},
		{"without a signature", 9500, []*Item{it("", "a", 5000, 0, 5190, 4180), one}, 1, 5000, 4180, 5190, "a", ""},
		{"before one without", 9500, []*Item{one, it("", "a", 5000, 0, 5190, 4180)}, 1, 5000, 4180, 5190, "a", "s"},
	} {
		q, n := (&Pass{Final: made(row.final)}).query(row.items)
		require.Equal(t, row.n, n, row.what)
		require.Equal(t, walletfi.AbsenceQuery{
			Signatures: q.Signatures, After: made(row.after), Last: row.last, Until: made(row.until), Blockhash: row.blockhash,
		}, q, row.what)
		if row.first == "" {
			require.Empty(t, q.Signatures, row.what)
			continue
		}
		require.Len(t, q.Signatures, n, row.what)
		require.Equal(t, row.first, q.Signatures[0], row.what)
	}
}

// TestWhereABlockIsLookedFor: where the service's word puts it, if that can be.
func TestWhereABlockIsLookedFor(t *testing.T) {
	after := made(5000)
	for told, want := range map[uint64]Head{
		0: after, 150: after, 4000 + 150: after, 4030 + 150: made(5030), 3990 + 150: made(4990),
		9128 + 150: made(10128), 3873 + 150: made(4873), 3872 + 150: after, 1 << 62: after,
	} {
		require.Equal(t, want, (&Item{After: after, Told: told}).near(), "told %d", told)
	}
	seen := walletfi.NodeEvidence{Seen: 5020, Bound: 4020}
	for told, want := range map[uint64]Head{4020 + 150: made(5020), 4021 + 150: after} {
		it := &Item{After: after, Told: told, Shown: seen}
		require.Equal(t, want, it.near(), "told %d, and its block is at most 4020", told)
	}
}

// TestBlockThatIsNotTold: a node that fails when it is asked for a block takes nothing back of
// what it has shown.
func TestBlockThatIsNotTold(t *testing.T) {
	away := errors.New("the node is away")
	p, n := questioning(t, 5000+Finality, "")
	n.Hear = func(context.Context, string) error { return away }
	seen := walletfi.NodeEvidence{Seen: 4970, Bound: 3970, Age: 151}
	it := &Item{After: made(4960), Shown: seen}
	require.ErrorIs(t, p.find(t.Context(), "4970", []*Item{it}), away)
	require.Equal(t, seen, it.Shown)
}

// TestNodeOfAnotherLedgerIsSaidSo: it is asked for no evidence, and each transaction says why.
func TestNodeOfAnotherLedgerIsSaidSo(t *testing.T) {
	of, nodes := proverOn(t, nil, 0)
	of.genesis = "of another ledger"
	it := questioned("s")
	p := of.Pass(0)
	p.Items = []*Item{it}
	p.Ask(t.Context())
	require.Equal(t, errForeign.Error(), it.Shown.Missing)
	require.NotContains(t, nodes[0].Asked(), "nonce")
}

// TestQuestionsSideBySide: a node is asked eight questions at a time, of whatever kind.
func TestQuestionsSideBySide(t *testing.T) {
	for kind, ask := range map[string]func(*Pass, []*Item){
		"nonce": func(p *Pass, items []*Item) {
			p.Items = items
			p.run(t.Context())
		},
		"absence of 1": func(p *Pass, items []*Item) {
			for i, it := range items {
				it.Step.NonceAccount, it.After, it.Last, it.Known = "", made(5000), 4180, true
				it.Shown.Gone = made(5190 + uint64(i))
			}
			p.absences(t.Context(), items)
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			p, node := questioning(t, 9500+Finality, "")
			var mu sync.Mutex
			under, most, asked := 0, 0, 0
			node.Hear = func(_ context.Context, question string) error {
				if question != kind {
					return nil
				}
				mu.Lock()
				asked, under = asked+1, under+1
				most = max(most, under)
				mu.Unlock()
				<-time.After(time.Second)
				mu.Lock()
				under--
				mu.Unlock()
				return nil
			}
			var items []*Item
			for i := range 3 * sideBySide {
				items = append(items, questioned(fmt.Sprint("s", i)))
			}
			ask(p, items)
			require.Equal(t, 3*sideBySide, asked, kind)
			require.Equal(t, 8, most, kind)
		})
	}
}

// TestEndsShareQuestions: transactions with the same end are asked about together, in whatever
// order they come.
func TestEndsShareQuestions(t *testing.T) {
	p, node := questioning(t, 9500+Finality, "")
	var items []*Item
	for i := range 6 {
		it := questioned(fmt.Sprint("s", i))
		it.Step.NonceAccount = ""
		it.After, it.Last, it.Known = made(5000), 4180, true
		it.Shown.Gone = made(5190 + uint64(i%2))
		items = append(items, it)
	}
	p.absences(t.Context(), items)
	require.Equal(t, []string{"absence of 3", "absence of 3"}, node.Asked())
}

// TestWhatWasShownTwiceIsNotAskedFor: a node that has shown an absence twice has no more to say of it.
func TestWhatWasShownTwiceIsNotAskedFor(t *testing.T) {
	for nulls, asks := range map[int]bool{0: true, 2: false} {
		p, node := questioning(t, 9500+Finality, "")
		it := questioned("s")
		it.Step.NonceAccount = ""
		it.After, it.Last, it.Known, it.Final = made(5000), 4180, true, p.Final
		it.Shown.Seen, it.Shown.Bound, it.Shown.Gone = 5018, 4018, made(5190)
		it.Shown.Block = made(5000)
		it.Shown.Nulls = make([]walletfi.Null, nulls)
		p.Items = []*Item{it}
		p.run(t.Context())
		asked := node.Asked()
		if asks {
			require.Contains(t, asked, "absence of 1")
			continue
		}
		require.NotContains(t, asked, "absence of 1")
		require.Empty(t, it.Shown.Missing)
	}
}
