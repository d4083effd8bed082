package predictmeta_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox/internal/world"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// stream is a connection to the feed.
type stream struct {
	*websocket.Conn
	t *testing.T
}

func (s *started) dial(t *testing.T) stream {
	t.Helper()
	return stream{worldtest.FeedDial(t, s.PredictMetaWSURL()+"/ws", http.Header{"X-Api-Key": {s.APIKey(play.PredictMeta)}}), t}
}

func (c stream) say(text string) {
	c.t.Helper()
	require.NoError(c.t, c.WriteMessage(websocket.TextMessage, []byte(text)))
}

func (c stream) read() map[string]any {
	c.t.Helper()
	return object(c.t, worldtest.FeedRead(c.t, c.Conn))
}

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	a := answer{}
	require.NoError(t, json.Unmarshal([]byte(text), &a.JSON))
	return a.JSON.(map[string]any)
}

// command sends one, and with the shape that acknowledges waits until it is
// carried out.
func (c stream) command(action, channel, ticker string) {
	c.t.Helper()
	c.say(fmt.Sprintf(`{"action":%q,"channel":%q,"ticker":%q}`, action, channel, ticker))
	require.Equal(c.t, map[string]any{"type": action + "d", "channel": channel, "ticker": ticker}, c.read())
}

// drain reads everything that was pushed so far.
func (c stream) drain(s *started) (all []map[string]any) {
	c.t.Helper()
	s.PushFeeds(`{"end":true}`)
	for {
		m := c.read()
		if m["end"] == true {
			return all
		}
		all = append(all, m)
	}
}

func TestFeedAgreesWithTheRoutes(t *testing.T) {
	s := startLively(t, 2)
	c := s.dial(t)
	for _, channel := range []string{"market", "orderbook", "trades"} {
		c.command("subscribe", channel, lively)
	}
	get := func(path string) map[string]any {
		return object(t, string(s.get(t, path).Raw))
	}
	last := get("/market/" + lively)["yes_price"]
	prices, trades := 0, 0
	for range 90 {
		s.Advance(time.Second)
		stamp := s.Time().Format("2006-01-02T15:04:05.000Z")
		market, book := get("/market/"+lively), get("/orderbook/"+lively)
		want := []map[string]any{}
		if market["yes_price"] != last {
			prices++
			last = market["yes_price"]
			want = append(want, map[string]any{"type": "price_update", "ticker": lively, "yes_price": last, "no_price": market["no_price"], "timestamp": stamp})
		}
		want = append(want, map[string]any{"type": "orderbook_update", "ticker": lively, "bids": book["bids"], "asks": book["asks"], "timestamp": book["timestamp"]})
		for _, x := range get(fmt.Sprintf("/trades?ticker=%s&start_time=%d", lively, s.Time().Unix()))["trades"].([]any) {
			trades++
			trade := x.(map[string]any)
			assert.Equal(t, trade["price"], market["last_price"])
			want = append(want, map[string]any{"type": "trade", "ticker": lively, "price": trade["price"], "quantity": trade["quantity"], "side": trade["side"], "timestamp": trade["timestamp"]})
		}
		require.Equal(t, want, c.drain(s))
	}
	assert.Greater(t, prices, 10)
	assert.Greater(t, trades, 10)
}

func TestFeedLeavesNoSecondOut(t *testing.T) {
	s := startLively(t, 2)
	c := s.dial(t)
	c.command("subscribe", "orderbook", lively)
	c.command("subscribe", "trades", lively)
	begin := s.Time()
	s.Advance(5 * time.Minute)
	var stamps []string
	volume := 0.0
	for _, m := range c.drain(s) {
		if m["type"] == "trade" {
			volume += m["quantity"].(float64)
			continue
		}
		stamps = append(stamps, m["timestamp"].(string))
	}
	require.Len(t, stamps, 300)
	for i, stamp := range stamps {
		require.Equal(t, predictmeta.Stamp(begin.Unix()+int64(i)+1), stamp)
	}
	traded := int64(0)
	for _, x := range s.tapeOf(t, "/trades", fmt.Sprintf("ticker=%s&start_time=%d&", lively, begin.Unix()+1)) {
		traded += count(t, x["quantity"])
	}
	assert.Equal(t, float64(traded), volume)
}

