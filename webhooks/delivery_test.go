package webhooks_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/webhooks"
)

func hash(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:])
}

func TestEVMDelivery(t *testing.T) {
	body := wiretest.File(t, "evm.json")
	d := webhooks.ParseDelivery([]byte(body))
	require.NoError(t, d.DecodeErr)
	require.Nil(t, d.Ledger)
	assert.Equal(t, &webhooks.EVMPayload{
		WebhookID: "wh_1", Network: "ETH_MAINNET", Timestamp: walletfi.Time{Time: time.Unix(1767225600, 0).UTC()},
		BlockNumber: 21000001, BlockHash: "0x000000000000000000000000000000000000000000000000000000000000b10c",
		Transactions: []webhooks.EVMTransaction{{
			Hash: "0x00000000000000000000000000000000000000000000000000000000000000aa", From: "0x00000000000000000000000000000000000000f0", To: "0x0000000000000000000000000000000000000070", Value: "340282366920938463463374607431768211456", Gas: "21000", GasPrice: "0x3B9aca00",
			Input: "0xa9059cbb", Nonce: new(webhooks.Number(1<<64 - 1)),
			Logs: []webhooks.EVMLog{
				{Address: "0x00000000000000000000000000000000000000cc", Topics: []string{"0x000000000000000000000000000000000000000000000000000000000000ddf2", "0x0000000000000000000000000000000000000000000000000000000000000001"}, Data: "0x02"},
				{Address: "0x00000000000000000000000000000000000000cd", Topics: []string{}, Data: "0x", LogIndex: 31, Removed: new(false)},
			},
		}, {Hash: "0x00000000000000000000000000000000000000000000000000000000000000bb", From: "0x00000000000000000000000000000000000000f1", Value: "0", Nonce: new(webhooks.Number(7)), Logs: []webhooks.EVMLog{}}, {Hash: "0x00000000000000000000000000000000000000000000000000000000000000cc", From: "0x00000000000000000000000000000000000000f2", Value: "0x0", Logs: []webhooks.EVMLog{}}},
	}, d.EVM)
	assert.Equal(t, "wh_1", d.WebhookID)
	assert.Equal(t, "ETH_MAINNET", d.Network)
	assert.Equal(t, int64(1767225600), d.Timestamp.Unix())
	assert.Equal(t, body, d.Raw.String())
	assert.Equal(t, "wh_1/0x000000000000000000000000000000000000000000000000000000000000b10c/"+hash(body), d.Key())
}

func TestLedgerDelivery(t *testing.T) {
	const (
		key = "GvKfvMaJTdprEg9YCp5c1eGiPHA3uk5zraEvUbwi8wCy"
		sig = "2wUGzJWZkY8k9CA2nQ759oK7u8g9BWNnxrrwp5W3KA2uT5KPy8T9MDdEs1eAFJSsQsrw6ViJjNsQQvG1iWpHSVhV"
	)
	nothing := webhooks.LedgerContent{
		Message: webhooks.LedgerMessage{AccountKeys: []string{}, Instructions: []webhooks.LedgerInstruction{}}, Signatures: []string{},
	}
	body := wiretest.File(t, "ledger.json")
	d := webhooks.ParseDelivery([]byte(body))
	require.NoError(t, d.DecodeErr)
	require.Nil(t, d.EVM)
	assert.Equal(t, &webhooks.LedgerPayload{
		WebhookID: "wh_2", Network: "SOLANA_MAINNET", Timestamp: walletfi.Time{Time: time.Unix(1767225600, 500_000_000).UTC()}, Slot: 1<<64 - 1,
		Transactions: []webhooks.LedgerTransaction{{
			Signature: sig,
			Meta:      webhooks.LedgerMeta{Fee: 5000, PreBalances: []walletfi.Amount{1<<64 - 1, 0}, PostBalances: []walletfi.Amount{0, 1}, Err: walletfi.Document("null")},
			Transaction: webhooks.LedgerContent{
				Message: webhooks.LedgerMessage{AccountKeys: []string{key, "11111111111111111111111111111111"}, Instructions: []webhooks.LedgerInstruction{
					{ProgramIDIndex: 1, Accounts: []int{0, 1}, Data: "3Bxs"}, {Accounts: []int{}},
				}},
				Signatures: []string{sig, sig[:87] + "W"},
			},
		}, {
			Signature:   sig[:87] + "X",
			Meta:        webhooks.LedgerMeta{PreBalances: []walletfi.Amount{}, PostBalances: []walletfi.Amount{}, Err: walletfi.Document(`{"InstructionError": [0, {"Custom": 6001}]}`)},
			Transaction: nothing,
		}, {
			Signature:   sig[:87] + "W",
			Meta:        webhooks.LedgerMeta{Fee: 1, PreBalances: []walletfi.Amount{}, PostBalances: []walletfi.Amount{}, Err: walletfi.Document(`"AccountInUse"`)},
			Transaction: nothing,
		}},
	}, d.Ledger)
	failed := []bool{}
	for _, tx := range d.Ledger.Transactions {
		failed = append(failed, tx.Meta.Failed())
	}
	assert.Equal(t, []bool{false, true, true}, failed)
	assert.True(t, webhooks.LedgerMeta{}.Failed())
	assert.Equal(t, "wh_2/18446744073709551615/"+hash(body), d.Key())
}

