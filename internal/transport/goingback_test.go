package transport

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/stored"
)

// quoting is a deployment with its own name for id, whose quotes need a step that
// takes a member from elsewhere: the part that goes back does not say all.
var quoting = deployed(deployment.Service{
	Words: deployment.Words{Keys: map[string]string{"id": "nummer"}},
	Operations: map[string]deployment.Operation{
		"POST /v1/quote": {Answer: []deployment.Step{{Move: "meta.at", To: "data.at"}}},
	},
})

// inData takes the member data out, by its documented and by its live name.
func inData(cfg *Config) {
	cfg.Accept = func(body []byte) ([]byte, bool) { return memberOf(body, "data") }
	cfg.LiveAccept = func(body []byte, name func(string) string) ([]byte, bool) { return memberOf(body, name("data")) }
}

// quote is a type of which the service wants the answer back.
type quote struct {
	ID   string `json:"id" wire:"required"`
	At   int    `json:"at"`
	echo walletfi.Document
}

func quoted(t *testing.T, client *Client, call Call, opts ...walletfi.CallOption) (*quote, []byte) {
	t.Helper()
	var whole []byte
	opts = client.GoesBack(&call, &whole, opts)
	got, err := Do(t.Context(), client, call, opts, func(q *quote, _, came walletfi.Document) { q.echo = came })
	require.NoError(t, err)
	return got, whole
}

// TestGoesBack: the whole answer is kept only if its part does not say all that it
// says, and the caller's own capture gets each response all the same.
func TestGoesBack(t *testing.T) {
	const live = `{"meta":{"at":7},"data":{ "nummer" : "x1" }}`
	for name, c := range map[string]struct {
		change func(*Config)
		path   string
		body   string
		whole  string
		at     int
		origin stored.Origin
	}{
		"as documented":           {func(*Config) {}, "/v1/quote", `{"data":{ "id" : "x1" }}`, "", 0, stored.Origin{}},
		"words alone":             {quoting, "/v1/other", live, "", 0, stored.Origin{Live: true, Fresh: true}},
		"words, and a capture":    {quoting, "/v1/other", live, "", 0, stored.Origin{Live: true, Fresh: true}},
		"a step from elsewhere":   {quoting, "/v1/quote", live, live, 7, stored.Origin{Live: true, Fresh: true, Whole: live}},
		"the same, and a capture": {quoting, "/v1/quote", live, live, 7, stored.Origin{Live: true, Fresh: true, Whole: live}},
	} {
		t.Run(name, func(t *testing.T) {
			client := clientOf(t, serve(reply(200, c.body, "X-Request-Id", "r1")), inData, c.change)
			call := callOf(Build)
			call.Path, call.Answer = Path(c.path), Says("id")
			var raw walletfi.RawResponse
			var opts []walletfi.CallOption
			if strings.HasSuffix(name, "a capture") {
				opts = append(opts, walletfi.WithRawResponse(&raw))
			}
			got, whole := quoted(t, client, call, opts...)
			require.Equal(t, "x1", got.ID)
			require.Equal(t, c.at, got.At)
			require.Equal(t, c.whole, string(whole))
			require.Equal(t, c.origin, client.Origin(whole))
			require.Contains(t, string(got.echo), ` : "x1" }`, "byte for byte")
			require.Equal(t, c.origin.Live, client.Dialect() != nil)
			if opts != nil {
				require.Equal(t, 200, raw.StatusCode)
				require.Equal(t, "r1", raw.Header.Get("X-Request-Id"))
				require.Equal(t, c.body, string(raw.Body))
			}
		})
	}
}

// TestCaptureKeepsTheBody: also without a capture of the caller's.
func TestCaptureKeepsTheBody(t *testing.T) {
	var body []byte
	_, err := Do[result](t.Context(), clientOf(t, serve(reply(200, success))), callOf(Read), []walletfi.CallOption{Capture(&body)})
	require.NoError(t, err)
	require.Equal(t, success, string(body))
}

// TestAgain: a stored answer is read once more from the service's bytes, in the
// documentation's words, unless this process has decoded it; a whole answer whose part
// is another than what goes back is refused.
func TestAgain(t *testing.T) {
	const part, whole = `{"nummer":"x1"}`, `{"meta":{"at":7},"data":{"nummer":"x1"}}`
	path := Path("/v1/quote")
	live, plain := clientOf(t, nil, inData, quoting), clientOf(t, nil, inData)
	for name, c := range map[string]struct {
		client *Client
		came   string
		from   stored.Origin
		again  bool
		want   string
	}{
		"decoded here":                     {live, part, stored.Origin{Live: true, Fresh: true, Whole: whole}, false, ""},
		"as documented throughout":         {plain, part, stored.Origin{}, false, ""},
		"stored under a deployment":        {live, part, stored.Origin{Live: true}, true, `{"id":"x1"}`},
		"stored as documented":             {live, part, stored.Origin{}, true, `{"id":"x1"}`},
		"a deployment's, read without it":  {plain, part, stored.Origin{Live: true}, true, part},
		"with the whole":                   {live, " " + part + "\n", stored.Origin{Live: true, Whole: whole}, true, `{"meta":{},"data":{"id":"x1","at":7}}`},
		"a deployment's whole, without it": {plain, part, stored.Origin{Live: true, Whole: whole}, true, whole},
	} {
		t.Run(name, func(t *testing.T) {
			neutral, again, err := c.client.Again(http.MethodPost, path, []byte(c.came), c.from)
			require.NoError(t, err)
			require.Equal(t, c.again, again)
			if c.want == "" {
				require.Empty(t, neutral)
				return
			}
			require.JSONEq(t, c.want, string(neutral))
		})
	}
	neutral, again, err := live.Again(http.MethodPost, path, []byte(`{"nummer":"x2"}`), stored.Origin{Live: true, Whole: whole})
	require.True(t, again)
	require.Empty(t, neutral)
	require.Equal(t, &walletfi.MismatchError{Field: "whole", Asked: `{"nummer":"x2"}`, Answered: part}, err)

	// A number that would have to be rounded is told.
	rounding := clientOf(t, nil, deployed(deployment.Service{Words: deployment.Words{Numbers: map[string]deployment.Number{"amount": {Scale: 2}}}}))
	neutral, again, err = rounding.Again(http.MethodPost, path, []byte(`{"amount":1.005}`), stored.Origin{Live: true})
	require.True(t, again)
	require.Error(t, err)
	require.True(t, json.Valid(neutral))
}

// TestPartThatIsNotThere: if the part that goes back cannot be taken out of the answer
// as it came, the answer goes back whole.
func TestPartThatIsNotThere(t *testing.T) {
	client := clientOf(t, serve(reply(200, `{"data":{"nummer":"x1"}}`)), quoting, inData, func(cfg *Config) {
		cfg.LiveAccept = func([]byte, func(string) string) ([]byte, bool) { return nil, false }
	})
	call := callOf(Build)
	call.Path, call.Answer = Path("/v1/other"), Says("id")
	got, _ := quoted(t, client, call)
	require.Equal(t, `{"data":{"nummer":"x1"}}`, string(got.echo))
}
