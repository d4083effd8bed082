package paid

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/wallet"

	"github.com/walletfi/walletfi-go"
)

// TestClaims shows that a key is settled between two claims, when the process
// of the first died before its signature was in the journal, though the second
// is for the same bytes. The second call was made before the word and stood
// still. A word that comes after the claim is false.
func TestClaims(t *testing.T) {
	for _, c := range []struct {
		claimed time.Duration // after the word
		false   int
	}{{-time.Second, 1}, {0, 0}, {time.Second, 0}} {
		t.Run(fmt.Sprint(c.claimed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { claims(t, c.claimed, c.false) })
		})
	}
}

func claims(t *testing.T, claimed time.Duration, losses int) {
	p := perfect(1)
	p.World.Landing = world.Landing{Late: 1, LateSpan: 1}
	s, b := stageOfOne(t, p)
	c, k, x := s.court, b.key, b.txs[0]
	c.stored(wallet.Entry{Key: k.name, State: wallet.KeyClaimed})
	c.sign(x.message, k.owner.sign(x.message), "")
	c.given(b)
	time.Sleep(5 * time.Second)
	time.AfterFunc(max(claimed, 0), func() {
		c.stored(wallet.Entry{Key: k.name, State: wallet.KeyClaimed})
		step := wallet.EntryStep{Own: x.own.String(), State: wallet.KeySent}
		c.stored(wallet.Entry{Key: k.name, State: wallet.KeySent, Steps: []wallet.EntryStep{step}})
		if err := s.w.Leak(x.raw); err != nil {
			t.Error(err)
		}
	})
	time.Sleep(max(-claimed, 0))
	c.unsettled("Unsettled", time.Now(), c.keys, nil)
	time.Sleep(3 * time.Minute)
	if _, ok := c.executed(x); !ok {
		t.Fatal("the transaction did not land")
	}
	if c.final(); len(c.losses) != losses {
		t.Errorf("%d losses, want %d: %v", len(c.losses), losses, c.losses)
	}
}

// stageOfOne is a stage on which a transaction is built, and not signed yet.
func stageOfOne(t *testing.T, p plan) (*stage, *build) {
	t.Helper()
	s := newStage(p)
	t.Cleanup(func() { s.w.Close() })
	b, _, err := s.service.build(context.Background(), s.court.keys[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, b
}

// TestNotSentAtTheClaim shows what becomes of "not sent" at the very instant at which the same bytes
// are claimed for the key once more, to be sent then. The word may have been read before that claim,
// unless its call began after it, or a door had got the bytes. Of an own result that is never so.
func TestNotSentAtTheClaim(t *testing.T) {
	for _, c := range []struct {
		name               string
		late, sent, result bool
		false              int
	}{
		{name: "read before the claim"},
		{name: "asked after the claim", late: true, false: 1},
		{name: "a door has got it", sent: true, false: 1},
		{name: "the result of that claim", result: true, false: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { notSent(t, c.late, c.sent, c.result, c.false) })
		})
	}
}

func notSent(t *testing.T, late, sent, result bool, losses int) {
	p := perfect(1)
	p.World.Landing = world.Landing{Late: 1, LateSpan: 1}
	s, b := stageOfOne(t, p)
	c, k, x := s.court, b.key, b.txs[0]
	c.stored(wallet.Entry{Key: k.name, State: wallet.KeyClaimed})
	c.sign(x.message, k.owner.sign(x.message), "")
	time.Sleep(5 * time.Second)
	send := func() {
		step := wallet.EntryStep{Own: x.own.String(), State: wallet.KeySent}
		c.stored(wallet.Entry{Key: k.name, State: wallet.KeySent, Steps: []wallet.EntryStep{step}})
		if err := s.w.Leak(x.raw); err != nil {
			t.Error(err)
		}
	}
	from := c.moment()
	c.given(b)
	c.stored(wallet.Entry{Key: k.name, State: wallet.KeyClaimed})
	if late {
		from = c.moment()
	}
	if sent {
		send()
	}
	step := wallet.Step{Signature: x.own.String(), State: wallet.StateNotSent}
	if result {
		c.result(k, "Execute", &wallet.Result{Steps: []wallet.Step{step}}, walletfi.ErrNotSent)
	} else {
		o := wallet.Outcome{Key: k.name, Steps: []wallet.Step{step}, State: wallet.StateNotSent}
		c.outcome(k, "Settle", from, o, nil)
	}
	if len(c.denials) != 1 {
		t.Fatalf("%d words that it will not land, want 1", len(c.denials))
	}
	if !sent {
		time.Sleep(50 * time.Millisecond)
		send()
	}
	time.Sleep(3 * time.Minute)
	if _, ok := c.executed(x); !ok {
		t.Fatal("the transaction did not land")
	}
	c.final()
	if n := kindsOf(c.losses)["false not sent"]; n != losses || len(c.losses) != losses {
		t.Errorf("%d false words, want %d: %v", n, losses, c.losses)
	}
}
