package world

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"
	"time"
)

// nonceValue reads the value from the account's data.
func (c *client) nonceValue(k Key, level string) (value Hash, slot uint64) {
	c.t.Helper()
	var info struct {
		Context struct{ Slot uint64 }
		Value   struct {
			Data     []string
			Owner    string
			Lamports uint64
			Space    int
		}
	}
	c.call(&info, "getAccountInfo", k.String(), object{"encoding": "base64", "commitment": level})
	data, err := base64.StdEncoding.DecodeString(info.Value.Data[0])
	if err != nil || len(data) != 80 || info.Value.Space != 80 {
		c.t.Fatalf("nonce data %v: %v", data, err)
	}
	if binary.LittleEndian.Uint32(data) != 1 || binary.LittleEndian.Uint32(data[4:]) != 1 {
		c.t.Fatalf("nonce data begins with %v", data[:8])
	}
	return Hash(data[40:72]), info.Context.Slot
}

// TestNonceLives: a durable nonce's transaction lives until the nonce's value
// changes, however long that takes, and dies with it.
func TestNonceLives(t *testing.T) {
	inBubble(t, Config{Seed: 3}, func(t *testing.T, w *World) {
		owner, nonce := newSigner(1), Key{77}
		w.Fund(owner.key, sol)
		first := w.AddNonce(nonce, owner.key)
		c := newClient(t, w, "rpc0")
		if got, _ := c.nonceValue(nonce, "finalized"); got != first {
			t.Fatalf("value %s, want %s", got, first)
		}
		pay := func(value Hash, n uint64) []byte {
			return build(-1, value, []signer{owner}, advanceStep(nonce, owner.key), transferStep(owner.key, Key{9}, n))
		}
		one, other := pay(first, 1), pay(first, 2)
		time.Sleep(time.Hour)
		if dead, _ := w.DeadBytes(other); dead {
			t.Fatal("dead after an hour, with the value unchanged")
		}
		s := c.send(one)
		time.Sleep(time.Minute)
		if e, ok := w.Executed(s); !ok || e.Err != "" {
			t.Fatalf("executed %t %s", ok, e.Err)
		}
		second, _ := c.nonceValue(nonce, "finalized")
		if now, _ := w.NonceValue(nonce); second == first || now != second {
			t.Fatal("the value did not change")
		}
		lost := c.send(other)
		time.Sleep(time.Minute)
		if _, ok := w.Executed(lost); ok || !w.Dead(lost) {
			t.Fatal("a transaction of the old value lives")
		}
		var named []struct{ Signature string }
		c.call(&named, "getSignaturesForAddress", nonce.String())
		if len(named) != 1 || named[0].Signature != s.String() {
			t.Fatalf("the nonce was advanced by %v", named)
		}
	})
}

// TestNonceAdvancesOnFailure: a transaction that fails advances the nonce all
// the same, and pays its fee.
func TestNonceAdvancesOnFailure(t *testing.T) {
	inBubble(t, Config{Seed: 3}, func(t *testing.T, w *World) {
		owner, nonce := newSigner(1), Key{77}
		w.Fund(owner.key, sol)
		first := w.AddNonce(nonce, owner.key)
		c := newClient(t, w, "rpc0")
		steps := []step{advanceStep(nonce, owner.key), transferStep(owner.key, Key{9}, 5*sol)}
		s := c.send(build(-1, first, []signer{owner}, steps...))
		time.Sleep(time.Minute)
		e, ok := w.Executed(s)
		if value, _ := w.NonceValue(nonce); !ok || e.Err != `{"InstructionError":[1,{"Custom":1}]}` || value == first {
			t.Fatalf("executed %t %s, value changed %t", ok, e.Err, value != first)
		}
		if got := w.Balance(owner.key); got != sol-signatureFee {
			t.Fatalf("owner has %d", got)
		}
	})
}

// TestNonceOncePerBlock: a nonce is advanced at most once in a block, and its
// next value is the hash that stands for the block before.
func TestNonceOncePerBlock(t *testing.T) {
	inBubble(t, Config{Seed: 3, Cluster: wildCluster()}, func(t *testing.T, w *World) {
		owner, nonce := newSigner(1), Key{77}
		w.Fund(owner.key, sol)
		value := w.AddNonce(nonce, owner.key)
		c := newClient(t, w, "rpc0")
		for i := range uint64(20) {
			for j := range uint64(2) {
				c.send(build(-1, value, []signer{owner}, advanceStep(nonce, owner.key),
					transferStep(owner.key, Key{9}, 2*i+j+1)))
			}
			time.Sleep(20 * time.Second)
			done := w.Executions()
			if len(done) != int(i)+1 {
				t.Fatalf("%d executed of %d pairs", len(done), i+1)
			}
			at := done[i].Slot
			w.enter()
			want := durable(w.chain.blockhash(w.chain.lastMain(at - 1).slot))
			w.mu.Unlock()
			if value, _ = w.NonceValue(nonce); value != want {
				t.Fatal("the next value does not come from the block before")
			}
		}
	})
}

