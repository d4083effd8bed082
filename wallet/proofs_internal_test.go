package wallet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence"
)

// proving is a tracker on nodes that show the truth of one ledger, whose newest block a
// test sets. Blockhashes are of the slots that they are named after.
type proving struct {
	*tracker
	t      *testing.T
	tip    uint64 // slot; the height is 1000 less
	landed map[string]walletfi.SignatureStatus
	nodes  []*Honest
	clock  *setBack
}

func provingOn(t *testing.T, nodes int) *proving {
	b := &proving{t: t, tip: 5000, landed: map[string]walletfi.SignatureStatus{}, clock: &setBack{}}
	var confirmers []walletfi.Confirmer
	for i := range nodes {
		b.nodes = append(b.nodes, &Honest{
			T: t, Name: fmt.Sprint("node ", i), Tip: func() Head { return made(b.tip) },
			Block: func(blockhash string) (h Head) {
				_, err := fmt.Sscan(blockhash, &h.Slot)
				require.NoError(t, err)
				return made(h.Slot)
			},
			Status: func(signature string) (walletfi.SignatureStatus, error) { return b.landed[signature], nil },
		})
		confirmers = append(confirmers, confirming{b.nodes[i]})
	}
	cfg := Config{Confirmer: panelists(confirmers), Clock: b.clock}
	several, err := evidence.NewPanel(cfg.Confirmer)
	require.NoError(t, err)
	b.tracker = newTracker(cfg, several)
	t.Cleanup(b.close)
	return b
}

type panelists []walletfi.Confirmer

func (p panelists) Nodes() []walletfi.Confirmer { return p }

func (panelists) SignatureStatus(context.Context, string) (walletfi.SignatureStatus, error) {
	return walletfi.SignatureStatus{}, errors.New("ask the nodes")
}

// confirming is a node that can be asked for statuses and heads too.
type confirming struct{ *Honest }

func (c confirming) SignatureStatus(_ context.Context, signature string) (walletfi.SignatureStatus, error) {
	return c.Status(signature)
}

func (c confirming) SignatureStatuses(
	_ context.Context, signatures []string,
) (got walletfi.SignatureStatuses, err error) {
	for _, s := range signatures {
		status, _ := c.Status(s)
		got.Statuses = append(got.Statuses, status)
	}
	return walletfi.SignatureStatuses{Statuses: got.Statuses, AsOfSlot: c.Newest().Slot}, nil
}

func (c confirming) Head(context.Context) (head walletfi.Head, err error) {
	return walletfi.Head{Slot: c.Newest().Slot, Height: c.Newest().Height}, nil
}

// sent is a flight on the blockhash of a slot, signed when another slot was final.
func (b *proving) sent(signature string, blockhash, after uint64) *flight {
	f := &flight{
		parcel: &parcel{left: true}, step: EntryStep{Signature: signature, Own: signature, Blockhash: fmt.Sprint(blockhash)},
		done: func(*flight) {}, evidence: &walletfi.Evidence{After: made(after)},
	}
	if after == 0 {
		f.evidence.After = Head{}
	}
	f.parcel.flights = []*flight{f}
	return f
}

// turn asks each node once, when the ledger is at a slot, and returns what the first was
// asked besides heads.
func (b *proving) turn(tip uint64, flights ...*flight) []string {
	b.t.Helper()
	b.tip = tip
	require.NoError(b.t, b.prover.Refresh(b.t.Context(), 0))
	require.Equal(b.t, made(tip-Finality), b.prover.Final())
	for _, n := range b.nodes {
		n.Asked()
	}
	for i := range b.nodes {
		b.mu.Lock()
		p := b.passOf(i, flights)
		b.mu.Unlock()
		if p != nil {
			p.Ask(b.t.Context())
			b.mu.Lock()
			b.shown(i, p)
			b.mu.Unlock()
		}
	}
	b.calls.Wait()
	return b.nodes[0].Asked()
}

