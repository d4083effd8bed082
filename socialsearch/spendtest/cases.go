package spendtest

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/walletfi/walletfi-go/socialsearch"
)

type (
	cost  = socialsearch.Cost
	state = socialsearch.MeterState
)

func life(t *testing.T, s Store) {
	a, b := s.Open(t), s.Open(t)
	is(t, a, state{})
	reserve(t, a, "1", 50, 100, true, state{Reserved: 50})
	is(t, b, state{Reserved: 50})
	reserve(t, b, "2", 30, 100, true, state{Reserved: 80})
	settle(t, a, "1", 20, state{Spent: 20, Reserved: 30})
	is(t, b, state{Spent: 20, Reserved: 30})
	settle(t, b, "2", 40, state{Spent: 60}) // more than was reserved
	is(t, a, state{Spent: 60})
}

func budget(t *testing.T, s Store) {
	store := s.Open(t)
	reserve(t, store, "1", 60, 100, true, state{Reserved: 60})
	reserve(t, store, "2", 41, 100, false, state{Reserved: 60})
	is(t, store, state{Reserved: 60})
	reserve(t, store, "2", 40, 100, true, state{Reserved: 100})
	reserve(t, store, "3", 1, 100, false, state{Reserved: 100})
	settle(t, store, "1", 60, state{Spent: 60, Reserved: 40})
	reserve(t, store, "3", 1, 100, false, state{Spent: 60, Reserved: 40})
	reserve(t, store, "3", 1, 101, true, state{Spent: 60, Reserved: 41})
	reserve(t, store, "4", 1000, 0, true, state{Spent: 60, Reserved: 1041}) // no limit
	reserve(t, store, "5", 0, 10, false, state{Spent: 60, Reserved: 1041})
	settle(t, store, "refused 2", 0, state{Spent: 60, Reserved: 1041})
}

func attempts(t *testing.T, s Store) {
	a, b := s.Open(t), s.Open(t)
	reserve(t, a, "1", 10, 30, true, state{Reserved: 10})
	reserve(t, a, "1", 10, 30, true, state{Reserved: 20})
	reserve(t, b, "2", 10, 30, true, state{Reserved: 30})
	reserve(t, a, "1", 10, 30, false, state{Reserved: 30})
	settle(t, a, "1", 10, state{Spent: 10, Reserved: 10})
	settle(t, b, "2", 0, state{Spent: 10})
}

func once(t *testing.T, s Store) {
	a, b := s.Open(t), s.Open(t)
	settle(t, a, "unknown", 50, state{})
	reserve(t, a, "1", 50, 100, true, state{Reserved: 50})
	reserve(t, a, "2", 50, 100, true, state{Reserved: 100})
	settle(t, a, "1", 30, state{Spent: 30, Reserved: 50})
	settle(t, a, "1", 30, state{Spent: 30, Reserved: 50})
	settle(t, b, "1", 30, state{Spent: 30, Reserved: 50})
	is(t, b, state{Spent: 30, Reserved: 50})
}

func largest(t *testing.T, s Store) {
	store := s.Open(t)
	reserve(t, store, "1", math.MaxInt64-1, 0, true, state{Reserved: math.MaxInt64 - 1})
	reserve(t, store, "2", math.MaxInt64, math.MaxInt64-1, false, state{Reserved: math.MaxInt64 - 1})
	reserve(t, store, "2", 10, 0, true, state{Reserved: math.MaxInt64})
	settle(t, store, "1", math.MaxInt64-1, state{Spent: math.MaxInt64 - 1, Reserved: 1})
	settle(t, store, "2", 10, state{Spent: math.MaxInt64})
	reserve(t, store, "3", 1, 100, false, state{Spent: math.MaxInt64})
}

func race(t *testing.T, s Store) {
	processes := []socialsearch.SpendStore{s.Open(t), s.Open(t), s.Open(t)}
	for round := range 4 {
		const racers, each = 24, 10
		room := cost(round+1) * 50 // for five more calls
		won, errs := make([]bool, racers), make([]error, racers)
		begin := make(chan struct{})
		var all sync.WaitGroup
		for i := range racers {
			all.Go(func() {
				<-begin
				r, err := processes[i%len(processes)].Reserve(t.Context(), fmt.Sprint(round, " ", i), each, room)
				won[i], errs[i] = r.Reserved, err
			})
		}
		close(begin)
		all.Wait()
		n := 0
		for i := range racers {
			if errs[i] != nil {
				t.Fatalf("Reserve: %v", errs[i])
			}
			if won[i] {
				n++
				if _, err := processes[0].Settle(t.Context(), fmt.Sprint(round, " ", i), each); err != nil {
					t.Fatalf("Settle: %v", err)
				}
			}
		}
		if n != 5 {
			t.Fatalf("%d calls got a part of a budget for 5", n)
		}
		is(t, processes[1], state{Spent: room})
	}
}

func settleRace(t *testing.T, s Store) {
	processes := []socialsearch.SpendStore{s.Open(t), s.Open(t), s.Open(t)}
	const calls = 24
	errs := make([]error, calls)
	for i := range calls {
		reserve(t, processes[0], fmt.Sprint(i/2), 10, 0, true, state{Reserved: cost(i+1) * 10})
	}
	var all sync.WaitGroup
	for i := range calls { // two settle each
		all.Go(func() { _, errs[i] = processes[i%len(processes)].Settle(t.Context(), fmt.Sprint(i/2), 7) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatalf("Settle: %v", err)
		}
	}
	is(t, processes[0], state{Spent: calls / 2 * 7})
}

func survives(t *testing.T, s Store) {
	if s.Reopen == nil {
		t.Skip("the store does not outlive its process")
	}
	store := s.Open(t)
	reserve(t, store, "1", 40, 100, true, state{Reserved: 40})
	reserve(t, store, "2", 50, 100, true, state{Reserved: 90})
	settle(t, store, "1", 40, state{Spent: 40, Reserved: 50})
	store = s.Reopen(t)
	is(t, store, state{Spent: 40, Reserved: 50})
	reserve(t, store, "3", 20, 100, false, state{Spent: 40, Reserved: 50})
	settle(t, store, "2", 5, state{Spent: 45})
}

func is(t *testing.T, s socialsearch.SpendStore, want state) {
	t.Helper()
	got, err := s.State(t.Context())
	if err != nil || got != want {
		t.Fatalf("State = %+v, %v, want %+v", got, err, want)
	}
}

func reserve(t *testing.T, s socialsearch.SpendStore, id string, most, budget cost, want bool, after state) {
	t.Helper()
	r, err := s.Reserve(t.Context(), id, most, budget)
	if err != nil || r.Reserved != want || r.State != after {
		t.Fatalf("Reserve(%q, %v, %v) = %+v, %v, want %+v, %v", id, most, budget, r, err, after, want)
	}
}

func settle(t *testing.T, s socialsearch.SpendStore, id string, c cost, after state) {
	t.Helper()
	got, err := s.Settle(t.Context(), id, c)
	if err != nil || got != after {
		t.Fatalf("Settle(%q, %v) = %+v, %v, want %+v", id, c, got, err, after)
	}
}