// Parts of deliveries that have all members. The transactions take replacements.
const (
	head       = `{"webhookId":"wh_1","timestamp":1767225600,"network":"n",`
	evmBlock   = `"blockNumber":1,"blockHash":"0x0000000000000000000000000000000000000000000000000000000000000001","transactions":[`
	ledgerSlot = `"slot":1,"transactions":[`
)

func evmTx(replace ...string) string {
	return strings.NewReplacer(replace...).Replace(`{"hash":"0x00000000000000000000000000000000000000000000000000000000000000aa","from":"0x00000000000000000000000000000000000000f0","to":"0x0000000000000000000000000000000000000070","value":"1","gas":"2","gasPrice":"3","input":"0x",` +
		`"nonce":0,"logs":[{"address":"0x00000000000000000000000000000000000000cc","topics":["0x0000000000000000000000000000000000000000000000000000000000000001"],"data":"0x","logIndex":0}]}`)
}

func ledgerTx(replace ...string) string {
	return strings.NewReplacer(replace...).Replace(`{"signature":"2wUGzJWZkY8k9CA2nQ759oK7u8g9BWNnxrrwp5W3KA2uT5KPy8T9MDdEs1eAFJSsQsrw6ViJjNsQQvG1iWpHSVhV",` +
		`"meta":{"fee":1,"preBalances":[1],"postBalances":[1],"err":null},"transaction":{"message":{"accountKeys":["GvKfvMaJTdprEg9YCp5c1eGiPHA3uk5zraEvUbwi8wCy"],` +
		`"instructions":[{"programIdIndex":0,"accounts":[0],"data":""}]},"signatures":[]}}`)
}

