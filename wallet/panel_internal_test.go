package wallet

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
	oracle
	head      Head
	signature string
}

func (n *node) Head(context.Context) (uint64, uint64, error) {
	return n.head.Slot, n.head.Height, n.err
}

func (n *node) FindMessage(_ context.Context, owner string, message []byte, since, asOf uint64) (string, error) {
	n.asked = append(n.asked, fmt.Sprint(owner, string(message), since, asOf))
	return n.signature, n.err
}

// panelOf is a panel of some nodes.
func panelOf(t *testing.T, nodes ...*node) *panel {
	t.Helper()
	p := &panel{quorum: (len(nodes)-1)/2 + 1}
	p.ctx, p.cancel = context.WithCancel(t.Context())
	t.Cleanup(p.close)
	for _, n := range nodes {
		p.nodes = append(p.nodes, &witness{head: n, blockhash: n, nonces: n, finder: n})
	}
	return p
}

// TestAgreed: a status needs a quorum, and more votes than there are against it; "not
// found" the same, and tells the slot that a quorum has reached.
func TestAgreed(t *testing.T) {
	seen := func(c walletfi.Commitment, slot uint64) told {
		return told{[]walletfi.SignatureStatus{{Found: true, Commitment: c, Slot: slot}}, slot}
	}
	failed := func(slot uint64) told {
		return told{[]walletfi.SignatureStatus{{Found: true, Err: "x", Commitment: walletfi.CommitmentFinalized, Slot: slot}}, slot}
	}
	missing := func(asOf uint64) told { return told{make([]walletfi.SignatureStatus, 1), asOf} }
	const processed, confirmed, finalized = walletfi.CommitmentProcessed, walletfi.CommitmentConfirmed, walletfi.CommitmentFinalized
	for _, row := range []struct {
		what    string
		answers []told
		want    walletfi.Commitment // empty if not found
		err     bool
		asOf    uint64
	}{
		{"all the same", []told{seen(confirmed, 5), seen(confirmed, 5), seen(confirmed, 5)}, confirmed, false, 0},
		{"what two of three say at least", []told{seen(finalized, 5), seen(processed, 5), seen(confirmed, 5)}, confirmed, false, 0},
		{"one alone", []told{seen(finalized, 5)}, "", false, 0},
		{"two, and one that lags", []told{seen(confirmed, 5), seen(confirmed, 5), missing(4)}, confirmed, false, 0},
		{"two, and one that is as far as it may be", []told{seen(confirmed, 5), seen(confirmed, 5), missing(5 + maxBehind)}, confirmed, false, 0},
		{"two against two that had to see it", []told{seen(confirmed, 5), seen(confirmed, 5), missing(6 + maxBehind), missing(6 + maxBehind)}, "", false, 0},
		{"two against two that did not", []told{seen(confirmed, 5), seen(confirmed, 5), missing(5 + maxBehind), missing(5 + maxBehind)}, confirmed, false, 0},
		{"a failure", []told{failed(5), failed(5), missing(2)}, finalized, true, 0},
		{"a failure and a success", []told{failed(5), failed(5), seen(confirmed, 5), seen(confirmed, 5)}, "", false, 0},
		{"not found, of different slots", []told{missing(7), missing(9), missing(8)}, "", false, 8},
		{"not found by two of three", []told{missing(7), missing(9), seen(confirmed, 5)}, "", false, 7},
		{"not found by half", []told{missing(7), missing(9), seen(confirmed, 20), failed(20)}, "", false, 0},
		{"not found by one", []told{missing(7)}, "", false, 0},
	} {
		p := &panel{quorum: 2}
		status, asOf := p.agreed(row.answers, 0)
		require.Equal(t, row.want, status.Commitment, row.what)
		require.Equal(t, row.want != "", status.Found, row.what)
		require.Equal(t, row.err, status.Err != "", row.what)
		require.Equal(t, row.asOf, asOf, row.what)
	}
	require.Zero(t, compareCommitment(confirmed, confirmed))
	require.Equal(t, 1, compareCommitment(finalized, confirmed))
	require.Equal(t, -1, compareCommitment(processed, confirmed))
}