func TestSubscriptions(t *testing.T) {
	s := startLively(t, 2)
	one := s.dial(t)
	one.command("subscribe", "orderbook", lively)
	one.command("subscribe", "orderbook", "SOL-R6-M1")
	two := s.dial(t)
	two.command("subscribe", "trades", "SOL-R6-M1")
	two.command("subscribe", "orderbook", "SOL-R6-M1")
	two.command("unsubscribe", "trades", "SOL-R6-M1")
	two.command("unsubscribe", "market", lively) // which it never had
	one.command("subscribe", "orderbook", lively)
	assert.Equal(t, []play.FeedSubscription{
		{Connection: 1, Channel: "orderbook", Ticker: "SOL-R6-M1"}, {Connection: 1, Channel: "orderbook", Ticker: lively}, {Connection: 2, Channel: "orderbook", Ticker: "SOL-R6-M1"},
	}, s.PredictMeta.FeedSubscriptions())

	s.Advance(time.Second)
	assert.Len(t, one.drain(s), 2, "no message twice")
	assert.Equal(t, "orderbook_update", two.read()["type"])
	assert.Equal(t, map[string]any{"end": true}, two.read())
	two.command("unsubscribe", "orderbook", "SOL-R6-M1")
	s.Advance(10 * time.Second)
	assert.Empty(t, two.drain(s))
}

func TestFeedForgetsWhoIsGone(t *testing.T) {
	s := startLively(t, 2)
	c := s.dial(t)
	c.command("subscribe", "trades", lively)
	require.Len(t, s.PredictMeta.FeedSubscriptions(), 1)
	require.Equal(t, 1, s.DropFeeds())
	require.Eventually(t, func() bool { return len(s.PredictMeta.FeedSubscriptions()) == 0 }, 5*time.Second, time.Millisecond)
	s.Advance(2 * time.Second)
	s.Lock()
	assert.False(t, s.PredictMeta.Ticking, "nobody listens, nothing ticks")
	s.Unlock()

	again := s.dial(t)
	again.command("subscribe", "orderbook", lively)
	s.Advance(time.Second)
	assert.Len(t, again.drain(s), 1, "and it ticks again")
}

func TestFeedFollowsAMarketToItsEnd(t *testing.T) {
	s := startLively(t, 2)
	s.Advance(6*time.Hour - 2*time.Second)
	c := s.dial(t)
	const ticker = "BTC-R4-M1"
	for _, channel := range []string{"market", "orderbook", "trades"} {
		c.command("subscribe", channel, ticker)
	}
	s.Advance(time.Second)
	live := c.drain(s)
	require.NotEmpty(t, live)
	s.Advance(time.Second)
	empty := c.drain(s)
	require.Len(t, empty, 1)
	assert.Equal(t, map[string]any{
		"type": "orderbook_update", "ticker": ticker, "bids": []any{}, "asks": []any{}, "timestamp": "2026-01-01T06:00:00.000Z",
	}, empty[0], "the book is gone")
	s.Advance(time.Hour - time.Second)
	assert.Empty(t, c.drain(s))
	s.Advance(time.Second)
	settled := c.drain(s)
	require.Len(t, settled, 1)
	assert.Equal(t, "price_update", settled[0]["type"])
	assert.Contains(t, []any{0.0, 1.0}, settled[0]["yes_price"])
	assert.Equal(t, 1.0, settled[0]["yes_price"].(float64)+settled[0]["no_price"].(float64))
	s.Advance(48 * time.Hour)
	assert.Empty(t, c.drain(s))
}

