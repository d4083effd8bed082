package node_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// listener is a client of the WebSocket.
type listener struct {
	*websocket.Conn
	t *testing.T
}

func (s *started) listen(t *testing.T) listener {
	return listener{worldtest.FeedDial(t, s.SocketURL(0), nil), t}
}

// say sends a request and returns what the node answers, without its frame.
func (l listener) say(method string, params ...any) string {
	l.t.Helper()
	request := kit.MustJSON(object{"jsonrpc": "2.0", "id": 5, "method": method, "params": append([]any{}, params...)})
	text := worldtest.FeedSay(l.t, l.Conn, string(request))
	text, ok := strings.CutPrefix(text, `{"jsonrpc":"2.0",`)
	require.True(l.t, ok, text)
	text, ok = strings.CutSuffix(text, `,"id":5}`)
	require.True(l.t, ok, text)
	return text
}

// hears wants a notification next.
func (l listener) hears(kind string, number int, result string) {
	l.t.Helper()
	want := fmt.Sprintf(`{"jsonrpc":"2.0","method":"%sNotification","params":{"subscription":%d,"result":%s}}`, kind, number, result)
	assert.JSONEq(l.t, want, worldtest.FeedRead(l.t, l.Conn))
}

// quiet wants no notification by now.
func (l listener) quiet() {
	l.t.Helper()
	assert.Equal(l.t, `"error":{"code":-32602,"message":"Invalid subscription id."}`, l.say("slotUnsubscribe", 999))
}

func in(slot int, value string) string {
	return fmt.Sprintf(`{"context":{"slot":%d},"value":%s}`, slot, value)
}

// held is an account of the system program as nodes write it.
func held(lamports uint64, data string) string {
	return fmt.Sprintf(`{"lamports":%d,"owner":"11111111111111111111111111111111","data":%s,"executable":false,
		"rentEpoch":18446744073709551615,"space":0}`, lamports, data)
}

func TestAccountSubscription(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	l, to := s.listen(t), s.named("to")
	for i, level := range levels {
		assert.Equal(t, fmt.Sprintf(`"result":%d`, i), l.say("accountSubscribe", to, object{"commitment": level, "encoding": "base64"}))
	}
	assert.Equal(t, `"result":3`, l.say("accountSubscribe", to, nil))
	assert.Equal(t, `"result":4`, l.say("accountSubscribe", s.named("another"), at("processed")))
	s.paid(t, to, 1_000_000)
	l.hears("account", 0, in(first, held(1_000_000, `["","base64"]`)))
	s.paid(t, to, 2_000_000)
	l.hears("account", 0, in(first, held(3_000_000, `["","base64"]`)))
	l.quiet()
	s.Advance(slots(1))
	l.hears("account", 1, in(first, held(3_000_000, `["","base64"]`)))
	s.Advance(slots(30))
	l.quiet()
	s.Advance(slots(1))
	l.hears("account", 2, in(first, held(3_000_000, `["","base64"]`)))
	l.hears("account", 3, in(first, held(3_000_000, `""`)))
	assert.Equal(t, `"result":true`, l.say("accountUnsubscribe", 0))
	s.paid(t, to, 5_000_000)
	l.quiet()
}

// TestAccountSubscriptionTellsTheEnd closes an account, and has a payment fail.
func TestAccountSubscriptionTellsTheEnd(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	l, me, usdc := s.listen(t), build.PublicKey(s.Wallet()), s.Token("USDC")
	l.say("accountSubscribe", usdc.Account(me), object{"commitment": "processed", "encoding": "base58"})
	l.say("accountSubscribe", me, object{"commitment": "processed", "encoding": "base64"})
	balance := func() uint64 { return s.View().Balance(me.String()) }
	s.land(t, token.NewTransferInstruction(0, usdc.Account(me), usdc.Account(me), me, nil).Build())
	text := worldtest.FeedRead(t, l.Conn)
	assert.Contains(t, text, `"data":["error: data too large for bs58 encoding","base58"]`)
	l.hears("account", 1, in(first, held(balance(), `["","base64"]`)))
	s.send(t, s.payment(t, me, 1<<60))
	l.hears("account", 1, in(first, held(balance(), `["","base64"]`)))
	l.quiet()
	nonce := build.PublicKey(s.Keypair("nonce"))
	l.say("accountSubscribe", nonce, object{"commitment": "processed", "encoding": "base64"})
	hashes, rents := solana.SysVarRecentBlockHashesPubkey, solana.SysVarRentPubkey
	s.land(t, system.NewCreateAccountInstruction(1_447_680, 80, solana.SystemProgramID, me, nonce).Build(),
		system.NewInitializeNonceAccountInstruction(me, nonce, hashes, rents).Build())
	worldtest.FeedRead(t, l.Conn)
	worldtest.FeedRead(t, l.Conn)
	s.Advance(slots(1))
	s.land(t, system.NewWithdrawNonceAccountInstruction(1_447_680, nonce, me, hashes, rents, me).Build())
	worldtest.FeedRead(t, l.Conn)
	l.hears("account", 2, in(first+1, held(0, `["","base64"]`)))
}

