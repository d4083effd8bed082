// Package scripttest runs the scripts of a package: each line is an event, and below
// the events of a moment stands the trace that they must leave.
//
//	start ping=10s
//	say hello
//	----
//	0s client: up
//	0s client: gets hello
//
//	advance 10s
//	----
//	10s #1: ping 2
//
// A file is one bubble of testing/synctest, whose time moves with "advance".
// `go test ./PACKAGE -run '^TestScripts$' -rewrite` writes the traces: read the
// difference before you commit it.
package scripttest

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"
)

// Run runs each script in testdata/scripts. begin starts the driver of one, which plays
// its events and says in the trace what happens.
func Run(t *testing.T, begin func(t *testing.T, trace *Trace) (play func(e *Event))) {
	t.Helper()
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		synctest.Test(t, func(t *testing.T) {
			trace := &Trace{}
			trace.Begin()
			play := begin(t, trace)
			datadriven.RunTestAny(quiet{t}, path, func(_ testing.TB, d *datadriven.TestData) string {
				one(&Event{Name: d.Cmd, t: t, args: d.CmdArgs}, play)
				for text := range strings.Lines(d.Input) {
					name, args, err := datadriven.ParseLine(text)
					require.NoError(t, err)
					one(&Event{Name: name, t: t, args: args}, play)
				}
				return trace.take()
			})
		})
	})
}

// one plays one event, until everything waits.
func one(e *Event, play func(*Event)) {
	if e.Name == "advance" {
		time.Sleep(e.Lasts())
	} else {
		play(e)
	}
	e.used()
	synctest.Wait()
}

// quiet does not say every ten seconds of the bubble that a script still runs.
type quiet struct{ *testing.T }

func (q quiet) Logf(format string, args ...any) {
	q.Helper()
	if !strings.Contains(format, "still running") {
		q.T.Logf(format, args...)
	}
}
