package rpcnode

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// TestKindOfCode: the node's own codes, the HTTP statuses that some providers put in
// their place, and any other.
func TestKindOfCode(t *testing.T) {
	for code, want := range map[int]error{
		codePreflightFailure: walletfi.ErrRejected,
		codeSignatureInvalid: walletfi.ErrInvalidRequest,
		codeParse:            walletfi.ErrInvalidRequest,
		codeProviderLimit:    walletfi.ErrRateLimited,
		codeNodeUnhealthy:    walletfi.ErrUnavailable,
		399:                  walletfi.ErrUnavailable,
		400:                  walletfi.ErrInvalidRequest,
		404:                  walletfi.ErrInvalidRequest,
		429:                  walletfi.ErrRateLimited,
		599:                  walletfi.ErrUnavailable,
		600:                  walletfi.ErrUnavailable,
		0:                    walletfi.ErrUnavailable,
	} {
		require.ErrorIs(t, kindOfCode(code), want, code)
	}
	for code, want := range map[int]bool{399: false, 400: true, 599: true, 600: false, -400: false} {
		require.Equal(t, want, isStatus(code), code)
	}
}

// TestNeverSent: only what the node refuses before it passes a transaction on.
func TestNeverSent(t *testing.T) {
	for what, row := range map[string]struct {
		err  error
		want bool
	}{
		"not reached":                     {&callError{unsent: true}, true},
		"reached, without an answer":      {&callError{}, false},
		"refused before it was asked":     {&walletfi.ValidationError{Field: "x"}, true},
		"another error":                   {errors.New("x"), false},
		"preflight":                       {&Error{StatusCode: 200, Code: codePreflightFailure}, true},
		"a lagging node":                  {&Error{StatusCode: 200, Code: codeMinContextSlot}, true},
		"a code that is not known":        {&Error{StatusCode: 200, Code: -32099}, false},
		"a status in the code":            {&Error{StatusCode: 200, Code: 403}, true},
		"a status that may come later":    {&Error{StatusCode: 200, Code: 502}, false},
		"a status below those":            {&Error{StatusCode: 200, Code: 200}, false},
		"a status":                        {&Error{StatusCode: 403}, true},
		"a gateway's status":              {&Error{StatusCode: 502}, false},
		"an answer that says nothing":     {&Error{StatusCode: 200}, false},
		"wrapped":                         {fmt.Errorf("x: %w", &Error{StatusCode: 200, Code: codeParse}), true},
		"a gateway's status, a good code": {&Error{StatusCode: 502, Code: codePreflightFailure}, true},
	} {
		require.Equal(t, row.want, neverSent(row.err), what)
	}
}

// TestPasses: what may be over in a moment.
func TestPasses(t *testing.T) {
	away := walletfi.TransportError{Kind: walletfi.ErrUnavailable}
	for what, row := range map[string]struct {
		err  error
		want bool
	}{
		"a connection that broke":     {&callError{TransportError: away}, true},
		"a name that does not exist":  {&callError{TransportError: away, final: true}, false},
		"the caller has gone":         {&callError{}, false},
		"not the node's error":        {errors.New("x"), false},
		"a busy node":                 {&Error{StatusCode: 429, Kind: walletfi.ErrRateLimited}, true},
		"a node that is away":         {&Error{StatusCode: 503, Kind: walletfi.ErrUnavailable}, true},
		"a node that knows no such":   {&Error{StatusCode: 501, Kind: walletfi.ErrUnavailable}, false},
		"an answer that broke":        {&Error{StatusCode: 200, Kind: walletfi.ErrDecode, cut: true}, true},
		"an answer that is no JSON":   {&Error{StatusCode: 200, Kind: walletfi.ErrDecode}, false},
		"a refusal":                   {&Error{StatusCode: 200, Kind: walletfi.ErrRejected}, false},
		"a client error, unavailable": {&Error{StatusCode: 499, Kind: walletfi.ErrUnavailable}, true},
	} {
		require.Equal(t, row.want, passes(row.err), what)
	}
}

// TestErrorText: the status is told only if there is no code and it is no success.
func TestErrorText(t *testing.T) {
	for want, e := range map[string]Error{
		"rpcnode: m: HTTP 300: words": {Method: "m", StatusCode: 300, Message: "words"},
		"rpcnode: m: success":         {Method: "m", StatusCode: 299, Message: "success"},
		"rpcnode: m: coded":           {Method: "m", StatusCode: 500, Code: 1, Message: "coded"},
	} {
		require.Equal(t, want, e.Error())
	}
}

// TestUnreadableAnswers: a success that is no JSON-RPC cannot be decoded, a cut one may
// be whole the next time, and of another status the status counts.
func TestUnreadableAnswers(t *testing.T) {
	w := &wire{}
	for _, row := range []struct {
		status int
		err    error
		kind   error
		says   string
		cut    bool
	}{
		{200, nil, walletfi.ErrDecode, "the answer was not understood", false},
		{299, nil, walletfi.ErrDecode, "the answer was not understood", false},
		{299, errors.New("reset"), walletfi.ErrDecode, "the answer ended early", true},
		{300, errors.New("reset"), nil, "Multiple Choices", false},
		{503, errors.New("reset"), walletfi.ErrUnavailable, "Service Unavailable", false},
		{429, nil, walletfi.ErrRateLimited, "Too Many Requests", false},
	} {
		e, ok := w.unreadable("m", &response{status: row.status, err: row.err}).(*Error)
		require.True(t, ok)
		if row.kind != nil {
			require.ErrorIs(t, e, row.kind, row.status)
		}
		require.Contains(t, e.Message, row.says)
		require.Equal(t, row.cut, e.cut, row.status)
		require.Equal(t, row.status, e.StatusCode)
	}
}

// TestDataOfARefusalIsBounded: what is longer than any failure is left out.
func TestDataOfARefusalIsBounded(t *testing.T) {
	w := &wire{}
	whole := []byte(`"` + strings.Repeat("a", peer.MaxFailure-2) + `"`)
	require.Len(t, w.data(whole), peer.MaxFailure)
	require.Nil(t, w.data(append(whole, ' ')))
	require.Equal(t, "two lines", w.words("two\nlines"))
}

// TestTooLong: an outage whose end is far off answers to ErrRateLimited too, once.
func TestTooLong(t *testing.T) {
	limited := &Error{Kind: walletfi.ErrRateLimited}
	require.Same(t, limited, tooLong(limited, time.Hour))
	away := &Error{Kind: walletfi.ErrUnavailable}
	far := tooLong(away, time.Hour)
	require.ErrorIs(t, far, walletfi.ErrRateLimited)
	require.ErrorIs(t, far, walletfi.ErrUnavailable)
}
