package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signing"
)

// crew asks for payments of one owner, at either signer, until his window is used up.
type crew struct {
	*fleet
	owner *ownerKey

	mu       sync.Mutex
	signed   map[string]walletfi.Amount // what came out, by message: what it pays
	doubtful []signing.SetRequest       // not answered
	strange  []string                   // refusals that there is no reason for
	count    chan struct{}
}

const (
	fee      = 5000
	patience = 6 * time.Second // after which the other member is asked
)

// ask asks a member for the owner's signature. It reports that the window is used up.
func (c *crew) ask(t *testing.T, m *member, q signing.SetRequest) (full bool) {
	m.wait()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	to, err := client.Dial(ctx, m.path("s"), c.name())
	var made signing.SetSignatures
	if err == nil {
		defer to.Close()
		made, err = to.SignSet(ctx, q)
	}
	tx, failed := signing.Decode(q.Unsigned.Transactions[0])
	if !assert.NoError(t, failed) {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	refusal, refused := errors.AsType[*signing.SetRefusal](err)
	switch {
	case err == nil:
		assert.True(t, made.Signatures[0].Verify(c.owner.PublicKey(), tx.Message()))
		if c.signed[string(tx.Message())] == 0 {
			c.count <- struct{}{}
		}
		c.signed[string(tx.Message())] = q.Unsigned.Intent.Spend[0].Amount
		return false
	case refused && refusal.Code == signer.CodeWindow:
		return true
	case refused && refusal.Code == signer.CodeEnded: // the other member was asked for it, too, and it landed
		return false
	case refused && refusal.Code == signer.CodeRate: // of requests that were given up, and wait there
	case refused && (!m.cut.Load() || refusal.Code != signer.CodeStore):
		c.strange = append(c.strange, refusal.Error())
	}
	c.doubtful = append(c.doubtful, q)
	return false
}

func (c *crew) name() string {
	for i, k := range c.owners {
		if k == c.owner {
			return fmt.Sprint(i)
		}
	}
	return ""
}

// work asks for payments of other amounts each, sometimes both members for the same one, and sends what
// came out of it to the ledger, or does not.
func (c *crew) work(t *testing.T, random *rand.Rand) {
	for full := false; !full; {
		q := c.pay(t, c.owner, walletfi.Amount(ceiling/60+random.Int64N(ceiling/60)))
		first := random.IntN(2)
		var both sync.WaitGroup
		if random.IntN(4) == 0 {
			both.Go(func() { c.ask(t, c.members[1-first], q) })
		}
		full = c.ask(t, c.members[first], q)
		both.Wait()
		tx, err := signing.Decode(q.Unsigned.Transactions[0])
		if !assert.NoError(t, err) {
			return
		}
		c.mu.Lock()
		out := c.signed[string(tx.Message())] != 0
		c.mu.Unlock()
		if out && random.IntN(2) == 0 {
			assert.NoError(t, signing.SignUnchecked(t.Context(), tx, c.owner))
			_, err := c.node.Submit(t.Context(), tx.Signed())
			assert.NoError(t, err)
		}
	}
}

// wait waits until so many more have come out, or nobody asks any more.
func (c *crew) wait(n int, done chan struct{}) {
	for range n {
		select {
		case <-c.count:
		case <-done:
			return
		}
	}
}

// TestFleet: two signers of one policy are asked by many at once, are killed again and again, and cut off
// from their database. What came out is held against their store and the ledger from outside.
func TestFleet(t *testing.T) {
	const owners, askers = 6, 8
	f := newFleet(t, owners)
	kills, verified := 0, 0
	var above, double, uncounted, strange int
	for i, owner := range f.owners {
		c := &crew{fleet: f, owner: owner, signed: map[string]walletfi.Amount{}, count: make(chan struct{}, 10_000)}
		var asking sync.WaitGroup
		for n := range askers {
			asking.Go(func() { c.work(t, rand.New(rand.NewPCG(uint64(i), uint64(n)))) })
		}
		done := make(chan struct{})
		go func() {
			asking.Wait()
			close(done)
		}()
		for k := range 2 {
			c.wait(6, done)
			f.members[(i+k)%2].kill(t)
			kills++
		}
		if m := f.members[i%2]; i < 2 {
			m.cut.Store(true)
			m.proxy.cut()
			c.wait(6, done) // from the other one
			m.proxy.heal()
		}
		<-done
		for _, q := range slices.Clone(c.doubtful) {
			c.ask(t, f.members[kills%2], q)
		}
		verified += len(c.signed)
		strange += len(c.strange)
		assert.Empty(t, c.strange)
		d, u, a := c.judge(t)
		double, uncounted, above = double+d, uncounted+u, above+a
	}
	f.audit(t)
	assert.Zero(t, double, "counted twice")
	assert.Zero(t, above+uncounted+strange)
	assert.Greater(t, verified, 20*owners)
	fmt.Printf("postgres: signers=%d kills=%d above a ceiling=%d uncounted=%d\n",
		len(f.members), kills, above, uncounted)
}

// judge holds what came out against the store, as an administrator reads it, and against the ledger.
func (c *crew) judge(t *testing.T) (double, uncounted, above int) {
	key := c.owner.PublicKey().String()
	rows, err := c.admin.Query(t.Context(), `SELECT s.tx, count(d.id), COALESCE(sum(d.amount), 0)::bigint
		FROM walletfi_signer.signed s LEFT JOIN walletfi_signer.debit d ON d.id = s.id
		WHERE s.owner = $1 GROUP BY s.id`, key)
	require.NoError(t, err)
	defer rows.Close()
	counted, stored := map[string]int64{}, int64(0)
	for rows.Next() {
		var raw []byte
		var debits int
		var sum int64
		require.NoError(t, rows.Scan(&raw, &debits, &sum))
		tx, err := signing.DecodeBytes(raw)
		require.NoError(t, err)
		if _, twice := counted[string(tx.Message())]; twice || debits > 1 {
			double++
		}
		counted[string(tx.Message())] += sum
		stored += sum
	}
	require.NoError(t, rows.Err())
	require.NotEmpty(t, counted)
	out := int64(0)
	for message, amount := range c.signed {
		out += int64(amount) + fee
		if counted[message] < int64(amount)+fee {
			uncounted++
		}
	}
	left := int64(1e12) - int64(c.Ledger().Balance(key))
	if max(out, stored, left) > ceiling {
		t.Logf("owner %s: %d came out, %d is counted, %d left, the ceiling is %d", key, out, stored, left, ceiling)
		above++
	}
	assert.Greater(t, out, int64(ceiling/2), "the window was not used")
	return double, uncounted, above
}

// audit ends the signers, and has the program check the log by the anchor of each.
func (f *fleet) audit(t *testing.T) {
	for _, m := range f.members {
		require.NoError(t, m.process.Process.Signal(os.Interrupt))
		require.NoError(t, m.process.Wait())
	}
	for _, m := range f.members {
		m.proxy.heal()
		f.command(t, "audit", "verify", "--postgres", m.path("url"), "--anchor", m.path("anchor"),
			"--log-public", f.logPublic)
	}
}