// TestProofOfAnEnd: what is asked when, to the slot. The blockhash's block has height
// 4000 and was first seen valid at 4018, its transactions end at 4169.
func TestProofOfAnEnd(t *testing.T) {
	const last = 4018 + proof.Age
	b := provingOn(t, 1)
	f := b.sent("s", 5000, 4960)
	require.Equal(t, []string{"valid", "age"}, b.turn(5019, f))
	require.Equal(t, []walletfi.NodeEvidence{{Node: "node 0", Seen: 5018, Bound: 4018, Age: 151}}, f.evidence.Nodes)
	require.Equal(t, []string{"ended"}, b.turn(5100, f), "it may have ended")
	require.Equal(t, []string{"ended"}, b.turn(1000+last+Finality, f), "the last block is final, and none after it")
	const ended = 1000 + last + Finality + 1
	require.Equal(t, []string{"ended", "absence of 1"}, b.turn(ended, f))
	n := f.evidence.Nodes[0]
	require.Equal(t, made(1000+last+1), n.Gone)
	null := walletfi.Null{AsOfSlot: ended, From: made(5000), To: n.Gone, Witnesses: 2, Final: n.Gone.Slot}
	require.Equal(t, []walletfi.Null{null}, n.Nulls)
	require.Contains(t, f.lacks, "has not shown twice")
	require.Empty(t, b.turn(ended+Finality-1, f), "what the first had seen is not final")
	require.Len(t, f.evidence.Nodes[0].Nulls, 1)
	require.False(t, f.finished)
	require.Equal(t, []string{"absence of 1"}, b.turn(ended+Finality, f))
	require.Len(t, f.evidence.Nodes[0].Nulls, 2)
	require.Equal(t, KeyExpired, f.verdict)
	require.ErrorIs(t, f.cause, ErrExpired)
	require.Empty(t, b.turn(ended+100, f), "nothing is asked of what is settled")

	// An answer that was lost is told beside the verdict, and is no other outcome.
	b = provingOn(t, 1)
	f = b.sent("s", 5000, 4960)
	f.parcel.lost = walletfi.ErrOutcomeUnknown
	for tip := uint64(5010); !f.finished && tip < 6000; tip += 50 {
		b.turn(tip, f)
	}
	require.EqualError(t, f.cause, ErrExpired.Error()+" ("+walletfi.ErrOutcomeUnknown.Error()+")")
	require.NotErrorIs(t, f.cause, walletfi.ErrOutcomeUnknown)
}

// TestNoProofAgainstTheLedger: one that landed, that is on a fork or whose blockhash is
// good for longer is not called expired.
func TestNoProofAgainstTheLedger(t *testing.T) {
	for what, happens := range map[string]func(*proving, *flight, *Honest){
		"it landed": func(b *proving, _ *flight, _ *Honest) {
			b.landed["s"] = walletfi.SignatureStatus{Found: true, Slot: 5100, Commitment: walletfi.CommitmentFinalized}
		},
		"it is on a fork": func(b *proving, _ *flight, _ *Honest) {
			b.landed["s"] = walletfi.SignatureStatus{Found: true, Slot: 5100, Commitment: walletfi.CommitmentProcessed}
		},
		"its status was seen": func(_ *proving, f *flight, _ *Honest) { f.status.Found = true },
		"the blockhash lives longer": func(_ *proving, _ *flight, n *Honest) {
			n.More = 1000
		},
		"the node is away":              func(_ *proving, _ *flight, n *Honest) { n.Hear = fails },
		"it has dropped the statuses":   func(_ *proving, _ *flight, n *Honest) { n.Status = nothing },
		"the history is asked in vain":  func(_ *proving, _ *flight, n *Honest) { n.Hear = failsAt("absence of 1") },
		"nobody tells of the blockhash": func(_ *proving, _ *flight, n *Honest) { n.Hear = failsAt("ended") },
	} {
		b := provingOn(t, 1)
		f := b.sent("s", 5000, 4960)
		b.turn(5019, f)
		require.NotZero(t, f.evidence.Nodes[0].Seen, what)
		b.turn(5210, f)
		require.Len(t, f.evidence.Nodes[0].Nulls, 1, what)
		happens(b, f, b.nodes[0])
		if strings.Contains(what, "blockhash") { // it is asked of again
			f.evidence.Nodes[0].Gone, f.evidence.Nodes[0].Nulls = Head{}, nil
		}
		for tip := uint64(5250); tip < 5600; tip += 50 {
			b.tip = tip
			for i := range b.nodes {
				b.mu.Lock()
				b.prover.Learn(made(tip - Finality))
				p := b.passOf(i, []*flight{f})
				b.mu.Unlock()
				if p == nil {
					continue
				}
				p.Ask(t.Context())
				b.mu.Lock()
				b.shown(i, p)
				b.mu.Unlock()
			}
		}
		require.False(t, f.finished, what)
		require.Less(t, len(f.evidence.Nodes[0].Nulls), 2, what)
	}
}

