package transport

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// declaring runs a call with a declaration against an answer of 200.
func declaring(t *testing.T, effect Effect, answer Answer, body string) (walletfi.Document, int, error) {
	t.Helper()
	service := serve(reply(200, body))
	call := callOf(effect)
	call.Answer = answer
	doc, err := DoDocument(t.Context(), clientOf(t, service), call, nil)
	return doc, len(service.requests()), err
}

func TestUndeclaredAnswer(t *testing.T) {
	_, requests, err := declaring(t, Read, Answer{}, success)
	require.ErrorContains(t, err, "does not declare its answer")
	require.Zero(t, requests)
	for _, wrong := range []Answer{{}, Says(), Says("*"), Lists("*"), Says("a:letter"), Open(""), Silent(""), Text("")} {
		require.Error(t, wrong.Problem(), "%+v", wrong)
	}
	for _, right := range []Answer{Says("a", "b.c:number|d:null"), Lists(""), Lists("*a"), Open("x"), Silent("x"), Text("x")} {
		require.NoError(t, right.Problem(), "%+v", right)
	}
}

// TestProof holds what a body says against a declaration. problem is empty for an
// answer.
func TestProof(t *testing.T) {
	for _, row := range []struct {
		answer        Answer
		body, problem string
	}{
		{Says("a"), `{"a":"x"}`, ""},
		{Says("a"), ` { "b" : [1,{"a":2}] , "a" : "x" } `, ""},
		{Says("a"), `{"\u0061":"x"}`, ""},
		{Says("a"), `{"A":"x"}`, ""},
		{Says("a"), `{}`, "field a: required, and missing"},
		{Says("a"), `{"b":{"a":"x"}}`, "field a: required, and missing"},
		{Says("a"), `{"a":null}`, "field a: required, and null"},
		{Says("a"), `{"a":""}`, "field a: required, and empty"},
		{Says("a"), `{"a":7}`, "field a: number does not fit text"},
		{Says("a"), `{"a":{}}`, "field a: object does not fit text"},
		{Says("a"), `null`, "field a: required, and missing"},
		{Says("a"), `[]`, "field a: required, and missing"},
		{Says("a"), `"a"`, "field a: required, and missing"},
		{Says("a"), ``, "field a: required, and missing: the answer is empty"},
		{Says("a"), " \n", "field a: required, and missing: the answer is empty"},
		{Says("a"), `{"a":"x"`, "ends early"},
		{Says("a"), `{"a":`, "ends early"},
		{Says("a"), `{"a"`, "ends early"},
		{Says("a"), `{"a`, "ends early"},
		{Says("a"), `{`, "ends early"},
		{Says("a"), `{"b":[{"c":"`, "ends early"},
		{Says("a"), `{"a":"x"}}`, "not JSON"},
		{Says("a"), `{"a":"x",}`, "not JSON"},
		{Says("a"), `{"a":"x" "b":1}`, "not JSON"},
		{Says("a"), `{a:"x"}`, "not JSON"},
		{Says("a"), `<html>`, "not JSON"},

		{Says("a", "b:number"), `{"a":"x"}`, "field b: required, and missing"},
		{Says("a", "b:number"), `{"a":"x","b":0}`, ""},
		{Says("a", "b:number"), `{"a":"x","b":"18446744073709551616"}`, ""},
		{Says("a", "b:number"), `{"a":"x","b":"soon"}`, "field b: string does not fit number"},
		{Says("a", "b:number"), `{"a":"x","b":true}`, "field b: bool does not fit number"},
		{Says("a:id"), `{"a":7}`, ""},
		{Says("a:id"), `{"a":[]}`, "field a: array does not fit id"},
		{Says("a:bool"), `{"a":false}`, ""},
		{Says("a:bool"), `{"a":"false"}`, ""},
		{Says("a:bool"), `{"a":2}`, "field a: number does not fit bool"},
		{Says("a:list"), `{"a":[]}`, ""},
		{Says("a:list"), `{"a":{}}`, "field a: object does not fit list"},
		{Says("a:object"), `{"a":{}}`, ""},
		{Says("a:object"), `{"a":[]}`, "field a: array does not fit object"},
		{Says("a:list|a:null"), `{"a":null}`, ""},
		{Says("a:list|b.c:number"), `{"b":{"c":0}}`, ""},
		{Says("a:list|b.c:number"), `{"a":[]}`, ""},
		{Says("a:list|b.c:number"), `{"b":{"d":0}}`, "field a: required, and missing"},
		{Says("a.b.c"), `{"a":{"x":1,"b":{"c":"x"}}}`, ""},
		{Says("a.b.c"), `{"a":{"b":"c"}}`, "field a.b.c: required, and missing"},
		{Lists(""), `[]`, ""},
		{Lists(""), ` [1]`, ""},
		{Lists(""), `{}`, "required, and missing"},

		{Says("a"), `{"a":"x","a":"y"}`, "field a: comes twice"},
		{Says("a"), `{"A":"x","A":"y"}`, "field a: comes twice"},
		{Says("a.b"), `{"a":{"b":"x"},"a":{"b":"y"}}`, "field a.b: comes twice"},
		{Says("a:list|b"), `{"a":[],"b":"x","b":"y"}`, "field b: comes twice"},
		{Says("a"), `{"a":"x","b":1,"b":2}`, ""},

		{Open("x"), `{}`, ""},
		{Open("x"), `null`, ""},
		{Open("x"), `0`, ""},
		{Open("x"), ``, "the answer is empty"},
		{Silent("x"), ``, ""},
		{Silent("x"), `{"b":1`, "ends early"},
		{Says("*a"), `{}`, ""},
		{Says("*a"), ``, "field a: required, and missing: the answer is empty"},
		{Says("*a"), `{"a":1`, "ends early"},
	} {
		doc, requests, err := declaring(t, Read, row.answer, row.body)
		require.Equal(t, 1, requests)
		if row.problem == "" {
			require.NoError(t, err, "%v: %s", row.answer, row.body)
			continue
		}
		require.ErrorIs(t, err, walletfi.ErrDecode, "%v: %s", row.answer, row.body)
		require.ErrorContains(t, err, row.problem, "%v: %s", row.answer, row.body)
		require.Equal(t, row.body, string(responseOf(t, err).Body), "the body is kept")
		_ = doc
		for _, effect := range []Effect{Relay, Create} {
			_, requests, err := declaring(t, effect, row.answer, row.body)
			require.Equal(t, 1, requests)
			require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			require.ErrorIs(t, err, walletfi.ErrDecode)
		}
	}
}

