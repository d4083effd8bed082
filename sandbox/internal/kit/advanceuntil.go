package kit

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/walletfi/walletfi-go/internal/pause"
)

// Bounds, in real time, of the wait until clients have done what they can.
const (
	settleMost = time.Second            // after which a request under way is not waited for
	settleLook = 50 * time.Microsecond  // between two looks
	quietLeast = 4 * settleLook         // with no goroutine that could run; where timers are coarse, one look
	quietFor   = 250 * time.Millisecond // if other goroutines of the program never rest
	awayFor    = 2 * quietFor           // if one is in a system call
)

// AdvanceUntil moves the clock from one timer of the clients to the next until
// done, by most at the most. See the door's.
func (s *Core) AdvanceUntil(ctx context.Context, most time.Duration, done func() bool) error {
	s.Lock()
	end := s.Now().Add(most)
	known := s.resident // of an earlier call: the program's goroutines outlive it
	s.Unlock()
	defer func() {
		s.Lock()
		s.resident = known
		s.Unlock()
	}()
	late := ""
	for {
		ended, err := s.rest(ctx, &known)
		if err != nil {
			return err
		}
		if !ended {
			late = fmt.Sprintf("; it went on without a goroutine that was in a system call for %v", diskMost)
		}
		if done() {
			return nil
		}
		s.Lock()
		now := s.Now()
		at, ok := s.clock.next()
		s.Unlock()
		if !now.Before(end) {
			return fmt.Errorf("sandbox: the condition does not hold after %v%s", most, late)
		}
		if !ok || at.After(end) {
			at = end
		}
		s.advance(max(at.Sub(now), 0), true)
	}
}

// rest waits until the clients have nothing left to do but to wait for the clock,
// as far as that can be seen: no request is under way, nobody uses the clock, and no
// goroutine of the program could run. ended is false if a system call that should end,
// such as a write to disk, did not.
func (s *Core) rest(ctx context.Context, known *resident) (ended bool, err error) {
	first := time.Now()
	known.look()
	begun, calm, quiet, last := first, first, first, -1
	looks := 0         // that saw nobody, one after the other
	var left time.Time // since when one is away
	onDisk := false    // the bounds are past, and a system call still has to end
	aside := false     // they are, and one seems to wait for what is outside
	for {
		stirred, busy := s.stir()
		now := time.Now()
		run, away := othersRun(known)
		switch {
		case away && left.IsZero():
			left = now
		case !away && !left.IsZero(): // it is back, and has the time that others have
			if now.Sub(left) >= diskLook {
				calm, quiet, looks = now, now, 0
			}
			if onDisk {
				begun, onDisk = now, false
			}
			left, aside = time.Time{}, false
		}
		switch looks++; {
		case stirred != last || busy:
			calm, quiet, last, looks = now, now, stirred, 0
		case run || away:
			quiet, looks = now, 0
		case now.Sub(quiet) >= quietLeast && looks > 1: // one can miss a goroutine that comes back from a call
			return true, ctx.Err()
		}
		look := settleLook
		if now.Sub(calm) >= quietFor && !away || now.Sub(calm) >= awayFor || now.Sub(begun) >= settleMost {
			waits := away && callsEnd()
			switch {
			case waits && now.Sub(first) < diskMost:
				look, onDisk = diskLook, true
			case !waits && onDisk: // it ended since the look above
				now = time.Now()
				onDisk, begun, calm, quiet = false, now, now, now
			case !waits && away && !aside: // or it did now
				look, aside = diskLook, true
			default:
				if now.Sub(calm) >= awayFor {
					known.stay()
				}
				return !waits, ctx.Err()
			}
		}
		if err := pause.Briefly(ctx, look); err != nil {
			return false, err
		}
	}
}

// stir is a count that changes with whatever a client does or is told, and whether
// requests are under way that do not wait for the clock themselves.
func (s *Core) stir() (stirred int, busy bool) {
	s.Lock()
	defer s.Unlock()
	return s.stirred + s.told, s.asked > 0 || s.calls > s.parked
}

// Bounds, in real time, of the wait for a system call that ends.
const (
	diskMost = 30 * time.Second
	diskLook = 5 * time.Millisecond // between two looks at stacks, for which the program stands still
)

// resident counts the goroutines that stay in a system call, such as the one that
// waits for signals in a program with a signal.Notify. They would keep each step
// waiting for them.
type resident struct{ known, least uint64 }

// look begins to count anew.
func (r *resident) look() { r.least = math.MaxUint64 }

// more reports whether n goroutines are in system calls that are not known to stay.
func (r *resident) more(n uint64) bool {
	r.least, r.known = min(r.least, n), min(r.known, n)
	return n > r.known
}

// stay takes those for residents that have not come back since look.
func (r *resident) stay() {
	if r.least != math.MaxUint64 {
		r.known = r.least
	}
}

// othersRun reports whether another goroutine of the program runs or could, and
// whether one is away in a system call that ends, such as a write to disk.
func othersRun(known *resident) (run, away bool) {
	now := []metrics.Sample{{Name: "/sched/goroutines/runnable:goroutines"}, {Name: "/sched/goroutines/running:goroutines"}, {Name: "/sched/goroutines/not-in-go:goroutines"}}
	metrics.Read(now)
	for _, sample := range now {
		if sample.Value.Kind() != metrics.KindUint64 {
			return true, false
		}
	}
	return now[0].Value.Uint64() > 0 || now[1].Value.Uint64() > 1, known.more(now[2].Value.Uint64())
}

// outside are calls that wait for what the program does not decide: a signal, input,
// another process, real time.
var outside = [][]byte{
	[]byte("os/signal.signal_recv("), []byte("internal/poll.(*FD).Read("), []byte("syscall.Read("), []byte("os.(*Process)."),
	[]byte("syscall.Wait4("), []byte("syscall.Nanosleep("), []byte("runtime.cgocall("),
}

// callsEnd reports whether a goroutine is in a system call that ends, however slow the
// disk is: one of files that does not wait for anything outside. The clock must not run
// on without its goroutine.
func callsEnd() bool {
	text := make([]byte, 1<<16)
	for {
		n := runtime.Stack(text, true)
		if n < len(text) {
			text = text[:n]
			break
		}
		text = make([]byte, 2*len(text))
	}
	for stack := range bytes.SplitSeq(text, []byte("\n\n")) {
		state, _, _ := bytes.Cut(stack, []byte("\n"))
		if bytes.Contains(state, []byte("[syscall")) && !containsAny(stack, outside) {
			return true
		}
	}
	return false
}

func containsAny(text []byte, some [][]byte) bool {
	for _, s := range some {
		if bytes.Contains(text, s) {
			return true
		}
	}
	return false
}

// WaitAside has a request under way not count as work to wait for: it waits for the
// clock, or for ever. The lock is held.
func (s *Core) WaitAside() (end func()) {
	s.asked, s.parked = s.asked-1, s.parked+1
	return func() { s.asked, s.parked = s.asked+1, s.parked-1 }
}