func fails(context.Context, string) error { return errors.New("away") }

func failsAt(which string) func(context.Context, string) error {
	return func(_ context.Context, question string) error {
		if question == which {
			return errors.New("away")
		}
		return nil
	}
}

func nothing(string) (walletfi.SignatureStatus, error) {
	return walletfi.SignatureStatus{}, errors.New("pruned")
}

// TestEndThatNobodySaw: a process that comes when the blockhash has ended finds its
// block, and then asks for one transaction of each block since.
func TestEndThatNobodySaw(t *testing.T) {
	b := provingOn(t, 1)
	f := b.sent("s", 4930, 4960)
	require.Equal(t, []string{"valid"}, b.turn(5085, f))
	require.Contains(t, f.lacks, "it does not call the blockhash valid", "it may not know it yet")
	for tip := uint64(6000); !f.finished && tip < 6400; tip += 40 {
		b.turn(tip, f)
	}
	require.Equal(t, KeyExpired, f.verdict)
	n := f.evidence.Nodes[0]
	require.Equal(t, []Head{made(4930), made(4930)}, []Head{n.Block, {Slot: n.Seen, Height: n.Bound}})
	require.Equal(t, made(4960), n.Nulls[0].From, "what was final when it was signed")
	require.Equal(t, proof.Age-30+2, n.Nulls[0].Witnesses, "that block, one of each that may hold it, and one past them")

	b = provingOn(t, 1)
	unknown := b.sent("s", 5000, 0) // no block was known when it was signed
	for tip := uint64(5010); !unknown.finished && tip < 6000; tip += 40 {
		b.turn(tip, unknown)
	}
	require.Equal(t, KeyExpired, unknown.verdict)
	require.Equal(t, made(5000), unknown.evidence.Nodes[0].Nulls[0].From, "no block before its own can hold it")
}

// TestGroups: transactions on one blockhash share what is asked of it, and 48 of near
// windows one question.
func TestGroups(t *testing.T) {
	name := func(kind string, i int) string { return fmt.Sprint(kind, i) }
	b := provingOn(t, 1)
	var flights []*flight
	for i := range 100 {
		flights = append(flights, b.sent(name("one ", i), 5000, 4960))
	}
	flights = append(flights, b.sent("near", 5004, 4965), b.sent("far", 5004, 4700))
	asked := b.turn(5010, flights...)
	require.ElementsMatch(t, []string{"valid", "age", "valid", "age"}, distinctly(asked), "once for each blockhash")
	asked = b.turn(5200, flights...)
	groups := []string{"absence of 1", "absence of 48", "absence of 48", "absence of 5"}
	require.ElementsMatch(t, append(groups, "ended", "ended"), asked)
	asked = b.turn(5240, flights...)
	require.ElementsMatch(t, groups, asked, "together to the end")
	for _, f := range flights {
		require.Equal(t, KeyExpired, f.verdict, f.step.Signature)
		require.Len(t, f.evidence.Nodes[0].Nulls, 2)
	}

	// One that landed among many does not take them with it.
	flights = nil
	for i := range 5 {
		flights = append(flights, b.sent(name("two ", i), 6000, 5960))
	}
	b.landed["two 3"] = walletfi.SignatureStatus{Found: true, Slot: 6010, Commitment: walletfi.CommitmentFinalized}
	for tip := uint64(6010); tip < 6500; tip += 40 {
		b.turn(tip, flights...)
	}
	for i, f := range flights {
		require.Equal(t, i != 3, f.verdict == KeyExpired, i)
	}
}

