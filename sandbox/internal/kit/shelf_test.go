package kit_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestLongRunShelf(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	s.Lock()
	aged, capped := kit.NewShelf[int, string](s.Core, time.Minute, 0), kit.NewShelf[int, string](s.Core, 0, 3)
	aged.Put(1, "one")
	for i := range 5 {
		capped.Put(i, "x")
	}
	assert.Equal(t, 3, capped.Len())
	_, ok := capped.Get(1)
	assert.False(t, ok, "the eldest went first")
	capped.Put(2, "again")
	capped.Put(9, "y")
	v, ok := capped.Get(2)
	assert.True(t, ok && v == "again", "what is put again is young again")
	capped.Delete(2)
	capped.Delete(2)
	assert.Equal(t, 2, capped.Len())
	for i := range 1000 {
		capped.Put(i, "z")
		capped.Delete(i)
	}
	capped.Put(7, "seven")
	_, ok = capped.Get(7)
	assert.True(t, ok, "what was deleted does not take its successor along")
	s.Unlock()

	s.Advance(59 * time.Second)
	s.Lock()
	_, ok = aged.Get(1)
	assert.True(t, ok)
	aged.Put(2, "two")
	s.Unlock()
	s.Advance(time.Second)
	s.Lock()
	_, ok = aged.Get(1)
	assert.False(t, ok)
	assert.Equal(t, 1, aged.Len())
	s.Unlock()
	s.Advance(time.Minute)
	s.Lock()
	assert.Zero(t, aged.Len(), "without another call")
	s.Unlock()
}
