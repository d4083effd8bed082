package smartaccount

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-querystring/query"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// FuzzAnswers reads any bytes as each of the answers: nothing panics, and what
// was accepted can be written again and read as the same.
func FuzzAnswers(f *testing.F) {
	for _, seed := range []string{
		`{"id":"a","balance":{"SOL":"1.5"},"createdAt":"2026-01-02T03:04:05Z"}`, `{"accounts":[{}],"total":"3"}`,
		`{"sessions":[{"permissions":["x",null]}]}`, `{"policies":[{"params":{"amount":"1"}}]}`,
		`{"transactions":[{"slot":18446744073709551615,"instructions":[{"data":"AQ==","accounts":[{"isSigner":1}]}]}]}`,
		`{"directDebits":[{"maxAmount":"18446744073709551616"}]}`, `{"amount":1e3,"startDate":"2026-01-31"}`,
		`{"accessToken":"a","expiresIn":-1e999}`, `null`, `[]`, `{"success":false,"error":{"code":"X","details":[]}}`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, v := range []any{
			new(Account), new(AccountPage), new(Session), new(SessionPage), new(Policy), new(PolicyPage), new(Transaction),
			new(TransactionPage), new(DirectDebit), new(DirectDebitPage), new(Subscription), new(SubscriptionState), new(Passkey), new(EmailCodeSent), new(SpendingLimit),
		} {
			if wire.Unmarshal(data, v) != nil {
				continue
			}
			written, err := json.Marshal(v)
			if err != nil {
				t.Fatalf("%T of %q: %v", v, data, err)
			}
			again := reflect.New(reflect.TypeOf(v).Elem()).Interface()
			if err := wire.UnmarshalWaiving(written, again, all); err != nil {
				t.Fatalf("%T of %q, written as %s: %v", v, data, written, err)
			}
			if rewritten, _ := json.Marshal(again); string(rewritten) != string(written) {
				t.Fatalf("%T of %q: %s became %s", v, data, written, rewritten)
			}
		}
		var policy Policy
		if wire.Unmarshal(data, &policy) == nil {
			policy.SpendingLimit()
		}
		envelope(&walletfi.ResponseError{StatusCode: 400}, http.Header{}, data)
	})
}

// all lets all breaches through: what null was read as says nothing when it is written.
func all(wire.Breach) bool { return true }

// FuzzLifetime holds that no expiresIn lies before now or beyond a year.
func FuzzLifetime(f *testing.F) {
	for _, seed := range []uint64{3600, 0, 1 << 63, 1<<64 - 1} {
		f.Add(seed, int64(time.Second))
	}
	f.Fuzz(func(t *testing.T, count uint64, unit int64) {
		now := time.Unix(1_700_000_000, 0)
		expiry := expiry(count, now, time.Duration(unit))
		if !expiry.IsZero() && (expiry.Before(now) || expiry.Sub(now) > maxLifetime) {
			t.Fatalf("%d: %v", count, expiry.Sub(now))
		}
	})
}

// FuzzRequests holds that what passes the checks can be written.
func FuzzRequests(f *testing.F) {
	f.Add("name", []byte(`{"a":1}`), uint64(1), int64(1_700_000_000), 0)
	f.Add("", []byte(`[]`), uint64(0), int64(-1)<<62, -1)
	f.Add("\xff\"", []byte(`{`), ^uint64(0), int64(1)<<40, 7)
	f.Fuzz(func(t *testing.T, text string, raw []byte, amount uint64, unix int64, n int) {
		at, sum := time.Unix(unix, int64(n)), walletfi.Amount(amount)
		session := CreateSessionRequest{PublicKey: text, Name: text, ExpiresAt: at, Permissions: []Permission{Permission(text)}, Limits: &SessionLimits{Daily: &sum}}
		debit := CreateDirectDebitRequest{Merchant: text, Mint: text, MaxAmount: sum, Frequency: Frequency(text), ExpiresAt: at}
		subscription := CreateSubscriptionRequest{Merchant: text, Mint: text, Amount: sum, Frequency: Frequency(text), StartDate: at}
		policy := CreatePolicyRequest{Type: PolicyAllowlist, Name: text, Params: RawParams(raw)}
		execution := ExecuteTransactionRequest{Instructions: []Instruction{{ProgramID: text, Data: raw, Accounts: []AccountMeta{{PublicKey: text}}}}}
		for _, r := range []struct {
			problem error
			body    any
		}{
			{session.problem(), session.body()}, {debit.problem(), debit.body()}, {subscription.problem(), subscription.body()},
			{policy.problem(), policy}, {execution.problem(), execution.body()},
		} {
			if r.problem != nil {
				continue
			}
			if _, err := json.Marshal(r.body); err != nil {
				t.Fatalf("%+v: %v", r.body, err)
			}
		}
		if values, err := query.Values(TransactionsRequest{Limit: new(n), Offset: new(n)}); err != nil || values.Get("offset") != strconv.Itoa(n) || values.Get("limit") != strconv.Itoa(n) {
			t.Fatal(values, err)
		}
		texts(raw)
	})
}