func TestProgramSubscription(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	l, me, usdc := s.listen(t), build.PublicKey(s.Wallet()), s.Token("USDC")
	to := build.PublicKey(s.Keypair("to"))
	s.land(t, build.CreateAccount(me, to, usdc))
	compare := func(offset uint64, text, encoding string) object {
		return object{"memcmp": object{"offset": offset, "bytes": text, "encoding": encoding}}
	}
	for _, filters := range [][]object{
		nil,
		{{"dataSize": 165}, compare(32, to.String(), "base58")},
		{compare(32, base64.StdEncoding.EncodeToString(to[:]), "base64")},
		{{"dataSize": 82}},
		{compare(160, to.String(), "base58")},
		{compare(1<<40, to.String(), "base58")},
	} {
		l.say("programSubscribe", solana.TokenProgramID, object{
			"commitment": "confirmed", "encoding": "base64", "dataSlice": object{"offset": 64, "length": 8}, "filters": filters,
		})
	}
	s.Advance(slots(1))
	for range 3 {
		worldtest.FeedRead(t, l.Conn) // the new account
	}
	s.land(t, token.NewTransferInstruction(7, usdc.Account(me), usdc.Account(to), me, nil).Build())
	l.quiet()
	s.Advance(slots(1))
	told := func(owner solana.PublicKey, amount string) string {
		return in(first+1, fmt.Sprintf(`{"pubkey":%q,"account":{"lamports":2039280,"owner":%q,"data":[%q,"base64"],
			"executable":false,"rentEpoch":18446744073709551615,"space":165}}`, usdc.Account(owner), solana.TokenProgramID, amount))
	}
	l.hears("program", 0, told(me, "+eMLVAIAAAA="))
	l.hears("program", 0, told(to, "BwAAAAAAAAA="))
	l.hears("program", 1, told(to, "BwAAAAAAAAA="))
	l.hears("program", 2, told(to, "BwAAAAAAAAA="))
	l.quiet()
}

func TestLogsSubscription(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	l, to := s.listen(t), s.named("to")
	l.say("logsSubscribe", "all", at("confirmed"))
	l.say("logsSubscribe", "allWithVotes", at("confirmed"))
	l.say("logsSubscribe", object{"mentions": []string{to}}, at("confirmed"))
	l.say("logsSubscribe", object{"mentions": []string{s.named("another")}}, at("processed"))
	s.Advance(slots(1))
	vote := func(slot int) string {
		return in(slot, fmt.Sprintf(`{"signature":%q,"err":null,"logs":["Program %[2]s invoke [1]","Program %[2]s success"]}`,
			s.Vote(uint64(slot)), solana.VoteProgramID))
	}
	l.hears("logs", 1, vote(first))
	good, bad := s.paid(t, to, 1_000_000), s.payment(t, solana.MustPublicKeyFromBase58(to), 1<<60)
	s.send(t, bad)
	logs := func(signature, err string) string {
		told := s.ok(t, 0, "getTransaction", signature, at("confirmed")).At("meta", "logMessages").([]any)
		require.NotEmpty(t, told)
		return in(first+1, fmt.Sprintf(`{"signature":%q,"err":%s,"logs":%s}`, signature, err, kit.MustJSON(told)))
	}
	l.quiet()
	s.Advance(slots(1))
	failed := `{"InstructionError":[0,{"Custom":1}]}`
	l.hears("logs", 0, logs(good, "null"))
	l.hears("logs", 0, logs(bad.Signatures[0].String(), failed))
	l.hears("logs", 1, vote(first+1))
	l.hears("logs", 1, logs(good, "null"))
	l.hears("logs", 1, logs(bad.Signatures[0].String(), failed))
	l.hears("logs", 2, logs(good, "null"))
	l.hears("logs", 2, logs(bad.Signatures[0].String(), failed))
	l.quiet()
}

