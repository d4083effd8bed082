package running_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/running"
)

func TestWaitEndsWithTheLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g running.Group
		g.Wait()
		begun := time.Now()
		for i := range 3 {
			g.Go(func() { <-time.After(time.Duration(i) * time.Second) })
		}
		g.Wait()
		require.Equal(t, 2*time.Second, time.Since(begun))
		require.Panics(t, g.Done)
	})
}

// TestStartedWhileClosing does what a sync.WaitGroup calls misuse; the race
// detector finds it there.
func TestStartedWhileClosing(t *testing.T) {
	for range 200 {
		var g running.Group
		var ended atomic.Bool
		started := make(chan struct{})
		go func() {
			defer close(started)
			g.Go(func() { ended.Store(true) })
		}()
		g.Wait()
		<-started
		g.Wait()
		require.True(t, ended.Load())
	}
}
