// Report measures this library beside its peers in one run, and writes
// docs/benchmarks.md and docs/benchmarks.svg:
//
//	cd bench && go run ./report
//
// With -check it writes nothing, prints a line for each row and fails if a row is
// past its bound.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/bench/internal/rows"
)

// measured is a row with its figure.
type measured struct {
	rows.Row
	rows.Figure
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func run() error {
	check := flag.Bool("check", false, "write nothing, and fail if a row is past its bound")
	turns := flag.Int("turns", 0, "turns of each contender; 0 means 41, with -check 15")
	turn := flag.Duration("turn", 8*time.Millisecond, "how long a turn takes, about")
	only := flag.String("only", "", "measure only the rows whose name has this text")
	docs := flag.String("docs", filepath.Join("..", "docs"), "where to write")
	asJSON := flag.Bool("json", false, "print the figures of the decoders as JSON and write nothing")
	flag.Parse()
	effort := rows.Effort{Turns: 41, Turn: *turn}
	if *check {
		effort.Turns = 15
	}
	effort.Turns = cmp.Or(*turns, effort.Turns)
	if *asJSON {
		return printDecoders(effort)
	}
	all, past, err := measure(effort, *only, *check)
	if err != nil {
		return err
	}
	if !*check && *only == "" {
		next, err := withNextJSON(effort)
		if err != nil {
			return err
		}
		if err := write(*docs, all, next); err != nil {
			return err
		}
	}
	fmt.Printf("%d rows, %d past their bound\n", len(all), past)
	if past > 0 {
		return errors.New("a row is past its bound")
	}
	return nil
}

// measure measures each row. One that is past its bound gets a second chance with
// more turns: a busy machine can spoil one.
func measure(effort rows.Effort, only string, check bool) (all []measured, past int, err error) {
	for _, row := range rows.All() {
		if !strings.Contains(row.Name, only) || check && row.Unheld {
			continue
		}
		begun := time.Now()
		figure, err := row.Measure(effort)
		if err == nil && row.PastBound(figure) {
			figure, err = row.Measure(rows.Effort{Turns: 3 * effort.Turns, Turn: effort.Turn})
		}
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", row.Name, err)
		}
		m := measured{row, figure}
		if row.PastBound(figure) {
			past++
		}
		fmt.Printf("%-46s %8.2f %-22s goal %g, bound %g%s  (%.1fs)\n", row.Name, figure.Value, row.Unit, row.Goal, row.Bound,
			m.verdict(), time.Since(begun).Seconds())
		for _, by := range figure.Beside {
			fmt.Printf("    %-42s %8.2f %v\n", by.Name, by.Ratio, by.Best)
		}
		all = append(all, m)
	}
	return all, past, nil
}

func (m measured) verdict() string {
	switch {
	case m.PastBound(m.Figure):
		return ": PAST ITS BOUND"
	case !m.MeetsGoal(m.Figure):
		return ": past its goal"
	}
	return ""
}

// printDecoders runs in a child process of another build.
func printDecoders(effort rows.Effort) error {
	figures := map[string]rows.Figure{}
	for _, row := range rows.All() {
		if row.Group != rows.Decoding {
			continue
		}
		figure, err := row.Measure(effort)
		if err != nil {
			return fmt.Errorf("%s: %w", row.Name, err)
		}
		figures[row.Name] = figure
	}
	return json.NewEncoder(os.Stdout).Encode(figures)
}
