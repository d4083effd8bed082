package rows

import (
	"math"
	"reflect"
	"testing"
	"time"
)

// TestSameResult: the clients do the same work.
func TestSameResult(t *testing.T) {
	names, all, err := accountCalls(memory{account}, base)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) != 5 || len(all) != 5 {
		t.Fatal(names)
	}
	want, err := all["net/http by hand"](t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range all {
		if got, err := call(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// TestAllocations holds a whole call to 50 allocations, and to 1.2 times those of
// the hand-written one.
func TestAllocations(t *testing.T) {
	_, all, err := accountCalls(memory{account}, base)
	if err != nil {
		t.Fatal(err)
	}
	count := func(name string) float64 {
		return testing.AllocsPerRun(100, func() {
			if err := answered(all[name]); err != nil {
				t.Error(err)
			}
		})
	}
	ours, byHand := count("walletfi"), count("net/http by hand")
	if ours > 52 || ours > 1.2*byHand {
		t.Errorf("%v allocations, by hand %v", ours, byHand)
	}
}

// TestRows: every row can be measured, and each has a name of its own, a goal and
// a bound. A value may be below zero: one row is a difference, and turns of a
// millisecond do not measure it.
func TestRows(t *testing.T) {
	names := map[string]bool{}
	for _, row := range All() {
		if names[row.Name] || row.Name == "" || row.Unit == "" || row.Goal <= 0 || row.Bound < row.Goal {
			t.Errorf("%+v", row)
		}
		names[row.Name] = true
		figure, err := row.Measure(Effort{Turns: 1, Turn: time.Millisecond})
		if err != nil || figure.Value == 0 || math.IsNaN(figure.Value) || math.IsInf(figure.Value, 0) {
			t.Errorf("%s: %+v, %v", row.Name, figure, err)
		}
		for _, contender := range figure.Beside {
			if contender.Best <= 0 {
				t.Errorf("%s: %+v", row.Name, contender)
			}
		}
	}
}