func TestSlotSubscriptions(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{SkipEvery: 4}})
	l := s.listen(t)
	l.say("rootSubscribe")
	l.say("slotsUpdatesSubscribe")
	s.Advance(slots(5)) // first+4 has no block
	for slot, at := first+1, s.Start; slot <= first+5; slot++ {
		at = at.Add(slots(1))
		if slot == first+4 {
			continue
		}
		before := slot - 1
		if before == first+4 {
			before--
			l.hears("root", 0, fmt.Sprint(slot-33))
		}
		root := slot - 32
		l.hears("root", 0, fmt.Sprint(root))
		for _, update := range []string{
			`"type":"completed","slot":` + fmt.Sprint(before),
			fmt.Sprintf(`"type":"frozen","slot":%d,"stats":{"numTransactionEntries":1,"numSuccessfulTransactions":1,
				"numFailedTransactions":0,"maxTransactionsPerEntry":1}`, before),
			`"type":"firstShredReceived","slot":` + fmt.Sprint(slot),
			fmt.Sprintf(`"type":"createdBank","slot":%d,"parent":%d`, slot, before),
			`"type":"optimisticConfirmation","slot":` + fmt.Sprint(before),
			`"type":"root","slot":` + fmt.Sprint(root),
		} {
			l.hears("slotsUpdates", 1, fmt.Sprintf(`{%s,"timestamp":%d}`, update, at.UnixMilli()))
		}
	}
	l.quiet()
}

func TestSignatureSubscriptionTellsThatItWasReceived(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	l, tx := s.listen(t), s.payment(t, build.PublicKey(s.Keypair("to")), 5_000_000)
	l.say("signatureSubscribe", tx.Signatures[0], object{"commitment": "confirmed", "enableReceivedNotification": true})
	s.send(t, tx)
	l.hears("signature", 0, in(first, `"receivedSignature"`))
	l.quiet()
	s.Advance(slots(1))
	l.hears("signature", 0, in(first, `{"err":null}`))
	assert.Contains(t, l.say("signatureUnsubscribe", 0), "Invalid subscription id.", "it has ended")
}

// TestSubscriptionNumbers has two connections subscribe to the same and to something else.
func TestSubscriptionNumbers(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	one, two, to := s.listen(t), s.listen(t), s.named("to")
	assert.Equal(t, `"result":0`, one.say("accountSubscribe", to, object{"encoding": "base64", "commitment": "confirmed"}))
	assert.Equal(t, `"result":0`, one.say("accountSubscribe", to, object{"commitment": "confirmed", "encoding": "base64"}))
	assert.Equal(t, `"result":0`, two.say("accountSubscribe", to, object{"encoding": "base64", "commitment": "confirmed"}))
	assert.Equal(t, `"result":1`, two.say("accountSubscribe", to))
	assert.Equal(t, `"result":1`, one.say("accountSubscribe", to, object{"encoding": "binary", "commitment": "finalized"}))
	s.paid(t, to, 1_000_000)
	s.Advance(slots(1))
	for _, l := range []listener{one, two} {
		l.hears("account", 0, in(first, held(1_000_000, `["","base64"]`)))
		l.quiet()
	}
	assert.Equal(t, `"result":true`, one.say("programUnsubscribe", 0), "whatever the kind")
	assert.Contains(t, one.say("accountUnsubscribe", 0), "Invalid subscription id.")
	two.Close()
	assert.Equal(t, `"result":2`, one.say("slotSubscribe"))
	for i := range 500 {
		assert.Equal(t, fmt.Sprintf(`"result":%d`, i+3), one.say("accountSubscribe", s.named(fmt.Sprint("account ", i))))
	}
}

