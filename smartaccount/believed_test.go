package smartaccount_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// TestSignInHasARefreshToken: without one the session ends with the access token, which is in use
// all the same. An access token that cannot be sent is none.
func TestSignInHasARefreshToken(t *testing.T) {
	for rest, want := range map[string]string{
		`,"refreshToken":"rt-7"`: "", `,"refreshToken":"rt=7.x/y"`: "",
		``: "missing", `,"refreshToken":null`: "missing", `,"refreshToken":""`: "missing",
		`,"refreshToken":" "`: "of another kind", `,"refreshToken":"\u0000"`: "of another kind", `,"refreshToken":7`: "of another kind",
	} {
		c := client(t, wiretest.Serve(t, reply(200, `{"accessToken":"at-7","expiresIn":3600`+rest+`}`)).URL)
		token, err := c.VerifyEmailCode(t.Context(), smartaccount.VerifyEmailCodeRequest{Email: "e", Code: walletfi.NewSecret("012345")})
		require.Equal(t, "at-7", token.Access.Reveal(), rest)
		_, other := c.AuthenticatePasskey(t.Context(), smartaccount.AuthenticatePasskeyRequest{CredentialID: "c", Assertion: walletfi.Document(`{}`)})
		if want == "" {
			require.NoError(t, err, rest)
			require.NoError(t, other, rest)
			continue
		}
		unread := wiretest.As[*walletfi.UnreadError](t, err)
		require.ErrorContains(t, unread, "refreshToken decides, and is "+want, rest)
		require.Nil(t, unread.Records[0].Raw)
		require.ErrorContains(t, other, "refreshToken decides, and is "+want, rest)
		used, err := c.Token(t.Context())
		require.NoError(t, err)
		require.Equal(t, "at-7", used.Access.Reveal(), rest)
	}
	for _, access := range []string{`" "`, `"\u0000"`, `"a b"`, `"a\nb"`} {
		c := client(t, wiretest.Serve(t, reply(200, `{"accessToken":`+access+`,"refreshToken":"rt-7","expiresIn":3600}`)).URL)
		token, err := c.VerifyEmailCode(t.Context(), smartaccount.VerifyEmailCodeRequest{Email: "e", Code: walletfi.NewSecret("012345")})
		require.ErrorIs(t, err, walletfi.ErrDecode, access)
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, access)
		require.True(t, token.Access.IsZero(), access)
	}
}

// TestInstructionsOfATransaction: what is no instruction is not left out of a transaction without
// a word.
func TestInstructionsOfATransaction(t *testing.T) {
	const instruction = `{"programId":"11111111111111111111111111111111","accounts":[],"data":""}`
	for list, want := range map[string]error{
		`[` + instruction + `]`: nil, `[]`: nil,
		`["x"]`: walletfi.ErrDecode, `[5]`: walletfi.ErrDecode, `[null]`: walletfi.ErrDecode, `[{}]`: walletfi.ErrDecode, `[[]]`: walletfi.ErrDecode,
		`[` + instruction + `,"x"]`: walletfi.ErrDecode, `{}`: walletfi.ErrDecode, `null`: walletfi.ErrDecode,
	} {
		c := client(t, wiretest.Serve(t, reply(200, `{"id":"tx_1","signature":"`+wiretest.Signature(7)+
			`","status":"confirmed","slot":5,"fee":"5000","timestamp":"2026-01-02T03:04:05Z","instructions":`+list+`}`)).URL)
		require.ErrorIs(t, wiretest.Error(c.GetTransaction(t.Context(), "acc_1", "tx_1")), want, list)
	}
}

// TestAppliedPage: the bounds of a page that were applied are natural numbers, if they are said.
func TestAppliedPage(t *testing.T) {
	for said, want := range map[string]error{
		``: nil, `,"limit":50,"offset":0`: nil, `,"limit":"50","offset":null`: nil,
		`,"limit":-1`: walletfi.ErrDecode, `,"offset":-1`: walletfi.ErrDecode, `,"limit":"six"`: walletfi.ErrDecode,
		`,"offset":6.5`: walletfi.ErrDecode, `,"limit":{}`: walletfi.ErrDecode,
	} {
		c := client(t, wiretest.Serve(t, reply(200, `{"transactions":[],"total":0`+said+`}`)).URL)
		require.ErrorIs(t, wiretest.Error(c.ListTransactions(t.Context(), "acc_1", smartaccount.TransactionsRequest{})), want, said)
	}
}

// TestNullIsAnEmptyList: some languages write null for a list without elements. To say that
// something is not there, a list must be one.
func TestNullIsAnEmptyList(t *testing.T) {
	c := client(t, wiretest.Serve(t, reply(200, `{"accounts":null,"sessions":null,"policies":null,"directDebits":null,"transactions":null,"total":0}`)).URL)
	for _, err := range []error{
		wiretest.Error(c.ListAccounts(t.Context())), wiretest.Error(c.ListSessions(t.Context(), "acc_1")),
		wiretest.Error(c.ListPolicies(t.Context(), "acc_1")), wiretest.Error(c.ListDirectDebits(t.Context(), "acc_1")),
		wiretest.Error(c.ListTransactions(t.Context(), "acc_1", smartaccount.TransactionsRequest{})),
	} {
		require.NoError(t, err)
	}
	require.ErrorIs(t, wiretest.Error(c.FindAccounts(t.Context(), "a")), walletfi.ErrDecode)
}

// TestDocumentedWords: a documented word in another case is the constant, and what has neither a
// letter nor a digit is none.
func TestDocumentedWords(t *testing.T) {
	c := client(t, wiretest.Serve(t, reply(200, `{"policies":[{"id":"pol_1","type":"Spending_Limit","name":"n","status":"ACTIVE"}],"total":1}`)).URL)
	policies, err := c.ListPolicies(t.Context(), "acc_1")
	require.NoError(t, err)
	require.Equal(t, smartaccount.PolicySpendingLimit, policies.Items[0].Type)
	account := `"id":"acc_1","address":"` + wiretest.Address(1) + `","name":"n","status":"active"`
	for said, want := range map[string]smartaccount.AccountType{
		`"BUSINESS"`: smartaccount.AccountBusiness, `"new"`: "new", `"!!!"`: "!!!", `" "`: " ",
	} {
		c := client(t, wiretest.Serve(t, reply(200, `{"accounts":[{"type":`+said+`,`+account+`}],"total":1}`)).URL)
		page, err := c.ListAccounts(t.Context())
		require.Equal(t, want, page.Items[0].Type)
		require.Equal(t, want == "!!!" || want == " ", err != nil, said)
	}
	debit := `"id":"dd_1","merchant":"` + wiretest.Address(1) + `","mint":"` + wiretest.Address(2) + `","maxAmount":"5","expiresAt":null,"status":"active","nextDebit":null`
	c = client(t, wiretest.Serve(t, reply(200, `{"directDebits":[{"frequency":"MONTHLY",`+debit+`}],"total":1}`)).URL)
	debits, err := c.ListDirectDebits(t.Context(), "acc_1")
	require.NoError(t, err)
	require.Equal(t, smartaccount.FrequencyMonthly, debits.Items[0].Frequency)
}
