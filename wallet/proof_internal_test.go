package wallet

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// oracle is a node that answers about blockhashes and nonces what a test says.
type oracle struct {
	valid bool
	value string
	at    uint64
	err   error
	asked []string
}

func (o *oracle) BlockhashValid(_ context.Context, blockhash string) (bool, uint64, error) {
	o.asked = append(o.asked, blockhash)
	return o.valid, o.at, o.err
}

func (o *oracle) NonceValue(_ context.Context, account string) (string, uint64, error) {
	o.asked = append(o.asked, account)
	return o.value, o.at, o.err
}

// signedAtSlot is when a flight of these tests was signed, at height 500.
const signedAtSlot = 1000

// following is a round at a believed head, and a flight that was signed before it on
// the last valid height 600.
func following(head Head) (*round, *flight) {
	begun := time.Now().Add(-time.Hour)
	r := &round{
		tracker: &tracker{heads: &heads{slotTime: 400 * time.Millisecond}},
		head:    sample{head, time.Now()},
	}
	f := &flight{
		cargo: &cargo{}, step: EntryStep{Signature: "s", Blockhash: "hash", Last: 600},
		signing: sample{Head{Slot: signedAtSlot, Height: 500}, begun}, signedAt: begun, first: signedAtSlot,
	}
	return r, f
}

func at(height uint64) Head { return Head{Slot: signedAtSlot + height - 500, Height: height} }

// TestEndOfATransaction: the later of the service's word and of what the height at
// signing allows. A height that is not known never counts as passed.
func TestEndOfATransaction(t *testing.T) {
	for _, row := range []struct {
		what          string
		last, signing uint64
		nonce         string
		want          uint64
	}{
		{"the service's word is earlier", 600, 500, "", 650},
		{"it is later", 700, 500, "", 700},
		{"as late as any blockhash", 714, 500, "", 714},
		{"later than any blockhash", 715, 500, "", 650},
		{"none was told", 0, 500, "", 650},
		{"no height is known at signing", 600, 0, "", 600},
		{"nothing is known", 0, 0, "", 0},
		{"a durable nonce ends at no height", 600, 500, "account", 0},
	} {
		f := &flight{step: EntryStep{Last: row.last, NonceAccount: row.nonce}, signing: sample{Head: Head{Height: row.signing}}}
		require.Equal(t, row.want, f.end(), row.what)
	}
}

// TestDeadByHeight: without a node that tells of blockhashes the end must be passed by
// as much as a node may lag.
func TestDeadByHeight(t *testing.T) {
	const end = 650
	for _, row := range []struct {
		what   string
		height uint64
		spoil  func(*round, *flight) (asOf uint64)
		want   bool
	}{
		{"at the end and the lag", end + maxLag, nil, false},
		{"past it", end + maxLag + 1, nil, true},
		{"a status that tells no slot", end + maxLag + 1, func(*round, *flight) uint64 { return 0 }, false},
		{"a status that is older than the head", end + maxLag + 1, func(r *round, _ *flight) uint64 { return r.head.Slot - 1 }, false},
		{"a head without a slot", end + maxLag + 1, func(r *round, _ *flight) uint64 { r.head.Slot = 0; return 9999 }, false},
		{"no slot at signing", end + maxLag + 1, func(r *round, f *flight) uint64 { f.signing.Slot = 0; return r.head.Slot }, false},
		{"nothing known at signing", end + maxLag + 1, func(r *round, f *flight) uint64 { f.signing.Head, f.step.Last = Head{}, 0; return r.head.Slot }, false},
		{"an end of 1", 1 + maxLag + 1, func(r *round, f *flight) uint64 {
			f.signing.Head, f.step.Last = Head{signedAtSlot - 500, 0}, 1
			return r.head.Slot
		}, true},
		{"the head at signing was wrong", end + maxLag + 1, func(r *round, f *flight) uint64 { f.signing.Height = 2000; return r.head.Slot }, false},
	} {
		r, f := following(at(row.height))
		asOf := r.head.Slot
		if row.spoil != nil {
			asOf = row.spoil(r, f)
		}
		dead, err := r.dead(t.Context(), f, asOf)
		require.NoError(t, err)
		require.Equal(t, row.want, dead, row.what)
	}
}

