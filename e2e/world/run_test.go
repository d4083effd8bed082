package world

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mr-tron/base58"
)

// play sends payments for some minutes in a mode, and returns all that can be
// told of the run.
func play(t *testing.T, cfg Config) []string {
	var out []string
	cfg.TraceLines = 5000
	inBubble(t, cfg, func(t *testing.T, w *World) {
		from := newSigner(1)
		w.Fund(from.key, 1000*sol)
		var clients []*client
		for _, e := range w.Endpoints() {
			clients = append(clients, newClient(t, w, e.Name()))
		}
		for i := range uint64(30) {
			c := clients[i%uint64(len(clients))]
			if s, err := payOnce(c, from, i); err == nil {
				time.Sleep(5 * time.Second)
				resp, err := c.http.Post(c.url, "application/json", strings.NewReader(
					`{"id":1,"method":"getSignatureStatuses","params":[["`+s.String()+`"]]}`))
				if err == nil {
					resp.Body.Close()
				}
			}
			time.Sleep(5 * time.Second)
		}
		for _, e := range w.Executions() {
			out = append(out, fmt.Sprintf("%+v", e))
		}
		out = append(out, w.Trace()...)
	})
	return out
}

// payOnce sends one payment, whatever the endpoint does.
func payOnce(c *client, from signer, n uint64) (Signature, error) {
	post := func(method, params string) (string, error) {
		resp, err := c.http.Post(c.url, "application/json",
			strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`))
		if err != nil {
			return "", err
		}
		defer resp.Body.Close()
		var b strings.Builder
		buf := make([]byte, 4096)
		n, _ := resp.Body.Read(buf)
		b.Write(buf[:n])
		return b.String(), nil
	}
	body, err := post("getLatestBlockhash", `[{"commitment":"confirmed"}]`)
	if err != nil {
		return Signature{}, err
	}
	_, rest, ok := strings.Cut(body, `"blockhash":"`)
	text, _, _ := strings.Cut(rest, `"`)
	hash, err := ParseHash(text)
	if !ok || err != nil {
		return Signature{}, errBase58
	}
	raw := payment(hash, from, Key{9}, n+1)
	_, err = post("sendTransaction", `["`+base58.Encode(raw)+`",{"skipPreflight":true}]`)
	return signatureIn(raw), err
}

// TestModes runs each mode twice: the same seed gives the same run, and in
// every mode something happens.
func TestModes(t *testing.T) {
	for _, mode := range Modes() {
		t.Run(mode, func(t *testing.T) {
			cfg := Draw(3, mode)
			first, second := play(t, cfg), play(t, cfg)
			if !slices.Equal(first, second) {
				for i := range first {
					if i >= len(second) || first[i] != second[i] {
						t.Fatalf("line %d differs:\n%s\n%s", i, first[i], second[min(i, len(second)-1)])
					}
				}
			}
			if len(first) < 30 {
				t.Fatalf("%d lines", len(first))
			}
		})
	}
}

// TestDraw checks that modes are a function of the seed, that liars are a
// minority, and that each mode is not the honest one.
func TestDraw(t *testing.T) {
	for _, mode := range Modes() {
		for seed := range uint64(50) {
			cfg := Draw(seed, mode)
			if fmt.Sprintf("%+v", cfg) != fmt.Sprintf("%+v", Draw(seed, mode)) {
				t.Fatalf("%s of seed %d differs", mode, seed)
			}
			liars := 0
			for _, n := range cfg.Nodes {
				if n.Liar != Honest {
					liars++
				}
			}
			if liars > 0 && 2*liars >= len(cfg.Nodes) {
				t.Fatalf("%s of seed %d: %d liars of %d", mode, seed, liars, len(cfg.Nodes))
			}
		}
	}
	if got := len(Draw(1, "liars5").Nodes); got != 5 {
		t.Fatalf("%d nodes", got)
	}
}

// TestSwitches switches everything off in a random order: nothing awkward is
// left.
func TestSwitches(t *testing.T) {
	for seed := range uint64(40) {
		cfg := Draw(seed, "all")
		kept := fmt.Sprintf("%+v", cfg)
		changed := cfg.Clone()
		for {
			on := changed.Switches()
			if len(on) == 0 {
				break
			}
			on[rand.IntN(len(on))].Off(&changed)
		}
		if fmt.Sprintf("%+v", cfg) != kept {
			t.Fatal("a switch changed the original")
		}
		plain := Config{Seed: cfg.Seed, Mode: cfg.Mode, Nodes: make([]NodeConfig, len(cfg.Nodes))}
		for i := range cfg.Services {
			plain.Services = append(plain.Services, EndpointConfig{Nodes: cfg.Services[i].Nodes[:1]})
		}
		if got, want := fmt.Sprintf("%+v", changed), fmt.Sprintf("%+v", plain); got != want {
			t.Fatalf("left on:\n%s\n%s", got, want)
		}
	}
}

// TestTrace checks that the trace is bounded and finds a transaction again.
func TestTrace(t *testing.T) {
	inBubble(t, Config{Seed: 1, TraceLines: 20}, func(t *testing.T, w *World) {
		from := newSigner(1)
		w.Fund(from.key, sol)
		c := newClient(t, w, "rpc0")
		hash, _ := c.blockhash("confirmed")
		s := c.send(payment(hash, from, Key{9}, 1))
		time.Sleep(time.Second)
		c.statuses(s)
		w.Note("noted", s)
		of := strings.Join(w.TraceOf(s), "\n")
		for _, want := range []string{
			"sendTransaction", "surviving chain", "getSignatureStatuses", short(s) + "=", "+00001.000s noted",
		} {
			if !strings.Contains(of, want) {
				t.Errorf("%q is not in\n%s", want, of)
			}
		}
		for range 100 {
			c.post(slotCall)
		}
		if len(w.Trace()) != 20 || len(w.TraceOf(s)) != 0 {
			t.Errorf("%d lines, %d about the transaction", len(w.Trace()), len(w.TraceOf(s)))
		}
	})
}

// TestLeak: what a page was given reaches the leaders without a node.
func TestLeak(t *testing.T) {
	inBubble(t, Config{Seed: 1, Landing: Landing{Loss: 1}}, func(t *testing.T, w *World) {
		from := newSigner(1)
		w.Fund(from.key, sol)
		c := newClient(t, w, "rpc0")
		hash, _ := c.blockhash("confirmed")
		lost, raw := c.send(payment(hash, from, Key{9}, 1)), payment(hash, from, Key{9}, 2)
		if err := w.Leak(raw); err != nil {
			t.Fatal(err)
		}
		raw[5] ^= 1
		if w.Leak(raw) == nil || w.Leak(raw[:80]) == nil {
			t.Error("nonsense was taken")
		}
		raw[5] ^= 1
		time.Sleep(time.Minute)
		if _, ok := w.Executed(signatureIn(raw)); !ok {
			t.Error("what was leaked did not execute")
		}
		if _, ok := w.Executed(lost); ok || !w.Seen(lost) {
			t.Error("what was lost executed")
		}
	})
}