// TestOtherBodies: nothing that the service signed is refused for its form.
func TestOtherBodies(t *testing.T) {
	for name, row := range map[string]struct {
		body            string
		webhook, place  string
		ledger, evm     bool
		notUnderstood   bool
		timestampIsZero bool
	}{
		"an array":                       {body: `[{"webhookId":"wh_1"}]`, timestampIsZero: true},
		"no envelope":                    {body: `{"event":"x"}`, timestampIsZero: true},
		"a chain of outputs":             {body: `{"webhookId":"wh_1","timestamp":1767225600,"blockHeight":7,"transactions":[]}`, webhook: "wh_1"},
		"no block but a null":            {body: `{"webhookId":"wh_1","timestamp":1767225600,"slot":null,"blockHash":"","blockNumber":null}`, webhook: "wh_1"},
		"a number only":                  {body: head + `"blockNumber":"0xff","transactions":[]}`, webhook: "wh_1", place: "255", evm: true},
		"block 0":                        {body: head + `"blockNumber":0,"transactions":[]}`, webhook: "wh_1", notUnderstood: true},
		"a slot in quotes":               {body: head + `"slot":"12","transactions":[]}`, webhook: "wh_1", place: "12", ledger: true},
		"both":                           {body: head + `"slot":12,"blockHash":"0x0000000000000000000000000000000000000000000000000000000000000001","transactions":[]}`, webhook: "wh_1", place: "12", ledger: true},
		"null for the slot":              {body: head + `"slot":null,` + evmBlock + `]}`, webhook: "wh_1", place: "0x0000000000000000000000000000000000000000000000000000000000000001", evm: true},
		"an id that is 7":                {body: `{"webhookId":7,"timestamp":1767225600,"network":"n",` + evmBlock + `]}`, webhook: "7", place: "0x0000000000000000000000000000000000000000000000000000000000000001", evm: true},
		"text for balances":              {body: head + ledgerSlot + ledgerTx(`"fee":1`, `"fee":"1"`, `[1]`, `["1"]`) + `]}`, webhook: "wh_1", place: "1", ledger: true},
		"a time of no form":              {body: `{"webhookId":"wh_1","timestamp":"noon","network":"n",` + evmBlock + `]}`, webhook: "wh_1", place: "0x0000000000000000000000000000000000000000000000000000000000000001", evm: true, notUnderstood: true, timestampIsZero: true},
		"a value of objects":             {body: head + evmBlock + evmTx(`"value":"1"`, `"value":{}`) + `]}`, webhook: "wh_1", place: "0x0000000000000000000000000000000000000000000000000000000000000001", evm: true, notUnderstood: true},
		"a value of words":               {body: head + evmBlock + evmTx(`"value":"1"`, `"value":"all"`) + `]}`, webhook: "wh_1", place: "0x0000000000000000000000000000000000000000000000000000000000000001", evm: true, notUnderstood: true},
		"a log index of words":           {body: head + evmBlock + evmTx(`"logIndex":0`, `"logIndex":"first"`) + `]}`, webhook: "wh_1", place: "0x0000000000000000000000000000000000000000000000000000000000000001", evm: true, notUnderstood: true},
		"one of two":                     {body: head + ledgerSlot + `7,` + ledgerTx() + `]}`, webhook: "wh_1", place: "1", ledger: true, notUnderstood: true},
		"no hash, no number":             {body: head + `"blockHash":"0x0000000000000000000000000000000000000000000000000000000000000001","transactions":[]}`, webhook: "wh_1", place: "0x0000000000000000000000000000000000000000000000000000000000000001", notUnderstood: true},
		"no network":                     {body: `{"webhookId":"wh_1","timestamp":1767225600,"slot":1,"transactions":[]}`, webhook: "wh_1", place: "1", notUnderstood: true},
		"no transactions":                {body: head + `"slot":1}`, webhook: "wh_1", place: "1", notUnderstood: true},
		"a slot twice":                   {body: `{"webhookId":"wh_1","timestamp":1767225600,"slot":1,"slot":2}`, webhook: "wh_1", place: "2", notUnderstood: true},
		"a slot of words":                {body: `{"webhookId":"wh_1","timestamp":1767225600,"slot":"one"}`, webhook: "wh_1", notUnderstood: true},
		"an id of objects":               {body: `{"webhookId":{},"timestamp":1767225600,"slot":1}`, place: "1", notUnderstood: true},
		"an id of objects, of any chain": {body: `{"webhookId":{},"timestamp":1767225600}`, notUnderstood: true},
		"no JSON":                        {body: `{"webhookId":"wh_1"`, notUnderstood: true, timestampIsZero: true},
		"no JSON, an array":              {body: `[`, notUnderstood: true, timestampIsZero: true},
		"no UTF-8":                       {body: "{\"webhookId\":\"\xff\"}", notUnderstood: true, timestampIsZero: true},
	} {
		t.Run(name, func(t *testing.T) {
			d := webhooks.ParseDelivery([]byte(row.body))
			assert.Equal(t, row.body, d.Raw.String())
			assert.Equal(t, row.webhook, d.WebhookID)
			assert.Equal(t, row.webhook+"/"+row.place+"/"+hash(row.body), d.Key())
			assert.Equal(t, row.ledger, d.Ledger != nil)
			assert.Equal(t, row.evm, d.EVM != nil)
			assert.Equal(t, row.timestampIsZero, d.Timestamp.IsZero())
			if row.notUnderstood {
				assert.ErrorIs(t, d.DecodeErr, walletfi.ErrDecode)
			} else {
				assert.NoError(t, d.DecodeErr)
			}
		})
	}
}

