package spendwindow_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/walletfi/walletfi-go/internal/spendwindow"
)

// hands is a clock that a test moves.
type hands struct{ now time.Time }

func (h *hands) Now() time.Time { return h.now }

func (h *hands) AfterFunc(time.Duration, func()) func() bool { return func() bool { return false } }

func TestKeeper(t *testing.T) {
	h := &hands{start}
	k := spendwindow.NewKeeper(h, time.Time{})
	assert.True(t, k.Now().IsZero() || k.Now().Before(start), "without the ledger's time it stands still")
	_, jumped := k.Learn(start)
	assert.False(t, jumped)
	assert.Equal(t, start, k.Now())
	assert.Equal(t, start.Add(spendwindow.Margin), k.Ages())

	h.now = start.Add(time.Hour)
	assert.Equal(t, start.Add(spendwindow.Margin), k.Now(), "it does not run past the ledger")
	h.now = start
	assert.Equal(t, start.Add(spendwindow.Margin), k.Now(), "nor back")
	_, jumped = k.Learn(start)
	assert.False(t, jumped, "a ledger that stands still only delays")
	apart, jumped := k.Learn(start.Add(time.Hour))
	assert.True(t, jumped)
	assert.Equal(t, spendwindow.Margin-time.Hour, apart)
	assert.Equal(t, start.Add(time.Hour+spendwindow.Margin), k.Ages(), "a debit does not age from before its block")

	stored := spendwindow.NewKeeper(h, start.Add(2*time.Hour))
	assert.Equal(t, start.Add(2*time.Hour), stored.Now(), "nor before what was stored")
	_, jumped = stored.Learn(start)
	assert.True(t, jumped)
}

func TestKeeperReaches(t *testing.T) {
	h := &hands{start}
	k := spendwindow.NewKeeper(h, time.Time{})
	k.Learn(start)
	k.Reach(start.Add(time.Minute))
	assert.Equal(t, start.Add(time.Minute), k.Now(), "another process was ahead")
	k.Reach(start)
	assert.Equal(t, start.Add(time.Minute), k.Now(), "it does not go back for one that lags")
}
