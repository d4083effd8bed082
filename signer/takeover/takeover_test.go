package takeover

import (
	"crypto/ed25519"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

type keyOf = ed25519.PublicKey

var (
	requestsFlag = flag.Int("takeover.requests", 2000, "how many requests the client makes")
	seedFlag     = flag.Uint64("takeover.seed", 1, "where the client's choices begin")
)

// episode is how many requests one signer, its ledger and its client last.
const episode = 200

// drawn is a plan without a planted fault: at most one of two or more nodes lies.
func drawn(d *dice) plan {
	q := plan{nodes: d.n(3), turns: d.in(3), hoards: d.in(6), drains: d.in(5), flaky: d.in(6), early: d.in(2)}
	if q.nodes > 0 {
		q.liars, q.lie = d.n(2), lie(1+d.n(63))
	}
	return q
}

func (n *counts) add(m counts) {
	n.requests += m.requests
	n.signed += m.signed
	n.held += m.held
	n.nonces += m.nonces
	n.restores += m.restores
	n.windows += m.windows
	n.frozen += m.frozen
	n.made += m.made
	n.madeSigned += m.madeSigned
	n.exited += m.exited
	n.robbed += m.robbed
	n.above = append(n.above, m.above...)
	n.unlogged = append(n.unlogged, m.unlogged...)
}

func play(t testing.TB, seed uint64, requests int, draw func(*dice) plan) counts {
	d := &dice{r: rand.New(rand.NewPCG(seed, 29))}
	r := newRig(t, seed, draw(d))
	n := newAttacker(t, r, d).run(requests)
	for _, f := range append(n.above, n.unlogged...) {
		t.Logf("seed %d, %+v: %s", seed, r.plan, f)
	}
	return n
}

// TestTakeover: whatever a client asks for, and whenever it sends what it got, no more leaves
// than the ceilings allow.
func TestTakeover(t *testing.T) {
	var sum counts
	for seed := *seedFlag; sum.requests < *requestsFlag; seed++ {
		sum.add(play(t, seed, min(episode, *requestsFlag-sum.requests), drawn))
	}
	fmt.Printf("requests=%d signed=%d held=%d nonces=%d restores=%d windows checked=%d above a ceiling=%d unlogged=%d\n",
		sum.requests, sum.signed, sum.held, sum.nonces, sum.restores, sum.windows, len(sum.above), len(sum.unlogged))
	t.Logf("owners made: %d, signed for them: %d; signed in exit mode: %d; owners frozen: %d", sum.made, sum.madeSigned,
		sum.exited, sum.robbed)
	require.Empty(t, sum.above)
	require.Empty(t, sum.unlogged)
	if sum.requests >= 2000 {
		share := func(what string, is, least int) {
			require.Greater(t, is*100, least*sum.requests, "%s: %d", what, is)
		}
		share("signed", sum.signed, 15)
		share("held", sum.held, 15)
		share("nonces", sum.nonces, 1)
		share("windows", sum.windows, 100)
		require.Greater(t, sum.restores*200, sum.requests, "restores: %d", sum.restores)
		require.Greater(t, sum.frozen*200, sum.requests, "frozen: %d", sum.frozen)
	}
}

// TestTakeoverFindsPlanted: the judge sees what it is there for.
func TestTakeoverFindsPlanted(t *testing.T) {
	for _, row := range []struct {
		what string
		plan plan
	}{
		{"ceilings that are twice as high", plan{ceilings: 2}},
		{"windows that are half as long", plan{halved: true, drains: true}},
		{"exposures that are ten times as high", plan{exposures: 10, turns: true}},
		{"transactions that never die", plan{nodes: 1, undying: true, hoards: true}},
		{"somebody thaws", plan{thaws: true}},
		{"an entry of the log is lost", plan{forgets: true}},
		{"a copy is restored with its anchor", plan{withAnchor: true}},
	} {
		found := 0
		for seed := uint64(1); seed <= 12 && found == 0; seed++ {
			d := &dice{r: rand.New(rand.NewPCG(seed, 30))}
			n := newAttacker(t, newRig(t, seed, row.plan), d).run(episode)
			found += len(n.above) + len(n.unlogged)
		}
		t.Logf("%s: found %d", row.what, found)
		require.Positive(t, found, row.what)
	}
}

// FuzzTakeover takes the client's choices from the fuzzer.
func FuzzTakeover(f *testing.F) {
	f.Add(uint64(1), []byte("a few choices"))
	f.Fuzz(func(t *testing.T, seed uint64, choices []byte) {
		d := &dice{r: rand.New(rand.NewPCG(seed, 31)), b: choices}
		n := newAttacker(t, newRig(t, seed, drawn(d)), d).run(min(10+len(choices)/20, episode))
		require.Empty(t, n.above)
		require.Empty(t, n.unlogged)
	})
}
