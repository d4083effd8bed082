package reconcile_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer/internal/messageid"
	"github.com/walletfi/walletfi-go/signer/internal/reconcile"
	"github.com/walletfi/walletfi-go/signing/signingtest"
	"github.com/walletfi/walletfi-go/wallet"
)

var (
	owner = signingtest.Key("owner").PublicKey()
	begin = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
)

func id(n string) string { return messageid.Of("trader", owner, []byte(n)) }

// entry is one of the log, as the command exports it.
func entry(t *testing.T, seq int, at time.Time, kind, client string, body any) json.RawMessage {
	text, err := json.Marshal(map[string]any{"seq": seq, "at": at, "kind": kind, "client": client, "body": body})
	require.NoError(t, err)
	return text
}

// books agree: message a landed, b failed, c is dead, d is open, and e was signed by a process that was
// killed before it wrote the signature, and landed.
func books(t *testing.T, change func(*[]json.RawMessage, *reconcile.Books)) reconcile.Report {
	var log []json.RawMessage
	add := func(kind, client string, body any) {
		log = append(log, entry(t, len(log)+1, begin.Add(time.Minute), kind, client, body))
	}
	add("policy", "", map[string]any{"text": "key = " + owner.String()})
	for _, n := range []string{"a", "b", "c", "d", "e"} {
		add("sign", "trader", map[string]any{"owner": "bot", "messages": []any{map[string]any{"id": id(n)}}})
		if n != "e" {
			add("signature", "trader", map[string]string{id(n): "own " + n})
		}
	}
	for n, state := range map[string]string{"a": "landed", "b": "failed", "c": "dead", "e": "landed"} {
		add("end", "", map[string]string{"id": id(n), "state": state})
	}
	executed := func(n string, failed bool) reconcile.Executed {
		return reconcile.Executed{
			Signature: "of " + n, Own: "own " + n, Owner: owner, Message: []byte(n), Slot: 7, At: begin.Add(2 * time.Minute), Failed: failed,
		}
	}
	payment := func(n string, state wallet.KeyState) wallet.Entry {
		return wallet.Entry{Key: n, State: state, Since: begin.Add(time.Minute), Steps: []wallet.EntryStep{{State: state, Own: "own " + n}}}
	}
	b := &reconcile.Books{
		Log: &reconcile.Log{}, Open: map[string]string{id("d"): "node 0 has not shown it"}, Since: begin, Until: begin.Add(time.Hour),
		Chain: []reconcile.Executed{executed("a", false), executed("b", true), executed("e", false)},
		Payments: []wallet.Entry{
			payment("a", wallet.KeyConfirmed), payment("b", wallet.KeyFailed), payment("c", wallet.KeyExpired), payment("d", wallet.KeySent),
		},
	}
	early := executed("before the signer", false)
	early.At = begin
	b.Chain = append(b.Chain, early)
	if change != nil {
		change(&log, b)
	}
	for _, e := range log {
		require.NoError(t, b.Log.Take(e))
	}
	return b.Compare()
}

func TestBooksThatAgree(t *testing.T) {
	r := books(t, nil)
	assert.Empty(t, r.Differences)
	assert.Equal(t, []string{fmt.Sprintf("open: message %.12s of owner \"bot\": node 0 has not shown it", id("d"))}, r.Open)
	assert.Equal(t, [3]int{3, 5, 3}, [3]int{r.Landed, r.Signed, r.Payments})
	r = books(t, func(_ *[]json.RawMessage, b *reconcile.Books) { b.Until = begin })
	assert.Zero(t, r.Signed+r.Payments, "what is younger is left to the next time")
	assert.Empty(t, r.Differences)
}

// TestEachDifferenceIsFound plants one after the other.
func TestEachDifferenceIsFound(t *testing.T) {
	for says, change := range map[string]func(*[]json.RawMessage, *reconcile.Books){
		"of x of owner " + owner.String() + ", in slot 9, is not in the log": func(_ *[]json.RawMessage, b *reconcile.Books) {
			b.Chain = append(b.Chain, reconcile.Executed{Signature: "of x", Own: "own x", Owner: owner, Message: []byte("x"), Slot: 9, At: begin.Add(time.Hour)})
		},
		"is dead, and of c landed in slot 7": func(_ *[]json.RawMessage, b *reconcile.Books) {
			b.Payments, b.Chain[0].Own, b.Chain[0].Signature = nil, "own c", "of c"
			b.Chain = append(b.Chain, reconcile.Executed{Own: "own a", Owner: owner, Signature: "of a"})
		},
		"is landed, and of a failed in slot 7": func(_ *[]json.RawMessage, b *reconcile.Books) { b.Payments, b.Chain[0].Failed = nil, true },
		"has no end, and of d landed in slot 0": func(_ *[]json.RawMessage, b *reconcile.Books) {
			b.Chain = append(b.Chain, reconcile.Executed{Own: "own d", Owner: owner, Signature: "of d"})
		},
		"of owner \"bot\" has no end, and is not open": func(_ *[]json.RawMessage, b *reconcile.Books) { clear(b.Open) },
		"is failed, and no node lists it": func(_ *[]json.RawMessage, b *reconcile.Books) {
			b.Payments, b.Chain = nil, append(b.Chain[:1], b.Chain[2:]...)
		},
		`payment "x": transaction 1, own x, is not in the log`: func(_ *[]json.RawMessage, b *reconcile.Books) {
			b.Payments[0].Key, b.Payments[0].Steps[0].Own = "x", "own x"
		},
		`payment "b": transaction 1, own b, is confirmed, and on chain it is failed`: func(_ *[]json.RawMessage, b *reconcile.Books) {
			b.Payments[1].Steps[0].State = wallet.KeyConfirmed
		},
		`payment "a": transaction 1, own a, is expired, and on chain it is landed`: func(_ *[]json.RawMessage, b *reconcile.Books) {
			b.Payments[0].State, b.Payments[0].Steps[0].State = wallet.KeyExpired, wallet.KeyExpired
		},
		`payment "a": transaction 1, , is not in the log`: func(_ *[]json.RawMessage, b *reconcile.Books) {
			b.Payments[0].Steps[0].Own = "" // nothing was signed, it says, and that it landed
		},
		`payment "c": transaction 1, own c, is confirmed, and on chain it is not there`: func(_ *[]json.RawMessage, b *reconcile.Books) {
			b.Payments[2].Steps[0].State = wallet.KeyConfirmed
		},
	} {
		t.Run(says, func(t *testing.T) {
			r := books(t, change)
			require.Len(t, r.Differences, 1, r.Differences)
			assert.Contains(t, r.Differences[0], says)
		})
	}
}
