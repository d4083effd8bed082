package wsconn

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
)

// topics holds what a user of Conn wants, kept as predictmeta keeps it: changed
// within Update alone.
type topics map[string]bool

func (w topics) want(c *Conn, topic string) {
	c.Update(func(uint64) [][]byte {
		if w[topic] {
			return nil
		}
		w[topic] = true
		return [][]byte{[]byte("+" + topic)}
	})
}

func (w topics) drop(c *Conn, topic string) {
	c.Update(func(uint64) [][]byte {
		if !w[topic] {
			return nil
		}
		delete(w, topic)
		return [][]byte{[]byte("-" + topic)}
	})
}

func (w topics) all() [][]byte {
	var messages [][]byte
	for _, topic := range slices.Sorted(maps.Keys(w)) {
		messages = append(messages, []byte("+"+topic))
	}
	return messages
}

// subscriptions follows one connection at the service and fails on a double
// subscription and on one that was never there.
func subscriptions(ws *websocket.Conn, seen func(message string, now topics) bool) error {
	now := topics{}
	for {
		_, message, err := ws.ReadMessage()
		if err != nil {
			return nil
		}
		topic := string(message[1:])
		if now[topic] == (message[0] == '+') {
			return fmt.Errorf("%q with %v", message, now)
		}
		if message[0] == '+' {
			now[topic] = true
		} else {
			delete(now, topic)
		}
		if !seen(string(message), now) {
			return nil
		}
	}
}

// Whatever is wanted and dropped while connections come and go, no connection
// is told anything twice, and the last one ends with what is wanted.
func TestUpdatesAgainstDrops(t *testing.T) {
	const drops = 100
	s := &wstest.Server{}
	inBubble(t, s, func(t *testing.T, cfg Config) {
		var mu sync.Mutex
		var last topics
		s.Script = func(ws *websocket.Conn, n int) {
			left := rand.N(20) + 1
			assert.NoError(t, subscriptions(ws, func(_ string, now topics) bool {
				mu.Lock()
				last = maps.Clone(now)
				mu.Unlock()
				left--
				return left > 0 || n > drops
			}))
		}
		wanted := topics{}
		cfg.MinBackoff, cfg.MaxBackoff, cfg.Resubscribe = time.Microsecond, time.Microsecond, wanted.all
		rec := newRecorder(t, 10*drops)
		conn, err := New(cfg, rec)
		require.NoError(t, err)
		c := &client{Conn: conn, recorder: rec, ended: make(chan error, 1)}
		ctx, cancel := testContext(t)
		c.cancel = cancel
		go func() { c.ended <- conn.Run(ctx) }()
		var group sync.WaitGroup
		for worker := range 4 {
			group.Go(func() {
				for s.Count() <= drops {
					<-time.After(rand.N(3 * time.Microsecond)) // about the time of a reconnection
					topic := fmt.Sprintf("%d.%d", worker, rand.N(8))
					if rand.N(2) == 0 {
						wanted.want(conn, topic)
					} else {
						wanted.drop(conn, topic)
					}
				}
			})
		}
		group.Wait()
		wanted.want(conn, "the end")
		var expected topics
		conn.Update(func(uint64) [][]byte { expected = maps.Clone(wanted); return nil })
		synctest.Wait()
		mu.Lock()
		assert.Equal(t, expected, last)
		mu.Unlock()
		assert.True(t, expected["the end"])
		c.stop(t)
	})
}