// distinctly leaves out the repetitions that cost nothing.
func distinctly(asked []string) (all []string) {
	ages := 0
	for _, q := range asked {
		if q == "age" {
			if ages++; ages > 2 {
				continue
			}
		}
		all = append(all, q)
	}
	return all
}

// TestGroupOnAFoundBlock: one transaction whose blockhash's own block was not looked for is asked for in the window of
// those on the same blockhash for which it was found, not they in its wider one.
func TestGroupOnAFoundBlock(t *testing.T) {
	b := provingOn(t, 1)
	late, found := b.sent("late", 5000, 4960), b.sent("found", 5000, 4960)
	b.turn(5040, late)
	found.evidence.Told = 4150
	b.turn(5180, found)
	require.Equal(t, made(5000), found.evidence.Nodes[0].Block)
	require.Zero(t, late.evidence.Nodes[0].Block)
	require.Contains(t, b.turn(5230, late, found), "absence of 2")
	for _, f := range []*flight{late, found} {
		require.Len(t, f.evidence.Nodes[0].Nulls, 1, f.step.Signature)
		require.Equal(t, made(5000), f.evidence.Nodes[0].Block, f.step.Signature)
	}
}

// TestUnansweredEnd: where the end was shown and an answer of it was not, as in a hole, the blockhash's own block is
// looked for, and only there.
func TestUnansweredEnd(t *testing.T) {
	for failing, looked := range map[string]bool{"absence of 1": true, "": false} {
		b := provingOn(t, 1)
		f := b.sent("s", 5000, 4960)
		b.turn(5040, f)
		b.nodes[0].Hear = failsAt(failing)
		b.turn(5230, f)
		require.Equal(t, made(5198), f.evidence.Nodes[0].Gone, failing)
		b.nodes[0].Hear = nil
		asked := b.turn(5240, f)
		require.Equal(t, looked, slices.Contains(asked, "block"), "%s: %v", failing, asked)
		require.Equal(t, looked, f.evidence.Nodes[0].Block == made(5000), failing)
		require.Len(t, f.evidence.Nodes[0].Nulls, 1, failing)
	}
}

// TestProofOfAMessage: blocks are read whole for one that a sponsor signs last. A block
// that is final does not change, so that one reading is enough.
func TestProofOfAMessage(t *testing.T) {
	tx, name := signedTransfer(t)
	for _, found := range []string{"", name, "1111111111111111111111111111111111111111111111111111111111111111"} {
		b := provingOn(t, 1)
		f := b.sent("", 5000, 4960)
		f.step.Transaction = tx
		b.nodes[0].Named = func(payer string, message []byte) string {
			require.NotEmpty(t, payer)
			require.Contains(t, string(tx), walletfi.Base64Transaction(tx)[:4])
			require.NotEmpty(t, message)
			return found
		}
		b.turn(5019, f)
		asked := b.turn(5300, f)
		require.Contains(t, asked, "message")
		require.NotContains(t, asked, "absence of 0")
		switch found {
		case "":
			require.Equal(t, KeyExpired, f.verdict)
		case name:
			require.Empty(t, f.verdict)
			require.Equal(t, name, f.step.Signature, "its status is asked for from now on")
			require.True(t, f.hinted)
		default:
			require.Empty(t, f.verdict, "a signature that is another's")
			require.Empty(t, f.step.Signature)
		}
	}
	b := provingOn(t, 1)
	f := b.sent("", 5000, 4960)
	f.step.Transaction = "AQ=="
	b.turn(5019, f)
	require.NotContains(t, b.turn(5300, f), "message", "its bytes are damaged")
	require.Empty(t, f.verdict)
}