func TestSubscriptionsRefused(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	l, me := s.listen(t), s.WalletAddress()
	for _, test := range []struct {
		method  string
		params  []any
		code    int
		message string
	}{
		{"accountSubscribe", []any{"x"}, -32602, "Invalid Request: Invalid pubkey provided"},
		{"programSubscribe", []any{"x"}, -32602, "Invalid Request: Invalid pubkey provided"},
		{"signatureSubscribe", []any{"x"}, -32602, "Invalid Request: Invalid signature provided"},
		{"logsSubscribe", []any{object{"mentions": []string{}}}, -32602, "Invalid Request: Only 1 address supported"},
		{"logsSubscribe", []any{object{"mentions": []string{me, me}}}, -32602, "Invalid Request: Only 1 address supported"},
		{"logsSubscribe", []any{object{"mentions": []string{"x"}}}, -32602, "Invalid Request: Invalid mentions provided"},
		{"logsSubscribe", []any{"none"}, -32602, "Invalid params: unknown variant `none`, expected one of `all`, `allWithVotes`, `mentions`."},
		{"accountSubscribe", []any{me, object{"encoding": "hex"}}, -32602,
			"Invalid params: unknown variant `hex`, expected one of `binary`, `base58`, `base64`, `jsonParsed`, `base64+zstd`."},
		{"programSubscribe", []any{me, object{"filters": []any{1, 2, 3, 4, 5}}}, -32602, "Too many filters provided; max 4"},
		{"slotUnsubscribe", []any{1, 2}, -32602, "Invalid params: invalid length 2, expected fewer elements in array."},
		{"slotUnsubscribe", []any{}, -32602, "Invalid params: invalid length 0, expected a tuple of size 1."},
		{"slotUnsubscribe", []any{nil}, -32602, "Invalid params: invalid type: null, expected u64."},
		{"accountSubscribe", []any{}, -32602, "`params` should have at least 1 argument(s)"},
		{"account", nil, -32601, "Method not found"},
		{"accountUnsubscribeSubscribe", []any{1}, -32601, "Method not found"},
		{"accountUnsubscribe", []any{7}, -32602, "Invalid subscription id."},
		{"voteSubscribe", nil, -32601, "Method not found"},
		{"voteUnsubscribe", []any{1}, -32601, "Method not found"},
		{"noneSubscribe", nil, -32601, "Method not found"},
	} {
		want := fmt.Sprintf(`"error":{"code":%d,"message":%s}`, test.code, kit.MustJSON(test.message))
		assert.Equal(t, want, l.say(test.method, test.params...), test.method)
	}
	assert.Len(t, s.TakeViolations(), 5)
	const surplus = `"error":{"code":-32602,"message":"Invalid parameters: `
	assert.Equal(t, surplus+`No parameters were expected","data":"Array([Number(1)])"}`, l.say("slotSubscribe", 1))
	assert.Equal(t, surplus+`Expected from 1 to 2 parameters.","data":"\"Got: 3\""}`, l.say("logsSubscribe", "all", nil, 1))
}

// TestRefusedSubscriptionRepeated has a client repeat what is refused, as one does that
// takes no no for an answer.
func TestRefusedSubscriptionRepeated(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	l := s.listen(t)
	l.say("firstSubscribe")
	const repeats = 144_000
	s.Lock()
	for range repeats - 1 {
		s.Report(play.Violation{Service: play.RPC, Route: "voteSubscribe", Problem: "no such method on the WebSocket"}, "Go-http-client/1.1")
	}
	s.Unlock()
	l.say("voteSubscribe")
	l.say("lastSubscribe")
	counts := map[string]int{}
	for _, g := range s.ViolationGroups() {
		counts[g.Route] += g.Count
	}
	assert.Equal(t, map[string]int{"firstSubscribe": 1, "voteSubscribe": repeats, "lastSubscribe": 1}, counts)
	var routes []string
	for _, v := range s.TakeViolations() {
		routes = append(routes, v.Route)
	}
	assert.Equal(t, "firstSubscribe", routes[0])
	assert.Equal(t, "lastSubscribe", routes[len(routes)-1])
	assert.LessOrEqual(t, len(routes), 1000)
}

// TestSubscriberThatDoesNotRead holds that it costs the sandbox a bounded queue and no
// one else a notification.
func TestSubscriberThatDoesNotRead(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	deaf, l := s.listen(t), s.listen(t)
	deaf.say("slotsUpdatesSubscribe")
	deaf.say("slotSubscribe")
	l.say("rootSubscribe")
	s.Advance(20 * time.Minute)
	l.hears("root", 2, fmt.Sprint(first-31))
	heard := 0
	for {
		var m struct{ Method string }
		require.NoError(t, json.Unmarshal([]byte(worldtest.FeedRead(t, l.Conn)), &m))
		if heard++; heard == 500 {
			break
		}
		require.Equal(t, "rootNotification", m.Method)
	}
	deaf.catchesUp()
}

