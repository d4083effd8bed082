package dialect_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestTheFeedSpeaks(t *testing.T) {
	s := under(t, play.PredictMeta, deployment.Service{
		URLs:     words{"webSocketURL": "wss://feed.acme.example/v2"},
		Segments: words{"ws": "stream"},
		Auth:     []deployment.Place{{In: deployment.InQuery, Name: "key"}},
		Words: deployment.Words{
			Keys:    words{"action": "do", "channel": "topic", "ticker": "symbol", "type": "kind", "yes_price": "yes"},
			Values:  map[string]map[string]string{"action": {"subscribe": "ADD"}, "type": {"price_update": "PRICE", "subscribed": "OK"}},
			Numbers: map[string]deployment.Number{"yes_price": {Scale: -2, Live: deployment.JSONString}},
			Extra:   deployment.Extra{Headers: words{"X-App": "bot"}, Query: words{"v": "1"}},
		},
	}, func(c *play.Config) { c.Shape = 2 })
	base := s.PredictMetaWSURL()
	require.Regexp(t, `^ws://127\.0\.0\.1:\d+/v2$`, base)
	key := s.APIKey(play.PredictMeta)
	app := http.Header{"X-App": {"bot"}}
	for name, c := range map[string]struct {
		url    string
		header http.Header
		status int
	}{
		"the documented path": {base + "/ws?v=1&key=" + key, app, 404}, "no extra": {base + "/stream?key=" + key, app, 400},
		"no extra header": {base + "/stream?v=1&key=" + key, nil, 400}, "a key in the header": {base + "/stream?v=1", http.Header{"X-App": {"bot"}, "X-Api-Key": {key}}, 401},
		"more query": {base + "/stream?v=1&x=1&key=" + key, app, 400}, "a wrong key": {base + "/stream?v=1&key=x", app, 401},
	} {
		_, answer, err := websocket.DefaultDialer.DialContext(t.Context(), c.url, c.header)
		require.Error(t, err, name)
		assert.Equal(t, c.status, answer.StatusCode, name)
	}
	assert.Len(t, s.TakeProblems(), 5)
	conn := worldtest.FeedDial(t, base+"/stream?v=1&key="+key, app)
	ticker, _, _, _, _ := func() (string, string, string, string, int64) {
		s.Lock()
		defer s.Unlock()
		return s.PredictMeta.LiveMarket()
	}()
	assert.JSONEq(t, `{"kind":"OK","topic":"market","symbol":"`+ticker+`"}`, worldtest.FeedSay(t, conn, `{"do":"ADD","topic":"market","symbol":"`+ticker+`"}`))
	require.Len(t, s.PredictMeta.FeedSubscriptions(), 1)
	s.Advance(time.Minute)
	assert.Regexp(t, `^\{"kind":"PRICE","symbol":"`+ticker+`","yes":"[0-9.]+","no_price":`, worldtest.FeedRead(t, conn))
	s.PushFeeds(`{"type":"price_update"}`)
	for range 100 {
		if worldtest.FeedRead(t, conn) == `{"type":"price_update"}` {
			break
		}
	}
	require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte(`{"action":"ADD","topic":"market","symbol":"x"}`)))
	require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte(`{"do":"subscribe","topic":"market","symbol":"x"}`)))
	var problems []string
	require.Eventually(t, func() bool { problems = append(problems, s.TakeProblems()...); return len(problems) >= 2 }, 5*time.Second, time.Millisecond)
	assert.Contains(t, problems, `field "action", which the deployment calls "do"`)
	assert.Contains(t, problems, `field do has "subscribe", which the deployment calls "ADD"`)
}

// delivered is a delivery as a destination got it.
type delivered struct {
	header http.Header
	body   []byte
}

func destination(t *testing.T) (url string, got chan delivered) {
	got = make(chan delivered, 16)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- delivered{r.Header, body}
	}))
	t.Cleanup(server.Close)
	return server.URL, got
}

func TestWebhooksSpeak(t *testing.T) {
	url, got := destination(t)
	s := under(t, play.Webhooks, deployment.Service{
		Headers: words{"X-Webhook-Signature": "X-Acme-Mac", "X-Webhook-Nonce": "X-Acme-Nonce"},
		Words:   deployment.Words{Keys: words{"webhookId": "hook", "destination_url": "to", "templateArgs": "args", "transactions": "txs"}},
	})
	made := s.Do(t, play.Webhooks, "POST", "/webhooks/rest/v1/webhooks/template/evmWalletFilter", map[string]any{
		"name": "a", "network": "ethereum-mainnet", "to": url, "enabled": true, "args": map[string]any{"addresses": []string{"0x00000000219ab540356cBB839Cbe05303d7705Fa"}},
	})
	require.Less(t, made.Status, 300, "%s %v", made.Raw, s.TakeProblems())
	sent := s.Do(t, play.Webhooks, "POST", "/webhooks/rest/v1/webhooks/"+made.Text("id")+"/test", nil)
	require.Less(t, sent.Status, 300)
	d := <-got
	assert.Contains(t, string(d.body), `"hook":"`+made.Text("id")+`"`)
	assert.Contains(t, string(d.body), `"txs":[`)
	mac := hmac.New(sha256.New, []byte(s.Webhooks.Secret()))
	mac.Write([]byte(d.header.Get("X-Acme-Nonce") + d.header.Get("X-Webhook-Timestamp")))
	mac.Write(d.body)
	assert.Equal(t, hex.EncodeToString(mac.Sum(nil)), d.header.Get("X-Acme-Mac"), "over the live bytes")
	assert.Empty(t, d.header.Get("X-Webhook-Signature"))
	require.NoError(t, s.Webhooks.DeliverBody(made.Text("id"), []byte(`{"webhookId":1}`)))
	assert.JSONEq(t, `{"webhookId":1}`, string((<-got).body), "a body of the caller's goes as it is")
	s.Settle(5 * time.Second)
}

func TestLendingEventsSpeak(t *testing.T) {
	url, got := destination(t)
	s := under(t, play.Lending, deployment.Service{Words: deployment.Words{
		Keys: words{"event": "what", "data": "about"}, Values: map[string]map[string]string{"event": {"deposit.completed": "PAID_IN"}},
		Numbers: map[string]deployment.Number{"amount": {Scale: 6}},
	}}, func(c *play.Config) { c.LendingWebhook = url; c.InstantConfirmation = true })
	built := s.Do(t, play.Lending, "POST", worldtest.LendingDepositPath, map[string]any{
		"owner": s.WalletAddress(), "mintAddress": s.Mint("USDC"), "depositType": "regular", "amount": 2.5,
	})
	require.Equal(t, 200, built.Status, "%s", built.Raw)
	require.Nil(t, s.SignAndSubmit(t, built.Text("transaction")).Err)
	d := <-got
	assert.Contains(t, string(d.body), `"what":"PAID_IN"`)
	assert.Contains(t, string(d.body), `"amount":2.5`)
	assert.Contains(t, string(d.body), `"about":{`)
	s.Settle(5 * time.Second)
}
