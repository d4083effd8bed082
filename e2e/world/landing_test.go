package world

import (
	"encoding/base64"
	"testing"
	"time"
)

// TestAtMostOnce sends the same transactions again and again through several
// nodes: each executes at most once on the surviving chain, and on each fork.
func TestAtMostOnce(t *testing.T) {
	cfg := Draw(5, "forks")
	cfg.Nodes = []NodeConfig{{Fork: 1}, {}, {Lag: 20}}
	cfg.Services = nil
	cfg.Landing = Landing{Loss: 0.5, DelayMax: 4, Hold: 0.7, Drop: 0.3, Rebroadcast: 3}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		from := newSigner(1)
		w.Fund(from.key, 1000*sol)
		clients := []*client{newClient(t, w, "rpc0"), newClient(t, w, "rpc1"), newClient(t, w, "rpc2")}
		paid := map[Signature]int{}
		var sent [][]byte
		for i := range uint64(60) {
			hash, _ := clients[1].blockhash("confirmed")
			sent = append(sent, payment(hash, from, Key{9}, i+1))
			for j, c := range clients {
				for back := range min(len(sent), 4) {
					paid[c.send(sent[len(sent)-1-back])] += j
				}
			}
			time.Sleep(3 * time.Second)
		}
		time.Sleep(5 * time.Minute)
		undone := 0
		seen := map[Signature]bool{}
		for _, e := range w.Executions() {
			if seen[e.Signature] {
				t.Fatalf("%s executed twice", e.Signature)
			}
			seen[e.Signature] = true
			checkSide(t, w, e)
		}
		for s := range paid {
			undone += len(w.Undone(s))
			if w.Dead(s) == seen[s] {
				t.Fatalf("%s: dead %t, executed %t", s, w.Dead(s), seen[s])
			}
		}
		if len(seen) < 30 || undone == 0 {
			t.Fatalf("%d executed, %d on forks", len(seen), undone)
		}
	})
}

func checkSide(t *testing.T, w *World, e Execution) {
	t.Helper()
	forks := map[uint64]int{}
	for _, u := range w.Undone(e.Signature) {
		forks[u.Slot/spanLen]++
		if forks[u.Slot/spanLen] > 1 || !u.Fork {
			t.Fatalf("%s executed twice on one fork", e.Signature)
		}
	}
	if height, ok := w.Height(e.Slot); !ok || height != e.Height || e.Fork {
		t.Fatalf("executed at %d: height %d, want %d", e.Slot, e.Height, height)
	}
}

// TestForkUndone finds a transaction that a node on a fork calls processed or
// confirmed, and that is gone afterwards.
func TestForkUndone(t *testing.T) {
	cfg := Config{Seed: 8, Nodes: []NodeConfig{{Fork: 1}}}
	cfg.Cluster = Cluster{ForkRate: 1, ForkLen: 30, ForkConfirmed: 1, ForkLost: 1}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		from := newSigner(1)
		w.Fund(from.key, 1000*sol)
		c := newClient(t, w, "rpc0")
		gone := map[string]bool{}
		for i := range uint64(200) {
			hash, _ := c.blockhash("finalized")
			s := c.send(payment(hash, from, Key{9}, i+1))
			level := ""
			for range 12 {
				time.Sleep(400 * time.Millisecond)
				if got := c.statuses(s).Value[0]; got != nil {
					level = got.ConfirmationStatus
				}
			}
			time.Sleep(40 * time.Second)
			if c.statuses(s).Value[0] == nil {
				gone[level] = true
			}
		}
		if !gone["confirmed"] || gone["finalized"] {
			t.Fatalf("undone at %v", gone)
		}
	})
}

// TestFailureUndone finds a transaction that fails on a fork and succeeds on
// the surviving chain.
func TestFailureUndone(t *testing.T) {
	cfg := Config{Seed: 8, Cluster: Cluster{ForkRate: 1, ForkLen: 40, ForkFails: 1}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		from := newSigner(1)
		w.Fund(from.key, 1000*sol)
		c := newClient(t, w, "rpc0")
		for i := range uint64(200) {
			hash, _ := c.blockhash("confirmed")
			s := c.send(payment(hash, from, Key{9}, i+1))
			time.Sleep(30 * time.Second)
			e, ok := w.Executed(s)
			if u := w.Undone(s); ok && e.Err == "" && len(u) > 0 && u[0].Err != "" {
				return
			}
		}
		t.Fatal("none failed on a fork only")
	})
}

