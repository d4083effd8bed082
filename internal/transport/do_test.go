package transport

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
)

func TestDoFast(t *testing.T) {
	type record struct {
		Name string `json:"name" wire:"required"`
		By   string `json:"-"`
	}
	byHand := func(body []byte, r *record) bool {
		r.By = "hand"
		return json.Unmarshal(body, r) == nil
	}
	for name, row := range map[string]struct {
		body, want, by string
		err            error
	}{
		"taken":               {body: `{"live":"a"}`, want: "a", by: "hand"},
		"left to the rest":    {body: `{"live":5}`, want: "5"},
		"without what is due": {body: `{}`, err: walletfi.ErrDecode},
		"not JSON":            {body: `{"live":`, err: walletfi.ErrDecode},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, row.body) }))
			defer server.Close()
			c, err := New(Config{Service: "test", BaseURL: server.URL, Options: walletfi.Options{
				Deployment: of(named(map[string]string{"name": "live"})),
			}})
			require.NoError(t, err)
			got, err := DoFast(t.Context(), c, Call{Op: "TestDoFast", Effect: Read, Answer: Silent("a test"), Method: "GET", Path: Path("/x")}, nil, byHand)
			if row.err != nil {
				require.ErrorIs(t, err, row.err)
				require.Nil(t, got)
				return
			}
			require.NoError(t, err)
			require.Equal(t, &record{row.want, row.by}, got)
		})
	}
}

// TestDoRawFast: the whole answer is kept, whoever read it, and once.
func TestDoRawFast(t *testing.T) {
	type record struct {
		ID  string            `json:"id" wire:"required"`
		Raw walletfi.Document `json:"-"`
	}
	for name, c := range map[string]struct {
		body string
		id   string // "" if it is refused
	}{
		"taken":               {`{"id":"a", "new":1}`, "fast"},
		"left to the rest":    {`{"id":"b"}`, "b"},
		"without what is due": {`{"other":1}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			kept := 0
			call := callOf(Read)
			call.Answer = Says("*id")
			got, err := DoRawFast(t.Context(), clientOf(t, serve(reply(200, c.body))), call, nil, func(body []byte, r *record) bool {
				r.ID = "fast"
				return strings.HasPrefix(string(body), `{"id":"a"`)
			}, func(r *record, raw walletfi.Document) { r.Raw, kept = raw, kept+1 })
			require.Equal(t, 1, kept)
			if c.id == "" {
				require.ErrorIs(t, err, walletfi.ErrDecode)
				require.Nil(t, got)
				return
			}
			require.NoError(t, err)
			require.Equal(t, &record{c.id, walletfi.Document(c.body)}, got)
		})
	}
}

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
