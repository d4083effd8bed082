package webhooks_test

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestSignerPanics as httptest.NewRequest does: of what cannot be a request, with the
// reason.
func TestSignerPanics(t *testing.T) {
	panicked := func(f func()) (with any) {
		defer func() { with = recover() }()
		f()
		return nil
	}
	wrong := signer
	wrong.Deployment = &deployment.Deployment{Services: map[string]deployment.Service{"webhooks": {Headers: map[string]string{"a": "b c"}}}}
	for name, row := range map[string]struct {
		f    func()
		want string
	}{
		"a deployment": {func() { wrong.Request(destination, evmBody) }, "deployment.services.webhooks.headers"},
		"a URL":        {func() { signer.Request("://", evmBody) }, "missing protocol scheme"},
		"a body that cannot be had": {func() {
			req := signer.Request(destination, evmBody)
			req.GetBody = func() (io.ReadCloser, error) { return nil, errDown }
			signer.Replayed(req)
		}, errDown.Error()},
		"a body that cannot be read": {func() {
			req := signer.Request(destination, evmBody)
			req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(iotest.ErrReader(errDown)), nil }
			signer.Replayed(req)
		}, errDown.Error()},
	} {
		err, ok := panicked(row.f).(error)
		require.True(t, ok, name)
		require.ErrorContains(t, err, row.want, name)
	}
}

// TestSignersForgeries: each is wrong in the way that it says, and in no other.
func TestSignersForgeries(t *testing.T) {
	require.Equal(t, strconv.FormatInt(today.Add(-3*time.Hour-time.Minute).Unix(), 10), signer.Stale(destination, evmBody).Header.Get(webhooks.HeaderTimestamp))
	read := func(req *http.Request) []byte {
		body, err := io.ReadAll(req.Body)
		require.NoError(t, err)
		return body
	}
	changed := bytes.Clone(evmBody)
	changed[len(changed)-1] ^= 1
	require.Equal(t, changed, read(signer.Tampered(destination, evmBody)))
	require.Equal(t, []byte{1}, read(signer.Tampered(destination, nil)), "a byte where there was none")
}
