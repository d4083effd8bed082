package node_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// texts are what a node is sent, and what it answers: nothing to a notification.
var texts = []struct{ name, text, reply string }{
	{"a call", `{"jsonrpc":"2.0","id":1,"method":"getHealth"}`, `{"jsonrpc":"2.0","result":"ok","id":1}`},
	{"a string as id", `{"jsonrpc":"2.0","id":"a b","method":"getHealth","params":[]}`, `{"jsonrpc":"2.0","result":"ok","id":"a b"}`},
	{"null as id", `{"jsonrpc":"2.0","id":null,"method":"getHealth","params":null}`, `{"jsonrpc":"2.0","result":"ok","id":null}`},
	{"a large id", `{"jsonrpc":"2.0","id":18446744073709551615,"method":"getHealth"}`, `{"jsonrpc":"2.0","result":"ok","id":18446744073709551615}`},
	{"no id", `{"jsonrpc":"2.0","method":"getHealth"}`, ``},
	{"an id too large", `{"jsonrpc":"2.0","id":18446744073709551616,"method":"getHealth"}`, unreadable},
	{"a negative id", `{"jsonrpc":"2.0","id":-1,"method":"getHealth"}`, unreadable},
	{"a fraction as id", `{"jsonrpc":"2.0","id":1.5,"method":"getHealth"}`, unreadable},
	{"a list as id", `{"jsonrpc":"2.0","id":[1],"method":"getHealth"}`, unreadable},
	{"no version", `{"id":1,"method":"getHealth"}`, `{"error":{"code":-32600,"message":"Unsupported JSON-RPC protocol version"},"id":1}`},
	{"an old version", `{"jsonrpc":"1.0","id":1,"method":"getHealth"}`, invalidWith("1")},
	{"no method", `{"jsonrpc":"2.0","id":1}`, invalidWith("1")},
	{"a number as method", `{"jsonrpc":"2.0","id":1,"method":1}`, invalidWith("1")},
	{"a number as params", `{"jsonrpc":"2.0","id":1,"method":"getHealth","params":1}`, invalidWith("1")},
	{"named params", `{"jsonrpc":"2.0","id":1,"method":"getHealth","params":{"a":1}}`,
		"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32602,\"message\":\"`params` should be an array\"},\"id\":1}"},
	{"another member", `{"jsonrpc":"2.0","id":1,"method":"getHealth","more":1}`, invalidWith("1")},
	{"nothing in it", `{}`, invalidWith("null")},
	{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"getHealth"},{"jsonrpc":"2.0","method":"getHealth"},{"id":"b"},
		{"jsonrpc":"2.0","id":3,"method":"getSlot","params":[{"minContextSlot":"soon"}]}]`,
		`[{"jsonrpc":"2.0","result":"ok","id":1},` + invalidWith(`"b"`) + ",{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32602,\"message\":" +
			`"Invalid params: invalid type: string \"soon\", expected u64."},"id":3}]`},
	{"a batch of one", ` [{"jsonrpc":"2.0","id":1,"method":"getHealth"}]`, `[{"jsonrpc":"2.0","result":"ok","id":1}]`},
	{"a batch of nothing", `[]`, ``},
	{"a batch of notifications", `[{"jsonrpc":"2.0","method":"getHealth"}]`, ``},
	{"a batch with a number", `[{"jsonrpc":"2.0","id":1,"method":"getHealth"},1]`, unreadable},
	{"a string", `"getHealth"`, unreadable},
	{"a null", `null`, unreadable},
	{"no JSON", `{"jsonrpc"`, unreadable},
}

const unreadable = `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}`

func invalidWith(id string) string {
	return `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":` + id + `}`
}

// exchange sends a request and returns its answer and body.
func (s *started) exchange(t *testing.T, method, path, body string, header ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL(play.RPC)+path, strings.NewReader(body))
	require.NoError(t, err)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := s.Client.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response, string(raw)
}

func TestReadsJSONRPC(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	for _, test := range append(texts, struct{ name, text, reply string }{"nothing", ``, unreadable}) {
		response, reply := s.exchange(t, "POST", "/", test.text, "Content-Type", "application/json")
		assert.Equal(t, 200, response.StatusCode, test.name)
		assert.Equal(t, "application/json; charset=utf-8", response.Header.Get("Content-Type"))
		if test.reply != "" {
			test.reply += "\n"
		}
		assert.Equal(t, test.reply, reply, test.name)
	}
	_, _ = s.exchange(t, "POST", "/", `{"jsonrpc":"2.0","method":"requestAirdrop","params":["`+s.named("to")+`",5]}`,
		"Content-Type", "application/json")
	assert.Zero(t, s.View().Balance(s.named("to")), "a notification is not carried out")
}

// TestReadsJSONRPCOnTheSocket sends the same to the WebSocket, whose methods differ.
func TestReadsJSONRPCOnTheSocket(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	ws := worldtest.FeedDial(t, s.SocketURL(0), nil)
	for _, test := range texts {
		text := strings.ReplaceAll(test.text, "getHealth", "slotSubscribe")
		reply := strings.ReplaceAll(test.reply, `"ok"`, "0")
		if strings.Contains(text, "getSlot") {
			continue // which has no such method
		}
		require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(text)))
		if reply != "" {
			assert.Equal(t, reply, worldtest.FeedRead(t, ws), test.name)
		}
	}
	both := worldtest.FeedSay(t, ws, `[{"jsonrpc":"2.0","id":1,"method":"rootSubscribe"},{"jsonrpc":"2.0","id":2,"method":"slotUnsubscribe","params":[0]}]`)
	assert.Equal(t, `[{"jsonrpc":"2.0","result":1,"id":1},{"jsonrpc":"2.0","result":true,"id":2}]`, both)
}

