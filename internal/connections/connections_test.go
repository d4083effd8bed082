package connections

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTransportIsTuned: the bounds of the connections that clients share.
func TestTransportIsTuned(t *testing.T) {
	require.Equal(t, 10*time.Second, dialer.Timeout)
	require.Equal(t, 30*time.Second, dialer.KeepAlive)
	for name, tr := range map[string]*http.Transport{"shared": Shared(), "fresh": Fresh()} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, 10*time.Second, tr.TLSHandshakeTimeout)
			require.EqualValues(t, tls.VersionTLS12, tr.TLSClientConfig.MinVersion)
			require.Equal(t, 512, tr.MaxIdleConns)
			require.Equal(t, 128, tr.MaxIdleConnsPerHost)
			require.Equal(t, 90*time.Second, tr.IdleConnTimeout)
			require.Equal(t, time.Second, tr.ExpectContinueTimeout)
			require.EqualValues(t, 1<<20, tr.MaxResponseHeaderBytes)
			require.Equal(t, http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 5 * time.Second}, *tr.HTTP2)
			require.Equal(t, 16<<10, tr.ReadBufferSize)
			require.Zero(t, tr.MaxConnsPerHost, "places bound them")
		})
	}
	require.True(t, Shared().ForceAttemptHTTP2)
	require.False(t, Shared().DisableKeepAlives)
	require.True(t, Fresh().DisableKeepAlives)
	require.NotNil(t, Fresh().TLSNextProto, "no HTTP/2, which keeps connections")
	require.Empty(t, Fresh().TLSNextProto)
}

// TestSessionsAreBounded: a process resumes TLS sessions with 64 servers.
func TestSessionsAreBounded(t *testing.T) {
	sessions := Tuned().TLSClientConfig.ClientSessionCache
	for i := range 65 {
		sessions.Put(fmt.Sprint(i), &tls.ClientSessionState{})
	}
	_, oldest := sessions.Get("0")
	require.False(t, oldest)
	_, second := sessions.Get("1")
	require.True(t, second)
}

type tripper struct{ http.RoundTripper }

// TestReplacement: by another type, by another transport of net/http, and before this
// package was initialised.
func TestReplacement(t *testing.T) {
	original, known := http.DefaultTransport, standard
	defer func() { http.DefaultTransport, standard = original, known }()
	require.Nil(t, Replacement())
	for _, other := range []http.RoundTripper{tripper{}, &http.Transport{}, nil} {
		http.DefaultTransport = other
		require.Equal(t, other, Replacement())
	}
	http.DefaultTransport = original
	require.Nil(t, Replacement(), "ours again")
	http.DefaultTransport, standard = tripper{}, nil
	require.Equal(t, tripper{}, Replacement())
}