// TestNonceOfFork: a value that was read on a fork is worth nothing when the
// fork is left.
func TestNonceOfFork(t *testing.T) {
	cfg := Config{Seed: 8, Cluster: Cluster{ForkRate: 1, ForkLen: 50}, Nodes: []NodeConfig{{Fork: 1}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		owner, nonce := newSigner(1), Key{77}
		w.Fund(owner.key, sol)
		w.AddNonce(nonce, owner.key)
		c := newClient(t, w, "rpc0")
		for i := range uint64(300) {
			value, _ := c.nonceValue(nonce, "processed")
			raw := build(-1, value, []signer{owner},
				advanceStep(nonce, owner.key), transferStep(owner.key, Key{9}, i+1))
			c.send(raw)
			time.Sleep(1500 * time.Millisecond)
			seen, _ := c.nonceValue(nonce, "processed")
			time.Sleep(20 * time.Second)
			if true1, _ := w.NonceValue(nonce); seen != value && seen != true1 {
				return // a value that no longer is, nor ever will be
			}
		}
		t.Fatal("no value was read on a fork")
	})
}

// TestNoncesAlike: accounts that are advanced in one block get the same value,
// and a stranger's transaction on it that names the other account changes
// nothing for that one, whether it fails or not.
func TestNoncesAlike(t *testing.T) {
	inBubble(t, Config{Seed: 3}, func(t *testing.T, w *World) {
		owner, stranger, mine, theirs := newSigner(1), newSigner(2), Key{77}, Key{78}
		w.Fund(owner.key, sol)
		w.Fund(stranger.key, sol)
		w.AddNonce(mine, owner.key)
		w.AddNonce(theirs, stranger.key)
		c := newClient(t, w, "rpc0")
		for i := range uint64(4) {
			hash, _ := c.blockhash("confirmed")
			err := w.LeakBundle([][]byte{
				build(-1, hash, []signer{owner}, advanceStep(mine, owner.key)),
				build(-1, hash, []signer{stranger}, advanceStep(theirs, stranger.key)),
			})
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
			value, _ := c.nonceValue(mine, "finalized")
			if other, _ := c.nonceValue(theirs, "finalized"); other != value {
				t.Fatalf("%s and %s", value, other)
			}
			s := c.send(build(-1, value, []signer{stranger}, advanceStep(theirs, stranger.key),
				transferStep(stranger.key, mine, 1+i%2*100*sol)))
			time.Sleep(time.Minute)
			if e, ok := w.Executed(s); !ok || (e.Err != "") != (i%2 == 1) {
				t.Fatalf("executed %t, error %q", ok, e.Err)
			}
			if now, _ := w.NonceValue(mine); now != value {
				t.Fatal("the other account's value changed")
			}
			if now, _ := w.NonceValue(theirs); now == value {
				t.Fatal("the stranger's value did not change")
			}
		}
	})
}

// TestNonceShown: the oracle says for how long a node had a nonce's value final while the client could ask, as
// that node says itself, and that there is no proof if that was never so.
func TestNonceShown(t *testing.T) {
	const call = 100 * time.Millisecond
	cfg := Config{Seed: 3, LatencyMin: call, LatencyMax: call, Nodes: []NodeConfig{{Lag: 20}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		owner, nonce := newSigner(1), Key{77}
		w.Fund(owner.key, sol)
		value := w.AddNonce(nonce, owner.key)
		c := newClient(t, w, "rpc0")
		advance := func() {
			c.send(build(-1, value, []signer{owner}, advanceStep(nonce, owner.key), transferStep(owner.key, Key{9}, 1)))
		}
		advance()
		time.Sleep(20 * time.Second)
		value, _ = w.NonceValue(nonce)
		began := time.Now()
		advance()
		var first, last time.Time
		for time.Since(began) < time.Minute {
			if got, _ := c.nonceValue(nonce, "finalized"); got == value {
				last = time.Now()
				if first.IsZero() {
					first = last
				}
			}
		}
		if last.Sub(first) < 10*time.Second {
			t.Fatalf("final for %v", last.Sub(first))
		}
		half := first.Add(last.Sub(first) / 2)
		for _, c := range []struct {
			name  string
			asked []Span
			shown time.Duration
		}{
			{"always", nil, last.Sub(first)},
			{"in the first half", []Span{{began, half}}, half.Sub(first)},
			{"now and then", []Span{{began, first.Add(time.Second)}, {half, last.Add(time.Minute)}}, last.Sub(half)},
			{"before", []Span{{began, first.Add(-time.Second)}}, 0},
			{"after", []Span{{last.Add(time.Second), last.Add(time.Hour)}}, 0},
			{"never", []Span{}, 0},
		} {
			p := w.ProofPossible(w.Endpoints(), Question{Blockhash: value, Nonce: nonce, Asked: c.asked})
			if off := (p.Shown - c.shown).Abs(); off > time.Second || p.OK != (c.shown > 0) {
				t.Errorf("a client that could ask %s: %+v, want it shown for %v", c.name, p, c.shown)
			}
			if !p.OK && !strings.Contains(p.Reason, "no node showed the nonce") {
				t.Errorf("a client that could ask %s: %s", c.name, p.Reason)
			}
		}
	})
}
