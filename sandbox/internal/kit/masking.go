package kit

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/deployment"
)

const hidden = "***"

// sessionToken is a token that smartaccount issues, or what there is of one at the end of a text.
var sessionToken = regexp.MustCompile(`\b((?:at|rt)_[0-9a-f]{8,32})|\b((?:at|rt)_[0-9a-f]*\z)`)

// secretName is that of a member whose value is a secret, as documented or as clients may call it.
var secretName = regexp.MustCompile(`^(?i:otp|(?:access|refresh)_?token|secret|api_?key|password)$`)

// mask hides secrets.
type mask struct {
	secrets []string       // as they may be spelt, sorted
	members *regexp.Regexp // whose values are secrets
}

// masking is the mask of every secret that the sandbox knows. The lock is held.
func (s *Core) masking() (m mask) {
	for _, keys := range s.keys {
		for _, key := range keys {
			m.secrets = append(m.secrets, spellings(key)...)
		}
	}
	for _, secret := range s.Config.DeploymentSecrets {
		m.secrets = append(m.secrets, spellings(secret)...)
	}
	slices.Sort(m.secrets)
	m.secrets = slices.Compact(m.secrets)
	names := strings.Trim(secretName.String(), "^$")
	for _, live := range s.liveSecretNames() {
		names += "|" + regexp.QuoteMeta(live)
	}
	m.members = regexp.MustCompile(`"(?:` + names + `)"\s*:\s*(?:"((?:[^"\\]|\\.?)*)|(\d+))`)
	return m
}

// liveSecretNames are the names that Config.Deployment gives to members whose values are secrets.
func (s *Core) liveSecretNames() (all []string) {
	if s.Config.Deployment == nil {
		return nil
	}
	add := func(words deployment.Words) {
		for documented, live := range words.Keys {
			if secretName.MatchString(documented) {
				all = append(all, live)
			}
		}
	}
	for _, service := range s.Config.Deployment.Services {
		add(service.Words)
		for _, operation := range service.Operations {
			add(operation.Words)
		}
	}
	return all
}

var (
	jsonQuoted   = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	slashEscaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `/`, `\/`)
)

// spellings are how a secret may be written in a path, a query or JSON.
func spellings(secret string) []string {
	if secret == "" {
		return nil
	}
	quoted := string(MustJSON(secret))
	return []string{
		secret, url.QueryEscape(secret), url.PathEscape(secret), quoted[1 : len(quoted)-1],
		jsonQuoted.Replace(secret), slashEscaped.Replace(secret),
	}
}

// cut returns at most so many bytes of a text, masked. Of a secret that the cut goes through nothing is left.
func (m mask) cut(text string, most int) string {
	goesOn := len(text) > most
	text = text[:min(len(text), most)]
	covered := make([]int, len(text)) // by the secret that begins at a byte
	for i := range covered {
		covered[i] = m.covers(text[i:], goesOn)
	}
	found := m.members.FindAllStringSubmatchIndex(text, -1)
	for _, at := range append(found, sessionToken.FindAllStringSubmatchIndex(text, -1)...) {
		from, to := max(at[2], at[4]), max(at[3], at[5])
		if from < to {
			covered[from] = max(covered[from], to-from)
		}
	}
	var out strings.Builder
	end := 0 // of what is hidden
	for i, n := range covered {
		if n > 0 && i >= end {
			out.WriteString(hidden)
		}
		end = max(end, i+n)
		if i >= end {
			out.WriteByte(text[i])
		}
	}
	return out.String()[:min(out.Len(), most)]
}

// covers tells how much the longest secret takes of the beginning of a text.
func (m mask) covers(text string, goesOn bool) int {
	at, _ := slices.BinarySearch(m.secrets, text)
	if goesOn && at < len(m.secrets) && strings.HasPrefix(m.secrets[at], text) {
		return len(text)
	}
	for {
		at, found := slices.BinarySearch(m.secrets, text)
		switch {
		case found:
			return len(text)
		case at == 0:
			return 0
		}
		before, n := m.secrets[at-1], 0
		for n < len(before) && before[n] == text[n] { // text is the greater one, and no shorter prefix of it
			n++
		}
		if n == len(before) {
			return n
		}
		text = text[:n]
	}
}
