package smartaccount_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// found reads the ids of the results of a Find.
func found[T any](id func(T) string) func(items []T, err error) ([]string, error) {
	return func(items []T, err error) ([]string, error) {
		var ids []string
		for _, item := range items {
			ids = append(ids, id(item))
		}
		return ids, err
	}
}

func TestFind(t *testing.T) {
	accounts := found(func(a smartaccount.Account) string { return a.ID })
	sessions := found(func(s smartaccount.Session) string { return s.ID })
	policies := found(func(p smartaccount.Policy) string { return p.ID })
	debits := found(func(d smartaccount.DirectDebit) string { return d.ID })
	for _, c := range []struct {
		name, file string
		find       func(*testing.T, *smartaccount.Client) ([]string, error)
		want       []string
	}{
		{"two accounts of a name", "ListAccounts.json", func(t *testing.T, c *smartaccount.Client) ([]string, error) {
			return accounts(c.FindAccounts(t.Context(), "Savings"))
		}, []string{"acc_1", "acc_2"}},
		{"no account", "FindAccounts.json", func(t *testing.T, c *smartaccount.Client) ([]string, error) {
			return accounts(c.FindAccounts(t.Context(), "savings"))
		}, nil},
		{"a session in whatever state", "ListSessions.json", func(t *testing.T, c *smartaccount.Client) ([]string, error) {
			return sessions(c.FindSessions(t.Context(), "acc_1", "Key21111111111111111111111111111"))
		}, []string{"sess_2"}},
		{"no session", "ListSessions.json", func(t *testing.T, c *smartaccount.Client) ([]string, error) {
			return sessions(c.FindSessions(t.Context(), "acc_1", "Key3"))
		}, nil},
		{"a policy of that type", "ListPolicies.json", func(t *testing.T, c *smartaccount.Client) ([]string, error) {
			return policies(c.FindPolicies(t.Context(), "acc_1", smartaccount.PolicySpendingLimit, "cap"))
		}, []string{"pol_1"}},
		{"no policy of that name", "ListPolicies.json", func(t *testing.T, c *smartaccount.Client) ([]string, error) {
			return policies(c.FindPolicies(t.Context(), "acc_1", smartaccount.PolicySpendingLimit, "cap 2"))
		}, nil},
		{"a debit in that mint", "ListDirectDebits.json", func(t *testing.T, c *smartaccount.Client) ([]string, error) {
			return debits(c.FindDirectDebits(t.Context(), "acc_1", smartaccount.FindDirectDebitsRequest{Merchant: "Shop1111111111111111111111111111", Mint: "M2111111111111111111111111111111"}))
		}, []string{"dd_2"}},
		{"no debit of that merchant", "ListDirectDebits.json", func(t *testing.T, c *smartaccount.Client) ([]string, error) {
			return debits(c.FindDirectDebits(t.Context(), "acc_1", smartaccount.FindDirectDebitsRequest{Merchant: "Shop2", Mint: "M2111111111111111111111111111111"}))
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := wiretest.Serve(t, reply(200, wiretest.File(t, c.file)))
			ids, err := c.find(t, client(t, server.URL))
			require.NoError(t, err)
			assert.Equal(t, c.want, ids)
			assert.Equal(t, "GET", server.Requests()[0].Method)
		})
	}
}

func TestFindInAListThatIsNotWhole(t *testing.T) {
	server := wiretest.Serve(t, reply(200, `{"accounts": [{"id": "acc_1", "name": "a", "address": "A1111111111111111111111111111111", "status": "active"}], "total": 2}`))
	c := client(t, server.URL)
	accounts, err := c.FindAccounts(t.Context(), "a")
	require.NoError(t, err, "it is there, whatever else is")
	require.Len(t, accounts, 1)
	accounts, err = c.FindAccounts(t.Context(), "b")
	assertOnly(t, err, walletfi.ErrOutcomeUnknown)
	require.ErrorContains(t, err, "1 of 2")
	require.Empty(t, accounts)
}