func TestSpeaksHTTP(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	const ask, kind = `{"jsonrpc":"2.0","id":1,"method":"getHealth"}`, "Content-Type"
	for _, test := range []struct {
		method, path, body, kind string
		status                   int
		reply                    string
	}{
		{"POST", "/", ask, "application/json", 200, `{"jsonrpc":"2.0","result":"ok","id":1}`},
		{"POST", "/any", ask, "Application/JSON; charset=UTF-8", 200, `{"jsonrpc":"2.0","result":"ok","id":1}`},
		{"POST", "/", ask, "application/json;charset=utf-8", 200, `{"jsonrpc":"2.0","result":"ok","id":1}`},
		{"POST", "/", ask, "text/plain", 415, "Supplied content type is not allowed. Content-Type: application/json is required"},
		{"POST", "/", ask, "", 415, "Supplied content type is not allowed. Content-Type: application/json is required"},
		{"POST", "/", ask + strings.Repeat(" ", 50<<10), "application/json", 413, "request body size exceeds allowed maximum"},
		{"GET", "/", "", "", 405, "Used HTTP Method is not allowed. POST or OPTIONS is required"},
		{"PUT", "/", ask, "application/json", 405, "Used HTTP Method is not allowed. POST or OPTIONS is required"},
		{"OPTIONS", "/", "", "", 200, ""},
		{"GET", "/health", "", "", 200, "ok"},
		{"POST", "/health", ask, "application/json", 200, "ok"},
	} {
		response, reply := s.exchange(t, test.method, test.path, test.body, kind, test.kind)
		assert.Equal(t, test.status, response.StatusCode, "%v", test)
		assert.Equal(t, test.reply, strings.TrimSuffix(reply, "\n"), "%v", test)
		assert.Empty(t, response.Header.Get("Access-Control-Allow-Origin"))
	}
}

func TestPagesMayCall(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	page := []string{"Origin", "http://localhost:5173", "Access-Control-Request-Headers", "content-type,solana-client"}
	check := func(response *http.Response) {
		t.Helper()
		assert.Equal(t, "http://localhost:5173", response.Header.Get("Access-Control-Allow-Origin"))
		assert.Equal(t, "OPTIONS, POST", response.Header.Get("Access-Control-Allow-Methods"))
		assert.Equal(t, "86400", response.Header.Get("Access-Control-Max-Age"))
		assert.Equal(t, "origin", response.Header.Get("Vary"))
	}
	response, _ := s.exchange(t, "OPTIONS", "/", "", page...)
	check(response)
	assert.Equal(t, "content-type,solana-client", response.Header.Get("Access-Control-Allow-Headers"))
	assert.Equal(t, "OPTIONS, POST", response.Header.Get("Allow"))
	response, _ = s.exchange(t, "POST", "/", `{"jsonrpc":"2.0","id":1,"method":"getHealth"}`, append(page[:2:2], "Content-Type", "application/json")...)
	check(response)
}

func TestHealthOfANodeThatLags(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{Nodes: []play.Node{{Lag: 129}, {Lag: 128}}}})
	_, text := s.exchange(t, "GET", "/health", "")
	assert.Equal(t, "behind", text)
	_, problem := s.rpc(t, "getHealth")
	assert.Equal(t, "Node is behind by 129 slots", problem["message"])
	a, code := s.ask(t, 0, "getHealth")
	assert.Equal(t, "-32005", code)
	assert.Equal(t, "129", a.Text("data", "numSlotsBehind"))
	assert.Equal(t, "ok", s.ok(t, 1, "getHealth").JSON)
}

func TestAirdrop(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	l, to := s.listen(t), s.named("to")
	l.say("accountSubscribe", to, object{"commitment": "processed", "encoding": "base64"})
	signature := s.ok(t, 0, "requestAirdrop", to, uint64(3*build.LamportsPerSOL)).JSON.(string)
	l.hears("account", 0, in(first, held(3*build.LamportsPerSOL, `["","base64"]`)))
	assert.True(t, s.View().TransactionStatus(signature).Found)
	again := s.ok(t, 0, "requestAirdrop", to, uint64(3*build.LamportsPerSOL)).JSON.(string)
	assert.Equal(t, signature, again, "the same on the same blockhash")
	assert.EqualValues(t, uint64(3*build.LamportsPerSOL), s.View().Balance(to))
	s.Advance(slots(1))
	s.ok(t, 0, "requestAirdrop", to, uint64(3*build.LamportsPerSOL), at("processed"))
	hash := s.ok(t, 0, "getLatestBlockhash", at("confirmed")).Text("value", "blockhash")
	s.ok(t, 0, "requestAirdrop", to, uint64(500_000_000*build.LamportsPerSOL), object{"recentBlockhash": hash})
	assert.EqualValues(t, uint64(500_000_006*build.LamportsPerSOL), s.View().Balance(to))
	for _, test := range []struct {
		code   string
		params []any
	}{
		{"-32602", []any{"x", 5}}, {"-32602", []any{to}}, {"-32602", []any{to, -5}},
		{"-32602", []any{to, 5, object{"recentBlockhash": "x"}}}, {"-32603", []any{to, uint64(1 << 63)}},
	} {
		_, code := s.ask(t, 0, "requestAirdrop", test.params...)
		assert.Equal(t, test.code, code, "%v", test.params)
	}
	stale := s.ok(t, 0, "requestAirdrop", to, 1_000_000, object{"recentBlockhash": solana.Hash{}.String()}).JSON.(string)
	assert.False(t, s.View().TransactionStatus(stale).Found, "dropped")
}
