package transport

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
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
