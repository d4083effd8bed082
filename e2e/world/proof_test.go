package world

import (
	"strings"
	"testing"
	"time"
)

// follow does what a careful client does, through one endpoint: it asks for
// the transaction together with witnesses, in one call, at two finalized heads
// a finality apart, and reports whether that proves its death.
func follow(w *World, c *client, s Signature, hash Hash, born, last uint64) bool {
	c.t.Helper()
	low, high := witness(c, born, -1), witness(c, last+1, 1)
	if low == (Signature{}) || high == (Signature{}) {
		return false
	}
	for range 2 {
		var valid struct{ Value bool }
		if c.try(&valid, "isBlockhashValid", hash.String(), object{"minContextSlot": last + 1}) != nil || valid.Value {
			return false
		}
		got := c.statuses(s, low, high)
		if got.Value[0] != nil || !isFinal(got.Value[1]) || !isFinal(got.Value[2]) {
			return false
		}
		time.Sleep(time.Duration(w.chain.cfg.FinalityMax) * w.chain.cfg.SlotMax)
	}
	return true
}

func isFinal(s *status) bool { return s != nil && s.ConfirmationStatus == "finalized" }

// witness finds a transaction of a stranger in a finalized block, from a slot
// on in either direction.
func witness(c *client, slot uint64, step int) Signature {
	for range 40 {
		if c.code("getBlock", slot, object{"transactionDetails": "none"}) == 0 {
			if list := c.signatures(slot); len(list) > 0 {
				return list[0]
			}
		}
		slot += uint64(step)
	}
	return Signature{}
}

// TestProofPossible: from the time the oracle names, the proof succeeds; well
// before it, it does not.
func TestProofPossible(t *testing.T) {
	for name, n := range map[string]NodeConfig{
		"perfect": {}, "behind": {Lag: 70}, "pruned": {Gaps: Gaps{Keep: 400}}, "archive": {Gaps: Gaps{ArchiveLag: 900}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Seed: 6, Cluster: Cluster{SkipRate: 0.05}, Nodes: []NodeConfig{n}}
			inBubble(t, cfg, func(t *testing.T, w *World) {
				from := newSigner(1)
				w.Fund(from.key, sol)
				c := newClient(t, w, "rpc0")
				hash, told := c.blockhash("confirmed")
				s := signatureIn(payment(hash, from, Key{9}, 1))
				p := w.ProofPossible(w.Endpoints(), Question{Blockhash: hash})
				if !p.OK || time.Until(p.From) < 50*time.Second || time.Until(p.From) > 3*time.Minute {
					t.Fatalf("%+v, in %s", p, time.Until(p.From))
				}
				last, _ := w.LastHeight(hash)
				w.enter()
				lastSlot := w.chain.atHeight(last).slot
				w.mu.Unlock()
				time.Sleep(time.Until(p.From) - 30*time.Second)
				if follow(w, c, s, hash, told.Context.Slot, lastSlot) {
					t.Fatal("proven too early")
				}
				time.Sleep(time.Until(p.From))
				if !follow(w, c, s, hash, told.Context.Slot, lastSlot) {
					t.Fatal("not proven")
				}
				if p.Until.IsZero() {
					return
				}
				if again := w.ProofPossible(w.Endpoints(), Question{Blockhash: hash}); again != p {
					t.Errorf("%+v, then %+v", p, again)
				}
				time.Sleep(time.Until(p.Until) + time.Minute)
				if follow(w, c, s, hash, told.Context.Slot, lastSlot) {
					t.Fatal("proven too late")
				}
			})
		})
	}
}

// TestNoProof goes through providers of which none can prove, each with its
// reason.
func TestNoProof(t *testing.T) {
	for reason, n := range map[string]NodeConfig{
		"history is off":  {NoHistory: HistoryNull},
		"a node lies":     {Liar: LiarNull},
		"the store lacks": {Gaps: Gaps{HoleRate: 1}},
	} {
		inBubble(t, Config{Seed: 6, Nodes: []NodeConfig{n}}, func(t *testing.T, w *World) {
			time.Sleep(time.Minute)
			hash, _ := newClient(t, w, "rpc0").blockhash("confirmed")
			p := w.ProofPossible(w.Endpoints(), Question{Blockhash: hash})
			if p.OK || !strings.Contains(p.Reason, reason) {
				t.Errorf("%s: %+v", reason, p)
			}
		})
	}
}

// TestProofOfMajority: one liar of three does no harm, two do; and what
// executed is not dead.
func TestProofOfMajority(t *testing.T) {
	cfg := Config{Seed: 6, Nodes: []NodeConfig{{}, {Lag: 20}, {Liar: LiarOurs}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		from := newSigner(1)
		w.Fund(from.key, sol)
		c := newClient(t, w, "rpc0")
		hash, _ := c.blockhash("confirmed")
		all := w.Endpoints()
		if p := w.ProofPossible(all, Question{Blockhash: hash}); !p.OK {
			t.Errorf("%+v", p)
		}
		if p := w.ProofPossible(append(all, all[2]), Question{Blockhash: hash}); p.OK {
			t.Errorf("two of four: %+v", p)
		}
		s := c.send(payment(hash, from, Key{9}, 1))
		time.Sleep(time.Minute)
		if p := w.ProofPossible(all, Question{Signature: s}); p.OK || p.Reason != "it executed" {
			t.Errorf("%+v", p)
		}
		if p := w.ProofPossible(all, Question{Blockhash: Hash{1}}); p.OK {
			t.Errorf("%+v", p)
		}
	})
}

// TestProofOfNonce: dead once another transaction has advanced the nonce.
func TestProofOfNonce(t *testing.T) {
	inBubble(t, Config{Seed: 3}, func(t *testing.T, w *World) {
		owner, nonce := newSigner(1), Key{77}
		w.Fund(owner.key, sol)
		value := w.AddNonce(nonce, owner.key)
		c := newClient(t, w, "rpc0")
		q := Question{Blockhash: value, Nonce: nonce}
		time.Sleep(time.Hour)
		if p := w.ProofPossible(w.Endpoints(), q); p.OK {
			t.Fatalf("%+v", p)
		}
		c.send(build(-1, value, []signer{owner}, advanceStep(nonce, owner.key)))
		time.Sleep(2 * time.Second)
		p := w.ProofPossible(w.Endpoints(), q)
		if !p.OK || !p.Until.IsZero() || time.Until(p.From) > 20*time.Second {
			t.Fatalf("%+v, in %s", p, time.Until(p.From))
		}
		if seen, _ := c.nonceValue(nonce, "finalized"); seen != value {
			t.Fatal("finalized at once")
		}
		time.Sleep(time.Until(p.From) + time.Millisecond)
		if seen, _ := c.nonceValue(nonce, "finalized"); seen == value {
			t.Fatal("not finalized at the time named")
		}
	})
}
