package wsconn

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
)

// diary is a Handler that writes down all calls, with the seconds since it began.
type diary struct {
	began time.Time

	mu    sync.Mutex
	lines []string
}

func (d *diary) write(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, fmt.Sprintf("%g ", time.Since(d.began).Seconds())+fmt.Sprintf(format, args...))
}

func (d *diary) seconds(at time.Time) float64 { return at.Sub(d.began).Seconds() }

func (d *diary) Message(message []byte) { d.write("%s", message) }
func (d *diary) Gap(g Gap)              { d.write("gap %g-%g", d.seconds(g.From), d.seconds(g.To)) }
func (d *diary) Up()                    { d.write("up") }
func (d *diary) Reached(mark uint64)    { d.write("reached %d", mark) }
func (d *diary) Down(error, time.Duration) {
	d.write("down")
}

// read runs a Conn on virtual time for so long, and returns the diary. meanwhile
// begins before the Conn does.
func read(t *testing.T, cfg Config, lasts time.Duration, meanwhile func(*Conn)) []string {
	t.Helper()
	d := &diary{began: time.Now()}
	conn, err := New(cfg, d)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), lasts)
	defer cancel()
	if meanwhile != nil {
		go meanwhile(conn)
		synctest.Wait() // what it does at once is done before
	}
	require.ErrorIs(t, conn.Run(ctx), context.DeadlineExceeded)
	return d.lines
}

func resubscribing(n int) func() [][]byte {
	return func() (all [][]byte) {
		for i := range n {
			all = append(all, fmt.Appendf(nil, "+%d", i))
		}
		return all
	}
}

// after reads n messages of a client.
func after(ws *websocket.Conn, n int) {
	for range n {
		if _, _, err := ws.ReadMessage(); err != nil {
			return
		}
	}
}

func TestUp(t *testing.T) {
	wait := func(seconds time.Duration) { <-time.After(seconds * time.Second) }
	for name, row := range map[string]struct {
		script script
		refuse func(n int) bool // the n-th handshake
		want   []string
	}{
		"a quiet service": {func(ws *websocket.Conn, _ int) { wstest.Linger(ws) }, nil, []string{"0 up", "0 reached 0"}},
		"the first attempts fail": {
			func(ws *websocket.Conn, _ int) { wstest.Linger(ws) }, func(n int) bool { return n < 3 },
			[]string{"0 down", "0 down", "0 up", "0 reached 0"},
		},
		"the connection is lost": {func(ws *websocket.Conn, n int) {
			if n < 3 {
				go wstest.Linger(ws)
				wait(1)
				return
			}
			wstest.Linger(ws)
		}, nil, []string{"0 up", "0 reached 0", "1 down", "1 gap 0-1", "1 up", "1 reached 0", "2 down", "2 gap 1-2", "2 up", "2 reached 0"}},
		"the service hangs up before it has said anything": {func(ws *websocket.Conn, n int) {
			if n > 2 {
				wstest.Linger(ws)
			}
		}, nil, []string{"0 down", "0 down", "0 gap 0-0", "0 up", "0 reached 0"}},
		"the resubscription fails half-way": {func(ws *websocket.Conn, n int) {
			if n == 1 {
				after(ws, 2)
				return
			}
			wstest.Linger(ws)
		}, nil, []string{"0 down", "0 gap 0-0", "0 up", "0 reached 0"}},
		"the resubscription stalls": {func(ws *websocket.Conn, n int) {
			if n == 1 {
				after(ws, 2)
				wait(100)
				return
			}
			wstest.Linger(ws)
		}, nil, []string{"5 down", "5 gap 0-5", "5 up", "5 reached 0"}},
		"a message comes before the last subscription is taken": {func(ws *websocket.Conn, n int) {
			go func() {
				after(ws, 2)
				wait(2)
				if n > 1 {
					wstest.Linger(ws)
				}
				ws.Close()
			}()
			wait(1)
			wstest.Say(ws, "early")
			wait(100)
		}, nil, []string{"1 up", "1 early", "2 down", "3 gap 0-3", "3 up", "3 early", "4 gap 3-4", "4 reached 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &wstest.Server{Script: row.script, Refuse: func(w http.ResponseWriter, _ *http.Request, n int) bool {
				if row.refuse != nil && row.refuse(n) {
					w.WriteHeader(http.StatusServiceUnavailable)
					return true
				}
				return false
			}}
			inBubble(t, s, func(t *testing.T, cfg Config) {
				cfg.Resubscribe, cfg.PingEvery = resubscribing(4), pingEvery
				cfg.MinBackoff, cfg.MaxBackoff = time.Nanosecond, time.Nanosecond
				var got []string
				for _, line := range read(t, cfg, 12*time.Second, nil) {
					got = append(got, withoutNanoseconds(line))
				}
				require.Equal(t, row.want, got)
			})
		})
	}
}

