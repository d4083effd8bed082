package kit_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestFeedLogHasWhatWasWritten(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	url, gone := echoing(t, s)
	one := worldtest.FeedDial(t, url, nil)
	worldtest.FeedSay(t, one, "0")
	assert.Empty(t, s.FeedLog(), "nobody asked for a record")
	s.RecordFeeds()
	before := time.Now()
	worldtest.FeedSay(t, one, "1")
	two := worldtest.FeedDial(t, url, nil)
	worldtest.FeedSay(t, two, "2")
	worldtest.FeedSay(t, one, "3")
	log := s.FeedLog()
	require.Len(t, log, 3)
	for i, want := range []play.FeedMessage{
		{Connection: 1, Sequence: 2, Text: `{"echo":1}`}, {Connection: 2, Sequence: 1, Text: `{"echo":2}`}, {Connection: 1, Sequence: 3, Text: `{"echo":3}`},
	} {
		assert.False(t, log[i].Time.Before(before) || log[i].Time.After(time.Now()))
		log[i].Time = time.Time{}
		assert.Equal(t, want, log[i])
	}
	assert.Equal(t, 2, s.DropFeeds())
	<-gone
	assert.Len(t, s.FeedLog(), 3, "connections that are gone stay in the log")
}

func TestFeedsAreCutAfterSoManyMessages(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	url, gone := echoing(t, s)
	s.RecordFeeds()
	restore := s.CutFeedsAfter(2)
	for range 3 {
		conn := worldtest.FeedDial(t, url, nil)
		for _, text := range []string{"1", "2", "3"} {
			if conn.WriteMessage(websocket.TextMessage, []byte(text)) != nil {
				break
			}
		}
		<-gone
	}
	count := map[int]int{}
	for _, m := range s.FeedLog() {
		count[m.Connection]++
	}
	assert.Equal(t, map[int]int{1: 2, 2: 2, 3: 2}, count)
	restore()
	conn := worldtest.FeedDial(t, url, nil)
	for i := range 5 {
		assert.Equal(t, fmt.Sprintf(`{"echo":%d}`, i), worldtest.FeedSay(t, conn, fmt.Sprint(i)))
	}
}

func TestSilentFeedIsHalfOpen(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	url, gone := echoing(t, s)
	silent := worldtest.FeedDial(t, url, nil)
	worldtest.FeedSay(t, silent, "1")
	assert.Equal(t, 1, s.SilenceFeeds())
	s.RecordFeeds()
	ponged := false
	silent.SetPongHandler(func(string) error { ponged = true; return nil })
	require.NoError(t, silent.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Second)))
	require.NoError(t, silent.WriteMessage(websocket.TextMessage, []byte("2")))
	s.PushFeeds(`"lost"`)

	sound := worldtest.FeedDial(t, url, nil)
	assert.Equal(t, `{"echo":3}`, worldtest.FeedSay(t, sound, "3"), "later connections are sound")
	believed := func() bool { // each connection has a writer of its own
		return slices.ContainsFunc(s.FeedLog(), func(m play.FeedMessage) bool { return m.Connection == 1 && m.Text == `"lost"` })
	}
	require.Eventually(t, believed, 5*time.Second, time.Millisecond, "the server believes that it wrote it")
	assert.Len(t, s.FeedLog(), 2, "what the client said was not heard")
	require.NoError(t, silent.SetReadDeadline(time.Now().Add(50*time.Millisecond)))
	_, _, err := silent.ReadMessage()
	require.ErrorContains(t, err, "timeout", "neither an end nor a message")
	assert.False(t, ponged)
	require.NoError(t, silent.Close())
	<-gone
}

func TestSlowFeedWritesInPieces(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	url, _ := echoing(t, s)
	conn := worldtest.FeedDial(t, url, nil)
	worldtest.FeedSay(t, conn, "1")
	restore := s.SlowFeeds(3, time.Millisecond)
	begin := time.Now()
	text := `"` + strings.Repeat("x", 88) + `"`
	assert.Equal(t, `{"echo":`+text+`}`, worldtest.FeedSay(t, conn, text))
	assert.GreaterOrEqual(t, time.Since(begin), 33*time.Millisecond, "101 bytes, three at a time")
	restore()
	assert.Equal(t, `{"echo":2}`, worldtest.FeedSay(t, conn, "2"))
	s.SlowFeeds(1, time.Hour)
	s.PushFeeds("stuck") // Close, which the test ends with, does not wait for it
}

