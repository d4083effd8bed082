package wallet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence"
)

// node finds what a test says.
type node struct {
	signature string
	err       error
	asked     []string
}

func (n *node) FindMessage(_ context.Context, s walletfi.MessageSearch) (walletfi.FoundMessage, error) {
	n.asked = append(n.asked, fmt.Sprint(s.Owner, string(s.Message), s.Since, s.AsOf))
	return walletfi.FoundMessage{Signature: n.signature}, n.err
}

// searched is a node of a panel.
type searched struct {
	confirming
	*node
}

// following is a round, and a flight of which nothing is known.
func following() (*round, *flight) {
	tr := trackerOn(nil)
	f := &flight{
		parcel: &parcel{}, step: EntryStep{Signature: "s", Blockhash: "hash"}, owner: "owner ",
		begun: time.Now(), since: time.Now(), patience: tr.timeout, done: func(*flight) {},
		evidence: &walletfi.Evidence{After: Head{Slot: 1000, Height: 900}},
	}
	f.parcel.flights = []*flight{f}
	return &round{tracker: tr}, f
}

// TestSearchForAMessage: only a genuine signature that came without an error names a
// transaction. That it is not in the owner's history says nothing.
func TestSearchForAMessage(t *testing.T) {
	tx, name := signedTransfer(t)
	down := errors.New("down")
	waited := func(_ *round, f *flight) { f.since = time.Now().Add(-time.Hour) }
	for what, row := range map[string]struct {
		found string
		err   error
		spoil func(*round, *flight)
		named bool
		want  KeyState
		asked error
	}{
		"it is there":                  {found: name, named: true},
		"with an error":                {found: name, err: down, asked: down},
		"a forgery":                    {found: "1111111111111111111111111111111111111111111111111111111111111111"},
		"not there":                    {},
		"no answer":                    {err: down, asked: down},
		"no answer, for too long":      {err: down, asked: down, spoil: waited, want: KeyInDoubt},
		"not there, for too long":      {spoil: waited, want: KeyInDoubt},
		"nobody can search":            {found: name, spoil: func(r *round, _ *flight) { r.search = nil }},
		"nobody can, too long":         {spoil: func(r *round, f *flight) { r.search = nil; waited(r, f) }, want: KeyInDoubt},
		"it has ended meanwhile":       {spoil: func(r *round, f *flight) { waited(r, f); f.finished = true }},
		"it ended before it was named": {found: name, spoil: func(_ *round, f *flight) { f.finished = true }},
	} {
		t.Run(what, func(t *testing.T) {
			r, f := following()
			n := &node{signature: row.found, err: row.err}
			r.search = searchOne(n)
			f.step.Transaction, f.step.Signature, f.parcel.lost = tx, "", errors.New("the connection broke")
			if row.spoil != nil {
				row.spoil(r, f)
			}
			if r.findMessage(t.Context(), f); r.search != nil {
				require.Len(t, n.asked, 1)
				require.True(t, strings.HasPrefix(n.asked[0], "owner "))
				require.True(t, strings.HasSuffix(n.asked[0], "1000 0"), "since what was final at signing")
			}
			r.calls.Wait()
			require.Equal(t, row.named, f.step.Signature == name)
			require.Equal(t, row.named, f.hinted, "its status is asked for at once")
			require.Equal(t, row.want, f.verdict)
			require.Equal(t, row.asked, f.asked)
			if row.want != "" {
				require.ErrorContains(t, f.cause, "the connection broke")
			}
		})
	}
	r, f := following()
	n := &node{}
	r.search = searchOne(n)
	f.step.Transaction = "AQ=="
	r.findMessage(t.Context(), f)
	require.Error(t, f.asked, "its bytes are damaged")
	require.Empty(t, n.asked)
	require.Empty(t, f.verdict)
}

// TestNamedWhileItIsSearchedFor: a door may name a transaction during the search, which reads none but its
// bytes. The race detector sees the rest.
func TestNamedWhileItIsSearchedFor(t *testing.T) {
	tx, name := signedTransfer(t)
	r, f := following()
	f.step.Transaction = tx
	r.search = func(_ context.Context, _ string, _ []byte, _ uint64, genuine func(string) bool) (string, error) {
		var door sync.WaitGroup
		door.Go(func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			f.step.Signature = name
		})
		defer door.Wait()
		require.True(t, genuine(name))
		return "", nil
	}
	r.findMessage(t.Context(), f)
	require.NoError(t, f.asked)
	require.Equal(t, name, f.step.Signature)
}

// TestSearchInAPanel: a forgery of one node is as good as no answer.
func TestSearchInAPanel(t *testing.T) {
	tx, name := signedTransfer(t)
	r, f := following()
	f.step.Transaction = tx
	for want, nodes := range map[string][]*node{
		name: {{signature: "forged"}, {signature: name}, {}}, "": {{signature: "forged"}, {}, {}},
	} {
		var confirmers panelists
		for _, n := range nodes {
			confirmers = append(confirmers, searched{confirming{&Honest{}}, n})
		}
		several, err := evidence.NewPanel(confirmers)
		require.NoError(t, err)
		defer several.Close()
		r.search = several.Search
		f.step.Signature = ""
		r.findMessage(t.Context(), f)
		require.NoError(t, f.asked)
		require.Equal(t, want, f.step.Signature)
	}
}