// TestPanelVotes: what more than half say, and no fewer than the quorum, at a slot that
// an honest node has named.
func TestPanelVotes(t *testing.T) {
	good := func(at uint64) *node { return &node{oracle: oracle{valid: true, value: "a", at: at}} }
	gone := func(at uint64) *node { return &node{oracle: oracle{value: "b", at: at}} }
	away := &node{oracle: oracle{err: errors.New("away")}}
	for _, row := range []struct {
		what           string
		nodes          []*node
		valid          bool
		value          string
		validAt, valAt uint64
		err            error
	}{
		{"all", []*node{good(7), good(9), good(8)}, true, "a", 8, 8, nil},
		{"two of three", []*node{gone(7), good(99), gone(9)}, false, "b", 7, 9, nil},
		{"one of two that answer", []*node{good(7), gone(9), away}, false, "", 0, 0, errNoAgreement},
		{"none", []*node{away}, false, "", 0, 0, errNoAgreement},
		{"two of four", []*node{good(1), good(2), gone(3), gone(4)}, false, "", 0, 0, errNoAgreement},
	} {
		p := panelOf(t, row.nodes...)
		valid, at, err := p.BlockhashValid(t.Context(), "hash")
		require.ErrorIs(t, err, row.err, row.what)
		require.Equal(t, row.valid, valid, row.what)
		require.Equal(t, row.validAt, at, row.what)
		value, at, err := p.NonceValue(t.Context(), "account")
		require.ErrorIs(t, err, row.err, row.what)
		require.Equal(t, row.value, value, row.what)
		require.Equal(t, row.valAt, at, row.what)
		for _, n := range row.nodes {
			require.Contains(t, n.asked, "hash", row.what)
			require.Contains(t, n.asked, "account", row.what)
		}
	}
	without := panelOf(t, good(1))
	*without.nodes[0] = witness{}
	_, _, err := without.BlockhashValid(t.Context(), "hash")
	require.ErrorIs(t, err, errors.ErrUnsupported)
	_, _, err = without.NonceValue(t.Context(), "account")
	require.ErrorIs(t, err, errors.ErrUnsupported)
	_, err = without.FindMessage(t.Context(), "owner", nil, 1, 2)
	require.ErrorIs(t, err, errors.ErrUnsupported)
}

// TestPanelHead: a height that a quorum vouches for.
func TestPanelHead(t *testing.T) {
	at := func(slot, height uint64) *node { return &node{head: Head{slot, height}} }
	for _, row := range []struct {
		what  string
		nodes []*node
		want  Head
		err   error
	}{
		{"all the same", []*node{at(1000, 900), at(1000, 900), at(1000, 900)}, Head{1000, 900}, nil},
		{"one is ahead alone", []*node{at(1000, 900), at(1000, 900), at(2000, 1900)}, Head{1000, 900}, nil},
		{"one has a higher height", []*node{at(1000, 900), at(1000, 990), at(1000, 900)}, Head{1000, 900}, nil},
		{"one lags", []*node{at(1000, 900), at(1010, 908), at(1010, 908)}, Head{1010, 908}, nil},
		{"none knows a height", []*node{at(1000, 0), at(1000, 0), at(1000, 0)}, Head{}, errNoAgreement},
	} {
		slot, height, err := panelOf(t, row.nodes...).Head(t.Context())
		require.ErrorIs(t, err, row.err, row.what)
		require.Equal(t, row.want, Head{slot, height}, row.what)
	}
}

// TestPanelSearch: a genuine signature counts whoever tells it, and "none" only if a
// quorum has looked.
func TestPanelSearch(t *testing.T) {
	says := func(signature string) *node { return &node{signature: signature} }
	away := func() *node { return &node{oracle: oracle{err: errors.New("away")}} }
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
		{"a liar that fails too", []*node{{oracle: oracle{err: context.Canceled}, signature: "forged"}}, "", context.Canceled},
		{"a liar", []*node{says("forged"), says(""), says("")}, "", nil},
		{"liars", []*node{says("forged"), says("forged"), says("forged")}, "", walletfi.ErrMismatch},
	} {
		found, err := panelOf(t, row.nodes...).search(t.Context(), "owner ", []byte("message "), 3, 9, genuine)
		require.ErrorIs(t, err, row.err, row.what)
		require.Equal(t, row.want, found, row.what)
		for _, n := range row.nodes {
			if row.err == nil {
				require.Equal(t, []string{"owner message 3 9"}, n.asked[:min(1, len(n.asked))], row.what)
			}
		}
	}
	found, err := panelOf(t, says("any")).FindMessage(t.Context(), "owner", nil, 1, 2)
	require.NoError(t, err)
	require.Equal(t, "any", found)
}
