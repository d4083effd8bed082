package evidence

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// node is a member of a panel that answers what a test says.
type node struct {
	head      Head
	signature string
	err       error
	asked     []string
}

func (n *node) Head(context.Context) (walletfi.Head, error) {
	return walletfi.Head{Slot: n.head.Slot, Height: n.head.Height}, n.err
}

func (n *node) FindMessage(_ context.Context, s walletfi.MessageSearch) (walletfi.FoundMessage, error) {
	n.asked = append(n.asked, fmt.Sprint(s.Owner, string(s.Message), s.Since, s.AsOf))
	return walletfi.FoundMessage{Signature: n.signature}, n.err
}

// panelOf is a panel of some nodes.
func panelOf(t *testing.T, nodes ...*node) *Panel {
	t.Helper()
	p := &Panel{members{quorum: (len(nodes)-1)/2 + 1}}
	p.ctx, p.cancel = context.WithCancel(t.Context())
	t.Cleanup(p.Close)
	for _, n := range nodes {
		p.nodes = append(p.nodes, &witness{head: n, finder: n})
	}
	return p
}

type told = walletfi.SignatureStatuses

// TestAgreed: a status needs a quorum, and more votes than there are against it.
// Whatever else is said is "not found", which proves nothing.
func TestAgreed(t *testing.T) {
	seen := func(c walletfi.Commitment, slot uint64) told {
		return told{Statuses: []walletfi.SignatureStatus{{Found: true, Commitment: c, Slot: slot}}, AsOfSlot: slot}
	}
	failed := func(slot uint64) told {
		s := walletfi.SignatureStatus{Found: true, Err: "x", Commitment: walletfi.CommitmentFinalized, Slot: slot}
		return told{Statuses: []walletfi.SignatureStatus{s}, AsOfSlot: slot}
	}
	missing := func(asOf uint64) told { return told{Statuses: make([]walletfi.SignatureStatus, 1), AsOfSlot: asOf} }
	const processed, confirmed, finalized = walletfi.CommitmentProcessed, walletfi.CommitmentConfirmed, walletfi.CommitmentFinalized
	for _, row := range []struct {
		what    string
		answers []told
		want    walletfi.Commitment // empty if not found
		err     bool
	}{
		{"all the same", []told{seen(confirmed, 5), seen(confirmed, 5), seen(confirmed, 5)}, confirmed, false},
		{"what two of three say at least", []told{seen(finalized, 5), seen(processed, 5), seen(confirmed, 5)}, confirmed, false},
		{"one alone", []told{seen(finalized, 5)}, "", false},
		{"two, and one that lags", []told{seen(confirmed, 5), seen(confirmed, 5), missing(4)}, confirmed, false},
		{"two, and one that is as far as it may be", []told{seen(confirmed, 5), seen(confirmed, 5), missing(5 + maxBehind)}, confirmed, false},
		{"two against two that had to see it", []told{seen(confirmed, 5), seen(confirmed, 5), missing(6 + maxBehind), missing(6 + maxBehind)}, "", false},
		{"two against two that did not", []told{seen(confirmed, 5), seen(confirmed, 5), missing(5 + maxBehind), missing(5 + maxBehind)}, confirmed, false},
		{"a failure", []told{failed(5), failed(5), missing(2)}, finalized, true},
		{"a failure and a success", []told{failed(5), failed(5), seen(confirmed, 5), seen(confirmed, 5)}, "", false},
		{"not found, of different slots", []told{missing(7), missing(9), missing(8)}, "", false},
		{"not found by two of three", []told{missing(7), missing(9), seen(confirmed, 5)}, "", false},
		{"not found by half", []told{missing(7), missing(9), seen(confirmed, 20), failed(20)}, "", false},
		{"not found by one", []told{missing(7)}, "", false},
	} {
		p := &Panel{members{quorum: 2}}
		status := p.agreed(row.answers, 0)
		require.Equal(t, row.want, status.Commitment, row.what)
		require.Equal(t, row.want != "", status.Found, row.what)
		require.Equal(t, row.err, status.Err != "", row.what)
	}
}

