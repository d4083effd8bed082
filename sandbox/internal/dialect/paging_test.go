package dialect_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// walked follows the cursors of a list and returns the field of each record.
func walked(t *testing.T, s *worldtest.World, service play.Service, path, param, list, field string, next ...any) (all []string) {
	t.Helper()
	for cursor := ""; len(all) < 1000; {
		at := path
		if cursor != "" {
			at += "&" + param + "=" + url.QueryEscape(cursor)
		}
		a := s.Do(t, service, "GET", at, nil)
		require.Equal(t, 200, a.Status, "%s", a.Raw)
		records, _ := a.At(list).([]any)
		for i := range records {
			all = append(all, a.Text(list, i, field))
		}
		if cursor, _ = a.At(next...).(string); cursor == "" {
			return all
		}
	}
	t.Fatal("the list does not end")
	return nil
}

const markets = "GET /api/v1/markets"

func TestOffsetsBecomeCursors(t *testing.T) {
	s := under(t, play.PredictMeta, deployment.Service{Operations: map[string]deployment.Operation{markets: {
		Words:  deployment.Words{Query: words{"limit": "top"}},
		Paging: &deployment.Paging{Form: deployment.PagingCursor, Param: "after", Next: "links.next", List: "markets"},
		Answer: []deployment.Step{{Unwrap: "data"}},
	}}}, func(c *play.Config) { c.Shape = 0 })
	all := s.Do(t, play.PredictMeta, "GET", "/api/v1/markets?top=1000", nil)
	count := len(all.At("data", "markets").([]any))
	require.Greater(t, count, 20)
	next := s.Do(t, play.PredictMeta, "GET", "/api/v1/markets?top=7", nil)
	require.NotEmpty(t, next.Text("links", "next"), "%s", next.Raw)
	require.Equal(t, next.At("data", "markets", 6), all.At("data", "markets", 6))
	second := s.Do(t, play.PredictMeta, "GET", "/api/v1/markets?top=7&after="+next.Text("links", "next"), nil)
	require.Equal(t, second.At("data", "markets", 0), all.At("data", "markets", 7))
	for cursor, pages := next.Text("links", "next"), 2; ; pages++ {
		page := s.Do(t, play.PredictMeta, "GET", "/api/v1/markets?top=7&after="+cursor, nil)
		if cursor = page.Text("links", "next"); cursor == "" {
			assert.Equal(t, (count+6)/7, pages)
			break
		}
	}
	try(t, s, play.PredictMeta, "GET", []tried{
		{name: "the documented parameter", path: "/api/v1/markets?offset=7", status: 400, problem: "query parameter offset, which the deployment has elsewhere"},
		{name: "no cursor", path: "/api/v1/markets?after=7", status: 400, problem: "query parameter after is no cursor of this list"},
		{name: "a cursor of another list", path: "/api/v1/markets?status=active&after=" + next.Text("links", "next"), status: 400, problem: "query parameter after is no cursor of this list"},
	})
}

func TestOffsetsBecomePages(t *testing.T) {
	first := 0
	s := under(t, play.PredictMeta, deployment.Service{Operations: map[string]deployment.Operation{markets: {
		Paging: &deployment.Paging{Form: deployment.PagingPage, Param: "p", First: &first, Size: 5, List: "markets"},
	}}})
	all := s.Do(t, play.PredictMeta, "GET", "/api/v1/markets?limit=100", nil)
	a := try(t, s, play.PredictMeta, "GET", []tried{
		{name: "size of the request", path: "/api/v1/markets?limit=3&p=2", status: 200},
		{name: "first", path: "/api/v1/markets?limit=3&p=0", status: 200},
		{name: "size of the deployment", path: "/api/v1/markets?p=2", status: 200},
		{name: "no number", path: "/api/v1/markets?p=x", status: 400, problem: "query parameter p is no number of a page or a record"},
	})
	assert.Equal(t, all.At("markets", 6), a["size of the request"].At("markets", 0))
	assert.Equal(t, all.At("markets", 0), a["first"].At("markets", 0))
	assert.Equal(t, all.At("markets", 10), a["size of the deployment"].At("markets", 0))

	s = under(t, play.PredictMeta, deployment.Service{Operations: map[string]deployment.Operation{markets: {
		Paging: &deployment.Paging{Form: deployment.PagingPage, Param: "p", List: "markets"},
	}}})
	try(t, s, play.PredictMeta, "GET", []tried{
		{name: "before the first", path: "/api/v1/markets?p=0", status: 400, problem: "query parameter p is no number of a page or a record"},
		{name: "of no size", path: "/api/v1/markets?p=1", status: 400, problem: "the request and the deployment say no number of records for a page"},
	})
}

