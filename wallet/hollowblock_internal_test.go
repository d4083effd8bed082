package wallet

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence"
)

// TestNodeConfiguredTwice: it would have two votes.
func TestNodeConfiguredTwice(t *testing.T) {
	node := func(name string) walletfi.Confirmer { return confirming{&Honest{T: t, Name: name}} }
	_, err := evidence.NewPanel(panelists{node("a"), node("b"), node("a")})
	invalid, ok := errors.AsType[*walletfi.ValidationError](err)
	require.True(t, ok)
	require.Equal(t, "confirmer.Nodes()[2]", invalid.Field)
	for _, names := range [][]string{{"a", "b"}, {"", ""}} { // what does not say who it is, is another
		p, err := evidence.NewPanel(panelists{node(names[0]), node(names[1])})
		require.NoError(t, err)
		p.Close()
	}
}

// TestGenesisThatChanges: an address that leads to another cluster by now shows nothing more.
func TestGenesisThatChanges(t *testing.T) {
	b := provingOn(t, 1)
	genesis, asked := "genesis", 0
	b.nodes[0].First = func() string { asked++; return genesis }
	known := firstBlock(genesis)
	require.NoError(t, b.prover.Open(t.Context(), Head{}, &known))
	f := b.sent("s", 5000, 4960)
	b.turn(5019, f)
	b.turn(5203, f)
	require.Len(t, f.evidence.Nodes[0].Nulls, 1)
	ask := func(tip uint64) {
		b.tip, asked = tip, 0
		p := b.passOf(0, []*flight{f})
		p.Ask(t.Context())
		b.shown(0, p)
	}
	ask(5210)
	require.Zero(t, asked, "nothing can be proven before the first answer is final")
	genesis = "another"
	ask(5210)
	require.Zero(t, asked)
	require.NotContains(t, f.lacks, "another cluster")
	b.tip = 5235
	require.NoError(t, b.prover.Refresh(t.Context(), 0))
	ask(5235)
	require.Equal(t, 1, asked)
	require.Empty(t, f.verdict)
	require.Contains(t, f.lacks, "another cluster")
	require.Len(t, f.evidence.Nodes[0].Nulls, 1)
	genesis = "genesis"
	ask(5235)
	require.Equal(t, KeyExpired, f.verdict, f.lacks)
	require.Positive(t, asked)
}

// firstBlock remembers the first block of a ledger.
type firstBlock string

func (*firstBlock) Keep(Head) {}

func (b *firstBlock) Genesis(read func(known *string) error) error { return read((*string)(b)) }

// TestHollowBlock: a block that shows no transaction is no evidence, though the payer's history
// shows none either: whoever has lost the one has lost the other.
func TestHollowBlock(t *testing.T) {
	tx, _ := signedTransfer(t)
	b := provingOn(t, 1)
	b.nodes[0].Hollow = true
	f := b.sent("s", 5000, 4960)
	f.step.Transaction, f.owner = tx, "owner"
	for _, tip := range []uint64{5019, 6000, 6040} {
		b.turn(tip, f)
	}
	require.Empty(t, f.verdict)
	require.Contains(t, f.lacks, "shows no transaction")
	require.Empty(t, f.evidence.Nodes[0].Nulls)
}