func TestFeedShapesOfAcknowledgements(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	c := s.dial(t)
	c.say(`{"action":"subscribe","channel":"orderbook","ticker":"BTC-R6-M1"}`)
	c.say(`{"action":"subscribe","channel":"orderbook","ticker":"NONE"}`)
	assert.Equal(t, map[string]any{"type": "error", "message": "market NONE does not exist"}, c.read(), "no acknowledgement before it")
	assert.Len(t, s.PredictMeta.FeedSubscriptions(), 1)

	turns := start(t, play.Config{ManualClock: true})
	c = turns.dial(t)
	for range 2 {
		c.say(`{"action":"subscribe","channel":"market","ticker":"BTC-R6-M1"}`)
		c.say(`{"action":"subscribe","channel":"market","ticker":"NONE"}`)
	}
	assert.Equal(t, "error", c.read()["type"])
	assert.Equal(t, "subscribed", c.read()["type"])
	assert.Equal(t, map[string]any{"error": map[string]any{"code": 400.0, "message": "market NONE does not exist"}}, c.read())
}

func TestFeedRefusesWrongMessages(t *testing.T) {
	s := startLively(t, 1)
	c := s.dial(t)
	for text, problem := range map[string]string{
		`{"action":"sub","channel":"market","ticker":"BTC-R6-M1"}`:                 "field action is none of subscribe, unsubscribe",
		`{"action":"subscribe","channel":"prices","ticker":"BTC-R6-M1"}`:           "field channel is none of market, orderbook, trades",
		`{"action":"subscribe","channel":"market"}`:                                "field ticker is missing",
		`{"action":"subscribe","channel":"market","tickers":["BTC-R6-M1"]}`:        "unknown field tickers",
		`{"action":"subscribe","channel":"market","ticker":1}`:                     "field ticker is not of type string",
		`{"action":"subscribe","channel":"market","ticker":null}`:                  "field ticker is null",
		`{"type":"subscribe","action":"subscribe","channel":"market","ticker":""}`: "unknown field type",
		`[]`: "the body, or field , is not an object: no opening brace",
	} {
		c.say(text)
		complaint := c.read()
		assert.Equal(t, "error", complaint["type"], text)
		assert.Equal(t, problem, complaint["message"], text)
		assert.Contains(t, s.TakeProblems(), problem, text)
	}
	assert.Empty(t, s.PredictMeta.FeedSubscriptions())
	c.say("ping")
	c.say(`{"action":"subscribe","channel":"market","ticker":"NONE"}`)
	assert.Equal(t, "market NONE does not exist", c.read()["message"])
	assert.Equal(t, []string{"a message that is no JSON text"}, s.TakeProblems(), "a market that does not exist is none")
}

func TestHandshake(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	url := s.PredictMetaWSURL() + "/ws"
	refused := func(url string, header http.Header) int {
		_, response, err := websocket.DefaultDialer.DialContext(t.Context(), url, header)
		require.ErrorIs(t, err, websocket.ErrBadHandshake)
		return response.StatusCode
	}
	for range 2 * predictmeta.OpenLimit {
		worldtest.FeedDial(t, url, nil) // the limit of requests is not one of connections
	}
	assert.Equal(t, 401, refused(url, http.Header{"X-Api-Key": {"wrong"}}))
	for _, status := range []int{401, 403, 503} {
		s.Fault(play.Route{Service: play.PredictMeta, Method: "GET", Pattern: "/ws"}, play.Fault{Status: status, Times: 1})
		assert.Equal(t, status, refused(url, nil))
	}
	s.dial(t)
	assert.Empty(t, s.Violations())
	assert.Equal(t, 404, refused(s.PredictMetaWSURL()+"/api/v1/ws", nil))
	assert.Equal(t, []string{"no such route"}, s.TakeProblems())
}