// TestProofOfANonce: while the nonce has the value, nothing is proven. Then what used it
// says all or, if that is not found, a store with the whole window does.
func TestProofOfANonce(t *testing.T) {
	tx, name := signedTransfer(t)
	for what, row := range map[string]struct {
		held      bool // it was seen with the value
		used      string
		signature string
		want      KeyState
		named     bool
		asked     []string // at first
	}{
		"another used it":                {true, "another", "s", KeyExpired, false, []string{"nonce", "use"}},
		"another, and it was never seen": {false, "another", "s", KeyExpired, false, []string{"nonce", "use"}},
		"ours did":                       {true, "s", "s", "", false, []string{"nonce", "use"}},
		"ours did, by a sponsor":         {true, name, "", "", true, []string{"nonce", "use"}},
		"nobody knows, and it was seen":  {true, "", "s", KeyExpired, false, []string{"nonce", "use", "final block"}},
		"nobody knows":                   {false, "", "s", "", false, []string{"nonce", "use"}},
		"nobody knows of a sponsor's":    {true, "", "", "", false, []string{"nonce", "use"}},
	} {
		b := provingOn(t, 1)
		f := b.sent(row.signature, 42, 4960)
		f.step.NonceAccount, f.step.Transaction = "account", tx
		b.nodes[0].Nonce = func(account string, slot uint64) string {
			require.Equal(t, "account", account)
			if slot < 5100 {
				return "42"
			}
			return "43"
		}
		b.nodes[0].Used = func(account, value string) string {
			require.Equal(t, []string{"account", "42"}, []string{account, value})
			return row.used
		}
		if row.held {
			for _, tip := range []uint64{5000, 5050, 5131} {
				require.Equal(t, []string{"nonce"}, b.turn(tip, f), what)
				require.Equal(t, tip-Finality, f.evidence.Nodes[0].Held.Slot, what)
				require.Equal(t, "node 1 has not shown another value of the nonce", f.lacks, what)
			}
		}
		asked := b.turn(5140, f)
		for tip := uint64(5180); !f.finished && f.step.Signature == row.signature && tip < 5400; tip += 40 {
			b.turn(tip, f)
		}
		require.Equal(t, row.asked, asked[:min(len(asked), len(row.asked))], what)
		require.Equal(t, row.want, f.verdict, what)
		require.Equal(t, row.named, f.step.Signature == name, what)
		if row.want == "" && !row.named {
			require.NotEmpty(t, f.lacks, what)
		}
	}
}

// sentOnNonce has a transaction sent on a durable nonce, whose value the first node shows as it is set.
func (b *proving) sentOnNonce(value string) (*flight, *string) {
	tx, _ := signedTransfer(b.t)
	f := b.sent("s", 42, 4960)
	f.step.NonceAccount, f.step.Transaction = "account", tx
	b.nodes[0].Nonce = func(string, uint64) string { return value }
	b.nodes[0].Used = func(string, string) string { return "" }
	return f, &value
}

