package spendwindow

import "time"

// Steps is how many steps w remembers at now.
func (w *Window[ID]) Steps(now time.Time) int {
	w.advance(now)
	return len(w.aging)
}
