package paid

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
)

// diary adds what happens to wallets and callers to the world's trace, for the
// story of a run.
type diary struct {
	w     *world.World
	began time.Time
	on    bool
}

func (d *diary) add(format string, args ...any) {
	if d.on {
		d.w.Note(fmt.Sprintf(format, args...))
	}
}

// clock is a time as the story tells it, since the beginning of the run.
func (d *diary) clock(at time.Time) string {
	if at.IsZero() {
		return "never"
	}
	return fmt.Sprintf("+%09.3fs", at.Sub(d.began).Seconds())
}

// story is all that happened, in order of time.
func (d *diary) story() []string {
	if !d.on {
		return nil
	}
	lines := d.w.Trace()
	slices.SortStableFunc(lines, func(a, b string) int {
		return int(min(max(second(a)-second(b), -1), 1))
	})
	return lines
}

// second is the time with which a line of the trace begins, in thousandths.
func second(line string) float64 {
	text, _, _ := strings.Cut(strings.TrimPrefix(line, "+"), "s ")
	at, _ := strconv.ParseFloat(text, 64) // a line without one is the first
	return at * 1000
}

// tell puts the story of a shrunk run into words.
func tell(whole, small plan, lost []Loss, story []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "mode %s seed %d, keys %v of %d\n", small.Mode, small.Seed, small.Keys, len(whole.Keys))
	b.WriteString("on:")
	for _, k := range small.knobs() {
		fmt.Fprintf(&b, " %s;", k.name)
	}
	b.WriteString("\n")
	for _, l := range lost {
		fmt.Fprintf(&b, "LOSS: %s: %s\n", l.Kind, l.Text)
	}
	for _, line := range story {
		b.WriteString(line + "\n")
	}
	return b.String()
}