// TestNonceOfNodesBehind: behind one address a node answers from before the nonce got
// another value. That it has another one is known then, and is not asked again.
func TestNonceOfNodesBehind(t *testing.T) {
	b := provingOn(t, 1)
	f, value := b.sentOnNonce("41")
	b.turn(5000, f)
	require.Zero(t, f.evidence.Nodes[0].Gone, "it may have the transaction's value later")
	*value = "42"
	require.Equal(t, []string{"nonce"}, b.turn(5010, f))
	*value = "43"
	require.Contains(t, b.turn(5140, f), "use")
	gone := f.evidence.Nodes[0].Gone.Slot
	require.Equal(t, made(5140-Finality).Slot, gone)
	*value = "42"
	require.NotContains(t, b.turn(5145, f), "nonce")
	require.Equal(t, gone, f.evidence.Nodes[0].Gone.Slot)
	for tip := uint64(5180); !f.finished && tip < 5400; tip += 40 {
		b.turn(tip, f)
	}
	require.Equal(t, KeyExpired, f.verdict)
}

// TestNonceAdvancedByAnother: the transaction that advanced the nonce was not on its value. The blocks between what
// was final when it was signed and that one are asked for, and nothing after them, whatever the
// node's newest blocks are. What has landed in them has not expired.
func TestNonceAdvancedByAnother(t *testing.T) {
	for _, landed := range []bool{false, true} {
		b := provingOn(t, 1)
		tx, _ := signedTransfer(t)
		f := b.sent("s", 42, 4960)
		f.step.NonceAccount, f.step.Transaction = "account", tx
		b.nodes[0].Nonce = func(_ string, slot uint64) string {
			if slot < 5010 {
				return "42"
			}
			return "43"
		}
		b.nodes[0].Used = func(string, string) string { return "" }
		b.nodes[0].Advanced = func() Head { return made(5010) }
		b.nodes[0].Hear = failsAt("final block")
		b.turn(4990, f)
		require.Equal(t, Head{Slot: 4990 - Finality}, f.evidence.Nodes[0].Held)
		if landed {
			b.landed["s"] = walletfi.SignatureStatus{Found: true, Slot: 5005, Commitment: walletfi.CommitmentFinalized}
		}
		b.turn(5100, f)
		b.turn(5140, f)
		require.Equal(t, !landed, f.verdict == KeyExpired, f.lacks)
		n := f.evidence.Nodes[0]
		require.Equal(t, made(5010), n.Gone)
		require.Equal(t, landed, n.Nulls == nil)
		if !landed {
			require.Equal(t, made(4960), n.Nulls[1].From)
			require.Equal(t, made(5010), n.Nulls[1].To)
		}
	}
}

// TestWindowOfANonceStands: its end is the first block that will do, which a node that is
// behind reaches sooner than the newest.
func TestWindowOfANonceStands(t *testing.T) {
	b := provingOn(t, 1)
	f, value := b.sentOnNonce("42")
	b.turn(5040, f)
	*value = "43"
	b.turn(5090, f)
	b.turn(5100, f)
	require.Len(t, f.evidence.Nodes[0].Nulls, 1)
	b.nodes[0].Hear = failsAt("absence of 1")
	b.turn(5140, f)
	b.nodes[0].Hear = nil
	b.turn(5200, f)
	require.Equal(t, KeyExpired, f.verdict)
	require.Equal(t, made(5100-Finality), f.evidence.Nodes[0].Nulls[1].To)
}

// TestNonceWhoseBlocksAreNotShown: the window of a nonce begins at what was final before the
// signature, or ends later, if the node does not show the block at which it saw a value.
func TestNonceWhoseBlocksAreNotShown(t *testing.T) {
	for _, unsure := range []bool{false, true} {
		b := provingOn(t, 1)
		tx, _ := signedTransfer(t)
		f := b.sent("s", 42, 4960)
		f.step.NonceAccount, f.step.Transaction, f.evidence.Unsure = "account", tx, unsure
		value := "42"
		b.nodes[0].Nonce = func(string, uint64) string { return value }
		b.nodes[0].Used = func(string, string) string { return "" }
		b.nodes[0].Hear = failsAt("final block")
		b.turn(5040, f)
		value = "43"
		for tip := uint64(5090); !f.finished && tip < 5300; tip += 40 {
			b.turn(tip, f)
		}
		require.Equal(t, !unsure, f.verdict == KeyExpired, f.lacks)
		if n := f.evidence.Nodes[0]; !unsure {
			require.Equal(t, made(4960), n.Nulls[0].From)
			require.Equal(t, Head{Slot: 5040 - Finality}, n.Held, "what was seen stays")
			require.Equal(t, made(5130-Finality), n.Gone)
			require.Greater(t, n.Nulls[0].To.Slot, n.Gone.Slot)
		}
	}
}

