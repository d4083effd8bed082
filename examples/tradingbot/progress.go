package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far a run has come: a bar on a terminal, nothing but the daily
// lines elsewhere, so that logs stay readable.
type progress interface {
	step(at time.Time)
	say(line string)
	end()
}

// newProgress shows a run from one time to another on a file. A run without an end
// has no bar.
func newProgress(out *os.File, from time.Time, lasts time.Duration) progress {
	if lasts <= 0 || !term.IsTerminal(int(out.Fd())) {
		return lines{out}
	}
	steps := int64(lasts / interval)
	b := progressbar.NewOptions64(steps,
		progressbar.OptionSetWriter(out), progressbar.OptionSetDescription(from.Format(time.DateOnly)),
		progressbar.OptionSetWidth(30), progressbar.OptionThrottle(50*time.Millisecond), progressbar.OptionClearOnFinish())
	return &bar{b, from, steps}
}

type bar struct {
	bar   *progressbar.ProgressBar
	from  time.Time
	steps int64
}

// step errors are those of the terminal: a bar is not worth ending a run.
func (b *bar) step(at time.Time) {
	b.bar.Describe(at.Format("2006-01-02 15:04"))
	_ = b.bar.Set64(min(int64(at.Sub(b.from)/interval), b.steps))
}

func (b *bar) say(line string) {
	_ = b.bar.Clear()
	fmt.Fprintln(os.Stderr, line)
}

func (b *bar) end() { _ = b.bar.Finish() }

type lines struct{ out io.Writer }

func (lines) step(time.Time)    {}
func (l lines) say(line string) { fmt.Fprintln(l.out, line) }
func (lines) end()              {}
