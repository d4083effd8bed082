package webhooks_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/webhooks"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct{ *worldtest.World }

type answer = worldtest.Answer

func start(t *testing.T, c play.Config) *started { return &started{worldtest.Start(t, c)} }

const path = "/webhooks/rest/v1/webhooks"

// receiver is a user's server.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	status int // what it answers
	got    []got
}

type got struct {
	header http.Header
	body   []byte
}

func newWebhooksReceiver(t *testing.T) *receiver {
	r := &receiver{status: 200}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.got = append(r.got, got{request.Header, body})
		w.WriteHeader(r.status)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) answers(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

// take returns what arrived since the last time.
func (r *receiver) take() []got {
	r.mu.Lock()
	defer r.mu.Unlock()
	got := r.got
	r.got = nil
	return got
}

func (g got) json(t *testing.T) answer {
	t.Helper()
	a := answer{Raw: g.body}
	dec := json.NewDecoder(bytes.NewReader(g.body))
	dec.UseNumber()
	require.NoError(t, dec.Decode(&a.JSON))
	return a
}

// signedBy reports whether the delivery is signed with a secret.
func (g got) signedBy(secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	io.WriteString(mac, g.header.Get("X-Webhook-Nonce")+g.header.Get("X-Webhook-Timestamp")+string(g.body))
	return hex.EncodeToString(mac.Sum(nil)) == g.header.Get("X-Webhook-Signature")
}

// webhook creates one and returns its id.
func (s *started) webhook(t *testing.T, template, destination string, arguments any) string {
	t.Helper()
	a := s.Do(t, play.Webhooks, "POST", path+"/template/"+template, map[string]any{
		"name": "watch", "network": "CHAIN_MAINNET", "templateArgs": arguments, "destination_url": destination, "enabled": true,
	})
	if a.Status == 200 {
		return a.Text("data", "id")
	}
	require.Equal(t, 201, a.Status, "%s", a.Raw)
	return a.Text("id")
}

func wallets(addresses ...string) map[string]any {
	return map[string]any{"addresses": append([]string{}, addresses...)}
}

const somebody = "0x00000000000000000000000000000000000000Bb"

func TestAreManaged(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	body := map[string]any{"name": "one", "network": "ETH_MAINNET", "templateArgs": wallets(somebody), "destination_url": "https://example.com/hook", "enabled": false}
	flat := s.Do(t, play.Webhooks, "POST", path+"/template/evmWalletFilter", body)
	require.Equal(t, 201, flat.Status, "%s", flat.Raw)
	assert.Regexp(t, "^wh_", flat.Text("id"))
	assert.Equal(t, "disabled", flat.Text("status"))
	delete(body, "enabled")
	wrapped := s.Do(t, play.Webhooks, "POST", path+"/template/evmWalletFilter", body)
	require.Equal(t, 200, wrapped.Status)
	assert.Equal(t, true, wrapped.At("data", "enabled"), "enabled unless it says otherwise")
	assert.Equal(t, "active", wrapped.Text("data", "deliveryStatus"))
	one, two := flat.Text("id"), wrapped.Text("data", "id")

	list := s.Do(t, play.Webhooks, "GET", path, nil)
	assert.Equal(t, []any{one, two}, []any{list.At(0, "id"), list.At(1, "id")})
	list = s.Do(t, play.Webhooks, "GET", path, nil)
	assert.Equal(t, "2", list.Text("total"))
	assert.Equal(t, two, list.Text("webhooks", 1, "id"))

	got := s.Do(t, play.Webhooks, "GET", path+"/"+one, nil)
	assert.Equal(t, []any{somebody}, got.At("templateArgs", "addresses"))
	assert.Equal(t, "https://example.com/hook", s.Do(t, play.Webhooks, "GET", path+"/"+one, nil).Text("data", "destination_url"))

	changed := s.Do(t, play.Webhooks, "PATCH", path+"/"+one, map[string]any{"enabled": true, "name": "renamed"})
	assert.Equal(t, 200, changed.Status)
	assert.Equal(t, true, changed.At("enabled"))
	assert.Equal(t, "renamed", changed.Text("name"))
	off := s.Do(t, play.Webhooks, "PATCH", path+"/"+one, map[string]any{"enabled": false})
	assert.Equal(t, 204, off.Status)
	assert.Empty(t, off.Raw)
	assert.Equal(t, false, s.Do(t, play.Webhooks, "GET", path+"/"+one, nil).At("enabled"))

	assert.Equal(t, 204, s.Do(t, play.Webhooks, "DELETE", path+"/"+one, nil).Status)
	assert.Equal(t, true, s.Do(t, play.Webhooks, "DELETE", path+"/"+two, nil).At("success"))
	assert.Empty(t, s.Do(t, play.Webhooks, "GET", path, nil).JSON)
	for _, method := range []string{"GET", "PATCH", "DELETE"} {
		var body any
		if method == "PATCH" {
			body = map[string]any{"enabled": true}
		}
		assert.Equal(t, 404, s.Do(t, play.Webhooks, method, path+"/"+one, body).Status, method)
	}
	assert.Equal(t, 404, s.Do(t, play.Webhooks, "POST", path+"/"+one+"/test", nil).Status)
}

func TestRefusals(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	create := func(template, field string, value any) int {
		body := map[string]any{"name": "one", "network": "X", "templateArgs": wallets(somebody), "destination_url": "https://example.com"}
		body[field] = value
		return s.Do(t, play.Webhooks, "POST", path+"/template/"+template, body).Status
	}
	for _, c := range []struct {
		template, field string
		value           any
		status          int
	}{
		{"noSuchFilter", "name", "x", 404},
		{"evmWalletFilter", "name", "", 400},
		{"evmWalletFilter", "network", "", 400},
		{"evmWalletFilter", "destination_url", "nowhere", 400},
		{"evmWalletFilter", "templateArgs", wallets(), 400},
		{"evmWalletFilter", "templateArgs", wallets("0x12"), 400},
		{webhooks.LedgerWalletFilter, "templateArgs", wallets(somebody), 400},
		{webhooks.UTXOWalletFilter, "templateArgs", wallets(""), 400},
		{"evmContractEvents", "templateArgs", map[string]any{"contracts": []string{somebody}, "events": []string{}}, 400},
		{"evmContractEvents", "templateArgs", map[string]any{"contracts": []string{"x"}, "events": []string{"A()"}}, 400},
		{"evmContractEvents", "templateArgs", map[string]any{"contracts": []string{somebody}, "events": []string{"Transfer"}}, 400},
		{"evmAbiFilter", "templateArgs", []string{}, 400},
		{"evmAbiFilter", "templateArgs", map[string]any{"abi": []any{}}, 201},
	} {
		assert.Equal(t, c.status, create(c.template, c.field, c.value), "%s %s %v", c.template, c.field, c.value)
		assert.Equal(t, c.status == 400, len(s.TakeProblems()) > 0, "%s %s %v", c.template, c.field, c.value)
	}
	for problem, status := range map[string]func() int{
		"destination_url is not https":            func() int { return create("evmWalletFilter", "destination_url", "http://example.com/hook") },
		"field templateArgs.addresses is missing": func() int { return create("evmWalletFilter", "templateArgs", map[string]any{}) },
		"unknown field templateArgs.wallets": func() int {
			return create("evmContractEvents", "templateArgs", map[string]any{"contracts": []string{somebody}, "events": []string{"A()"}, "wallets": 1})
		},
		"field enabled is not of type bool": func() int { return create("evmWalletFilter", "enabled", "yes") },
	} {
		assert.Equal(t, 400, status(), problem)
		assert.Equal(t, []string{problem}, s.TakeProblems())
	}
	id := s.Do(t, play.Webhooks, "GET", path, nil).Text(0, "id")
	for _, change := range []map[string]any{{"name": ""}, {"network": ""}, {"destination_url": "nowhere"}, {"templateArgs": []int{}}} {
		assert.Equal(t, 400, s.Do(t, play.Webhooks, "PATCH", path+"/"+id, change).Status, change)
		assert.Len(t, s.TakeProblems(), 1, change)
	}
	assert.Equal(t, "one", s.Do(t, play.Webhooks, "GET", path+"/"+id, nil).Text("name"))
	assert.Equal(t, 401, s.Do(t, play.Webhooks, "GET", path, nil, "Authorization", "Bearer other").Status)
}

func TestTellOfTheLedger(t *testing.T) {
	s, r := start(t, play.Config{ManualClock: true}), newWebhooksReceiver(t)
	id := s.webhook(t, webhooks.LedgerWalletFilter, r.URL, wallets(s.WalletAddress()))
	s.webhook(t, webhooks.LedgerWalletFilter, r.URL, wallets(s.Mint("TAXED")))
	s.Lend(t, "USDC", "protected", 1_000_000)
	s.Lend(t, "USDC", "protected", 2_000_000)
	failing := s.Do(t, play.Lending, "POST", worldtest.LendingDepositPath, s.LendingDepositBody("USDC", "regular", 9_000_000_000))
	s.Lend(t, "USDC", "protected", 8_000_000_000)
	require.NotNil(t, s.SignAndSubmit(t, failing.Text("transaction")).Err)
	assert.Empty(t, r.take(), "a slot is told when it has ended")

	slot := s.View().Slot()
	s.Advance(400 * time.Millisecond)
	got := r.take()
	require.Len(t, got, 1, "one delivery a slot, and none to whom it does not concern")
	assert.True(t, got[0].signedBy(s.Webhooks.Secret()))
	assert.Equal(t, "application/json", got[0].header.Get("Content-Type"))
	p := got[0].json(t)
	assert.Equal(t, id, p.Text("webhookId"))
	assert.Equal(t, "CHAIN_MAINNET", p.Text("network"))
	assert.Equal(t, json.Number("1767225600"), p.At("timestamp"))
	assert.EqualValues(t, slot, wholeNumber(t, p.At("slot")))
	require.Len(t, p.At("transactions"), 4)
	assert.Equal(t, p.Text("transactions", 0, "signature"), p.Text("transactions", 0, "transaction", "signatures", 0))
	assert.True(t, s.View().TransactionStatus(p.Text("transactions", 0, "signature")).Found)
	keys := p.At("transactions", 0, "transaction", "message", "accountKeys").([]any)
	assert.Equal(t, s.WalletAddress(), keys[0])
	instructions := p.At("transactions", 0, "transaction", "message", "instructions").([]any)
	last := instructions[len(instructions)-1].(map[string]any)
	assert.Equal(t, s.ProgramID(play.Lending), keys[wholeNumber(t, last["programIdIndex"])])
	assert.Contains(t, p.At("transactions", 0, "meta"), "err")
	assert.Nil(t, p.At("transactions", 0, "meta", "err"))
	pre, post := p.At("transactions", 0, "meta", "preBalances", 0), p.At("transactions", 0, "meta", "postBalances", 0)
	assert.Equal(t, wholeNumber(t, pre)-wholeNumber(t, post), wholeNumber(t, p.At("transactions", 0, "meta", "fee")))
	assert.NotNil(t, p.At("transactions", 3, "meta", "err", "InstructionError"), "a failed one is told too")

	s.Lend(t, "USDC", "protected", 1_000_000)
	s.Do(t, play.Webhooks, "PATCH", path+"/"+id, map[string]any{"enabled": false})
	s.Advance(time.Second)
	assert.Empty(t, r.take(), "a disabled one gets nothing")
}

func wholeNumber(t *testing.T, v any) int64 {
	t.Helper()
	n, err := v.(json.Number).Int64()
	require.NoError(t, err)
	return n
}

func TestRetryOnSchedule(t *testing.T) {
	for name, anew := range map[string]bool{"signed anew": true, "signed once": false} {
		t.Run(name, func(t *testing.T) {
			shape := 2
			if anew {
				shape = 1
			}
			s, r := start(t, play.Config{ManualClock: true, Shape: shape}), newWebhooksReceiver(t)
			r.answers(500)
			id := s.webhook(t, "evmWalletFilter", r.URL, wallets(somebody))
			begin := s.Time()
			s.Webhooks.EmitEVM("", play.EVMTransaction{From: somebody})
			s.Advance(3 * time.Hour)
			var at []time.Duration
			for i, d := range s.Deliveries() {
				at = append(at, d.At.Sub(begin))
				assert.Equal(t, i+1, d.Attempt)
				assert.Equal(t, id, d.ID)
				assert.Equal(t, 500, d.Status)
				assert.False(t, d.Landed)
			}
			minute := time.Minute
			assert.Equal(t, []time.Duration{0, minute, 6 * minute, 36 * minute, 156 * minute}, at)
			got := r.take()
			require.Len(t, got, 5)
			for _, g := range got {
				assert.True(t, g.signedBy(s.Webhooks.Secret()))
				assert.Equal(t, string(got[0].body), string(g.body))
			}
			for _, g := range got[1:] {
				assert.Equal(t, anew, g.header.Get("X-Webhook-Nonce") != got[0].header.Get("X-Webhook-Nonce"))
				assert.Equal(t, anew, g.header.Get("X-Webhook-Timestamp") != got[0].header.Get("X-Webhook-Timestamp"))
			}
			assert.Equal(t, "failed", s.webhookStatus(t, id))

			r.answers(200)
			s.Webhooks.EmitEVM("", play.EVMTransaction{From: somebody})
			s.Advance(3 * time.Hour)
			assert.Empty(t, r.take(), "what comes after the failure is lost")
			require.Error(t, s.Webhooks.DeliverBody(id, []byte("{}")))
			s.Do(t, play.Webhooks, "PATCH", path+"/"+id, map[string]any{"enabled": true})
			s.Webhooks.EmitEVM("", play.EVMTransaction{From: somebody})
			s.Advance(0)
			s.Settle(time.Second)
			assert.Len(t, r.take(), 1, "enabling it mends it")
			assert.Equal(t, "active", s.webhookStatus(t, id))
		})
	}
}

func (s *started) webhookStatus(t *testing.T, id string) string {
	t.Helper()
	a := s.Do(t, play.Webhooks, "GET", path+"/"+id, nil)
	return a.Text("status") + a.Text("data", "deliveryStatus")
}

func TestRetryUntilAccepted(t *testing.T) {
	s, r := start(t, play.Config{ManualClock: true}), newWebhooksReceiver(t)
	id := s.webhook(t, "evmWalletFilter", r.URL, wallets(somebody))
	for _, refusal := range []int{204, 301, 401, 503} { // only 200 is a success
		r.answers(refusal)
		require.NoError(t, s.Webhooks.DeliverBody(id, []byte(`[1, 2]`)))
		s.Settle(time.Second)
		r.answers(200)
		s.Advance(time.Minute)
		got := r.take()
		require.Len(t, got, 2, "%d", refusal)
		assert.Equal(t, `[1, 2]`, string(got[1].body), "byte for byte")
		s.Advance(3 * time.Hour)
		assert.Empty(t, r.take())
	}
	assert.Equal(t, "active", s.webhookStatus(t, id))

	r.answers(500)
	require.NoError(t, s.Webhooks.DeliverBody(id, []byte(`{}`)))
	s.Settle(time.Second)
	s.Do(t, play.Webhooks, "DELETE", path+"/"+id, nil)
	s.Advance(3 * time.Hour)
	assert.Len(t, r.take(), 1, "a deleted one is not tried again")
	require.EqualError(t, s.Webhooks.DeliverBody(id, nil), `sandbox: there is no webhook "`+id+`"`)
}

func TestTellOfEVM(t *testing.T) {
	s, r := start(t, play.Config{ManualClock: true}), newWebhooksReceiver(t)
	const token, other = "0x00000000000000000000000000000000000000cC", "0x00000000000000000000000000000000000000dd"
	const transfer = "Transfer(address,address,uint256)"
	wallet := s.webhook(t, "evmWalletFilter", r.URL, wallets(somebody))
	events := s.webhook(t, "evmContractEvents", r.URL, map[string]any{"contracts": []string{token}, "events": []string{transfer}})
	abi := s.webhook(t, "evmAbiFilter", r.URL, map[string]any{"anything": true})
	s.Webhooks.EmitEVM("OTHER_CHAIN", play.EVMTransaction{From: somebody})
	s.Webhooks.EmitEVM("CHAIN_MAINNET",
		play.EVMTransaction{From: strings.ToLower(somebody), To: other, Value: "340282366920938463463374607431768211456"},
		play.EVMTransaction{From: other, To: token, Input: "0xa9059cbb", Nonce: 7, Logs: []play.EVMLog{
			{Address: other, Event: transfer}, {Address: token, Event: transfer, Topics: []string{"0x01"}, Data: "0x02"},
		}},
		play.EVMTransaction{From: other, To: token, Logs: []play.EVMLog{{Address: token, Event: "Approval(address,address,uint256)"}}},
	)
	s.Settle(time.Second)
	hashes := map[string][]string{}
	blocks := map[string]bool{}
	for _, g := range r.take() {
		assert.True(t, g.signedBy(s.Webhooks.Secret()))
		p := g.json(t)
		for i := range p.At("transactions").([]any) {
			hashes[p.Text("webhookId")] = append(hashes[p.Text("webhookId")], p.Text("transactions", i, "hash"))
		}
		blocks[p.Text("blockNumber")+p.Text("blockHash")] = true
		switch p.Text("webhookId") {
		case wallet:
			assert.Equal(t, "340282366920938463463374607431768211456", p.Text("transactions", 0, "value"))
			assert.Equal(t, []any{}, p.At("transactions", 0, "logs"))
			assert.Equal(t, []string{"0x", "21000", "1000000000"}, []string{p.Text("transactions", 0, "input"), p.Text("transactions", 0, "gas"), p.Text("transactions", 0, "gasPrice")})
		case events:
			log := p.At("transactions", 0, "logs", 1)
			assert.Equal(t, map[string]any{
				"address": token, "data": "0x02", "logIndex": json.Number("1"),
				"topics": []any{"0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", "0x01"},
			}, log)
			assert.Equal(t, json.Number("7"), p.At("transactions", 0, "nonce"))
		case abi:
			assert.Equal(t, "2", p.Text("transactions", 1, "logs", 0, "logIndex"), "logs are counted through the block")
		}
	}
	assert.Len(t, blocks, 1)
	assert.Len(t, hashes[wallet], 1)
	assert.Len(t, hashes[events], 1, "the event must be of the contract")
	assert.Len(t, hashes[abi], 2, "calls and events")
	assert.Equal(t, hashes[events][0], hashes[abi][0])
}

func TestTellOfUnspentOutputs(t *testing.T) {
	s, r := start(t, play.Config{ManualClock: true}), newWebhooksReceiver(t)
	id := s.webhook(t, webhooks.UTXOWalletFilter, r.URL, wallets("bc1qmine"))
	for range 2 {
		s.Webhooks.EmitUTXO("", play.UTXOTransaction{Outputs: []play.UTXOAmount{{Address: "bc1qmine", Value: 5}}}, play.UTXOTransaction{Outputs: []play.UTXOAmount{{Address: "bc1qother", Value: 5}}})
		s.Settle(time.Second)
	}
	got := r.take()
	require.Len(t, got, 2)
	first := got[0].json(t)
	assert.Equal(t, id, first.Text("webhookId"))
	assert.Len(t, first.At("transactions"), 1)
	assert.Equal(t, "5", first.Text("transactions", 0, "vout", 0, "value"))
	assert.Equal(t, "bc1qmine", got[1].json(t).Text(0, "vout", 0, "address"), "without an envelope, in turn")
}

func TestTestDelivery(t *testing.T) {
	s, r := start(t, play.Config{ManualClock: true}), newWebhooksReceiver(t)
	for template, arguments := range map[string]any{
		webhooks.LedgerWalletFilter: wallets(s.WalletAddress()), webhooks.UTXOWalletFilter: wallets("bc1qmine"),
		"evmWalletFilter": wallets(somebody), "evmAbiFilter": map[string]any{},
		"evmContractEvents": map[string]any{"contracts": []string{somebody}, "events": []string{"A()"}},
	} {
		r.answers(200)
		id := s.webhook(t, template, r.URL, arguments)
		s.Do(t, play.Webhooks, "PATCH", path+"/"+id, map[string]any{"enabled": false})
		a := s.Do(t, play.Webhooks, "POST", path+"/"+id+"/test", nil)
		assert.Contains(t, []int{200, 204}, a.Status)
		s.Settle(time.Second)
		got := r.take()
		require.Len(t, got, 1, template)
		assert.True(t, got[0].signedBy(s.Webhooks.Secret()))
		assert.Equal(t, id, got[0].json(t).Text("webhookId"))
		assert.Len(t, got[0].json(t).At("transactions"), 1)

		r.answers(500)
		s.Do(t, play.Webhooks, "POST", path+"/"+id+"/test", nil)
		s.Advance(3 * time.Hour)
		r.take()
		assert.NotEqual(t, "failed", s.webhookStatus(t, id), "a test is tried once and marks nothing")
		s.Do(t, play.Webhooks, "DELETE", path+"/"+id, nil)
	}
}

func TestSecretRotates(t *testing.T) {
	s, r := start(t, play.Config{ManualClock: true}), newWebhooksReceiver(t)
	id := s.webhook(t, "evmAbiFilter", r.URL, map[string]any{})
	old := s.Webhooks.Secret()
	fresh := s.Webhooks.RotateSecret()
	require.NotEqual(t, old, fresh)
	require.NoError(t, s.Webhooks.DeliverBody(id, []byte(`{}`)))
	s.Settle(time.Second)
	got := r.take()[0]
	assert.True(t, got.signedBy(fresh))
	assert.False(t, got.signedBy(old))
	assert.Equal(t, "1767225600", got.header.Get("X-Webhook-Timestamp"))
}

func TestTopic(t *testing.T) {
	assert.Equal(t, "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
		webhooks.Topic("Transfer(address,address,uint256)"))
}