func TestFeedTicksInRealTime(t *testing.T) {
	t.Parallel()
	s := start(t, play.Config{Shape: 2})
	c := s.dial(t)
	c.command("subscribe", "orderbook", lively)
	first, second := c.read(), c.read()
	assert.Equal(t, "orderbook_update", first["type"])
	assert.Equal(t, time.Second, moment(t, second["timestamp"]).Sub(moment(t, first["timestamp"])))
}

// TestLogJudges drops connections and holds what the client got
// against the log: of each connection it has the first so many messages.
func TestLogJudges(t *testing.T) {
	s := startLively(t, 2)
	s.RecordFeeds()
	got := map[int][]string{}
	for connection := 1; connection <= 20; connection++ {
		c := s.dial(t)
		ack := `{"channel":"orderbook","ticker":"BTC-R6-M1","type":"subscribed"}`
		c.say(`{"action":"subscribe","channel":"orderbook","ticker":"BTC-R6-M1"}`)
		require.Equal(t, ack, worldtest.FeedRead(t, c.Conn))
		got[connection] = []string{ack}
		s.Advance(time.Duration(connection) * time.Second)
		s.DropFeeds()
		for {
			_, m, err := c.ReadMessage()
			if err != nil {
				break
			}
			got[connection] = append(got[connection], string(m))
		}
	}
	written := map[int]int{}
	for _, m := range s.FeedLog() {
		written[m.Connection]++
		assert.EqualValues(t, written[m.Connection], m.Sequence)
		if int(m.Sequence) <= len(got[m.Connection]) {
			require.Equal(t, m.Text, got[m.Connection][m.Sequence-1])
		}
	}
	for connection, messages := range got {
		assert.LessOrEqual(t, len(messages), written[connection], "whatever was read is in the log")
	}
}

func TestRefusesWhatIsMalformed(t *testing.T) {
	s := startLively(t, 0)
	mint := s.get(t, "/market/"+lively).Text("yes_mint")
	for _, x := range []struct {
		path, problem string
	}{
		{"/event/BTC-R6?include_markets=1", "query parameter include_markets is not of type bool"},
		{"/event/BTC-R6?markets=true", "unknown query parameter markets"},
		{"/events?offset=-1", "query parameter offset is not of type int"},
		{"/events?status=open", "query parameter status is none of active, closed, determined, finalized"},
		{"/events?limit=1&limit=2", "query parameter limit is sent more than once"},
		{"/events?category=", "query parameter category is empty"},
		{"/event/BTC-R6/forecast?interval=15m", "query parameter interval is none of 1h, 4h, 1d"},
		{"/event/BTC-R6/candlesticks?interval=1w", "query parameter interval is none of 1m, 5m, 15m, 1h, 4h, 1d"},
		{"/market/" + lively + "?depth=1", "unknown query parameter depth"},
		{"/markets?limit=ten", "query parameter limit is not of type int"},
		{"/markets?category=crypto", "unknown query parameter category"},
		{"/outcome_mints?min_close_timestamp=2026-01-01T00:00:00Z", "query parameter min_close_timestamp is not of type int64"},
		{"/orderbook/by-mint/" + mint + "?limit=1", "unknown query parameter limit"},
		{"/trades?side=yes", "query parameter side is none of buy, sell"},
		{"/trades?market=x", "unknown query parameter market"},
		{"/milestones/BTC-R6?limit=1", "unknown query parameter limit"},
		{"/series?ticker=BTC", "unknown query parameter ticker"},
		{"/categories?limit=1", "unknown query parameter limit"},
		{"/sports?limit=1", "unknown query parameter limit"},
		{"/search", "query parameter q is missing"},
		{"/search?q=x&type=series", "query parameter type is none of event, market, all"},
	} {
		a := s.Do(t, play.PredictMeta, "GET", "/api/v1"+x.path, nil)
		assert.Equal(t, 400, a.Status, x.path)
		assert.Equal(t, []string{x.problem}, s.TakeProblems(), x.path)
	}
	for _, x := range []struct{ path, body, problem string }{
		{"/markets/batch", `{"tickers":"BTC"}`, "field tickers is not an array"},
		{"/markets/batch", `{"market_tickers":[]}`, "unknown field market_tickers"},
		{"/markets/batch", `{"mints":[1]}`, "field mints[0] is not of type string"},
		{"/filter_outcome_mints", `{}`, "field addresses is missing"},
		{"/milestones/batch", `{"tickers":null}`, "field tickers is null"},
	} {
		a := s.Do(t, play.PredictMeta, "POST", "/api/v1"+x.path, x.body)
		assert.Equal(t, 400, a.Status, x.path)
		assert.Contains(t, s.TakeProblems(), x.problem, x.path)
	}
	assert.Equal(t, 404, s.Do(t, play.PredictMeta, "GET", "/market/"+lively, nil).Status, "the path begins with /api/v1")
	assert.Equal(t, 405, s.Do(t, play.PredictMeta, "POST", "/api/v1/markets", map[string]any{}).Status)
	assert.Equal(t, []string{"no such route", "the method is not allowed here"}, s.TakeProblems())
}

