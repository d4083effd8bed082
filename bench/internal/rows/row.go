// Package rows has the rows of the report: what is measured, with what, and
// what it is held to.
package rows

import (
	"fmt"
	"math"
	"time"

	"github.com/walletfi/walletfi-go/bench/internal/turns"
)

// Row is one measurement.
type Row struct {
	Group string // of rows, a heading of the report
	Name  string
	Unit  string // of the figure
	// Goal is the figure to reach, Bound the largest one that passes
	// before it counts as a regression: a machine that others share moves figures.
	Goal, Bound float64
	Why         string // the goal is missed, if it is
	// Unheld rows are left out of a check: real time over sockets was 0.5 to 7 times
	// the peer's on a machine with ten times the work that it has cores for.
	Unheld  bool
	Measure func(Effort) (Figure, error)
}

// The groups that the report tells apart.
const (
	Decoding = "Decoding"
	Webhooks = "Webhooks"
)

// Effort says how long a row may take.
type Effort struct {
	Turns int
	Turn  time.Duration
}

func (e Effort) plan() turns.Plan { return turns.Plan{Turns: e.Turns, Turn: e.Turn} }

// Figure is a row's result.
type Figure struct {
	Value  float64        // in the row's unit
	Beside []turns.Result // those that took turns, ours first; nil if there are none
}

// MeetsGoal reports whether a figure is as good as it should be, to the digits
// that are printed.
func (r Row) MeetsGoal(f Figure) bool { return rounded(f.Value) <= r.Goal }

// PastBound reports a regression.
func (r Row) PastBound(f Figure) bool { return !(f.Value <= r.Bound) }

func rounded(v float64) float64 { return math.Round(v*100) / 100 }

// All is every row, in the order of the report.
func All() []Row {
	var all []Row
	for _, group := range [][]Row{
		decoding(), calls(), nodes(), webhook(), signatures(), guards(), permits(), memories(), feeds(), iterators(),
		signers(),
	} {
		all = append(all, group...)
	}
	return all
}

// overFastest is ours over the fastest of the next n.
func overFastest(n int) func([]turns.Result, error) (Figure, error) {
	return func(beside []turns.Result, err error) (Figure, error) {
		if err != nil {
			return Figure{}, err
		}
		f := Figure{Beside: beside}
		for _, r := range beside[1 : 1+n] {
			f.Value = max(f.Value, r.Ratio)
		}
		return f, nil
	}
}

// overSecond is ours over the first of the others, whatever the rest does.
func overSecond(beside []turns.Result, err error) (Figure, error) {
	if err != nil {
		return Figure{}, err
	}
	return Figure{Value: beside[1].Ratio, Beside: beside}, nil
}

// by is a way to do one operation at a time.
func by(name string, operation func() error) turns.Contender {
	return turns.Contender{Name: name, Work: each(operation)}
}

// each is work that is done one operation at a time.
func each(operation func() error) turns.Work {
	return func(n int) error {
		for range n {
			if err := operation(); err != nil {
				return err
			}
		}
		return nil
	}
}

func want(ok bool, format string, values ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(format, values...)
}