func TestBadFramesReachTheClient(t *testing.T) {
	for name, frames := range map[string][]byte{
		"a reserved opcode": {0x83, 0x00}, "a reserved bit": {0xf1, 0x00}, "a masked frame": {0x81, 0x81, 1, 2, 3, 4, 5},
		"a continuation of nothing": {0x80, 0x00},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, play.Config{ManualClock: true})
			url, gone := echoing(t, s)
			conn := worldtest.FeedDial(t, url, nil)
			worldtest.FeedSay(t, conn, "1")
			s.PushFeeds("2")
			s.PushFeedFrames(frames)
			assert.Equal(t, "2", worldtest.FeedRead(t, conn), "in order")
			_, _, err := conn.ReadMessage()
			require.ErrorContains(t, err, "websocket: ")
			conn.Close()
			<-gone
		})
	}
}

func TestCloseFeedsSaysGoodbye(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	url, gone := echoing(t, s)
	conn := worldtest.FeedDial(t, url, nil)
	worldtest.FeedSay(t, conn, "1")
	s.PushFeeds("2")
	assert.Equal(t, 1, s.CloseFeeds(1012, "restart"))
	assert.Equal(t, "2", worldtest.FeedRead(t, conn), "what was queued comes first")
	_, _, err := conn.ReadMessage()
	assert.Equal(t, &websocket.CloseError{Code: 1012, Text: "restart"}, err)
	<-gone
}

func TestFeedCompressesWhereTheClientOffers(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	url, _ := echoing(t, s)
	dialer := websocket.Dialer{EnableCompression: true}
	conn, response, err := dialer.DialContext(t.Context(), url, nil)
	require.NoError(t, err)
	defer conn.Close()
	assert.Contains(t, response.Header.Get("Sec-Websocket-Extensions"), "permessage-deflate")
	worldtest.FeedSay(t, conn, "1")
	bomb := strings.Repeat("0", 8<<20)
	s.PushFeeds(bomb)
	assert.Equal(t, bomb, worldtest.FeedRead(t, conn))
}

func TestFeedRefusesWhatIsNoHandshake(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	url, _ := echoing(t, s)
	a := s.DoAt(t, strings.Replace(url, "ws://", "http://", 1), "echo", "GET", "", nil, "X-Api-Key", "")
	assert.Equal(t, 400, a.Status)
	_, response, err := websocket.DefaultDialer.DialContext(t.Context(), url+"?token=1", nil)
	require.Error(t, err)
	assert.Equal(t, 400, response.StatusCode)
	_, response, err = websocket.DefaultDialer.DialContext(t.Context(), url, http.Header{"X-Api-Key": {"k"}})
	require.Error(t, err)
	assert.Equal(t, 401, response.StatusCode)
	assert.Equal(t, []string{
		"a request that is no WebSocket handshake", "a query on the handshake", "a credential in X-Api-Key, which is not asked for",
	}, s.TakeProblems())
}

func TestFeedWaitsForAReaderThenCutsIt(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	url, gone := echoing(t, s)
	fast := worldtest.FeedDial(t, url, nil)
	worldtest.FeedSay(t, fast, "0")
	read := make(chan int, 1)
	go func() {
		n := 0
		for ; n < 5*kit.FeedQueue; n++ {
			if _, _, err := fast.ReadMessage(); err != nil {
				break
			}
		}
		read <- n
	}()
	for range 5 * kit.FeedQueue {
		s.PushFeeds("1")
	}
	assert.Equal(t, 5*kit.FeedQueue, <-read, "nothing is lost on one who reads")
	require.NoError(t, fast.Close())
	<-gone

	lazy := worldtest.FeedDial(t, url, nil)
	worldtest.FeedSay(t, lazy, "0")
	large := strings.Repeat("x", 64<<10)
	for range 2 * kit.FeedQueue {
		s.PushFeeds(large)
	}
	<-gone
	assert.Zero(t, s.DropFeeds())
}
