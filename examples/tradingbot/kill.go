package main

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// killSwitch reports whether the bot should stop: once a file exists, or once the
// process got an interrupt or SIGTERM. A second signal ends it at once, which loses
// nothing either: what is in doubt is taken up at the next start.
func killSwitch(path string) (killed func() bool, stop func()) {
	var asked atomic.Bool
	signals := make(chan os.Signal, 1)
	done := make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			asked.Store(true)
			signal.Stop(signals)
		case <-done:
		}
	}()
	killed = func() bool {
		if path != "" {
			if _, err := os.Stat(path); err == nil {
				return true
			}
		}
		return asked.Load()
	}
	return killed, func() { signal.Stop(signals); close(done) }
}
