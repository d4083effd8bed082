package transport

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/callopt"
)

// TestErrorsNameTheSameMistake: which of several mistakes an error names does
// not change from run to run.
func TestErrorsNameTheSameMistake(t *testing.T) {
	client := clientOf(t, serve(reply(200, success)))
	for name, attempt := range map[string]func() error{
		"options": func() error {
			o := walletfi.Options{MaxResponseBytes: -1, UserAgent: "\n"}
			o.Retry.MinWait, o.Retry.MaxWait, o.Retry.MaxRetryAfter = -1, -1, -1
			_, err := New(Config{Service: "test", BaseURL: testBase, Options: o})
			return err
		},
		"headers of a call": func() error {
			header := http.Header{"bad name": {"x"}, "X-One": {"\n"}, "X-Two": {"\x00"}, "X-Live": {"x"}}
			_, err := encodeWith(client, &Call{Op: "Do", Effect: Read, Answer: Silent("a test"), Path: Path("/v1")}, &callopt.Settings{Header: header})
			return err
		},
		"words": func() error {
			_, err := compiled(named(map[string]string{"a": "x", "b": "x", "c": "x", "d": "", "e": "y", "f": "y"}))
			return err
		},
		"values": func() error {
			_, err := compiled(deployment.Service{Words: deployment.Words{Values: map[string]map[string]string{"a": {"b": ""}, "c": {"d": ""}, "e": {"f": ""}}}})
			return err
		},
	} {
		first := attempt()
		require.ErrorIs(t, first, walletfi.ErrInvalidRequest, name)
		for range 50 {
			assert.EqualError(t, attempt(), first.Error(), name)
		}
	}
}