// TestMost: what more than half of the answers say, and no fewer than the quorum.
func TestMost(t *testing.T) {
	for _, row := range []struct {
		words []string
		want  string
		err   error
	}{
		{[]string{"a", "a", "a"}, "a", nil},
		{[]string{"b", "a", "b"}, "b", nil},
		{[]string{"a", "b"}, "", errNoAgreement},
		{[]string{"a", "a"}, "a", nil},
		{[]string{"a"}, "", errNoAgreement},
		{[]string{"a", "a", "b", "b"}, "", errNoAgreement},
		{nil, "", errNoAgreement},
	} {
		word, err := (&Panel{members{quorum: 2}}).most(row.words)
		require.ErrorIs(t, err, row.err, "%v", row.words)
		require.Equal(t, row.want, word, "%v", row.words)
	}
}

// TestPanelHead: a height that a quorum vouches for.
func TestPanelHead(t *testing.T) {
	at := func(slot, height uint64) *node { return &node{head: Head{Slot: slot, Height: height}} }
	for _, row := range []struct {
		what  string
		nodes []*node
		want  Head
		err   error
	}{
		{"all the same", []*node{at(1000, 900), at(1000, 900), at(1000, 900)}, Head{Slot: 1000, Height: 900}, nil},
		{"one is ahead alone", []*node{at(1000, 900), at(1000, 900), at(2000, 1900)}, Head{Slot: 1000, Height: 900}, nil},
		{"one has a higher height", []*node{at(1000, 900), at(1000, 990), at(1000, 900)}, Head{Slot: 1000, Height: 900}, nil},
		{"one lags", []*node{at(1000, 900), at(1010, 908), at(1010, 908)}, Head{Slot: 1010, Height: 908}, nil},
		{"none knows a height", []*node{at(1000, 0), at(1000, 0), at(1000, 0)}, Head{}, errNoAgreement},
	} {
		now, err := panelOf(t, row.nodes...).Head(t.Context())
		require.ErrorIs(t, err, row.err, row.what)
		require.Equal(t, row.want, Head(now), row.what)
	}
}

// TestPanelSearch: a genuine signature counts whoever tells it, and "none" only if a
// quorum has looked.
func TestPanelSearch(t *testing.T) {
	says := func(signature string) *node { return &node{signature: signature} }
	away := func() *node { return &node{err: errors.New("away")} }
	genuine := func(s string) bool { return s == "good" }
	for _, row := range []struct {
		what  string
		nodes []*node
		want  string
		err   error
	}{
		{"one of three has it", []*node{says(""), says("good"), says("")}, "good", nil},
		{"none has it", []*node{says(""), says(""), says("")}, "", nil},
		{"two looked", []*node{says(""), away(), says("")}, "", nil},
		{"one looked", []*node{says(""), away(), away()}, "", errNoAgreement},
		{"a liar that fails too", []*node{{err: context.Canceled, signature: "forged"}}, "", context.Canceled},
		{"a liar", []*node{says("forged"), says(""), says("")}, "", nil},
		{"liars", []*node{says("forged"), says("forged"), says("forged")}, "", walletfi.ErrMismatch},
	} {
		found, err := panelOf(t, row.nodes...).Search(t.Context(), "owner ", []byte("message "), 3, genuine)
		require.ErrorIs(t, err, row.err, row.what)
		require.Equal(t, row.want, found, row.what)
		for _, n := range row.nodes {
			if row.err == nil {
				require.Equal(t, []string{"owner message 3 0"}, n.asked[:min(1, len(n.asked))], row.what)
			}
		}
	}
	without := panelOf(t, says("any"))
	*without.nodes[0] = witness{}
	_, err := without.Search(t.Context(), "owner", nil, 1, genuine)
	require.ErrorIs(t, err, errors.ErrUnsupported)
}

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
		status := (&Panel{members{quorum: 2}}).agreed(answers, 0)
		require.Equal(t, walletfi.CommitmentConfirmed, status.Commitment, i)
	}
}
