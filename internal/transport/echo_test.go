package transport

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// TestEcho: an answer that contradicts the request ends the call at once. What
// a Create made is returned all the same, and of a Relay the outcome is
// unknown.
func TestEcho(t *testing.T) {
	type record struct {
		ID string `json:"id"`
	}
	asks := Echo(func(r *record) error {
		if r.ID == "a" {
			return nil
		}
		return &walletfi.MismatchError{Field: "id", Asked: "a", Answered: r.ID}
	})
	for effect, row := range map[Effect]struct {
		result  *record
		unknown bool
	}{
		Read: {}, Build: {}, Set: {}, Relay: {unknown: true}, Create: {result: &record{"b"}},
	} {
		for name, do := range map[string]func(*Client, Call) (*record, error){
			"Do": func(c *Client, call Call) (*record, error) { return Do[record](t.Context(), c, call, nil) },
			"Do and keep": func(c *Client, call Call) (*record, error) {
				return Do(t.Context(), c, call, nil, func(*record, walletfi.Document, walletfi.Document) {})
			},
		} {
			call := Call{
				Op: "Do", Effect: effect, Method: "POST", Path: Path("/x"), Answer: Says("id"), Echo: asks, Signature: "sig",
			}
			service := serve(reply(200, `{"id":"a"}`), reply(200, `{"id":"b"}`))
			c := clientOf(t, service)
			got, err := do(c, call)
			require.NoError(t, err, "%s of %d", name, effect)
			require.Equal(t, &record{"a"}, got)

			got, err = do(c, call)
			require.Len(t, service.requests(), 2, "never again")
			require.Equal(t, row.result, got, "%s of %d", name, effect)
			require.ErrorIs(t, err, walletfi.ErrMismatch)
			require.NotErrorIs(t, err, walletfi.ErrDecode)
			require.Equal(t, row.unknown, errors.Is(err, walletfi.ErrOutcomeUnknown))
			mismatch := wiretest.As[*walletfi.MismatchError](t, err)
			require.Equal(t, walletfi.MismatchError{Field: "id", Asked: "a", Answered: "b"}, *mismatch)
			response := wiretest.As[*walletfi.ResponseError](t, err)
			require.Equal(t, `{"id":"b"}`, string(response.Body))
			require.ErrorContains(t, err, `id: asked for "a", answered "b"`)
		}
	}
}

// TestEchoForAnotherType: an Echo that is for another result says so.
func TestEchoForAnotherType(t *testing.T) {
	err := Echo(func(*result) error { return nil })(&testError{})
	require.EqualError(t, err, "a *transport.testError cannot be held against the request: its Echo is for a *transport.result")
	require.NoError(t, Echo(func(*result) error { return nil })(&result{}))
}
