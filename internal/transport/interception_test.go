package transport

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/h2non/gock.v1"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/connections"
)

// TestGock: the usual test double takes the place of http.DefaultTransport,
// also after the client was made, and gives it back.
func TestGock(t *testing.T) {
	client := clientOf(t, nil, func(cfg *Config) {
		cfg.Auth = HeaderKey("x-api-key", "", walletfi.NewSecret("key-0123456789"))
	})
	defer gock.Off()
	gock.New("https://service.example").Get("/base/v1/thing").MatchHeader("x-api-key", "key-0123456789").
		Reply(200).BodyString(success)
	gock.New("https://service.example").Post("/base/v1/thing").JSON(map[string]string{"name": "value"}).
		Times(2).Reply(200).BodyString(success)
	for _, effect := range []Effect{Read, Create, Relay} {
		got, err := Do[result](t.Context(), client, callOf(effect), nil)
		require.NoError(t, err)
		assert.Equal(t, "x1", got.ID)
	}
	assert.True(t, gock.IsDone())
	gock.Off()
	assert.Same(t, connections.Shared(), client.roundTripper(Read), "ours again")
}

// TestReplacedDefaultTransport: by a kind that cannot be compared, and by
// another net/http transport.
func TestReplacedDefaultTransport(t *testing.T) {
	original := http.DefaultTransport
	defer func() { http.DefaultTransport = original }()
	client := clientOf(t, nil)
	for _, effect := range []Effect{Read, Create} {
		service := serve(reply(200, success))
		http.DefaultTransport = tripper(service.RoundTrip)
		_, err := Do[result](t.Context(), client, callOf(effect), nil)
		require.NoError(t, err)
		assert.Len(t, service.requests(), 1)

		other := &http.Transport{}
		http.DefaultTransport = other
		assert.Same(t, other, client.roundTripper(effect))

		http.DefaultTransport = original
		assert.NotSame(t, original, client.roundTripper(effect), "net/http's own is not tuned")
	}
	assert.Same(t, connections.Shared(), client.roundTripper(Relay))
	assert.Same(t, connections.Fresh(), client.roundTripper(Create))
}

// TestOwnHTTPClient: its round tripper is used whatever http.DefaultTransport
// is, and nothing of it is changed.
func TestOwnHTTPClient(t *testing.T) {
	original := http.DefaultTransport
	defer func() { http.DefaultTransport = original }()
	http.DefaultTransport = tripper(fail(refused))
	service := serve(reply(307, "", "Location", "https://elsewhere.example"), reply(200, success))
	asked := 0
	own := &http.Client{
		Transport:     service,
		Timeout:       7 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { asked++; return nil },
	}
	client := clientOf(t, nil, func(cfg *Config) { cfg.Options.HTTPClient = own })
	_, err := Do[result](t.Context(), client, callOf(Read), nil)
	assert.ErrorIs(t, err, walletfi.ErrRedirect)
	_, err = Do[result](t.Context(), client, callOf(Create), nil)
	require.NoError(t, err)
	assert.Len(t, service.requests(), 2)
	assert.Zero(t, asked, "no redirect is followed, whatever the caller's client would do")
	assert.Same(t, service, own.Transport)
	assert.Equal(t, 7*time.Second, own.Timeout)
	assert.Nil(t, own.Jar)
	require.NoError(t, own.CheckRedirect(nil, nil))
	assert.Equal(t, 1, asked, "still the caller's function")
}

// TestTimeoutOfOwnHTTPClient is an attempt's, not the call's; Options.Timeout
// goes before it.
func TestTimeoutOfOwnHTTPClient(t *testing.T) {
	for _, c := range []struct{ own, option, want time.Duration }{
		{7 * time.Second, 0, 7 * time.Second},
		{7 * time.Second, 3 * time.Second, 3 * time.Second},
		{0, 0, 30 * time.Second},
		{0, 3 * time.Second, 3 * time.Second},
		{1, 0, 1},
		{time.Hour, 1, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			service := serve(stall)
			client := clientOf(t, nil, retries(2), func(cfg *Config) {
				cfg.Options.HTTPClient = &http.Client{Transport: service, Timeout: c.own}
				cfg.Options.Timeout = c.option
				cfg.Options.Retry.MinWait, cfg.Options.Retry.MaxWait = 1, 1
			})
			begun := time.Now()
			_, err := Do[result](t.Context(), client, callOf(Read), nil)
			assert.ErrorIs(t, err, walletfi.ErrUnavailable)
			assert.Len(t, service.requests(), 3)
			assert.InDelta(t, 3*c.want, time.Since(begun), 10)
		})
	}
}

// TestCookies of the caller's client go along, once at each attempt, and come
// back.
func TestCookies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jar, err := cookiejar.New(nil)
		require.NoError(t, err)
		base, err := url.Parse(testBase)
		require.NoError(t, err)
		jar.SetCookies(base, []*http.Cookie{{Name: "a", Value: "1", Path: "/"}})
		service := serve(reply(503, ""), reply(500, ""), reply(200, success, "Set-Cookie", "b=2; Path=/"))
		client := clientOf(t, nil, func(cfg *Config) { cfg.Options.HTTPClient = &http.Client{Transport: service, Jar: jar} })
		_, err = Do[result](t.Context(), client, callOf(Read), nil)
		require.NoError(t, err)
		require.Len(t, service.requests(), 3)
		for _, r := range service.requests() {
			assert.Equal(t, []string{"a=1"}, r.header["Cookie"])
		}
		assert.Len(t, jar.Cookies(base), 2)
	})
}

// TestCookiesStayWithTheirClient: another client sends none of them.
func TestCookiesStayWithTheirClient(t *testing.T) {
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	base, err := url.Parse(testBase)
	require.NoError(t, err)
	jar.SetCookies(base, []*http.Cookie{{Name: "session", Value: "1", Path: "/"}})
	service := serve(reply(200, success))
	_, err = Do[result](t.Context(), clientOf(t, nil, func(cfg *Config) {
		cfg.Options.HTTPClient = &http.Client{Transport: service, Jar: jar}
	}), callOf(Read), nil)
	require.NoError(t, err)
	_, err = Do[result](t.Context(), clientOf(t, service), callOf(Read), nil)
	require.NoError(t, err)
	require.Equal(t, "session=1", service.requests()[0].header.Get("Cookie"))
	require.NotContains(t, service.requests()[1].header, "Cookie")
	require.Empty(t, noHeader, "which all clients without a jar share")
}