// catchesUp reads what has come, up to the answer to a request.
func (l listener) catchesUp() {
	l.t.Helper()
	require.NoError(l.t, l.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":5,"method":"slotUnsubscribe","params":[1]}`)))
	for n := 0; ; n++ {
		text := worldtest.FeedRead(l.t, l.Conn)
		if strings.Contains(text, `"id":5`) {
			assert.Greater(l.t, n, kit.FeedQueue/2)
			return
		}
	}
}

// TestSysvarSubscriptions: the bank writes the clock in each slot, and rent in none.
func TestSysvarSubscriptions(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{SkipEvery: 5}})
	s.Advance(slots(41))
	l := s.listen(t)
	parsed := object{"commitment": "processed", "encoding": "jsonParsed"}
	assert.Equal(t, `"result":0`, l.say("accountSubscribe", solana.SysVarClockPubkey, parsed))
	assert.Equal(t, `"result":1`, l.say("accountSubscribe", solana.SysVarRentPubkey, parsed))
	assert.Equal(t, `"result":2`, l.say("accountSubscribe", solana.SysVarSlotHashesPubkey,
		object{"commitment": "confirmed", "encoding": "base64"}))
	l.quiet()
	clock := func(slot int) {
		t.Helper()
		got := heard(t, l)
		assert.Equal(t, []string{"0", strconv.Itoa(first + slot), strconv.Itoa(first + slot)}, []string{
			got.Text("subscription"), got.Text("result", "context", "slot"),
			got.Text("result", "value", "data", "parsed", "info", "slot"),
		})
	}
	hashes := func(slot int) {
		t.Helper()
		got := heard(t, l)
		assert.Equal(t, []string{"2", strconv.Itoa(first + slot)}, []string{
			got.Text("subscription"), got.Text("result", "context", "slot"),
		})
		want := s.ok(t, 0, "getAccountInfo", solana.SysVarSlotHashesPubkey, object{"commitment": "confirmed", "encoding": "base64"})
		assert.Equal(t, want.Text("value", "data", 0), got.Text("result", "value", "data", 0))
	}
	for _, slot := range []int{42, 43, 44, 46} { // 45 is skipped
		s.Advance(slots(slot) - s.Time().Sub(s.Start))
		clock(slot)
		if slot != 46 {
			hashes(slot - 1)
		}
	}
	hashes(44)
	l.quiet()
}

// heard is the next notification.
func heard(t *testing.T, l listener) answer {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(worldtest.FeedRead(t, l.Conn)))
	dec.UseNumber()
	var out object
	require.NoError(t, dec.Decode(&out))
	return answer{JSON: out["params"]}
}

// TestSysvarProgramSubscription: of the program, each that the bank writes, and only what the filters want.
func TestSysvarProgramSubscription(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	s.Advance(slots(40))
	l := s.listen(t)
	small := object{"commitment": "processed", "encoding": "base64", "filters": []any{object{"dataSize": 40}}}
	assert.Equal(t, `"result":0`, l.say("programSubscribe", ledger.SysvarProgram, small))
	s.Advance(slots(1))
	got := heard(t, l)
	assert.Equal(t, solana.SysVarClockPubkey.String(), got.Text("result", "value", "pubkey"))
	assert.Equal(t, ledger.SysvarProgram.String(), got.Text("result", "value", "account", "owner"))
	l.quiet()
	assert.Equal(t, `"result":true`, l.say("programUnsubscribe", 0))
	parsed := object{"commitment": "processed", "encoding": "jsonParsed"}
	assert.Equal(t, `"result":1`, l.say("programSubscribe", ledger.SysvarProgram, parsed))
	s.Advance(slots(1))
	var kinds []string
	for range 4 {
		kinds = append(kinds, heard(t, l).Text("result", "value", "account", "data", "parsed", "type"))
	}
	assert.ElementsMatch(t, []string{"clock", "recentBlockhashes", "slotHashes", "slotHistory"}, kinds)
	l.quiet()
}
