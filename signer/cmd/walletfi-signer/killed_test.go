package main

import (
	"bytes"
	"database/sql"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signing"
)

// asker asks for payments of other amounts each, again after a kill, until it is told to stop.
type asker struct {
	mu       sync.Mutex
	next     walletfi.Amount
	signed   map[walletfi.Amount]bool // whose signature came out and was verified
	doubtful []signing.SetRequest     // whose answer did not come
}

// amount is one that was not asked for before.
func (a *asker) amount() walletfi.Amount {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.next++
	return a.next
}

// ask asks once, and notes what came back.
func (a *asker) ask(t *testing.T, p *place, q signing.SetRequest) (answered bool) {
	c, err := client.Dial(t.Context(), p.path("s"), "bot")
	if err == nil {
		defer c.Close()
		var made signing.SetSignatures
		if made, err = c.SignSet(t.Context(), q); err == nil {
			tx, err := signing.Decode(q.Unsigned.Transactions[0])
			require.NoError(t, err)
			require.Len(t, made.Signatures, 1)
			require.True(t, made.Signatures[0].Verify(p.owner, tx.Message()))
			a.mu.Lock()
			defer a.mu.Unlock()
			a.signed[q.Unsigned.Intent.Spend[0].Amount] = true
			return true
		}
	}
	assert.NotErrorIs(t, err, signing.ErrRefused)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.doubtful = append(a.doubtful, q)
	return false
}

// TestKilled: the program is killed amid requests, again and again, and asked once more for
// what it did not answer. Whatever came out is counted, and nothing twice.
func TestKilled(t *testing.T) {
	const rounds, askers, before = 8, 4, 3 // it is killed once so many have their signature
	verified, kills, double, uncounted := 0, 0, 0, 0
	all := backends(t)
	for name, p := range all {
		policy, err := os.ReadFile(p.path("policy.toml"))
		require.NoError(t, err)
		policy = bytes.Replace(policy, []byte("3_000_000_000"), []byte("900_000_000_000"), 1)
		policy = bytes.Replace(policy, []byte("rate = 100\n"), []byte("rate = 100000\n"), 1)
		require.NoError(t, os.WriteFile(p.path("policy.toml"), policy, 0o600))
		a := &asker{signed: map[walletfi.Amount]bool{}}
		for range rounds {
			process := p.start(t)
			again := a.doubtful
			a.doubtful = nil
			for _, q := range again {
				require.True(t, a.ask(t, p, q), "%s: what was not answered is signed after all", name)
			}
			answers := make(chan struct{}, 1000)
			var running sync.WaitGroup
			for range askers {
				running.Go(func() {
					for a.ask(t, p, p.pay(t, a.amount())) {
						answers <- struct{}{}
					}
				})
			}
			for range before {
				<-answers
			}
			require.NoError(t, process.Process.Kill())
			require.Error(t, process.Wait())
			running.Wait()
			kills++
		}
		process := p.start(t)
		for _, q := range a.doubtful {
			require.True(t, a.ask(t, p, q))
		}
		require.NoError(t, process.Process.Signal(os.Interrupt))
		require.NoError(t, process.Wait())
		counted := p.counted(t)
		for amount := range a.signed {
			if counted[amount] == 0 {
				uncounted++
			}
		}
		for _, times := range counted {
			double += max(0, times-1)
		}
		verified += len(a.signed)
		out, status := command(t, "", "audit", "verify", "--store", p.path("store.db"), "--anchor", p.path("anchor"),
			"--log-public", p.logPublic)
		require.Zero(t, status, out)
	}
	assert.GreaterOrEqual(t, verified, len(all)*rounds*before)
	assert.Zero(t, double+uncounted)
	t.Logf("backends=%d signatures verified=%d kills=%d double counted=%d uncounted=%d",
		len(all), verified, kills, double, uncounted)
}

// counted is how often the store counts each amount that was paid.
func (p *place) counted(t *testing.T) map[walletfi.Amount]int {
	db, err := sql.Open("sqlite", p.path("store.db"))
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "SELECT amount, mint FROM debit")
	require.NoError(t, err)
	defer rows.Close()
	all := map[walletfi.Amount]int{}
	for rows.Next() {
		var amount uint64
		var mint string
		require.NoError(t, rows.Scan(&amount, &mint))
		require.Equal(t, walletfi.NativeMint, mint)
		require.Greater(t, amount, uint64(5000), "nothing has ended yet")
		all[walletfi.Amount(amount-5000)]++
	}
	require.NoError(t, rows.Err())
	return all
}