// TestFindInAListThatSaysLittle: only a list that is whole, and names what is in
// it, says that something is not there.
func TestFindInAListThatSaysLittle(t *testing.T) {
	for body, kind := range map[string]error{
		`{}`:                             walletfi.ErrDecode,
		`[]`:                             walletfi.ErrDecode,
		``:                               walletfi.ErrDecode,
		`{"error":"upstream timed out"}`: walletfi.ErrRejected,
		`{"success":false}`:              walletfi.ErrRejected,
		`{"accounts":null,"sessions":null,"policies":null,"directDebits":null,"total":0}`:                                 walletfi.ErrDecode,
		`{"accounts":[],"sessions":[],"policies":[],"directDebits":[]}`:                                                   walletfi.ErrDecode,
		`{"accounts":[],"sessions":[],"policies":[],"directDebits":[],"total":null}`:                                      walletfi.ErrDecode,
		`{"accounts":[{"id":"x"}],"sessions":[{"id":"x"}],"policies":[{"id":"x"}],"directDebits":[{"id":"x"}],"total":1}`: walletfi.ErrOutcomeUnknown,
		`{"accounts":[],"sessions":[],"policies":[],"directDebits":[],"total":0}`:                                         nil,
	} {
		server := wiretest.Serve(t, reply(200, body))
		c := client(t, server.URL)
		_, accounts := c.FindAccounts(t.Context(), "a")
		_, sessions := c.FindSessions(t.Context(), "acc_1", "k")
		_, policies := c.FindPolicies(t.Context(), "acc_1", "t", "n")
		_, debits := c.FindDirectDebits(t.Context(), "acc_1", smartaccount.FindDirectDebitsRequest{Merchant: "m", Mint: "m"})
		for _, err := range []error{accounts, sessions, policies, debits} {
			if kind == nil {
				require.NoError(t, err)
				continue
			}
			assertOnly(t, err, kind)
		}
	}
}

// TestFindWhatComesTwice: a record that says twice what it is found by may be the one.
func TestFindWhatComesTwice(t *testing.T) {
	for _, record := range []string{
		`{"id":"x","name":"a","name":"z","publicKey":"k","publicKey":"z","type":"t","merchant":"m","merchant":"z","mint":"m"}`,
		`{"id":"x","name":"a","name":"z","publicKey":"k","publicKey":"z","type":"t","type":"z","merchant":"m","mint":"m","mint":"z"}`,
	} {
		list := `[` + record + `]`
		server := wiretest.Serve(t, reply(200, `{"accounts":`+list+`,"sessions":`+list+`,"policies":`+list+`,"directDebits":`+list+`,"total":1}`))
		c := client(t, server.URL)
		_, accounts := c.FindAccounts(t.Context(), "a")
		_, sessions := c.FindSessions(t.Context(), "acc_1", "k")
		_, policies := c.FindPolicies(t.Context(), "acc_1", "t", "a")
		_, debits := c.FindDirectDebits(t.Context(), "acc_1", smartaccount.FindDirectDebitsRequest{Merchant: "m", Mint: "m"})
		for _, err := range []error{accounts, sessions, policies, debits} {
			assertOnly(t, err, walletfi.ErrDecode)
		}
	}
}

func TestFindThatFails(t *testing.T) {
	server := wiretest.Serve(t, reply(403, `{"error": {"code": "FORBIDDEN", "message": "no"}}`))
	c := client(t, server.URL)
	_, accounts := c.FindAccounts(t.Context(), "a")
	_, sessions := c.FindSessions(t.Context(), "acc_1", "k")
	_, policies := c.FindPolicies(t.Context(), "acc_1", "t", "n")
	_, debits := c.FindDirectDebits(t.Context(), "acc_1", smartaccount.FindDirectDebitsRequest{Merchant: "m", Mint: "m"})
	for _, err := range []error{accounts, sessions, policies, debits} {
		assertOnly(t, err, walletfi.ErrForbidden)
	}
}