// TestDeadByBlockhash: past the end and a margin, on the word of a node that is as
// recent as the head, with a status that is as recent as that word.
func TestDeadByBlockhash(t *testing.T) {
	const end = 650
	r, f := following(at(end + margin))
	node := &oracle{at: r.head.Slot}
	r.blockhash = node
	dead, err := r.dead(t.Context(), f, r.head.Slot)
	require.NoError(t, err)
	require.False(t, dead, "not past the margin")
	require.Empty(t, node.asked)

	r, f = following(at(end + margin + 1))
	r.blockhash = node
	ask := func(asOf uint64) bool {
		t.Helper()
		dead, err := r.dead(t.Context(), f, asOf)
		require.NoError(t, err)
		return dead
	}
	node.at = r.head.Slot - 1
	require.False(t, ask(r.head.Slot), "the node lags behind the head")
	node.at, node.valid = r.head.Slot+5, true
	require.False(t, ask(r.head.Slot+9), "it is good")
	node.valid = false
	require.False(t, ask(r.head.Slot+4), "the status is older")
	require.Equal(t, r.head.Slot+5, f.goneAt)
	require.True(t, ask(r.head.Slot+5))
	node.at = r.head.Slot + 3
	require.True(t, ask(r.head.Slot+3), "the earliest word counts")
	node.at, node.valid = r.head.Slot+8, true
	require.False(t, ask(r.head.Slot+9))
	require.Zero(t, f.goneAt, "a word against it ends what was said before")
	require.Equal(t, "hash", node.asked[0])

	node.valid, node.err = false, errors.New("gone")
	_, err = r.dead(t.Context(), f, r.head.Slot)
	require.Equal(t, node.err, err)
	require.Zero(t, f.goneAt)
	f.step.Blockhash = ""
	require.False(t, ask(r.head.Slot), "no blockhash to ask for: as without such a node")
}

// TestDeadAfterAWrongHead: if the head at signing was wrong, only a node that does not
// know the blockhash, long after signing, proves anything.
func TestDeadAfterAWrongHead(t *testing.T) {
	for _, row := range []struct {
		what  string
		since time.Duration
		spoil func(*round, *flight)
		want  bool
	}{
		{"long after", oldEnough, func(*round, *flight) {}, true},
		{"by a node at the first slot", oldEnough, func(r *round, _ *flight) { r.head.Slot = 1; r.blockhash = &oracle{at: 1} }, true},
		{"soon after", oldEnough - time.Second, func(*round, *flight) {}, false},
		{"no such node", time.Hour, func(r *round, _ *flight) { r.blockhash = nil }, false},
		{"no blockhash", time.Hour, func(_ *round, f *flight) { f.step.Blockhash = "" }, false},
		{"signed at no known time", time.Hour, func(_ *round, f *flight) { f.signedAt = time.Time{} }, false},
	} {
		r, f := following(at(900))
		f.signing.Height = 5000
		c := &handClock{now: time.Now()}
		r.clock, f.signedAt = c, c.now.Add(-row.since)
		r.blockhash = &oracle{at: r.head.Slot}
		row.spoil(r, f)
		dead, err := r.dead(t.Context(), f, r.head.Slot)
		require.NoError(t, err)
		require.Equal(t, row.want, dead, row.what)
		require.Equal(t, r.head.Head, f.signing.Head, "from now on it is reckoned from this head")
	}
}

