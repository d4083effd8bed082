package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far a run has come: the daily lines, with a bar under them on a
// terminal.
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
		progressbar.OptionSetWriter(out), progressbar.OptionSetDescription(from.Format("2006-01-02 15:04")),
		progressbar.OptionSetWidth(30), progressbar.OptionClearOnFinish())
	return &bar{b, out, from, steps}
}

type bar struct {
	bar   *progressbar.ProgressBar
	out   io.Writer
	from  time.Time
	steps int64
}

// step errors are those of the terminal: a bar is not worth ending a run.
func (b *bar) step(at time.Time) {
	b.bar.Describe(at.Format("2006-01-02 15:04"))
	_ = b.bar.Set64(min(int64(at.Sub(b.from)/interval), b.steps))
}

// say writes a line in the place of the bar, which comes back under it.
func (b *bar) say(line string) {
	_ = b.bar.Clear()
	fmt.Fprintln(b.out, line)
	_ = b.bar.RenderBlank()
}

func (b *bar) end() { _ = b.bar.Finish() }

type lines struct{ out io.Writer }

func (lines) step(time.Time)    {}
func (l lines) say(line string) { fmt.Fprintln(l.out, line) }
func (lines) end()              {}