// TestPreflight goes through what a node refuses.
func TestPreflight(t *testing.T) {
	cfg := Config{Seed: 2, Nodes: []NodeConfig{{}, {Lag: 60}, {Lag: 200}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		from, poor := newSigner(1), newSigner(2)
		w.Fund(from.key, sol)
		w.Fund(poor.key, 100)
		c := newClient(t, w, "rpc0")
		hash, _ := c.blockhash("processed")
		refuse := func(c *client, want string, raw []byte) {
			t.Helper()
			cfg := object{"encoding": "base64", "preflightCommitment": "processed"}
			err := c.try(new(string), "sendTransaction", base64.StdEncoding.EncodeToString(raw), cfg)
			if got := ""; err != nil && err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			} else if err == nil && want != got {
				t.Errorf("accepted, want %s", want)
			}
		}
		data := func(err string) string {
			return ` {"accounts":null,"err":` + err + `,"innerInstructions":null,"loadedAccountsDataSize":0,` +
				`"logs":[],"replacementBlockhash":null,"returnData":null,"unitsConsumed":0}`
		}
		failed := "-32002 Transaction simulation failed: "
		refuse(newClient(t, w, "rpc1"), failed+"Blockhash not found"+data(`"BlockhashNotFound"`),
			payment(hash, from, Key{9}, 1))
		refuse(newClient(t, w, "rpc2"), `-32005 Node is behind by 200 slots {"numSlotsBehind":200}`,
			payment(hash, from, Key{9}, 1))
		refuse(c, failed+"Insufficient funds for fee"+data(`"InsufficientFundsForFee"`), payment(hash, poor, Key{9}, 1))
		refuse(c, failed+"Error processing Instruction 0: custom program error: 0x1"+
			data(`{"InstructionError":[0,{"Custom":1}]}`), payment(hash, from, Key{9}, 2*sol))
		forged := payment(hash, from, Key{9}, 3)
		forged[10] ^= 1
		refuse(c, "-32003 Transaction signature verification failure ", forged)
		good := payment(hash, from, Key{9}, 4)
		refuse(c, "", good)
		time.Sleep(2 * time.Second)
		refuse(c, failed+"This transaction has already been processed"+data(`"AlreadyProcessed"`), good)
		c.send(forged)
		time.Sleep(time.Minute)
		if n := len(w.Executions()); n != 1 {
			t.Fatalf("%d executed", n)
		}
	})
}

// TestBalances checks fees, a sponsor, a failing transfer and what of it
// getTransaction shows.
func TestBalances(t *testing.T) {
	inBubble(t, Config{Seed: 2}, func(t *testing.T, w *World) {
		owner, sponsor, to := newSigner(1), newSigner(2), Key{9}
		w.Fund(owner.key, sol)
		w.Fund(sponsor.key, sol)
		c := newClient(t, w, "rpc0")
		hash, _ := c.blockhash("processed")
		c.send(build(0, hash, []signer{sponsor, owner}, transferStep(owner.key, to, 300)))
		bad := c.send(build(-1, hash, []signer{owner}, transferStep(owner.key, to, 5*sol)))
		time.Sleep(time.Minute)
		if got := w.Balance(sponsor.key); got != sol-2*signatureFee {
			t.Errorf("sponsor has %d", got)
		}
		if got := w.Balance(owner.key); got != sol-300-signatureFee {
			t.Errorf("owner has %d", got)
		}
		if got := w.Balance(to); got != 300 {
			t.Errorf("recipient has %d", got)
		}
		var tx struct {
			Meta struct {
				Err          any
				Fee          uint64
				PreBalances  []uint64
				PostBalances []uint64
			}
		}
		c.call(&tx, "getTransaction", bad.String(), object{"encoding": "json"})
		m := tx.Meta
		if m.Err == nil || m.Fee != signatureFee || m.PreBalances[0]-m.PostBalances[0] != signatureFee {
			t.Errorf("failed transaction: %+v", m)
		}
	})
}
