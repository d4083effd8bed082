package wallet

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// hollow is a node whose archive has lost the transactions of a block, and a store apart with
// what its owners did.
type hollow struct {
	*Honest
	found string
	err   error
}

func (h *hollow) Absence(ctx context.Context, q walletfi.AbsenceQuery) (*walletfi.Absence, error) {
	a, err := h.Honest.Absence(ctx, q)
	if err == nil && len(a.Witnesses) > 2 {
		a.Witnesses[1].Signature, a.Witnesses[1].Status = "", walletfi.SignatureStatus{}
	}
	return a, err
}

func (h *hollow) FindMessage(_ context.Context, owner string, message []byte, since, asOf uint64) (string, error) {
	require.Equal(h.T, "owner", owner)
	require.NotEmpty(h.T, message)
	require.Equal(h.T, made(4960).Slot, since)
	require.Greater(h.T, asOf, since)
	return h.found, h.err
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

// TestHollowBlock: a block that shows no transaction is no evidence by itself. The payer's
// history must not have the transaction either.
func TestHollowBlock(t *testing.T) {
	tx, name := signedTransfer(t)
	for what, row := range map[string]struct {
		node  hollow
		deaf  bool // the node has no history to search
		want  KeyState
		lacks string
	}{
		"the history does not have it": {want: KeyExpired},
		"the history has it":           {node: hollow{found: name}, lacks: "the payer's history has it"},
		"the history fails":            {node: hollow{err: errors.New("it is down")}, lacks: "it is down"},
		"there is no history":          {deaf: true, lacks: "cannot search the payer's history"},
	} {
		b := provingOn(t, 1)
		row.node.Honest = b.nodes[0]
		b.prover.nodes[0].prover = &row.node
		if !row.deaf {
			b.prover.nodes[0].finder = &row.node
		}
		f := b.sent("s", 5000, 4960)
		f.step.Transaction, f.owner = tx, "owner"
		for _, tip := range []uint64{5019, 6000, 6040} {
			b.turn(tip, f)
		}
		require.Equal(t, row.want, f.verdict, what)
		if row.want == "" {
			require.ErrorContains(t, errors.New(f.lacks), row.lacks, what)
			require.Empty(t, f.evidence.Nodes[0].Nulls, what)
		}
	}
}
