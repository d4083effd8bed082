package transport

import (
	"net/http"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
)

// TestSmallestAnswers: one byte is an answer, no byte is one where none is documented.
func TestSmallestAnswers(t *testing.T) {
	call := callOf(Read)
	call.Answer = Open("a test")
	number, err := Do[int](t.Context(), clientOf(t, serve(reply(200, "7"))), call, nil)
	require.NoError(t, err)
	require.Equal(t, 7, *number)
	call.Answer = Silent("a test")
	for _, body := range []string{"", " \n"} {
		got, err := Do[struct{ ID string }](t.Context(), clientOf(t, serve(reply(200, body))), call, nil)
		require.NoError(t, err)
		require.Zero(t, *got)
	}
	_, err = Do[result](t.Context(), clientOf(t, serve(reply(200, ""))), call, nil)
	require.ErrorIs(t, err, walletfi.ErrDecode, "what is due is due")
}

// TestReadGetsWhatIsProven: in the documentation's words; of a failure, and of what
// cannot be read, it gets nothing.
func TestReadGetsWhatIsProven(t *testing.T) {
	words := deployed(named(map[string]string{"id": "nummer"}))
	for body, want := range map[string]string{
		`{"nummer":"x1"}`: success, `{"other":1}`: "", `{"nummer":"x1"`: "", `{"success":false}`: "",
	} {
		var got []string
		call := callOf(Read)
		call.Answer = Says("id")
		call.Read = func(body []byte) { got = append(got, string(body)) }
		_, err := Do[result](t.Context(), clientOf(t, serve(reply(200, body)), words), call, nil)
		require.Equal(t, want == "", err != nil)
		if want == "" {
			require.Empty(t, got)
			continue
		}
		require.Equal(t, []string{want}, got)
	}
}

// TestTwoCasesOfOneName: the exact name wins in a type that needs none, too.
func TestTwoCasesOfOneName(t *testing.T) {
	type loose struct {
		ID string `json:"id"`
	}
	call := callOf(Read)
	call.Answer = Open("a test")
	got, err := Do[loose](t.Context(), clientOf(t, serve(reply(200, `{"id":"a","ID":"b"}`))), call, nil)
	require.NoError(t, err)
	require.Equal(t, "a", got.ID)
}

// TestCalling: a round tripper of a test learns which call its request belongs to.
func TestCalling(t *testing.T) {
	service, call, template, typ := Calling(t.Context())
	require.Empty(t, service)
	require.Empty(t, call.Op)
	require.Empty(t, template)
	require.Nil(t, typ)
	made, seen := callOf(Read), 0
	made.Path = Path("/v1/{id}", "a b")
	client := clientOf(t, tripper(func(r *http.Request) (*http.Response, error) {
		service, call, template, typ = Calling(r.Context())
		seen++
		return reply(200, success)(r)
	}))
	_, err := Do[result](t.Context(), client, made, nil)
	require.NoError(t, err)
	require.Equal(t, 1, seen)
	require.Equal(t, "test", service)
	require.Equal(t, "Do", call.Op)
	require.Equal(t, "/v1/{id}", template)
	require.Equal(t, reflect.TypeFor[result](), typ)
}

// TestDeclaredIsTold: each call, before it is checked.
func TestDeclaredIsTold(t *testing.T) {
	var told []string
	tell := walletfi.CallOption(callopt.New(func(s *callopt.Settings) {
		s.Declared = func(service string, call any) { told = append(told, service+"."+call.(Call).Op) }
	}))
	client := clientOf(t, serve(reply(200, success)))
	for _, invalid := range []error{nil, &walletfi.ValidationError{Field: "a"}} {
		call := callOf(Read)
		call.Invalid = invalid
		_, err := Do[result](t.Context(), client, call, []walletfi.CallOption{tell})
		require.Equal(t, invalid, err)
	}
	require.Equal(t, []string{"test.Do", "test.Do"}, told)
}
