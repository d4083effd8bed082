package kit

import (
	"net/url"
	"regexp"
	"strings"
)

const hidden = "***"

// Secrets that services issue or clients send, wherever they stand.
var (
	sessionToken = regexp.MustCompile(`\b(?:at|rt)_[0-9a-f]{8,32}`)
	secretMember = regexp.MustCompile(
		`(?i)("(?:otp|(?:access|refresh)_?token|secret|api_?key|password)"\s*:\s*)"(?:[^"\\]|\\.)*(?:"|\z)`)
)

// masking returns the function that hides every secret that the sandbox knows. The lock is held.
func (s *Core) masking() func(string) string {
	var pairs []string
	hide := func(secret string) {
		if secret == "" {
			return
		}
		quoted := string(MustJSON(secret))
		for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret), quoted[1 : len(quoted)-1]} {
			pairs = append(pairs, form, hidden)
		}
	}
	for _, keys := range s.keys {
		for _, key := range keys {
			hide(key)
		}
	}
	for _, secret := range s.Config.DeploymentSecrets {
		hide(secret)
	}
	known := strings.NewReplacer(pairs...)
	return func(text string) string {
		text = sessionToken.ReplaceAllString(known.Replace(text), hidden)
		return secretMember.ReplaceAllString(text, `$1"`+hidden+`"`)
	}
}
