package wallet

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// TestWhatAMajoritySays is as settled as the least settled of the quorum that is the most settled,
// whichever answered first.
func TestWhatAMajoritySays(t *testing.T) {
	one := func(c walletfi.Commitment) told {
		return told{Statuses: []walletfi.SignatureStatus{{Found: true, Slot: 7, Commitment: c}}, AsOfSlot: 9}
	}
	processed, confirmed, finalized := one(walletfi.CommitmentProcessed), one(walletfi.CommitmentConfirmed), one(walletfi.CommitmentFinalized)
	for i, answers := range [][]told{
		{processed, confirmed, finalized}, {processed, finalized, confirmed}, {confirmed, processed, finalized},
		{confirmed, finalized, processed}, {finalized, processed, confirmed}, {finalized, confirmed, processed},
	} {
		status := (&panel{quorum: 2}).agreed(answers, 0)
		require.Equal(t, walletfi.CommitmentConfirmed, status.Commitment, i)
	}
}

// TestTakenUpIsBounded: what the background has taken up is told up to a bound; what is known already is
// replaced by the newest.
func TestTakenUpIsBounded(t *testing.T) {
	w := &Wallet{taken: map[string]*follower{}}
	for i := range mostTaken {
		w.hasTaken(fmt.Sprint(i), &follower{})
	}
	require.Len(t, w.taken, mostTaken)
	newer := &follower{}
	w.hasTaken("one more", newer)
	require.Len(t, w.taken, mostTaken)
	require.NotContains(t, w.taken, "one more")
	w.hasTaken("0", newer)
	require.Same(t, newer, w.taken["0"])
}

// TestQuestionsInVainAreBounded: if there are too many, all are asked again.
func TestQuestionsInVainAreBounded(t *testing.T) {
	p := &pauses{}
	for i := range mostDear {
		p.asked(fmt.Sprint(i), errAway)
	}
	require.Len(t, p.held, mostDear)
	require.ErrorIs(t, p.due("0"), errAway)
	p.asked("one more", errAway)
	require.Len(t, p.held, 1)
	require.NoError(t, p.due("0"))
	require.ErrorIs(t, p.due("one more"), errAway)
}

// TestValidityThatIsNotKnown: a node that fails says nothing; one that cannot be asked is not waited for.
func TestValidityThatIsNotKnown(t *testing.T) {
	b := provingOn(t, 1)
	b.nodes[0].Hear = failsAt("valid")
	err := b.prover.callsValid(t.Context(), "5000")
	require.ErrorContains(t, err, "whether its blockhash is valid is not known: ")
	b.nodes[0].Hear = nil
	require.NoError(t, b.prover.callsValid(t.Context(), "4990"))
	require.ErrorIs(t, b.prover.callsValid(t.Context(), "6000"), errNotValid)
	b.prover.nodes[0].blockhash = nil
	require.NoError(t, b.prover.callsValid(t.Context(), "6000"))
	_, err = b.prover.genesisOf(t.Context(), &witness{})
	require.ErrorIs(t, err, errors.ErrUnsupported)
}