// TestHeadThatWasOnlyTold: several nodes vouch for a slot, and for a height that its block
// has at least. One node tells both as they are.
func TestHeadThatWasOnlyTold(t *testing.T) {
	for _, row := range []struct {
		nodes  int
		height uint64
		want   KeyState
	}{
		{1, 3960, KeyExpired}, {1, 3955, ""}, {1, 3961, ""},
		{3, 3960, KeyExpired}, {3, 3955, KeyExpired}, {3, 3961, ""},
	} {
		b := provingOn(t, row.nodes)
		f := b.sent("s", 5000, 4960)
		f.evidence.After, f.evidence.Unsure = Head{Slot: 4960, Height: row.height}, true
		for tip := uint64(5019); !f.finished && tip < 5400; tip += 40 {
			b.turn(tip, f)
		}
		require.Equal(t, row.want, f.verdict, row)
		if row.want == "" {
			require.Contains(t, f.lacks, "is not the ledger's", row)
		}
	}
}

// TestHeadThatIsNotShown: the block of a head that was only told may be in a gap of what the node has. The window then
// begins at the blockhash's own block, if that is known.
func TestHeadThatIsNotShown(t *testing.T) {
	for _, row := range []struct {
		lacks []string
		after uint64
		want  KeyState
	}{
		{nil, 4960, KeyExpired}, {[]string{"final block"}, 4960, KeyExpired}, {[]string{"final block"}, 5018, KeyExpired},
		{[]string{"final block", "block"}, 4960, ""},
	} {
		b := provingOn(t, 1)
		f := b.sent("s", 5000, row.after)
		f.evidence.Unsure = true
		b.nodes[0].Hear = func(_ context.Context, question string) error {
			if slices.Contains(row.lacks, question) {
				return errAway
			}
			return nil
		}
		for tip := uint64(5019); !f.finished && tip < 5400; tip += 40 {
			b.turn(tip, f)
		}
		require.Equal(t, row.want, f.verdict, "%v: %s", row, f.lacks)
		require.True(t, f.evidence.Unsure)
		if len(row.lacks) == 1 {
			require.Equal(t, made(5000), f.evidence.Nodes[0].Nulls[0].From, row)
		}
	}
}

// again asks the first node once more, whose final head stands where it was.
func (b *proving) again(tip uint64, stood time.Duration, f *flight) []string {
	b.tip = tip
	b.clock.Off += stood
	defer func() { b.clock.Off -= stood }()
	b.nodes[0].Asked()
	b.mu.Lock()
	p := b.passOf(0, []*flight{f})
	b.mu.Unlock()
	p.Ask(b.t.Context())
	b.mu.Lock()
	b.shown(0, p)
	b.mu.Unlock()
	b.calls.Wait()
	return b.nodes[0].Asked()
}

