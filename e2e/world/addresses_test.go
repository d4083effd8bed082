package world

import (
	"slices"
	"testing"
	"time"
)

// TestSignaturesForAddress pages through an account's history. It begins
// nowhere if the store lacks the signature to begin before.
func TestSignaturesForAddress(t *testing.T) {
	cfg := Config{Seed: 1, Nodes: []NodeConfig{{}, {Gaps: Gaps{HoleRate: 1}}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		from, to := newSigner(1), Key{9}
		w.Fund(from.key, sol)
		c := newClient(t, w, "rpc0")
		var sent []Signature
		for i := range uint64(12) {
			hash, _ := c.blockhash("confirmed")
			sent = append(sent, c.send(payment(hash, from, to, i+1)))
			time.Sleep(time.Second)
		}
		slices.Reverse(sent)
		list := func(c *client, cfg object) []Signature {
			var infos []struct {
				Signature          string
				ConfirmationStatus string
			}
			c.call(&infos, "getSignaturesForAddress", to.String(), cfg)
			out := []Signature{}
			for _, info := range infos {
				s, err := ParseSignature(info.Signature)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, s)
			}
			return out
		}
		if got := list(c, object{"commitment": "finalized"}); len(got) != 0 {
			t.Fatalf("%d finalized at once", len(got))
		}
		if got := list(c, object{"commitment": "confirmed"}); !slices.Equal(got, sent) {
			t.Fatalf("%d confirmed, want %d", len(got), len(sent))
		}
		time.Sleep(time.Minute)
		page := object{"limit": 3, "before": sent[4].String(), "until": sent[10].String()}
		if got := list(c, page); !slices.Equal(got, sent[5:8]) {
			t.Errorf("page: %v", got)
		}
		page = object{"before": sent[4].String(), "until": sent[10].String()}
		if got := list(c, page); !slices.Equal(got, sent[5:10]) {
			t.Errorf("page without limit: %v", got)
		}
		if got := list(c, object{"before": Signature{1}.String()}); len(got) != 0 {
			t.Errorf("%d before a signature that nobody knows", len(got))
		}
		if got := list(newClient(t, w, "rpc1"), object{}); len(got) != 0 {
			t.Errorf("%d from a store with nothing in it", len(got))
		}
		if c.code("getSignaturesForAddress", to.String(), object{"limit": 1001}) != codeParams {
			t.Error("a limit of 1001")
		}
	})
}
