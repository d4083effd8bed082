package paid

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/wallet"
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
	s := newStage(p)
	defer s.w.Close()
	c, k := s.court, s.court.keys[0]
	b, _, err := s.service.build(context.Background(), k, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := b.txs[0]
	c.stored(wallet.Entry{Key: k.name, State: wallet.KeyClaimed})
	c.sign(x.message, k.owner.sign(x.message))
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
