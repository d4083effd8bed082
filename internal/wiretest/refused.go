package wiretest

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

// Unasked starts a server that fails the test if it receives a request.
func Unasked(t testing.TB) *Server {
	t.Helper()
	return Serve(t, func(http.ResponseWriter, *http.Request) { t.Error("something was sent") })
}

// Refused requires that err is a refusal to send, and that it names these
// fields, in alphabetical order, and no others.
func Refused(t testing.TB, err error, fields ...string) {
	t.Helper()
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	require.Equal(t, fields, Fields(err))
}

// Fields returns the fields that the validation errors in err name, sorted.
func Fields(err error) []string {
	var names []string
	var walk func(error)
	walk = func(err error) {
		switch e := err.(type) {
		case *walletfi.ValidationError:
			names = append(names, e.Field)
		case interface{ Unwrap() []error }:
			for _, inner := range e.Unwrap() {
				walk(inner)
			}
		case interface{ Unwrap() error }:
			walk(e.Unwrap())
		}
	}
	walk(err)
	slices.Sort(names)
	return names
}

// AllRefused requires Refused of every row. Its name says what is wrong and, after a
// colon, which fields the error names: "a book of depth -1: depth".
func AllRefused(t *testing.T, rows map[string]error) {
	t.Helper()
	for name, err := range rows {
		t.Run(name, func(t *testing.T) {
			_, fields, _ := strings.Cut(name, ": ")
			Refused(t, err, strings.Split(fields, ", ")...)
		})
	}
}