func TestPagesBecomeOffsetsAndCursors(t *testing.T) {
	const pools = "GET /networks/{network}/pools"
	s := under(t, play.OnchainData, deployment.Service{Operations: map[string]deployment.Operation{
		pools: {Paging: &deployment.Paging{Form: deployment.PagingOffset, Param: "from", Size: 20, List: "data"}},
	}})
	plain := under(t, play.OnchainData, deployment.Service{})
	documented := plain.Do(t, play.OnchainData, "GET", "/networks/solana/pools?page=2", nil)
	a := try(t, s, play.OnchainData, "GET", []tried{
		{name: "second", path: "/networks/solana/pools?from=20", status: 200},
		{name: "within a page", path: "/networks/solana/pools?from=21", status: 400, problem: "query parameter from is not at the start of a page of 20"},
	})
	require.Equal(t, documented.Text("data", 0, "id"), a["second"].Text("data", 0, "id"))

	s = under(t, play.OnchainData, deployment.Service{Operations: map[string]deployment.Operation{
		pools: {Paging: &deployment.Paging{Form: deployment.PagingCursor, Param: "cursor", Size: 20, Next: "next", List: "data"}},
	}})
	seen := map[string]bool{}
	for path, page := "/networks/solana/pools", 1; page <= 3; page++ {
		a := s.Do(t, play.OnchainData, "GET", path, nil)
		for i := range 20 {
			seen[a.Text("data", i, "id")] = true
		}
		path = "/networks/solana/pools?cursor=" + a.Text("next")
	}
	require.Len(t, seen, 60)
	require.NotContains(t, seen, "")
}

// TestTokensBecomeWhatNot: every form returns each post once, and the live answer has no
// documented token.
func TestTokensBecomeWhatNot(t *testing.T) {
	const search = "/2/posts/search/recent?query=solana&max_results=10"
	plain := under(t, play.SocialSearch, deployment.Service{}, func(c *play.Config) { c.Shape = 0 })
	want := walked(t, plain, play.SocialSearch, search, "next_token", "data", "id", "meta", "next_token")
	require.Greater(t, len(want), 30)
	for _, form := range []deployment.PagingForm{deployment.PagingCursor, deployment.PagingOffset, deployment.PagingPage} {
		t.Run(string(form), func(t *testing.T) {
			s := under(t, play.SocialSearch, deployment.Service{Operations: map[string]deployment.Operation{
				"GET /2/posts/search/recent": {Paging: &deployment.Paging{Form: form, Param: "at", Next: "paging.next", More: "paging.more", List: "data"}},
			}}, func(c *play.Config) { c.Shape = 0 })
			var got []string
			if form == deployment.PagingCursor {
				got = walked(t, s, play.SocialSearch, search, "at", "data", "id", "paging", "next")
			}
			for page := 0; form != deployment.PagingCursor && page < 100; page++ {
				at := len(got)
				if form == deployment.PagingPage {
					at = page + 1
				}
				a := s.Do(t, play.SocialSearch, "GET", fmt.Sprintf("%s&at=%d", search, at), nil)
				require.Equal(t, 200, a.Status, "%s", a.Raw)
				require.Nil(t, a.At("meta", "next_token"))
				records, _ := a.At("data").([]any)
				require.NotEmpty(t, records)
				for i := range records {
					got = append(got, a.Text("data", i, "id"))
				}
				if a.At("paging", "more") == false {
					break
				}
				require.Equal(t, true, a.At("paging", "more"), "%s", a.Raw)
			}
			assert.Equal(t, want, got)
			refused := s.Do(t, play.SocialSearch, "GET", search+"&next_token=x", nil)
			assert.Equal(t, 400, refused.Status)
			assert.Contains(t, s.TakeProblems(), "query parameter next_token, which the deployment has elsewhere")
		})
	}
}

// TestSearchOperators: the values of operators are words, phrases are not.
func TestSearchOperators(t *testing.T) {
	s := under(t, play.SocialSearch, deployment.Service{Words: deployment.Words{Values: map[string]map[string]string{
		"is": {"repost": "share"}, "has": {"links": "urls"}, "post.fields": {"created_at": "made", "entities": "parts"},
	}}})
	search := func(query string) string { return "/2/posts/search/recent?query=" + url.QueryEscape(query) }
	try(t, s, play.SocialSearch, "GET", []tried{
		{name: "live", path: search(`solana -is:share has:urls "is:repost" OR from:alice`), status: 200},
		{name: "documented", path: search(`solana is:repost`), status: 400, problem: `query parameter query has "repost", which the deployment calls "share"`},
		{name: "a list", path: search("solana") + "&post.fields=made,parts,author_id", status: 200},
		{name: "a documented item", path: search("solana") + "&post.fields=made,entities", status: 400, problem: `query parameter post.fields has "entities", which the deployment calls "parts"`},
	})
}

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

