package wallet

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// hollow is a node whose archive has lost the transactions of a block.
type hollow struct{ *Honest }

func (h *hollow) Absence(ctx context.Context, q walletfi.AbsenceQuery) (*walletfi.Absence, error) {
	a, err := h.Honest.Absence(ctx, q)
	if err == nil && len(a.Witnesses) > 2 {
		a.Witnesses[1].Signature, a.Witnesses[1].Status = "", walletfi.SignatureStatus{}
	}
	return a, err
}

func (h *hollow) FindMessage(context.Context, walletfi.MessageSearch) (walletfi.FoundMessage, error) {
	return walletfi.FoundMessage{}, nil
}

// TestNodeConfiguredTwice: it would have two votes.
func TestNodeConfiguredTwice(t *testing.T) {
	node := func(name string) walletfi.Confirmer { return confirming{&Honest{T: t, Name: name}} }
	_, err := newPanel(panelists{node("a"), node("b"), node("a")})
	invalid, ok := errors.AsType[*walletfi.ValidationError](err)
	require.True(t, ok)
	require.Equal(t, "confirmer.Nodes()[2]", invalid.Field)
	for _, names := range [][]string{{"a", "b"}, {"", ""}} { // what does not say who it is, is another
		p, err := newPanel(panelists{node(names[0]), node(names[1])})
		require.NoError(t, err)
		p.close()
	}
}

// TestGenesisThatChanges: an address that leads to another cluster by now shows nothing more.
func TestGenesisThatChanges(t *testing.T) {
	b := provingOn(t, 1)
	elsewhere := &moved{Honest: b.nodes[0], genesis: "genesis"}
	w := b.prover.nodes[0]
	w.prover, b.prover.genesis = elsewhere, "genesis"
	f := b.sent("s", 5000, 4960)
	b.turn(5019, f)
	b.turn(5203, f)
	require.Len(t, f.evidence.Nodes[0].Nulls, 1)
	ask := func(tip uint64) {
		b.tip, elsewhere.asked = tip, 0
		p := b.passOf(0, []*flight{f})
		b.question(t.Context(), 0, p)
		b.shown(0, p)
	}
	ask(5210)
	require.Zero(t, elsewhere.asked, "nothing can be proven before the first answer is final")
	elsewhere.genesis = "another"
	ask(5210)
	require.Zero(t, elsewhere.asked)
	require.NotContains(t, f.lacks, "another cluster")
	b.prover.forgetTime()
	b.tip = 5235
	require.NoError(t, b.prover.refresh(t.Context(), 0))
	ask(5235)
	require.Equal(t, 1, elsewhere.asked)
	require.Empty(t, f.verdict)
	require.Contains(t, f.lacks, "another cluster")
	require.Len(t, f.evidence.Nodes[0].Nulls, 1)
	elsewhere.genesis = "genesis"
	ask(5235)
	require.Equal(t, KeyExpired, f.verdict, f.lacks)
	require.Positive(t, elsewhere.asked)
}

// moved is a node whose ledger a test sets.
type moved struct {
	*Honest
	genesis string
	asked   int
}

func (m *moved) Genesis(context.Context) (string, error) {
	m.asked++
	return m.genesis, nil
}

// TestHollowBlock: a block that shows no transaction is no evidence, though the payer's history
// shows none either: whoever has lost the one has lost the other.
func TestHollowBlock(t *testing.T) {
	tx, _ := signedTransfer(t)
	b := provingOn(t, 1)
	node := &hollow{b.nodes[0]}
	b.prover.nodes[0].prover, b.prover.nodes[0].finder = node, node
	f := b.sent("s", 5000, 4960)
	f.step.Transaction, f.owner = tx, "owner"
	for _, tip := range []uint64{5019, 6000, 6040} {
		b.turn(tip, f)
	}
	require.Empty(t, f.verdict)
	require.Contains(t, f.lacks, "shows no transaction")
	require.Empty(t, f.evidence.Nodes[0].Nulls)
}
