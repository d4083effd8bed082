package smartaccount_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// TestSilenceIsNoAnswer: what an answer must say and does not, or says in another form, is an
// error, beside the value where there is one.
func TestSilenceIsNoAnswer(t *testing.T) {
	type service = smartaccount.Client
	session := func(ctx context.Context, c *service) (any, error) {
		made, err := c.CreateSession(ctx, "acc_1", smartaccount.CreateSessionRequest{
			PublicKey: wiretest.Address(1), ExpiresAt: time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC),
			Permissions: []smartaccount.Permission{"transfer"},
		})
		require.NotNil(t, made)
		require.Equal(t, "sess_1", made.ID)
		return made, err
	}
	sessions := func(ctx context.Context, c *service) (any, error) {
		page, err := c.ListSessions(ctx, "acc_1")
		require.Len(t, page.Items, 1)
		return page, err
	}
	debits := func(ctx context.Context, c *service) (any, error) {
		page, err := c.ListDirectDebits(ctx, "acc_1")
		require.Len(t, page.Items, 1)
		return page, err
	}
	pause := func(ctx context.Context, c *service) (any, error) { return c.PauseSubscription(ctx, "acc_1", "sub_1") }
	resume := func(ctx context.Context, c *service) (any, error) { return c.ResumeSubscription(ctx, "acc_1", "sub_1") }
	resumed := func(ctx context.Context, c *service) (any, error) {
		state, err := c.ResumeSubscription(ctx, "acc_1", "sub_1")
		require.NotNil(t, state, "it was resumed, whatever else the answer says")
		require.NotEmpty(t, state.Status)
		return state, err
	}
	passkey := func(ctx context.Context, c *service) (any, error) {
		return c.RegisterPasskey(ctx, smartaccount.RegisterPasskeyRequest{
			CredentialID: "c", PublicKey: []byte{1}, Attestation: walletfi.Document("{}"),
		})
	}
	made := `{"id":"sess_1","publicKey":"` + wiretest.Address(1) + `","expiresAt":"2030-01-02T00:00:00Z","status":"active"`
	key := func(rest string) string { return `{"total":1,"sessions":[` + made + rest + `}]}` }
	debit := func(rest string) string {
		return `{"total":1,"directDebits":[{"id":"dd_1","merchant":"` + wiretest.Address(1) + `","mint":"` + wiretest.Address(2) +
			`","maxAmount":"5","frequency":"monthly"` + rest + `}]}`
	}
	rows := []struct {
		call func(context.Context, *service) (any, error)
		body string
		want error
	}{
		{session, made + `,"permissions":["transfer"]}`, nil},
		{session, made + `,"permissions":["TRANSFER"]}`, nil},
		{session, made + `}`, walletfi.ErrDecode},
		{session, made + `,"permissions":null}`, walletfi.ErrDecode},
		{session, made + `,"permissions":"transfer"}`, walletfi.ErrDecode},
		{session, made + `,"permissions":[]}`, walletfi.ErrMismatch},
		{session, made + `,"permissions":["transfer","swap"]}`, walletfi.ErrMismatch},
		{session, made + `,"permissions":[7]}`, walletfi.ErrMismatch},
		{sessions, key(`,"permissions":["transfer"]`), nil},
		{sessions, key(`,"permissions":[]`), nil},
		{sessions, key(``), walletfi.ErrDecode},
		{sessions, key(`,"permissions":null`), walletfi.ErrDecode},
		{sessions, key(`,"permissions":"transfer"`), walletfi.ErrDecode},
		{sessions, key(`,"permissions":["transfer",7]`), walletfi.ErrDecode},
		{sessions, key(`,"permissions":["transfer",null]`), walletfi.ErrDecode},
		{debits, debit(`,"status":"active","expiresAt":null,"nextDebit":null`), nil},
		{debits, debit(`,"status":"cancelled","expiresAt":null`), nil},
		{debits, debit(`,"status":"active","expiresAt":null`), walletfi.ErrDecode},
		{debits, debit(`,"status":"active","nextDebit":null`), walletfi.ErrDecode},
		{debits, debit(`,"status":"active","expiresAt":"soon","nextDebit":null`), walletfi.ErrDecode},
		{debits, debit(`,"status":"active","expiresAt":null,"nextDebit":"soon"`), walletfi.ErrDecode},
		{debits, debit(`,"status":"active","expiresAt":null,"nextDebit":-1`), walletfi.ErrDecode},
		{debits, debit(`,"status":"active","expiresAt":null,"lastDebit":"2026-02-01T00:00:00Z","nextDebit":"2026-03-01T00:00:00Z"`), nil},
		{debits, debit(`,"status":"active","expiresAt":null,"lastDebit":"2026-02-01T00:00:00Z","nextDebit":"2026-01-01T00:00:00Z"`), walletfi.ErrDecode},
		{debits, debit(`,"status":7,"expiresAt":null,"nextDebit":null`), walletfi.ErrDecode},
		{pause, `{"success":true,"status":"paused"}`, nil},
		{pause, `{"status":"paused"}`, walletfi.ErrOutcomeUnknown},
		{pause, `{"success":null,"status":"paused"}`, walletfi.ErrOutcomeUnknown},
		{pause, `{"success":"done","status":"paused"}`, walletfi.ErrOutcomeUnknown},
		{resume, `{"status":"active","nextPayment":"2030-01-02T00:00:00Z"}`, walletfi.ErrOutcomeUnknown},
		{resume, `{"success":true,"status":"active","nextPayment":"2030-01-02T00:00:00Z"}`, nil},
		{resumed, `{"success":true,"status":"active"}`, walletfi.ErrDecode},
		{resumed, `{"success":true,"status":"active","nextPayment":null}`, walletfi.ErrDecode},
		{resumed, `{"success":true,"status":"active","nextPayment":"soon"}`, walletfi.ErrDecode},
		{resumed, `{"success":true,"status":"paused"}`, walletfi.ErrMismatch},
		{passkey, `{"success":true,"passkeyId":"pk_1"}`, nil},
		{passkey, `{"passkeyId":"pk_1"}`, walletfi.ErrOutcomeUnknown},
	}
	for _, row := range rows {
		_, err := row.call(t.Context(), client(t, wiretest.Serve(t, reply(200, row.body)).URL))
		if row.want == nil {
			require.NoError(t, err, row.body)
		} else {
			require.ErrorIs(t, err, row.want, row.body)
		}
	}
}
