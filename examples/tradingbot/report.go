package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// sample is a point of the charts.
type sample struct {
	At        time.Time
	Equity    int64
	Exposure  int64            // what was paid for the positions
	Positions map[string]int64 // units by instrument
}

func (b *bot) sample(at time.Time) {
	s := sample{
		At:        at,
		Equity:    b.log.book.equity(b.last),
		Exposure:  int64(b.log.book.exposure()),
		Positions: map[string]int64{},
	}
	for name, p := range b.log.book.positions {
		s.Positions[name] = int64(p.Units)
	}
	b.samples = append(b.samples, s)
}

// report writes the figures of the run, and its charts to a folder.
func (b *bot) report(folder string, out io.Writer) error {
	var figures strings.Builder
	b.figures(&figures)
	names, err := b.writePage(folder, figures.String())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%scharts in %s: %s\n", figures.String(), folder, strings.Join(names, ", "))
	return err
}

// figures are what the run came to.
func (b *bot) figures(out io.Writer) {
	book := b.log.book
	equity := book.equity(b.last)
	fmt.Fprintf(out, "profit and loss %s USDC, equity %s\n", signed(equity-b.days.first), dollars(equity))
	for _, name := range slices.Sorted(maps.Keys(book.realised)) {
		fmt.Fprintf(out, "  realised on %s %s\n", name, signed(book.realised[name]))
	}
	fmt.Fprintf(out, "trades %d; fees %s SOL, tips %s SOL, rents %s SOL\n",
		len(book.fills), sol(int64(book.fees)), sol(int64(book.tips)), sol(book.rents))
	fmt.Fprintf(out, "orders: %s\n", counted(book.outcomes, len(book.pending)))
	ends, doubts := map[outcome]int{}, 0
	for _, o := range book.unsure {
		if o == "" {
			doubts++
		} else {
			ends[o]++
		}
	}
	fmt.Fprintf(out, "unsure intents %d: %s\n", len(book.unsure), counted(ends, doubts))
	for _, why := range slices.Sorted(maps.Keys(b.refused)) {
		fmt.Fprintf(out, "not ordered %d times: %s\n", b.refused[why], why)
	}
}

// counted lists how many orders ended how, and how many did not.
func counted(ends map[outcome]int, open int) string {
	var all []string
	for _, o := range slices.Sorted(maps.Keys(ends)) {
		all = append(all, fmt.Sprintf("%d %s", ends[o], o))
	}
	return strings.Join(append(all, fmt.Sprintf("%d open", open)), ", ")
}

// tell lists the sandbox's disturbances.
func (t *trouble) tell(out io.Writer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, what := range slices.Sorted(maps.Keys(t.counts)) {
		fmt.Fprintf(out, "trouble: %3d x %s\n", t.counts[what], what)
	}
}
