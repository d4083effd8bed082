package dialect

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// credential takes the credential from its live places and puts it where the service
// looks for it. It returns what is wrong with it.
func (d *dialect) credential(auth kit.Auth, h http.Header, query url.Values) (problem string) {
	switch {
	case d.file.NoAuth:
		return d.none(auth, h)
	case len(d.file.Auth) == 0:
		return ""
	}
	own, found, missing, problem := d.places(h, query)
	if stray := strays(h); problem == "" && stray != "" {
		problem = "a credential in " + stray + ", which the deployment has elsewhere"
	}
	switch {
	case problem != "":
		return problem
	case d.spec.Auth.Forbids() && len(missing) > 0: // the deployment alone asks for one
		return "no credential: " + strings.Join(missing, " and ") + " is missing"
	case d.spec.Auth.Forbids():
		return ""
	case auth.Forbids() && len(found) > 0:
		return "a credential in " + found[0] + ", which is not asked for"
	case len(found) > 0 && len(missing) > 0, auth.Demand == kit.Required && len(missing) > 0:
		return "no credential: " + strings.Join(missing, " and ") + " is missing"
	case len(found) == 0:
		return ""
	}
	if own == "" {
		own = d.core.KeyOf(d.spec.Name) // every place has a secret with a name
	}
	deliver(auth, h, own)
	return ""
}

// places reads the live places and empties them. own is the client's own credential.
func (d *dialect) places(h http.Header, query url.Values) (own string, found, missing []string, problem string) {
	complain := func(format string, args ...any) {
		if problem == "" {
			problem = fmt.Sprintf(format, args...)
		}
	}
	for _, p := range d.file.Auth {
		name, values := string(p.In)+" "+p.Name, query[p.Name]
		if p.In == deployment.InHeader {
			values = h.Values(p.Name)
		}
		if len(values) == 0 {
			missing = append(missing, name)
			continue
		}
		found = append(found, name)
		text, ok := strings.CutPrefix(values[0], p.Prefix)
		switch {
		case len(values) > 1:
			complain("%s is sent more than once", name)
		case !ok || text == "" || strings.TrimSpace(text) != text:
			complain("%s is not of the form %s<credential>", name, p.Prefix)
		case p.Secret != "":
			if want, known := d.core.Config.DeploymentSecrets[p.Secret]; known && text != want {
				complain("%s is not the secret %s", name, p.Secret)
			}
		case own != "" && own != text:
			complain("%s has another credential than the place before it", name)
		default:
			own = text
		}
	}
	for _, p := range d.file.Auth {
		if p.In == deployment.InHeader {
			h.Del(p.Name)
		} else {
			query.Del(p.Name)
		}
	}
	return own, found, missing, problem
}

// none lets a request without a credential in.
func (d *dialect) none(auth kit.Auth, h http.Header) (problem string) {
	if stray := strays(h); stray != "" {
		return "a credential in " + stray + ", where the deployment takes none"
	}
	if auth.Demand == kit.Required {
		deliver(auth, h, d.core.KeyOf(d.spec.Name))
	}
	return ""
}

// strays is a documented header with a credential, empty if there is none.
func strays(h http.Header) string {
	return kit.Find(kit.CredentialHeaders, func(name string) bool { return h.Values(name) != nil })
}

// deliver puts the credential where the service looks for it.
func deliver(auth kit.Auth, h http.Header, credential string) {
	if len(auth.Headers) == 0 {
		return
	}
	if auth.Headers[0] == "Authorization" {
		credential = "Bearer " + credential
	}
	h.Set(auth.Headers[0], credential)
}