// TestDeadByNonce: on a value from after the one that was signed on was seen, or from
// so late that no node lags as much, and a status as recent as that value.
func TestDeadByNonce(t *testing.T) {
	setUp := func() (*round, *flight, *oracle, func(value string, at, asOf uint64) bool) {
		r, f := following(at(510))
		node := &oracle{}
		r.nonces, f.step.NonceAccount = node, "account"
		return r, f, node, func(value string, at, asOf uint64) bool {
			t.Helper()
			node.value, node.at = value, at
			dead, err := r.dead(t.Context(), f, asOf)
			require.NoError(t, err)
			return dead
		}
	}
	r, f, node, ask := setUp()
	require.False(t, ask("hash", 1010, 1010), "still held")
	require.False(t, ask("other", 1010, 1010), "no later than that")
	require.False(t, ask("other", 1011, 1010), "the status is older")
	require.True(t, ask("other", 1012, 1011), "it was used at 1011")
	require.False(t, ask("hash", 1013, 1013), "held after all, as on another fork")
	require.Zero(t, f.usedAt)
	require.False(t, ask("", 2000, 2000), "an answer without a value")
	require.False(t, ask("other", 0, 2000), "or without a slot")
	require.Equal(t, []string{"account", "account"}, node.asked[:2])
	node.err, node.value, node.at = errors.New("away"), "other", 2000
	dead, err := r.dead(t.Context(), f, 2000)
	require.Equal(t, node.err, err)
	require.False(t, dead, "what comes with an error is no answer")
	r.nonces = nil
	dead, err = r.dead(t.Context(), f, 2000)
	require.NoError(t, err)
	require.False(t, dead, "nobody tells nonces")

	_, _, _, ask = setUp()
	require.False(t, ask("hash", 1, 1), "held at the first slot")
	require.False(t, ask("other", 1, 1), "no later than that")
	require.True(t, ask("other", 2, 2))
	r, f, _, ask = setUp()
	r.heads, r.head, f.signing = nil, sample{}, sample{}
	require.False(t, ask("other", 1000, 5000), "nobody tells heads")
	require.Equal(t, uint64(1000+maxLag), f.lateAt)
	r, f, _, ask = setUp()
	r.head.Head, f.signing.Head = Head{1, 1}, Head{1, 1}
	require.False(t, ask("other", 10, 10))
	require.Equal(t, uint64(1+maxLag), f.lateAt)

	_, f, _, ask = setUp()
	require.False(t, ask("other", signedAtSlot+maxLag, 5000), "it may be the value before")
	require.Equal(t, uint64(signedAtSlot+maxLag), f.lateAt)
	require.True(t, ask("other", signedAtSlot+maxLag+1, 5000))

	// If the head at signing was wrong, it counts from the first answer on.
	_, f, _, ask = setUp()
	f.signing.Height = 5000
	require.False(t, ask("other", 3000, 5000))
	require.Equal(t, uint64(3000+maxLag), f.lateAt)
	require.False(t, ask("other", 3000+maxLag, 5000))
	require.True(t, ask("other", 3001+maxLag, 5000))
}

// TestHeadsThatAreBelieved: no more blocks than slots, and no more slots than the time
// allows; a wrong one is outvoted by five that agree.
func TestHeadsThatAreBelieved(t *testing.T) {
	h := &heads{slotTime: 400 * time.Millisecond}
	now := time.Now()
	s := func(slot, height uint64, after time.Duration) sample {
		return sample{Head{slot, height}, now.Add(after)}
	}
	base := s(1000, 900, 0)
	for _, row := range []struct {
		what string
		next sample
		want bool
	}{
		{"the same", base, true},
		{"a slot without a block", s(1001, 900, 0), true},
		{"a block a slot", s(1016, 916, 0), true},
		{"ahead of the clock", s(1017, 917, 0), false},
		{"in time", s(1017, 917, 350*time.Millisecond), true},
		{"more blocks than slots", s(1001, 902, time.Second), false},
		{"a lower height", s(1001, 899, time.Second), false},
		{"a lower slot", s(999, 900, time.Second), false},
		{"before, by a clock that was set back", s(1001, 901, -time.Second), false},
	} {
		require.Equal(t, row.want, h.follows(base, row.next), row.what)
	}
	require.True(t, h.follows(s(0, 900, 0), s(0, 916, 0)), "heights alone")
	require.False(t, h.follows(s(0, 900, 0), s(0, 917, 0)))
	require.False(t, h.follows(s(0, 900, 0), s(5000, 901, 0)), "a source that begins to tell slots")
	require.False(t, h.follows(s(5000, 900, 0), s(0, 901, 0)))
	require.Zero(t, h.most(-1))
	require.Equal(t, uint64(headSlack), h.most(349*time.Millisecond))
	require.Equal(t, uint64(headSlack+1), h.most(350*time.Millisecond))

	last := Head{1000, 900}
	require.True(t, lags(last, Head{990, 890}))
	require.True(t, lags(last, Head{990, 895}), "some slots had no block")
	require.True(t, lags(last, last))
	require.False(t, lags(last, Head{990, 889}), "more blocks than slots are between")
	require.False(t, lags(last, Head{1001, 890}))
	require.False(t, lags(last, Head{990, 901}))
}