// withoutNanoseconds takes the backoff out of a line of the diary.
func withoutNanoseconds(line string) string {
	fields := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' })
	var n float64
	if _, err := fmt.Sscan(fields[0], &n); err == nil {
		fields[0] = fmt.Sprint(int(n))
	}
	if len(fields) == 3 && fields[1] == "gap" {
		var from, to float64
		if _, err := fmt.Sscanf(fields[2], "%g-%g", &from, &to); err == nil {
			fields[2] = fmt.Sprintf("%d-%d", int(from), int(to))
		}
	}
	return strings.Join(fields, " ")
}

// Reached is said of an update when the service has taken it.
func TestReached(t *testing.T) {
	update := func(c *Conn, n int) {
		for i := range n {
			c.Update(func(uint64) [][]byte { return [][]byte{fmt.Appendf(nil, "u%d", i)} })
		}
	}
	quietly := func(ws *websocket.Conn) { ws.SetPingHandler(func(string) error { return nil }) }
	for name, row := range map[string]struct {
		confirm bool
		script  script
		want    []string
	}{
		"with a ping of its own": {true, func(ws *websocket.Conn, _ int) { wstest.Linger(ws) },
			[]string{"0 up", "0 reached 1", "3 reached 4", "6 reached 7"}},
		"with the next ping": {false, func(ws *websocket.Conn, _ int) { wstest.Linger(ws) },
			[]string{"0 up", "0 reached 1", "10 reached 7"}},
		"by a service that answers no ping": {true, func(ws *websocket.Conn, _ int) {
			quietly(ws)
			go wstest.Linger(ws)
			for {
				<-time.After(3 * time.Second)
				if ws.WriteMessage(websocket.TextMessage, []byte("m")) != nil {
					return
				}
			}
		}, []string{"3 up", "3 m", "6 m", "9 m", "12 m", "12 reached 1", "15 m", "18 m", "21 m", "21 reached 7", "24 m"}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, &wstest.Server{Script: row.script}, func(t *testing.T, cfg Config) {
				cfg.ConfirmUpdates, cfg.PingEvery = row.confirm, pingEvery
				cfg.Resubscribe = resubscribing(1)
				got := read(t, cfg, 25*time.Second, func(c *Conn) {
					update(c, 1)
					for range 2 {
						<-time.After(3 * time.Second)
						update(c, 3)
					}
				})
				require.Equal(t, row.want, got)
			})
		})
	}
}

// However many updates there are, one ping is out at a time.
func TestUpdatesInAHurry(t *testing.T) {
	const updates = 500
	s := &wstest.Server{}
	pings := 0
	s.Script = func(ws *websocket.Conn, _ int) {
		answer := ws.PingHandler()
		ws.SetPingHandler(func(payload string) error {
			pings++
			<-time.After(time.Second)
			return answer(payload)
		})
		wstest.Linger(ws)
	}
	inBubble(t, s, func(t *testing.T, cfg Config) {
		cfg.ConfirmUpdates, cfg.PingEvery = true, time.Hour
		got := read(t, cfg, 10*time.Second, func(c *Conn) {
			<-time.After(1500 * time.Millisecond)
			for range updates {
				c.Update(func(uint64) [][]byte { return [][]byte{[]byte("u")} })
				synctest.Wait()
			}
		})
		require.Equal(t, fmt.Sprintf("reached %d", updates), strings.SplitN(got[len(got)-1], " ", 2)[1])
		assert.LessOrEqual(t, pings, 4+updates/messagesPerPing)
		assert.GreaterOrEqual(t, pings, 2)
	})
}