// TestErrorsUnderSuccess: what looks like an error is no answer, unless what was declared
// comes with it. A member error or errors is none whatever comes with it.
func TestErrorsUnderSuccess(t *testing.T) {
	for body, isError := range map[string]bool{
		`{"error":"upstream timed out"}`:                  true,
		`{"error":{"code":7}}`:                            true,
		`{"error":true,"a":1}`:                            true,
		`{"errors":[{"title":"x"}]}`:                      true,
		`{"message":"x"}`:                                 true,
		`{"msg":"x","code":5}`:                            true,
		`{"status":500,"title":"x"}`:                      true,
		`{"status":"error","data":[]}`:                    true,
		`{"statusCode":502,"message":"x","timestamp":1}`:  true,
		`{"type":"about:blank","title":"x","detail":"y"}`: true,
		`{"error":null,"message":""}`:                     false,
		`{"error":"","a":1}`:                              false,
		`{"errors":[]}`:                                   false,
		`{"error":{}}`:                                    false,
		`{"message":"sent","success":true}`:               false,
		`{"message":"x","a":1}`:                           false,
		`{"status":"ok","message":"x"}`:                   false,
		`{"a":{"error":"x"}}`:                             false,
		`[{"error":"x"}]`:                                 false,
	} {
		for _, answer := range []Answer{Open("x"), Silent("x"), Text("x"), Says("*")} {
			_, _, err := declaring(t, Read, answer, body)
			assert.Equal(t, isError, err != nil, "%v: %s: %v", answer, body, err)
			_, _, err = declaring(t, Create, answer, body)
			assert.Equal(t, isError, isUnknown(err), "%v: %s", answer, body)
		}
		if isError {
			with := `{"here":"x",` + body[1:]
			_, _, err := declaring(t, Read, Says("here"), with)
			assert.Equal(t, strings.HasPrefix(body, `{"error`), errors.Is(err, walletfi.ErrRejected), with)
			assert.Equal(t, strings.HasPrefix(body, `{"error`), err != nil, with)
		}
	}
}

// TestBeside: a sign of an error is a part of the result if a member of the result stands
// beside it that says something, and any other sign is not.
func TestBeside(t *testing.T) {
	for body, want := range map[string]struct{ error, errors error }{
		`{"a":"x"}`:                          {nil, nil},
		`{"a":"x","error":"y"}`:              {nil, walletfi.ErrRejected},
		`{"error":{"code":1},"b":7}`:         {nil, walletfi.ErrRejected},
		`{"b":[],"errors":[1]}`:              {walletfi.ErrRejected, nil},
		`{"a":"x","errors":[ ]}`:             {nil, nil},
		`{"error":"y"}`:                      {walletfi.ErrRejected, walletfi.ErrRejected},
		`{"errors":["y"]}`:                   {walletfi.ErrRejected, walletfi.ErrRejected},
		`{"a":null,"b":"","error":"y"}`:      {walletfi.ErrRejected, walletfi.ErrRejected},
		`{"c":{"a":"x"},"error":"y"}`:        {walletfi.ErrRejected, walletfi.ErrRejected},
		`{"a":"x","error":"y","success":0}`:  {walletfi.ErrRejected, walletfi.ErrRejected},
		`{"a":"x","errors":[1],"error":"y"}`: {walletfi.ErrRejected, walletfi.ErrRejected},
		`{"a":null,"b":{},"errors":[1]}`:     {walletfi.ErrRejected, walletfi.ErrRejected},
	} {
		for sign, kind := range map[string]error{"error": want.error, "errors": want.errors} {
			for _, answer := range []Answer{Open("x"), Silent("x")} {
				_, _, err := declaring(t, Read, answer.Beside(sign, "a", "b"), body)
				if kind == nil {
					assert.NoError(t, err, "%s: %s", sign, body)
					continue
				}
				assert.ErrorIs(t, err, kind, "%s: %s", sign, body)
			}
		}
	}
}

