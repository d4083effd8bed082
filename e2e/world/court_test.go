package world

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mr-tron/base58"
)

// TestCourtIsFinal pays in all modes, and checks that the court never takes
// back what it said: the dead stay dead, and what has executed stays where it
// is.
func TestCourtIsFinal(t *testing.T) {
	for _, mode := range Modes() {
		for seed := range uint64(2) {
			inBubble(t, Draw(seed+100, mode), func(t *testing.T, w *World) { hold(t, w, mode) })
		}
	}
}

// hold watches the court over some payments.
func hold(t *testing.T, w *World, mode string) {
	owner, nonce := newSigner(1), Key{77}
	w.Fund(owner.key, 1000*sol)
	w.AddNonce(nonce, owner.key)
	c := newClient(t, w, w.Endpoints()[0].Name())
	dead, landed := map[Signature]bool{}, map[Signature]Execution{}
	var sent []Signature
	for i := range uint64(25) {
		if i < 15 {
			if s, _ := payOnce(c, owner, i); s != (Signature{}) {
				sent = append(sent, s)
			}
			value, _ := w.NonceValue(nonce)
			steps := []step{advanceStep(nonce, owner.key), transferStep(owner.key, Key{9}, i+1)}
			raw := build(0, value, []signer{owner}, steps...)
			body := `{"id":1,"method":"sendTransaction","params":["` + base58.Encode(raw) + `",{"skipPreflight":true}]}`
			if resp, err := c.http.Post(c.url, "", strings.NewReader(body)); err == nil {
				resp.Body.Close()
			}
			sent = append(sent, signatureIn(raw))
		}
		time.Sleep(15 * time.Second)
		for _, s := range sent {
			e, ok := w.Executed(s)
			if was, before := landed[s]; before && (!ok || was.Slot != e.Slot || was.Err != e.Err) {
				t.Fatalf("%s: %+v became %+v", mode, was, e)
			}
			if ok && dead[s] {
				t.Fatalf("%s: the dead executed: %+v", mode, e)
			}
			if ok {
				landed[s] = e
			}
			dead[s] = dead[s] || w.Dead(s)
			if slices.Contains(w.Alive(), s) == (ok || !w.Seen(s) || dead[s]) {
				t.Fatalf("%s: executed %t, dead %t, and alive", mode, ok, dead[s])
			}
		}
	}
	if n := len(w.Executions()); n != len(landed) {
		t.Fatalf("%s: %d executed, %d seen", mode, n, len(landed))
	}
}

// TestAnyParameters asks every method for odd things: none may panic, and each
// answers with something.
func TestAnyParameters(t *testing.T) {
	odd := []string{
		``, `5`, `18446744073709551615`, `-1`, `1e3`, `null`, `"x"`, `"` + Key{1}.String() + `"`, `[]`, `{}`, `true`,
		`"` + Signature{1}.String() + `"`, `["` + Signature{1}.String() + `"]`, `["x"]`, `250000000`, `249999990`,
		`"AAAA"`, `250000000,18446744073709551615`, `18446744073709551615,18446744073709551615`, `249999000,10`,
		`249999990,{"transactionDetails":"full","encoding":"base64"}`, `249999990,{"commitment":"confirmed"}`,
		`249999990,{"maxSupportedTransactionVersion":0}`, `{"commitment":"nonsense"}`, `{"minContextSlot":"x"}`,
		`"` + Key{1}.String() + `",{"limit":0}`, `"` + Key{1}.String() + `",{"before":"x"}`,
	}
	for _, kind := range append(Liars(), Honest) {
		inBubble(t, Config{Seed: 1, Nodes: []NodeConfig{{Liar: kind}}, TraceLines: 3}, func(t *testing.T, w *World) {
			c := newClient(t, w, "rpc0")
			for method := range methods {
				for _, params := range odd {
					code, body := c.post(`{"id":1,"method":"` + method + `","params":[` + params + `]}`)
					if code != 200 || !strings.HasSuffix(body, `,"id":1}`) {
						t.Fatalf("%s(%s): %d %s", method, params, code, body)
					}
					v, err := parseJSON([]byte(body))
					if err != nil || v.get("result").kind+v.get("error").kind == absent {
						t.Fatalf("%s(%s): %s", method, params, body)
					}
				}
			}
		})
	}
}