func TestQuantity(t *testing.T) {
	huge, _ := new(big.Int).SetString("340282366920938463463374607431768211456", 10)
	for text, want := range map[webhooks.Quantity]*big.Int{
		"0": big.NewInt(0), "21000": big.NewInt(21000), "007": big.NewInt(7), "0x0": big.NewInt(0), "0x1f": big.NewInt(31), "0XfF": big.NewInt(255),
		"340282366920938463463374607431768211456": huge, "0x100000000000000000000000000000000": huge,
		"": nil, "0x": nil, "-1": nil, "+1": nil, "0x-1": nil, "1_0": nil, "1.5": nil, "1e3": nil, "ff": nil, "0b1": nil, "many": nil,
		webhooks.Quantity(strings.Repeat("9", 401)): nil,
	} {
		got, ok := text.BigInt()
		require.Equal(t, want != nil, ok, "%.40q", text)
		if ok {
			require.Zero(t, want.Cmp(got), text)
		}
	}
}

func TestQuantityAndNumberJSON(t *testing.T) {
	for text, want := range map[string]struct {
		quantity webhooks.Quantity
		number   webhooks.Number
		fits     bool // a number
	}{
		`"12"`: {"12", 12, true}, `12`: {"12", 12, true}, `"0x1F"`: {"0x1F", 31, true}, `"\u0031"`: {"1", 1, true}, `null`: {"old", 9, true}, `""`: {"", 9, true},
		`18446744073709551615`: {"18446744073709551615", 1<<64 - 1, true}, `"0xffffffffffffffff"`: {"0xffffffffffffffff", 1<<64 - 1, true},
		`18446744073709551616`: {"18446744073709551616", 9, false}, `5.0`: {"5.0", 5, true}, `1e3`: {"1e3", 1000, true}, `1e400`: {"1e400", 9, false}, `1e401`: {"1e401", 9, false},
		`1.5`: {"1.5", 9, false}, `-1`: {"-1", 9, false}, `"0x"`: {"0x", 9, false}, `"0x-1"`: {"0x-1", 9, false}, `"0x1.0"`: {"0x1.0", 9, false}, `"a"`: {"a", 9, false},
	} {
		q, n := webhooks.Quantity("old"), webhooks.Number(9)
		require.NoError(t, q.UnmarshalJSON([]byte(text)), text)
		require.Equal(t, want.quantity, q, text)
		err := n.UnmarshalJSON([]byte(text))
		require.Equal(t, want.fits, err == nil, "%s: %v", text, err)
		require.Equal(t, want.number, n, text)
	}
	for _, text := range []string{`true`, `{}`, `[]`, `[1]`, `"\x"`} {
		require.ErrorContains(t, new(webhooks.Quantity).UnmarshalJSON([]byte(text)), "is not a quantity")
		require.ErrorContains(t, new(webhooks.Number).UnmarshalJSON([]byte(text)), "is not an integer")
	}
}

// TestQuantityOfManyDigits: an amount of an EVM chain has 256 bits, whatever zeros come before it.
func TestQuantityOfManyDigits(t *testing.T) {
	over := new(big.Int).Lsh(big.NewInt(1), 256)
	most := new(big.Int).Sub(over, big.NewInt(1))
	for _, form := range []string{"%d", "%#x", "%0400d", "0x%0400x"} {
		for n, want := range map[*big.Int]bool{big.NewInt(1): true, most: true, over: false} {
			q := webhooks.Quantity(fmt.Sprintf(form, n))
			got, ok := q.BigInt()
			require.Equal(t, want, ok, q)
			require.Equal(t, want, q.Valid(), q)
			if want {
				require.Zero(t, n.Cmp(got), q)
			}
		}
	}
	for digits, want := range map[int]bool{400: true, 401: false, 1 << 20: false} {
		require.Equal(t, want, webhooks.Quantity(strings.Repeat("0", digits)).Valid(), digits)
	}
}