// TestFinalHeadThatStands: the node does not show newer heads, as their blocks are in a gap.
// That what the first answer had seen is final is shown by the blockhash, which is gone there.
func TestFinalHeadThatStands(t *testing.T) {
	const ended, long = 5000 + proof.Age + Finality + 1, 10 * time.Second
	for what, row := range map[string]struct {
		tip   uint64
		stood time.Duration
		more  uint64
		asked []string
		nulls int
		want  KeyState
	}{
		"it is final":            {ended + Finality, long, 0, []string{"ended", "absence of 1"}, 2, KeyExpired},
		"it is not":              {ended + Finality - 1, long, 0, []string{"ended", "final block", "final block"}, 1, ""},
		"the head has just come": {ended + Finality, time.Second, 0, nil, 1, ""},
		"it is not gone":         {ended + Finality, long, 1000, []string{"ended"}, 0, ""},
	} {
		b := provingOn(t, 1)
		f := b.sent("s", 5000, 4960)
		b.turn(5001, f)
		b.turn(ended, f)
		f.evidence.Nodes[0].Block = made(5000)
		require.Len(t, f.evidence.Nodes[0].Nulls, 1, what)
		b.nodes[0].More = row.more
		require.Equal(t, row.asked, b.again(row.tip, row.stood, f), what)
		require.Len(t, f.evidence.Nodes[0].Nulls, row.nulls, what)
		require.Equal(t, row.want, f.verdict, what)
	}

	// The head is far behind what the node answers by, and grows.
	b := provingOn(t, 1)
	f := b.sent("s", 5000, 4960)
	b.turn(5001, f)
	b.turn(ended, f)
	f.evidence.Nodes[0].Nulls[0].AsOfSlot += 64 - Finality
	require.Equal(t, []string{"ended", "absence of 1"}, b.again(ended+64, 0, f))
	require.Equal(t, KeyExpired, f.verdict)
}

// TestEndWhileTheHeadStands: with the blockhash's own block the end may be before a head
// that is known.
func TestEndWhileTheHeadStands(t *testing.T) {
	b := provingOn(t, 1)
	f := b.sent("s", 4970, 4960)
	b.turn(5005, f)
	b.nodes[0].Hear = func(_ context.Context, question string) error {
		if question == "ended" {
			return errAway
		}
		return nil
	}
	require.Equal(t, []string{"ended"}, b.turn(4970+proof.Age+Finality+1, f), "by what is known it has not ended")
	b.nodes[0].Hear = nil
	require.Subset(t, b.again(b.tip, 10*time.Second, f), []string{"block", "age"})
	require.Equal(t, made(4970), f.evidence.Nodes[0].Block)
	require.Contains(t, b.again(b.tip, 10*time.Second, f), "absence of 1")
}

// TestOwnBlockByTheServicesWord: once the window is over, the end is counted from the
// blockhash's own block.
func TestOwnBlockByTheServicesWord(t *testing.T) {
	b := provingOn(t, 1)
	f := b.sent("s", 4970, 4960)
	f.evidence.Told = made(4970).Height + 150
	b.turn(5005, f)
	require.Equal(t, made(4960).Height+44, f.evidence.Nodes[0].Bound, "by the slot in which it was valid")
	b.turn(4960+proof.Age+Finality+1, f)
	require.Equal(t, made(4970), f.evidence.Nodes[0].Block)
	asked := b.turn(4970+proof.Age+Finality+1, f)
	require.Contains(t, asked, "ended")
	require.Equal(t, made(4970+proof.Age+1), f.evidence.Nodes[0].Gone, "the first block past its end")
}

// TestMajorityOfNodes: each of two of three has to show all, and what one lacks is said
// of it.
func TestMajorityOfNodes(t *testing.T) {
	for away, want := range map[int]KeyState{0: KeyExpired, 1: KeyExpired, 2: ""} {
		b := provingOn(t, 3)
		f := b.sent("s", 5000, 4960)
		b.turn(5019, f)
		for i := range away {
			b.nodes[2-i].Hear = failsAt("absence of 1")
		}
		for tip := uint64(5250); !f.finished && tip < 5600; tip += 40 {
			b.turn(tip, f)
		}
		require.Equal(t, want, f.verdict, "%d nodes are away", away)
		if want == "" {
			const twice = " has not shown twice that a store with the whole window does not have it: away"
			require.Equal(t, "node 2"+twice+"; node 3"+twice, f.lacks)
		}
		whole := func(n walletfi.NodeEvidence) bool { return len(n.Nulls) == 2 }
		require.True(t, slices.ContainsFunc(f.evidence.Nodes, whole))
	}
}