// member is the raw value at a path of members.
func member(t *testing.T, raw []byte, names ...string) json.RawMessage {
	t.Helper()
	for _, name := range names {
		var object map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(raw, &object), "%s", raw)
		raw = object[name]
	}
	return raw
}

// TestAQuoteGoesBackAsItCame: the live bytes, and no others.
func TestAQuoteGoesBackAsItCame(t *testing.T) {
	for _, strict := range []bool{true, false} {
		for shape := range 2 {
			t.Run(fmt.Sprint(strict, shape), func(t *testing.T) { quoteGoesBack(t, strict, shape) })
		}
	}
}

func quoteGoesBack(t *testing.T, strict bool, shape int) {
	steps := []deployment.Step{{Unwrap: "data"}, {Only: true}}
	s := under(t, play.Swap, deployment.Service{
		Words: deployment.Words{
			Keys:    words{"inAmount": "sold", "quoteResponse": "quote", "userPublicKey": "who", "intentResponse": "wish"},
			Numbers: map[string]deployment.Number{"inAmount": {Scale: 6}},
		},
		Operations: map[string]deployment.Operation{
			"GET /quote": {Answer: steps}, "GET /intent": {Answer: steps},
			"POST /swap": {Body: []deployment.Step{{Wrap: "order"}}},
		},
	}, func(c *play.Config) { c.StrictEcho, c.Shape = strict, shape+1 })
	answer := s.Do(t, play.Swap, "GET", s.SwapQuery("/quote", "USDC", "SOL", 1_500_000), nil)
	require.Equal(t, 200, answer.Status)
	assert.Equal(t, "1.5", answer.At("data", 0, "sold"))
	var list []json.RawMessage
	require.NoError(t, json.Unmarshal(member(t, answer.Raw, "data"), &list))
	quote := list[0]
	body := func(quote []byte) string {
		return `{"order":{"quote":` + string(quote) + `,"who":"` + s.WalletAddress() + `"}}`
	}
	assert.Equal(t, 200, s.Do(t, play.Swap, "POST", "/swap", body(quote)).Status, "to the byte")
	assert.Empty(t, s.TakeProblems())

	var compact bytes.Buffer
	require.NoError(t, json.Compact(&compact, quote))
	again := compact.Bytes()
	if bytes.Equal(again, quote) {
		again = append(bytes.TrimSuffix(again, []byte("}")), " }"...)
	}
	loose := s.Do(t, play.Swap, "POST", "/swap", body(again))
	assert.Equal(t, strict, loose.Status == 400, "equal in value: %s", loose.Raw)
	assert.Equal(t, strict, len(s.TakeProblems()) > 0)

	for name, wrong := range map[string][]byte{
		"the documented words":   bytes.ReplaceAll(quote, []byte(`"sold"`), []byte(`"inAmount"`)),
		"another amount":         bytes.ReplaceAll(quote, []byte(`"1.5"`), []byte(`"1.4"`)),
		"with what was about it": member(t, answer.Raw, "data"),
	} {
		refused := s.Do(t, play.Swap, "POST", "/swap", body(wrong))
		assert.Equal(t, 400, refused.Status, name)
		assert.NotEmpty(t, s.TakeProblems(), name)
	}
}

// TestTheDataOfAQuoteGoesBack: amm's quote is the data of an envelope.
func TestTheDataOfAQuoteGoesBack(t *testing.T) {
	s := under(t, play.AMM, deployment.Service{
		Words: deployment.Words{Keys: words{"data": "body", "outAmount": "bought", "swapResponse": "quote"}, Values: map[string]map[string]string{"txVersion": {"V0": "0"}}},
		Operations: map[string]deployment.Operation{
			"GET /compute/swap-base-in": {Answer: []deployment.Step{{Unwrap: "result"}}, Words: deployment.Words{Query: words{"txVersion": "version"}}},
		},
	})
	answer := s.Do(t, play.AMM, "GET", "/compute/swap-base-in?inputMint="+s.Mint("USDC")+"&outputMint="+s.Mint("SOL")+"&amount=1000000&slippageBps=50&version=0", nil)
	quote := member(t, answer.Raw, "result", "body")
	require.Contains(t, string(quote), `"bought"`)
	for range 2 {
		built := s.Do(t, play.AMM, "POST", "/transaction/swap-base-in", `{"quote":`+string(quote)+`,"wallet":"`+s.WalletAddress()+`","txVersion":"0"}`)
		require.Equal(t, 200, built.Status, "%s", built.Raw)
		require.Equal(t, true, built.At("success"))
		require.NotEmpty(t, built.Text("body", 0, "transaction"), "%s", built.Raw)
	}
}