// single is a confirmer that takes one question at a time, sixteen at once.
type single struct {
	mu          sync.Mutex
	under, most int
	asked       map[string]int
}

func (s *single) SignatureStatus(_ context.Context, signature string) (walletfi.SignatureStatus, error) {
	s.mu.Lock()
	s.under++
	s.most = max(s.most, s.under)
	s.asked[signature]++
	s.mu.Unlock()
	<-time.After(time.Second)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.under--
	return walletfi.SignatureStatus{}, nil
}

// TestOneByOne: each is asked for once, sixteen at once, and the round lasts as long as
// the questions.
func TestOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := following()
		n := &single{asked: map[string]int{}}
		r.confirmer = n
		for i := range 40 {
			_, f := following()
			f.step.Signature = fmt.Sprint("s", i)
			r.known = append(r.known, question{f, f.step.Signature})
		}
		begun := time.Now()
		r.oneByOne(t.Context())
		require.Equal(t, 3*time.Second, time.Since(begun))
		require.Equal(t, singles, n.most)
		require.Len(t, n.asked, 40)
		for signature, times := range n.asked {
			require.Equal(t, 1, times, signature)
		}
		for _, q := range r.known {
			require.Empty(t, q.verdict)
			require.True(t, q.lost)
		}
	})
}

// TestVerdictOfAStatus: a success counts at the commitment that is asked for, a failure
// only when it is final: on a fork that is left, the same transaction may succeed.
func TestVerdictOfAStatus(t *testing.T) {
	const processed, confirmed = walletfi.CommitmentProcessed, walletfi.CommitmentConfirmed
	const finalized = walletfi.CommitmentFinalized
	for _, row := range []struct {
		status walletfi.SignatureStatus
		want   map[walletfi.Commitment]KeyState // by what is asked for
	}{
		{walletfi.SignatureStatus{}, nil},
		{walletfi.SignatureStatus{Found: true, Commitment: processed}, nil},
		{walletfi.SignatureStatus{Found: true, Commitment: confirmed},
			map[walletfi.Commitment]KeyState{confirmed: KeyConfirmed}},
		{walletfi.SignatureStatus{Found: true, Commitment: finalized},
			map[walletfi.Commitment]KeyState{confirmed: KeyConfirmed, finalized: KeyConfirmed}},
		{walletfi.SignatureStatus{Found: true}, nil},
		{walletfi.SignatureStatus{Found: true, Err: "Custom", Commitment: processed}, nil},
		{walletfi.SignatureStatus{Found: true, Err: "Custom", Commitment: confirmed}, nil},
		{walletfi.SignatureStatus{Found: true, Err: "Custom"}, nil},
		{walletfi.SignatureStatus{Found: true, Err: "Custom", Commitment: finalized},
			map[walletfi.Commitment]KeyState{confirmed: KeyFailed, finalized: KeyFailed}},
		{walletfi.SignatureStatus{Err: "Custom", Commitment: finalized}, nil},
	} {
		for _, commitment := range []walletfi.Commitment{confirmed, finalized} {
			r, f := following()
			r.commitment, f.parcel.lost = commitment, walletfi.ErrOutcomeUnknown
			r.judge(question{f, f.step.Signature}, row.status, nil)
			r.calls.Wait()
			require.Equal(t, row.want[commitment], f.verdict, "%+v at %s", row.status, commitment)
			require.Equal(t, !row.status.Found, f.lost)
			if f.verdict == KeyFailed {
				want := fmt.Sprintf("%v: %v: the ledger says Custom", ErrFailed, walletfi.ErrRejected)
				require.EqualError(t, f.cause, want)
			}
			r, f = following()
			r.judge(question{f, f.step.Signature}, row.status, errors.New("it broke off"))
			require.Empty(t, f.verdict, "what comes with an error is no answer")
			require.Zero(t, f.status)
			require.False(t, f.lost)
		}
	}
	least := newTracker(Config{Commitment: processed}, nil).commitment
	require.Equal(t, confirmed, least, "processed counts as confirmed")
	require.Equal(t, finalized, newTracker(Config{Commitment: finalized}, nil).commitment)
}

// TestStatusOfAnEarlierName: a relay that signs once more names another signature while
// the status of the first is on its way. What executed is told by the name that it bears.
func TestStatusOfAnEarlierName(t *testing.T) {
	final := walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentFinalized}
	for _, row := range []struct {
		status walletfi.SignatureStatus
		err    error
		name   string
		want   KeyState
	}{
		{final, nil, "first", KeyConfirmed},
		{walletfi.SignatureStatus{Found: true, Err: "Custom", Commitment: final.Commitment}, nil, "first", KeyFailed},
		{walletfi.SignatureStatus{Found: true}, nil, "first", ""},
		{walletfi.SignatureStatus{}, nil, "second", ""},
		{final, errors.New("it broke off"), "second", ""},
	} {
		r, f := following()
		f.step.Signature = "second"
		r.judge(question{f, "first"}, row.status, row.err)
		r.calls.Wait()
		require.Equal(t, row.name, f.step.Signature, "%+v %v", row.status, row.err)
		require.Equal(t, row.want, f.verdict)
		require.False(t, f.lost, "the second was not asked for")
		require.Equal(t, row.name == "second", f.hinted, "it is asked for next")
	}
}