// TestNestedNo: what the part of an answer says that Accept takes out is nested in it.
func TestNestedNo(t *testing.T) {
	part := func(cfg *Config) {
		cfg.Accept = func(body []byte) ([]byte, bool) {
			members, err := wire.Members(body)
			return members["data"], err == nil
		}
	}
	ask := func(body string) error {
		call := callOf(Read)
		call.Answer = Open("x")
		_, err := DoDocument(t.Context(), clientOf(t, serve(reply(200, body)), part), call, nil)
		return err
	}
	for _, data := range []string{`{"error":"x"}`, `{"a":1,"success":false}`} {
		assert.NoError(t, ask(`{"data":`+data+`}`), data)
	}
	for _, whole := range []string{`{"data":{"a":1},"error":"x"}`, `{"success":false,"data":{"a":1}}`} {
		assert.ErrorIs(t, ask(whole), walletfi.ErrRejected, whole)
	}
}

// TestSuccessFalse: the service's own no, whatever else it says.
func TestSuccessFalse(t *testing.T) {
	for _, body := range []string{
		`{"success":false}`, `{"a":"x","success":false}`, `{"a":"x","success":"false"}`, `{"Success":0,"a":"x"}`, `{"success":true,"success":false,"a":"x"}`,
	} {
		for _, answer := range []Answer{Says("a"), Open("x"), Silent("x"), Text("x")} {
			for _, effect := range []Effect{Read, Build, Set} {
				_, _, err := declaring(t, effect, answer, body)
				require.ErrorIs(t, err, walletfi.ErrRejected, body)
				require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			}
			for _, effect := range []Effect{Relay, Create} {
				_, requests, err := declaring(t, effect, answer, body)
				require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, body)
				require.NotErrorIs(t, err, walletfi.ErrRejected)
				require.Equal(t, 1, requests)
			}
		}
	}
}

// TestExactNameWins: encoding/json takes the last of two names that differ in
// case alone.
func TestExactNameWins(t *testing.T) {
	for _, body := range []string{`{"ID":"b","id":"a"}`, `{"id":"a","Id":"b"}`, `{"iD":"b","id":"a","Id":"c"}`} {
		call := callOf(Read)
		call.Answer = Says("id")
		got, err := Do(t.Context(), clientOf(t, serve(reply(200, body))), call, nil, func(r *result, raw, _ walletfi.Document) {
			require.Equal(t, body, string(raw), "as it came")
		})
		require.NoError(t, err, body)
		require.Equal(t, "a", got.ID, body)
	}
}

// TestProofOfLiveWords: a declaration is in the documented words.
func TestProofOfLiveWords(t *testing.T) {
	call := callOf(Read)
	call.Answer = Says("id")
	words := deployed(named(map[string]string{"id": "nummer"}))
	got, err := Do[result](t.Context(), clientOf(t, serve(reply(200, `{"nummer":"a"}`)), words), call, nil)
	require.NoError(t, err)
	require.Equal(t, "a", got.ID)
	_, err = Do[result](t.Context(), clientOf(t, serve(reply(200, `{"id":"a"}`)), words), call, nil)
	require.NoError(t, err, "a word that is not translated stays")
}

// TestSeeOther: a status that says that the result is elsewhere, or that the
// connection is something else now, does not say that nothing was done. Only a
// request for the same at another place does.
func TestSeeOther(t *testing.T) {
	for _, status := range []int{101, 300, 302, 303, 304, 305, 399} {
		for _, effect := range []Effect{Create, Relay} {
			err := run(t, serve(reply(status, "")), callOf(effect))
			require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, "%d", status)
		}
		require.NotErrorIs(t, run(t, serve(reply(status, "")), callOf(Read)), walletfi.ErrOutcomeUnknown)
	}
	for _, status := range []int{301, 307, 308} {
		err := run(t, serve(reply(status, "")), callOf(Create))
		require.ErrorIs(t, err, walletfi.ErrRedirect, "%d", status)
		require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown, "%d", status)
	}
}