// TestAnotherWasCreated: what contradicts the request comes with its id, to be cancelled by.
func TestAnotherWasCreated(t *testing.T) {
	for _, body := range []string{
		`{"id":"sub_1","amount":1000}`, `{"id":"sub_1","amount":2,"amount":1}`, `{"id":"sub_1","amount":-1.5}`,
		`{"id":"sub_1","mint":"M9"}`, `{"id":"sub_1","frequency":"daily"}`, `{"id":"sub_1","startDate":"2026-01-03"}`,
	} {
		carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: 200, Body: body}}}
		c := wiretest.Client(t, smartaccount.New, smartaccount.Config{
			BaseURL: "https://accounts.example.com/api/v1", Token: signedIn, Options: walletfi.Options{HTTPClient: carrier.Client()},
		})
		created, err := c.CreateSubscription(t.Context(), "acc_1", smartaccount.CreateSubscriptionRequest{
			Merchant: wiretest.Address(1), Mint: wiretest.Address(2), Amount: 1, Frequency: smartaccount.FrequencyMonthly,
			StartDate: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC),
		})
		require.ErrorIs(t, err, walletfi.ErrMismatch, body)
		require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown, body)
		require.Equal(t, "sub_1", created.ID, body)
		require.Len(t, carrier.Seen, 1)
	}
}

// TestCreatedIsTold: once the id is read, what was created is returned, and the error says
// which member cannot be used. The outcome is known.
func TestCreatedIsTold(t *testing.T) {
	for _, body := range []string{
		`{"id":"sub_1","createdAt":"2026-01-02T03:04:05+0200"}`,
		`{"id":"sub_1","amount":"N/A","status":{"now":"active"},"merchant":[],"nextPayment":"soon"}`,
		`{"id":"sub_1","amount":1,"amount":1,"startDate":{}}`,
		`{"id":"sub_1","amount":"","nextPayment":-1.5}`,
	} {
		carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: 200, Body: body}}}
		c := wiretest.Client(t, smartaccount.New, smartaccount.Config{
			BaseURL: "https://accounts.example.com/api/v1", Token: signedIn, Options: walletfi.Options{HTTPClient: carrier.Client()},
		})
		created, err := c.CreateSubscription(t.Context(), "acc_1", smartaccount.CreateSubscriptionRequest{
			Merchant: wiretest.Address(1), Mint: wiretest.Address(2), Amount: 1, Frequency: smartaccount.FrequencyMonthly,
		})
		require.ErrorIs(t, err, walletfi.ErrDecode, body)
		require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown, body)
		unread := wiretest.As[*walletfi.UnreadError](t, err)
		require.True(t, unread.Records[0].Kept)
		require.ErrorContains(t, err, "Subscription.nextPayment decides")
		require.Equal(t, "sub_1", created.ID, body)
		require.Len(t, carrier.Seen, 1)
	}
}

// TestCreatedContradicts: what was created is returned together with the error
// that it is not what was asked for.
func TestCreatedContradicts(t *testing.T) {
	carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: 200, Body: `{"id":"sub_1","amount":"2"}`}}}
	c := wiretest.Client(t, smartaccount.New, smartaccount.Config{
		BaseURL: "https://accounts.example.com/api/v1", Token: signedIn, Options: walletfi.Options{HTTPClient: carrier.Client()},
	})
	created, err := c.CreateSubscription(t.Context(), "acc_1", smartaccount.CreateSubscriptionRequest{
		Merchant: wiretest.Address(1), Mint: wiretest.Address(2), Amount: 1, Frequency: smartaccount.FrequencyMonthly,
	})
	require.ErrorIs(t, err, walletfi.ErrMismatch)
	require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	require.ErrorContains(t, err, `amount: asked for "1", answered "2"`)
	require.Equal(t, "sub_1", created.ID)
	require.Equal(t, walletfi.Amount(2), created.Amount)
	require.Len(t, carrier.Seen, 1)
}

// TestFindTwice: what the service lists twice is found once.
func TestFindTwice(t *testing.T) {
	session := `{"id":"sess_1","publicKey":"` + wiretest.Address(1) + `","expiresAt":"2030-01-02T00:00:00Z","permissions":["swap"],"status":`
	c := client(t, wiretest.Serve(t, reply(200, `{"total":2,"sessions":[`+session+`"active"},`+session+`"revoked"}]}`)).URL)
	found, err := c.FindSessions(t.Context(), "acc_1", wiretest.Address(1))
	require.NoError(t, err)
	require.Len(t, found, 1)
	_, err = c.FindSessions(t.Context(), "acc_1", wiretest.Address(2))
	require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, "one of two is not known")
}
