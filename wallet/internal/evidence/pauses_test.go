package evidence

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence/evidencetest"
)

// TestQuestionsInVain: those that take many calls are asked again after growing pauses,
// and the error stands meanwhile.
func TestQuestionsInVain(t *testing.T) {
	c := &evidencetest.HandClock{At: time.Now()}
	p := &pauses{clock: c}
	turn := &Pass{dear: p}
	asked, away := 0, errors.New("away")
	answer := away
	ask := func(name string) error { return turn.dearly(name, nil, func() error { asked++; return answer }) }
	waits := append([]time.Duration{firstDear, 2 * firstDear}, slices.Repeat([]time.Duration{time.Minute}, 180)...)
	for _, wait := range append(waits, 2*time.Minute, 4*time.Minute, lastDear, lastDear) {
		before := asked
		require.Equal(t, away, ask("a"))
		require.Equal(t, before+1, asked)
		c.At = c.At.Add(wait - 1)
		require.Equal(t, away, ask("a"))
		require.Equal(t, before+1, asked, "not before %v", wait)
		c.At = c.At.Add(1)
	}
	before := asked
	require.Equal(t, away, ask("b"), "another question waits for nothing")
	require.Equal(t, before+1, asked)
	c.At = c.At.Add(-time.Hour)
	require.Equal(t, away, ask("b"))
	require.Equal(t, before+2, asked, "the clock was set back")
	answer = nil
	require.NoError(t, ask("a"))
	answer = away
	require.Equal(t, away, ask("a"))
	c.At = c.At.Add(firstDear)
	before = asked
	require.Equal(t, away, ask("a"))
	require.Equal(t, before+1, asked, "an answer ends the pauses")
	for i := range 2 * mostDear {
		_ = ask(fmt.Sprint(i))
	}
	require.LessOrEqual(t, len(p.held), mostDear)
}

// TestQuestionsInVainAreBounded: if there are too many, all are asked again.
func TestQuestionsInVainAreBounded(t *testing.T) {
	p := &pauses{}
	for i := range mostDear {
		p.asked(fmt.Sprint(i), errAway)
	}
	require.Len(t, p.held, mostDear)
	require.ErrorIs(t, p.due("0"), errAway)
	p.asked("one more", errAway)
	require.Len(t, p.held, 1)
	require.NoError(t, p.due("0"))
	require.ErrorIs(t, p.due("one more"), errAway)
}
