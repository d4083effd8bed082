package wiretest

import (
	"fmt"
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

// ChangesRefused requires Refused of every change of a good request, by each of the
// calls. The names of the rows are those of AllRefused.
func ChangesRefused[R any](t *testing.T, good func() R, rows map[string]func(*R), calls ...func(R) error) {
	t.Helper()
	for _, call := range calls {
		errs := map[string]error{}
		for name, change := range rows {
			req := good()
			change(&req)
			errs[name] = call(req)
		}
		AllRefused(t, errs)
	}
}

// ConfigsRefused requires that create refuses every change of a good configuration,
// without a client and without showing a secret that begins with "k-1".
func ConfigsRefused[Client, Config any](
	t *testing.T, create func(Config) (*Client, error), good Config, rows map[string]func(*Config),
) {
	t.Helper()
	ChangesRefused(t, func() Config { return good }, rows, func(cfg Config) error {
		client, err := create(cfg)
		require.Nil(t, client)
		require.NotContains(t, fmt.Sprint(err), "k-1")
		return err
	})
	_, err := create(good)
	require.NoError(t, err)
}

// As returns the error of that type in err, and fails the test if there is none.
func As[E error](t testing.TB, err error, why ...any) E {
	t.Helper()
	var e E
	require.ErrorAs(t, err, &e, why...)
	return e
}
