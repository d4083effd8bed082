package scripttest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Trace collects what happens in a script. It is safe for concurrent use.
type Trace struct {
	mu    sync.Mutex
	began time.Time
	lines []line
}

type line struct {
	at   time.Time
	who  string
	text string
}

// Begin starts the trace's time at zero.
func (t *Trace) Begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.began = time.Now()
}

// Since is the trace's time of at, to the millisecond.
func (t *Trace) Since(at time.Time) time.Duration { return t.Exactly(at).Round(time.Millisecond) }

// Exactly is the trace's time of at.
func (t *Trace) Exactly(at time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return at.Sub(t.began)
}

// Say adds a line: what who did just now.
func (t *Trace) Say(who, format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, line{time.Now(), who, fmt.Sprintf(format, args...)})
}

// take returns the lines and forgets them. What several did at the same time is
// sorted by who did it, since goroutines take turns as they like.
func (t *Trace) take() string {
	t.mu.Lock()
	lines := t.lines
	t.lines = nil
	t.mu.Unlock()
	slices.SortStableFunc(lines, func(a, b line) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return strings.Compare(a.who, b.who)
	})
	var text strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&text, "%s %s: %s\n", t.Since(l.at), l.who, l.text)
	}
	return text.String()
}
