package wallet

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
)

// TestSearchForAMessage: only a genuine signature that came without an error names a
// transaction, and only a search in vain says that it is not there.
func TestSearchForAMessage(t *testing.T) {
	tx, name := signedTransfer(t)
	down := errors.New("down")
	const gone = 650 + maxLag + 1
	for what, row := range map[string]struct {
		found  string
		err    error
		height uint64
		spoil  func(*round, *flight)
		named  bool
		want   KeyState
		asked  error
	}{
		"it is there":                  {found: name, height: gone, named: true},
		"with an error":                {found: name, err: down, height: gone, asked: down},
		"a forgery":                    {found: "1111111111111111111111111111111111111111111111111111111111111111", height: gone},
		"not there, and gone":          {height: gone, want: KeyExpired},
		"not there yet":                {height: 650},
		"no answer":                    {err: down, height: gone, asked: down},
		"not there, for too long":      {height: 651, spoil: func(_ *round, f *flight) { f.since = time.Now().Add(-time.Hour) }, want: KeyInDoubt},
		"nobody can search":            {height: gone, spoil: func(r *round, _ *flight) { r.finder = nil }},
		"nobody can, for too long":     {height: 651, spoil: func(r *round, f *flight) { r.finder = nil; f.since = time.Now().Add(-time.Hour) }, want: KeyInDoubt},
		"it has ended meanwhile":       {height: gone, spoil: func(_ *round, f *flight) { f.finished = true }},
		"it ended before it was named": {found: name, height: gone, spoil: func(_ *round, f *flight) { f.finished = true }},
	} {
		t.Run(what, func(t *testing.T) {
			r, f := following(at(row.height))
			n := &node{signature: row.found}
			n.err = row.err
			r.finder, r.timeout, r.commitment = n, time.Minute, walletfi.CommitmentConfirmed
			f.step.Transaction, f.step.Signature, f.since, f.done = tx, "", time.Now(), func(*flight) {}
			f.cargo.flights, f.cargo.lost = []*flight{f}, errors.New("the connection broke")
			if row.spoil != nil {
				row.spoil(r, f)
			}
			r.findMessage(t.Context(), f)
			r.calls.Wait()
			require.Equal(t, row.named, f.step.Signature == name)
			require.Equal(t, row.named, f.hinted, "its status is asked for at once")
			require.Equal(t, row.want, f.verdict)
			if row.asked == nil {
				require.NoError(t, f.asked)
			} else {
				require.ErrorIs(t, f.asked, row.asked)
			}
			if row.want != "" {
				require.ErrorContains(t, f.cause, "the connection broke")
			}
		})
	}
	r, f := following(at(gone))
	n := &node{}
	r.finder, r.timeout = n, time.Hour
	f.step.Transaction, f.since = "AQ==", time.Now()
	r.findMessage(t.Context(), f)
	require.Error(t, f.asked, "its bytes are damaged")
	require.Empty(t, n.asked)
	require.Empty(t, f.verdict)
}

// TestSearchInAPanel: a forgery of one node is as good as no answer.
func TestSearchInAPanel(t *testing.T) {
	tx, name := signedTransfer(t)
	r, f := following(at(600))
	f.step.Transaction = tx
	r.finder = panelOf(t, &node{signature: "forged"}, &node{signature: name}, &node{})
	found, err := r.search(t.Context(), f, []byte("message"))
	require.NoError(t, err)
	require.Equal(t, name, found)
	r.finder = panelOf(t, &node{signature: "forged"}, &node{}, &node{})
	found, err = r.search(t.Context(), f, []byte("message"))
	require.NoError(t, err)
	require.Empty(t, found)
}

// TestSearchBegins at a slot that the ledger had not passed at signing, by what was told
// then and by the clock.
func TestSearchBegins(t *testing.T) {
	now := time.Now()
	for what, row := range map[string]struct {
		first uint64
		head  uint64
		ago   time.Duration
		spoil func(*round, *flight)
		want  uint64
	}{
		"what was told at signing":   {first: 1000, head: 1010, ago: time.Hour, want: 0},
		"soon after":                 {first: 1000, head: 1010, ago: 0, want: 1010 - maxLag - headSlack},
		"told early":                 {first: 800, head: 1010, ago: 0, want: 800 - maxLag},
		"near the first slot":        {first: 149, head: 1010, ago: 0, want: 0},
		"at the lag":                 {first: 151, head: 1010, ago: 0, want: 1},
		"by the clock":               {first: 5000, head: 1010, ago: 35 * time.Second, want: 1010 - maxLag - headSlack - 100},
		"by the clock, at the first": {first: 5000, head: 166, ago: 0, want: 0},
		"a block later":              {first: 5000, head: 167, ago: 0, want: 1},
		"no heads":                   {first: 1000, head: 1010, spoil: func(r *round, _ *flight) { r.heads = nil }},
		"signed at no known time":    {first: 1000, head: 1010, spoil: func(_ *round, f *flight) { f.signedAt = time.Time{} }},
		"signed in the future":       {first: 1000, head: 1010, ago: -1},
	} {
		r, f := following(Head{row.head, 600})
		r.head.at, f.first, f.signedAt = now, row.first, now.Add(-row.ago)
		if row.spoil != nil {
			row.spoil(r, f)
		}
		require.Equal(t, row.want, r.sinceSigning(f), what)
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
// the questions. Without a slot nothing is proven, at the first slot either.
func TestOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, dead := following(Head{1, 900})
		dead.signing.Height, dead.since, dead.done = 5000, time.Now(), func(*flight) {}
		r.blockhash, r.timeout = &oracle{at: 1}, time.Hour
		n := &single{asked: map[string]int{}}
		r.confirmer = n
		for i := range 40 {
			f := *dead
			f.step.Signature = fmt.Sprint("s", i)
			f.cargo = &cargo{flights: []*flight{&f}}
			r.known = append(r.known, question{&f, f.step.Signature})
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
		}
	})
}

// TestWhyItExpired: an answer that was lost is told beside the verdict, and is no other
// outcome. A failure speaks for itself.
func TestWhyItExpired(t *testing.T) {
	for _, failed := range []bool{false, true} {
		for _, lost := range []error{nil, walletfi.ErrOutcomeUnknown} {
			r, f := following(at(650 + maxLag + 1))
			r.commitment, f.done = walletfi.CommitmentConfirmed, func(*flight) {}
			f.cargo.flights, f.cargo.lost = []*flight{f}, lost
			status := walletfi.SignatureStatus{}
			if failed {
				status = walletfi.SignatureStatus{Found: true, Err: "Custom", Commitment: walletfi.CommitmentConfirmed}
			}
			r.judge(t.Context(), f, status, r.head.Slot, nil)
			r.calls.Wait()
			if failed {
				require.Equal(t, KeyFailed, f.verdict)
				require.EqualError(t, f.cause, fmt.Sprintf("%v: %v: the ledger says Custom", ErrFailed, walletfi.ErrRejected))
				continue
			}
			require.Equal(t, KeyExpired, f.verdict)
			require.ErrorIs(t, f.cause, ErrExpired)
			require.NotErrorIs(t, f.cause, walletfi.ErrOutcomeUnknown)
			want := ErrExpired.Error()
			if lost != nil {
				want += " (" + lost.Error() + ")"
			}
			require.EqualError(t, f.cause, want)
		}
	}
}
