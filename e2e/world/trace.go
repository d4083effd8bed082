package world

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// traced is one line of the trace.
type traced struct {
	at    int64
	text  string
	about []Signature
}

// ring keeps the last lines.
type ring struct {
	lines []traced
	next  int
}

func (r *ring) add(at int64, text string, about ...Signature) {
	line := traced{at, text, about}
	if len(r.lines) < cap(r.lines) {
		r.lines = append(r.lines, line)
		return
	}
	r.lines[r.next] = line
	r.next = (r.next + 1) % len(r.lines)
}

func (r *ring) list(keep func(*traced) bool) []string {
	var out []string
	for i := range r.lines {
		line := &r.lines[(r.next+i)%len(r.lines)]
		if keep(line) {
			out = append(out, fmt.Sprintf("+%09.3fs %s", time.Duration(line.at).Seconds(), line.text))
		}
	}
	return out
}

// Trace returns the last lines of what happened: blocks with clients'
// transactions, requests with the node that answered, and what, and notes. A
// line begins with the time since the start, as in "+00012.345s ". It is empty
// unless the configuration says how many lines to keep.
func (w *World) Trace() []string {
	w.enter()
	defer w.mu.Unlock()
	if w.trace == nil {
		return nil
	}
	return w.trace.list(func(*traced) bool { return true })
}

// TraceOf returns the lines of the trace that are about one of the
// signatures.
func (w *World) TraceOf(signatures ...Signature) []string {
	w.enter()
	defer w.mu.Unlock()
	if w.trace == nil {
		return nil
	}
	return w.trace.list(func(line *traced) bool {
		return slices.ContainsFunc(line.about, func(s Signature) bool { return slices.Contains(signatures, s) })
	})
}

// Note adds a line of the caller's to the trace, about the signatures.
func (w *World) Note(text string, about ...Signature) {
	w.enter()
	defer w.mu.Unlock()
	if w.trace != nil {
		w.trace.add(w.now(), text, about...)
	}
}

// short abbreviates a signature.
func short(s Signature) string { return s.String()[:8] }

func (w *World) traceExecution(e *execution) {
	side := "surviving chain"
	if e.on.fork {
		side = "fork that is left"
	}
	outcome := "succeeded"
	if e.err != "" {
		outcome = "failed with " + e.err
	}
	text := fmt.Sprintf("slot %d height %d, %s: %s %s", e.on.slot, e.on.height, side, short(e.tx.id), outcome)
	w.trace.add(w.chain.begins(e.on.slot+1), text, e.tx.id)
}

// traceFront records what the front of an endpoint answers by itself.
func (w *World) traceFront(l *Line, e *Endpoint, q *request, what string) {
	if w.trace == nil {
		return
	}
	names := make([]string, 0, len(q.calls))
	for i := range q.calls {
		names = append(names, q.calls[i].method)
	}
	w.trace.add(w.now(), fmt.Sprintf("%s > %s %s: %s", l.name, e.Name(), strings.Join(names, ","), what))
}

// traceCall records a call and its answer.
func (w *World) traceCall(l *Line, e *Endpoint, c *call, at int64) {
	if w.trace == nil {
		return
	}
	v := &c.view
	text := fmt.Sprintf("%s > %s node %d (slot %d, sees %d, final %d", l.name, e.Name(), c.node.index, v.clock,
		v.tip.slot, v.final.slot)
	if v.tip.fork {
		text += ", on a fork"
	}
	if c.at != at {
		text += fmt.Sprintf(", as of %.3fs", time.Duration(c.at).Seconds())
	}
	if c.lie != Honest {
		text += ", liar " + c.lie.String()
	}
	w.trace.add(at, text+") "+c.method+" "+string(c.note), c.about...)
}
