package turns_test

import (
	"errors"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/bench/internal/turns"
)

// clock is moved by the work alone.
type clock struct{ now time.Duration }

func (c *clock) read() time.Duration { return c.now }

func (c *clock) takes(each time.Duration, done *int) turns.Work {
	return func(n int) error {
		c.now += time.Duration(n) * each
		*done += n
		return nil
	}
}

func TestRun(t *testing.T) {
	var c clock
	var ours, theirs int
	results, err := turns.Run(turns.Plan{Turns: 5, Turn: time.Millisecond, Clock: c.read},
		turns.Contender{Name: "ours", Work: c.takes(10*time.Microsecond, &ours)},
		turns.Contender{Name: "theirs", Work: c.takes(40*time.Microsecond, &theirs)})
	if err != nil {
		t.Fatal(err)
	}
	want := []turns.Result{
		{Name: "ours", Best: 10 * time.Microsecond, Median: 10 * time.Microsecond, Ratio: 1},
		{Name: "theirs", Best: 40 * time.Microsecond, Median: 40 * time.Microsecond, Ratio: 0.25},
	}
	if len(results) != 2 || results[0] != want[0] || results[1] != want[1] {
		t.Errorf("%+v", results)
	}
	if ours < 5*100 || theirs < 5*25 {
		t.Errorf("%d and %d operations", ours, theirs)
	}
}

func TestRunFails(t *testing.T) {
	broken := errors.New("broken")
	_, err := turns.Run(turns.Plan{Turns: 1, Turn: time.Millisecond}, turns.Contender{Name: "a", Work: func(int) error { return broken }})
	if !errors.Is(err, broken) {
		t.Error(err)
	}
}

func TestClocksGoOn(t *testing.T) {
	for _, clock := range []turns.Clock{turns.CPU, turns.Wall} {
		begun, x := clock(), 0
		for clock() == begun {
			x++
		}
		if clock() < begun {
			t.Error("went back")
		}
	}
}