// TestFailedLedgerTransaction: any err but null, however short, and none at all.
func TestFailedLedgerTransaction(t *testing.T) {
	for text, want := range map[string]bool{"": true, "null": false, "7": true, `"x"`: true, `{"InstructionError":[0,"Custom"]}`: true} {
		require.Equal(t, want, webhooks.LedgerMeta{Err: walletfi.Document(text)}.Failed(), text)
	}
}

// TestDeliveryIsNotMarshalled: what it says is the receiver's.
func TestDeliveryIsNotMarshalled(t *testing.T) {
	for _, d := range []any{webhooks.ParseDelivery(evmBody), *webhooks.ParseDelivery(evmBody), []webhooks.Delivery{{}}} {
		text, err := json.Marshal(d)
		require.ErrorContains(t, err, "store its Key and Raw")
		require.Empty(t, text)
	}
}

// TestSignerPanics as httptest.NewRequest does: of what cannot be a request, with the
// reason.
func TestSignerPanics(t *testing.T) {
	panicked := func(f func()) (with any) {
		defer func() { with = recover() }()
		f()
		return nil
	}
	wrong := signer
	wrong.Deployment = &deployment.Deployment{Services: map[string]deployment.Service{"webhooks": {Headers: map[string]string{"a": "b c"}}}}
	for name, row := range map[string]struct {
		f    func()
		want string
	}{
		"a deployment": {func() { wrong.Request(destination, evmBody) }, "deployment.services.webhooks.headers"},
		"a URL":        {func() { signer.Request("://", evmBody) }, "missing protocol scheme"},
		"a body that cannot be had": {func() {
			req := signer.Request(destination, evmBody)
			req.GetBody = func() (io.ReadCloser, error) { return nil, errDown }
			signer.Replayed(req)
		}, errDown.Error()},
		"a body that cannot be read": {func() {
			req := signer.Request(destination, evmBody)
			req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(iotest.ErrReader(errDown)), nil }
			signer.Replayed(req)
		}, errDown.Error()},
	} {
		err, ok := panicked(row.f).(error)
		require.True(t, ok, name)
		require.ErrorContains(t, err, row.want, name)
	}
}

// TestSignersForgeries: each is wrong in the way that it says, and in no other.
func TestSignersForgeries(t *testing.T) {
	require.Equal(t, strconv.FormatInt(today.Add(-3*time.Hour-time.Minute).Unix(), 10), signer.Stale(destination, evmBody).Header.Get(webhooks.HeaderTimestamp))
	read := func(req *http.Request) []byte {
		body, err := io.ReadAll(req.Body)
		require.NoError(t, err)
		return body
	}
	changed := bytes.Clone(evmBody)
	changed[len(changed)-1] ^= 1
	require.Equal(t, changed, read(signer.Tampered(destination, evmBody)))
	require.Equal(t, []byte{1}, read(signer.Tampered(destination, nil)), "a byte where there was none")
}

// TestFailedUnlessSaid: a transaction succeeded only if its meta says so with a null.
func TestFailedUnlessSaid(t *testing.T) {
	const meta = `"meta":{"fee":1,"preBalances":[1],"postBalances":[1],"err":null}`
	for said, failed := range map[string]bool{
		`"x":1`: true, `"meta":null`: true, `"meta":{}`: true, `"meta":{"fee":5}`: true, `"meta":{"err":null}`: false, meta: false,
		`"meta":{"err":{"InstructionError":[0,"Custom"]}}`: true, `"meta":{"err":""}`: true,
	} {
		d := webhooks.ParseDelivery([]byte(head + ledgerSlot + ledgerTx(meta, said) + `]}`))
		require.NotNil(t, d.Ledger, said)
		require.Equal(t, failed, d.Ledger.Transactions[0].Meta.Failed(), said)
		require.Equal(t, said == meta, d.DecodeErr == nil, said)
	}
}
