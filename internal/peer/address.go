package peer

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Address parses the absolute URL of a peer: https, or http if PlainAllowed.
// problem says what is wrong, "" if nothing is. It never repeats the URL, since
// some are pasted with a key in them.
func Address(text string, allowHTTP []string) (u *url.URL, problem string) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "":
		return nil, "is not an absolute URL"
	case u.Fragment != "":
		return nil, "must not have a fragment"
	case u.Scheme == "http" && !PlainAllowed(u, allowHTTP):
		return nil, "must be https; AllowHTTP names exceptions"
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, "must be https"
	}
	return u, ""
}

// PlainAllowed reports whether u may be used without TLS: its host is loopback,
// or allow names it, with or without its port.
func PlainAllowed(u *url.URL, allow []string) bool {
	host := u.Hostname()
	named := func(name string) bool { return strings.EqualFold(name, host) || strings.EqualFold(name, u.Host) }
	if strings.EqualFold(host, "localhost") || slices.ContainsFunc(allow, named) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// ValidHeader reports whether a header can be sent: its name is a token as
// HTTP defines it, and its values hold no control character.
func ValidHeader(name string, values ...string) bool {
	const separators = "()<>@,;:\\\"/[]?={}"
	if name == "" || strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(separators, r)
	}) {
		return false
	}
	return !slices.ContainsFunc(values, func(text string) bool { return !ValidHeaderValue(text) })
}

// ValidHeaderValue reports whether text holds no control character.
func ValidHeaderValue(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}

// StayPut takes the target of a redirect from a response, so that net/http
// returns the response in place of following it. Credentials would go along.
func StayPut(response *http.Response) {
	if response.StatusCode/100 == 3 && response.Header["Location"] != nil {
		response.Header = response.Header.Clone()
		response.Header.Del("Location")
	}
}

// URLSecrets returns what of a peer's URL an error must not show if the URL
// holds a key: its user, its query as a whole and each value in it.
func URLSecrets(u *url.URL) []string {
	var secrets []string
	if u.User != nil {
		password, _ := u.User.Password()
		secrets = append(secrets, u.User.String(), u.User.Username(), password)
	}
	for _, values := range u.Query() {
		secrets = append(secrets, values...)
	}
	return append(secrets, u.RawQuery)
}
