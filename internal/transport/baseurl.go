package transport

import (
	"net/url"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// parseBase checks a base URL and keeps its path prefix. Nothing of the URL is
// repeated in the error, since some are pasted with a key in them.
func parseBase(field, text string, allowHTTP []string) (*url.URL, error) {
	if text == "" {
		return nil, &walletfi.ValidationError{Field: field, Problem: "is required"}
	}
	u, problem := peer.Address(text, allowHTTP)
	if problem == "" && (u.User != nil || u.RawQuery != "" || u.ForceQuery) {
		problem = "must not have credentials or a query"
	}
	if problem != "" {
		return nil, &walletfi.ValidationError{Field: field, Problem: problem}
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	return u, nil
}
