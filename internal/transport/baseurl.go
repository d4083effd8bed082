package transport

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
)

// parseBase checks a base URL: https, or http where the host is loopback or
// allowed by name. A path prefix is kept. Nothing of the URL is echoed, since
// some are pasted with a key in them.
func parseBase(field, text string, allowHTTP []string) (*url.URL, error) {
	bad := func(problem string) (*url.URL, error) {
		return nil, &walletfi.ValidationError{Field: field, Problem: problem}
	}
	if text == "" {
		return bad("is required")
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "":
		return bad("is not an absolute URL")
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return bad("must not carry credentials, a query or a fragment")
	case u.Scheme == "http" && !plainAllowed(u, allowHTTP):
		return bad("must be https; Options.AllowHTTP names exceptions")
	case u.Scheme != "https" && u.Scheme != "http":
		return bad("must be https")
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	return u, nil
}

func plainAllowed(u *url.URL, allow []string) bool {
	host := u.Hostname()
	named := func(name string) bool { return strings.EqualFold(name, host) || strings.EqualFold(name, u.Host) }
	if strings.EqualFold(host, "localhost") || slices.ContainsFunc(allow, named) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
