package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// patience is how long a command may be silent on a terminal.
const patience = 2 * time.Second

// progress says on a terminal that a silent command is at work. Nil is quiet.
type progress struct {
	mu     sync.Mutex
	to     io.Writer
	spoke  time.Time // when something was last written
	shown  bool      // the line is there
	hushed bool
}

// newProgress returns nil if nobody looks: the output is piped.
func newProgress(to io.Writer) *progress {
	if !terminal(to) {
		return nil
	}
	return &progress{to: to}
}

// terminal reports whether a person is at the other end of a stream.
func terminal(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// start begins to watch a command. The function that it returns ends it.
func (p *progress) start(name string) (stop func()) {
	if p == nil {
		return func() {}
	}
	begun, done, ended := time.Now(), make(chan struct{}), make(chan struct{})
	p.spoke = begun
	go func() {
		defer close(ended)
		ticks := time.NewTicker(time.Second)
		defer ticks.Stop()
		for {
			select {
			case now := <-ticks.C:
				p.tick(name, now.Sub(begun), now)
			case <-done:
				p.clear()
				return
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(done)
		<-ended
	})
}

func (p *progress) tick(name string, age time.Duration, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hushed || now.Sub(p.spoke) < patience {
		return
	}
	p.shown = true
	fmt.Fprintf(p.to, "\r\x1b[Kwalletfi %s: %d s", name, int(age.Seconds()))
}

// clear takes the line away, before something else is written.
func (p *progress) clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spoke = time.Now()
	if p.shown {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
	p.shown = false
}

// hush ends it: the command waits for others now.
func (p *progress) hush() {
	if p == nil {
		return
	}
	p.clear()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hushed = true
}