// TestHeadThatIsOutvoted: of five in a row that agree with each other, the last is
// believed. One that lags says nothing, and one that fits ends the row.
func TestHeadThatIsOutvoted(t *testing.T) {
	h := &heads{slotTime: 400 * time.Millisecond}
	require.Zero(t, h.expected(), "nothing is known")
	h.learn(Head{5000, 5000}) // wrong: the chain is at 1000
	require.Equal(t, uint64(5000), h.expected())
	for i := range uint64(headRefusals - 1) {
		h.learn(Head{1000 + i, 5001 + i})
		require.Equal(t, Head{5000, 5000}, h.latest().Head, "refusal %d", i+1)
	}
	h.learn(Head{4000, 4000}) // lags behind the one that is believed
	h.learn(Head{5001, 5001})
	require.Equal(t, Head{5001, 5001}, h.latest().Head, "it fits")
	for i := range uint64(headRefusals - 1) {
		h.learn(Head{1000 + i, 5900 + i})
	}
	h.learn(Head{10, 9000}) // another wrong one begins another row
	require.Len(t, h.rejected, 1)
	for i := range uint64(headRefusals) {
		require.Equal(t, Head{5001, 5001}, h.latest().Head, "%d", i)
		h.learn(Head{1000 + i, 5900 + i})
	}
	require.Equal(t, Head{1004, 5904}, h.latest().Head)
}

// TestFreshHead: one that is recent enough is not asked for again, and a failure is
// told.
func TestFreshHead(t *testing.T) {
	reads, told, failure, calls := 0, Head{1000, 900}, error(nil), []context.Context(nil)
	h := &heads{slotTime: 400 * time.Millisecond, asking: make(chan struct{}, 1), read: func(ctx context.Context) (Head, error) {
		reads, calls = reads+1, append(calls, ctx)
		deadline, ok := ctx.Deadline()
		require.True(t, ok)
		require.WithinDuration(t, time.Now().Add(5*time.Second), deadline, 2*time.Second)
		return told, failure
	}}
	for range 2 {
		head, err := h.fresh(t.Context(), time.Hour)
		require.NoError(t, err)
		require.Equal(t, told, head)
		require.Equal(t, 1, reads)
	}
	_, err := h.fresh(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, 2, reads)
	for _, ctx := range calls {
		require.Error(t, ctx.Err(), "it ends with the question")
	}
	failure = errors.New("away")
	_, err = h.fresh(t.Context(), 0)
	require.Equal(t, failure, err)
	h.asking <- struct{}{}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = h.fresh(ended, 0)
	require.ErrorIs(t, err, context.Canceled)
	<-h.asking
	// A height of 0 is none: it is asked for again.
	empty := &heads{slotTime: time.Second, asking: make(chan struct{}, 1), read: func(context.Context) (Head, error) { reads++; return Head{}, nil }}
	before := reads
	for range 2 {
		_, err = empty.fresh(t.Context(), time.Hour)
		require.NoError(t, err)
	}
	require.Equal(t, before+2, reads)
}

// heighter tells a height alone.
type heighter struct{ err error }

func (h heighter) BlockHeight(context.Context) (uint64, error) { return 7, h.err }

func TestHeadSource(t *testing.T) {
	require.Nil(t, headSource(nil, "no source"))
	head, err := headSource("no source", heighter{})(t.Context())
	require.NoError(t, err)
	require.Equal(t, Head{0, 7}, head)
	_, err = headSource(heighter{context.Canceled})(t.Context())
	require.ErrorIs(t, err, context.Canceled)
}

// TestAgeOfAHead: one that is exactly as old as it may be is not asked for again, and
// one from a time that the clock has not reached is of no known age.
func TestAgeOfAHead(t *testing.T) {
	c := &handClock{now: time.Now()}
	h := &heads{slotTime: 400 * time.Millisecond, clock: c}
	for _, row := range []struct {
		ago  time.Duration
		want bool
	}{{0, true}, {time.Second, true}, {time.Second + 1, false}, {-1, false}, {-time.Hour, false}} {
		require.Equal(t, row.want, h.young(sample{Head{1000, 900}, c.now.Add(-row.ago)}, time.Second), "%v", row.ago)
	}
	require.True(t, h.young(sample{Head{1000, 1}, c.now}, 0))
	require.False(t, h.young(sample{Head{1000, 0}, c.now}, 0), "a height of 0 is none")
	h.last = sample{Head{1000, 900}, c.now.Add(-4 * time.Second)}
	require.Equal(t, uint64(910), h.expected())
}

// TestOneQuestionForAll: callers that come while the head is asked for share the answer.
func TestOneQuestionForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		h := &heads{slotTime: 400 * time.Millisecond, asking: make(chan struct{}, 1), read: func(context.Context) (Head, error) {
			reads++
			<-time.After(time.Second)
			return Head{1000, 900}, nil
		}}
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				head, err := h.fresh(t.Context(), 0)
				require.NoError(t, err)
				require.Equal(t, Head{1000, 900}, head)
			})
		}
		all.Wait()
		require.Equal(t, 1, reads)
	})
}
