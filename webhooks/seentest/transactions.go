package seentest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/walletfi/walletfi-go/webhooks"
)

// delivery is one with a key of its own.
func delivery(n int) *webhooks.Delivery {
	return webhooks.ParseDelivery(fmt.Appendf(nil, `{"webhookId":"wh_1","n":%d}`, n))
}

func begin(t *testing.T, st Store, s webhooks.Seen) Tx {
	t.Helper()
	if st.Begin == nil {
		t.Skip("Seen does not take part in transactions")
	}
	return st.Begin(t, s)
}

func end(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("ending a transaction: %v", err)
	}
}

func txCommits(t *testing.T, st Store) {
	s, d := st.Open(t), delivery(1)
	tx := begin(t, st, s)
	end(t, tx.Mark(d))
	if !d.IsMarked() {
		t.Fatal("it did not call Marked")
	}
	end(t, tx.Commit())
	expect(t, s, d.Key(), true)
	expect(t, s, delivery(2).Key(), false)
}

func txRollsBack(t *testing.T, st Store) {
	s, d := st.Open(t), delivery(1)
	tx := begin(t, st, s)
	end(t, tx.Mark(d))
	end(t, tx.Rollback())
	expect(t, s, d.Key(), false)
	tx = begin(t, st, s)
	end(t, tx.Mark(delivery(1)))
	expect(t, s, d.Key(), false) // before the end
	end(t, tx.Commit())
	expect(t, s, d.Key(), true)
}

func txSecond(t *testing.T, st Store) {
	s := st.Open(t)
	first := begin(t, st, s)
	end(t, first.Mark(delivery(1)))
	end(t, first.Commit())
	commit(t, s, delivery(2).Key(), hours(1)) // by a receiver
	for n := 1; n <= 2; n++ {
		d := delivery(n)
		tx := begin(t, st, s)
		if err := tx.Mark(d); !errors.Is(err, webhooks.ErrSeen) {
			t.Fatalf("a second mark: %v, want ErrSeen", err)
		}
		if d.IsMarked() {
			t.Fatal("it called Marked")
		}
		end(t, tx.Rollback())
	}
	commit(t, s, delivery(3).Key(), hours(-24)) // no longer remembered
	tx := begin(t, st, s)
	end(t, tx.Mark(delivery(3)))
	end(t, tx.Commit())
	expect(t, s, delivery(3).Key(), true)
}

// txRace has several processes handle one delivery: one effect is committed.
func txRace(t *testing.T, st Store) {
	processes := []webhooks.Seen{st.Open(t)}
	if !st.Single {
		processes = append(processes, st.Open(t), st.Open(t))
	}
	begin(t, st, processes[0]).Rollback()
	for n := range 8 {
		effects := make([]int, 9)
		errs := make([]error, len(effects))
		var all sync.WaitGroup
		for i := range effects {
			all.Go(func() {
				// A database may refuse a transaction because of another one.
				for range 50 {
					if effects[i], errs[i] = handle(t, st, processes[i%len(processes)], n); errs[i] == nil {
						return
					}
				}
			})
		}
		all.Wait()
		total := 0
		for i, e := range effects {
			if errs[i] != nil {
				t.Fatal(errs[i])
			}
			total += e
		}
		if total != 1 {
			t.Fatalf("%d transactions of one delivery were committed", total)
		}
		expect(t, processes[len(processes)-1], delivery(n).Key(), true)
	}
}

// handle is a handler: it returns 1 if its transaction was committed.
func handle(t *testing.T, st Store, s webhooks.Seen, n int) (int, error) {
	tx := st.Begin(t, s)
	err := tx.Mark(delivery(n))
	if err == nil {
		err = tx.Commit()
	}
	if err == nil {
		return 1, nil
	}
	_ = tx.Rollback() // the transaction may be over
	if errors.Is(err, webhooks.ErrSeen) {
		err = nil
	}
	return 0, err
}
