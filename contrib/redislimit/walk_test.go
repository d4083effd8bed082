package redislimit_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWalk: processes that take, send, die, report late and out of turn, on a clock that
// is set back now and then. No window is ever exceeded as a service counts, and in the
// end the whole budget is free again: nothing was lost and nothing counted twice.
func TestWalk(t *testing.T) {
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 1))
		v := newVirtual(t)
		windows := [][2]int64{{7, 10 * second}, {3, 2 * second}}
		passed := time.Duration(0) // that has passed
		var answered []time.Duration
		type one struct {
			*process
			pending int
		}
		var all []*one
		opened := 0
		open := func() {
			opened++
			all = append(all, &one{v.process(fmt.Sprint("p", opened), windows...), 0})
		}
		for range 3 {
			open()
		}
		granted := 0
		for range 1500 {
			i := random.IntN(len(all))
			p := all[i]
			switch random.IntN(12) {
			case 0, 1, 2, 3:
				code, rest := p.does("take", map[string]any{"ask": [][3]int64{{2, 0, 0}}})
				if code == 1 {
					p.sync()
				}
				if code == 0 && rest[0] == 1 {
					p.f++
					p.pending++
					granted++
					for _, w := range windows {
						n := int64(0)
						for _, q := range all {
							n += int64(q.pending)
						}
						for _, at := range answered {
							if (passed - at).Microseconds() <= w[1] {
								n++
							}
						}
						require.LessOrEqual(t, n, w[0], "seed %d: in %d µs", seed, w[1])
					}
				}
			case 4, 5, 6:
				if p.f > 0 {
					if code, _ := p.does("done", map[string]any{"sent": true}); code == 0 {
						p.f--
						p.pending--
						answered = append(answered, passed)
					} else {
						p.sync()
					}
				}
			case 7:
				p.sync()
			case 8: // late and out of turn
				late(p.process)
			case 9:
				d := time.Duration(random.Int64N(int64(900 * time.Millisecond)))
				passed += d
				v.advance(d)
				late(p.process)
				for _, q := range all {
					q.sync() // its beat
				}
			case 10:
				if random.IntN(10) == 0 {
					v.advance(-time.Duration(random.Int64N(int64(time.Hour))))
				}
			case 11:
				if random.IntN(8) == 0 { // p dies: the service has its requests already
					for range p.pending {
						answered = append(answered, passed)
					}
					all = slices.Delete(all, i, i+1)
					open()
				}
			}
		}
		require.Greater(t, granted, 30)
		p := all[len(all)-1]
		for range 8 {
			v.advance(2 * time.Second)
			p.f = 0
			p.sync()
		}
		v.advance(11 * time.Second)
		p.sync()
		require.Equal(t, 3, p.burst(10), "seed %d", seed)
		v.advance(3 * time.Second)
		p.sync()
		require.Equal(t, 3, p.burst(10), "seed %d", seed)
		v.advance(2100 * time.Millisecond)
		p.sync()
		require.Equal(t, 1, p.burst(10), "seed %d: seven in ten seconds", seed)
	}
}

// late sends a report that later ones have overtaken.
func late(p *process) {
	if p.session <= 1 {
		return
	}
	session := p.session
	p.session = 1
	code, _ := p.does("sync", nil)
	if p.session = session; code == 0 {
		p.sync() // it was forgotten: it must say what it has
	}
}