func TestKeyIsOptional(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	get := func(headers ...string) answer {
		return s.Do(t, play.PredictMeta, "GET", "/api/v1/sports", nil, headers...)
	}
	assert.Equal(t, 200, get("X-Api-Key", "").Status)
	first, second := get("X-Api-Key", "wrong"), get("X-Api-Key", "wrong")
	assert.Equal(t, 401, first.Status)
	assert.Equal(t, "the key is not valid", first.Text("error"))
	assert.Equal(t, "the key is not valid", second.Text("message"), "the envelope's other shape")
	assert.Equal(t, 401, get("X-Api-Key", "", "Authorization", "Bearer "+s.APIKey(play.PredictMeta)).Status)
	assert.Equal(t, []string{"a credential in Authorization, which is not asked for"}, s.TakeProblems())
	s.Fault(play.Route{Service: play.PredictMeta, Method: "GET", Pattern: "/api/v1/sports"}, play.Fault{Status: 503, Times: 1})
	assert.Equal(t, 503, get().Status)
	assert.Equal(t, 200, get().Status)
}

func TestLimits(t *testing.T) {
	for _, x := range []struct {
		configured int
		key        bool
		limit      int
	}{{0, false, 10}, {500, false, 10}, {0, true, 300}, {25, true, 25}} {
		s := start(t, play.Config{ManualClock: true, PredictMetaLimit: x.configured})
		var headers []string
		if !x.key {
			headers = []string{"X-Api-Key", ""}
		}
		get := func() answer { return s.Do(t, play.PredictMeta, "GET", "/api/v1/sports", nil, headers...) }
		for i := range x.limit {
			require.Equal(t, 200, get().Status, i)
		}
		a := get()
		require.Equal(t, 429, a.Status, "%+v", x)
		assert.Equal(t, "60", a.Header.Get("Retry-After"))
		s.Advance(time.Minute)
		assert.Equal(t, 200, get().Status)
	}
	_, err := world.Open(play.Config{PredictMetaLimit: -1})
	assert.EqualError(t, err, "sandbox: PredictMetaLimit must not be negative")
}

func TestIsTheSeeds(t *testing.T) {
	books := map[string]int{}
	for _, seed := range []uint64{1, 1, 2} {
		s := start(t, play.Config{ManualClock: true, Seed: seed})
		s.Advance(time.Hour)
		a := s.get(t, "/market/"+lively)
		books[fmt.Sprintf("%s %s", a.Raw, s.get(t, "/orderbook/"+lively).Raw)]++
	}
	assert.Len(t, books, 2)
	for _, n := range books {
		assert.Contains(t, []int{1, 2}, n)
	}
	whole, steps := startLively(t, 0), startLively(t, 0)
	whole.Advance(time.Hour)
	for range 60 {
		steps.Advance(time.Minute)
	}
	assert.Equal(t, whole.get(t, "/trades").JSON, steps.get(t, "/trades").JSON, "however the time passed")
}
