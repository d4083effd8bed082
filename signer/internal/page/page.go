// Package page serves the page on which approvers sign with passkeys. The signer serves it itself, from an
// origin of its own: WebAuthn shows its user no text, so that whoever writes the page decides what is
// believed to be signed. It is rendered by the server from the grant that is signed, and has no
// script but its own.
package page

import (
	"bytes"
	"context"
	"crypto/rand"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"net/http"
	"strings"

	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/internal/passkey"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"golang.org/x/time/rate"
)

// Signer is a *signer.Signer, as far as the page needs it.
type Signer interface {
	Policy() *signer.Policy
	Grants(client string) []protocol.Grant
	Decide(context.Context, protocol.Verdict) (*protocol.Grant, error)
	Change(next *signer.Policy) grant.Change
}

// The bounds of what is read, and of how often.
const (
	maxBody   = 32 << 10  // an assertion has less than 1 KiB, an attestation less than 16
	maxPolicy = 512 << 10 // as a form writes it
	perSecond = 20
	atOnce    = 60
)

// page is the handler.
type page struct {
	signer Signer
	site   passkey.Site
	rate   *rate.Limiter
	// challenge is the one of all registrations. It need not change: a registration gives no power, and
	// one that is handed in again shows the same line again.
	challenge string
}

//go:embed static/*.tmpl static/page.js static/page.css
var static embed.FS

// ascii writes what others have named so that it can be read one way only.
var templates = template.Must(template.New("").Funcs(template.FuncMap{"ascii": ascii}).ParseFS(static, "static/*.tmpl"))

// New returns the handler of the page that the signer's policy names.
func New(s Signer) (http.Handler, error) {
	if s.Policy().Page == "" {
		return nil, errors.New("page: the policy has no page, which names its origin")
	}
	site, err := passkey.ParseSite(s.Policy().Page)
	if err != nil {
		return nil, err
	}
	challenge := base64.RawURLEncoding.EncodeToString([]byte(rand.Text()))
	p := &page{signer: s, site: site, rate: rate.NewLimiter(perSecond, atOnce), challenge: challenge}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.list)
	mux.HandleFunc("GET /grants/{id}", p.show)
	mux.HandleFunc("POST /grants/{id}", p.decide)
	mux.HandleFunc("GET /policy", p.askPolicy)
	mux.HandleFunc("POST /policy", p.showPolicy)
	mux.HandleFunc("GET /register", p.askName)
	mux.HandleFunc("POST /register", p.register)
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	})
	for _, name := range []string{"page.js", "page.css"} {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			http.ServeFileFS(w, r, static, "static/"+name)
		})
	}
	return p.guarded(mux), nil
}

// policyOfContent lets the page load its own script and style, send to itself, and be in no frame.
const policyOfContent = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

// guarded answers only who asks for this origin, from it if something is sent, and not too often.
func (p *page) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{
			"Content-Security-Policy": policyOfContent, "Cache-Control": "no-store", "X-Frame-Options": "DENY",
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
			"Permissions-Policy": "publickey-credentials-get=(self), publickey-credentials-create=(self)",
		} {
			w.Header().Set(name, value)
		}
		if strings.HasPrefix(p.site.Origin, "https:") {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		from := r.Header.Get("Sec-Fetch-Site")
		strange := r.Header.Get("Origin") != p.site.Origin
		switch {
		case r.Host != p.site.Host():
			refuse(w, http.StatusMisdirectedRequest, "this is another page")
		case !p.rate.Allow():
			w.Header().Set("Retry-After", "1")
			refuse(w, http.StatusTooManyRequests, "too many requests, try again in a second")
		case r.Method != http.MethodGet && (strange || from != "" && from != "same-origin"):
			refuse(w, http.StatusForbidden, "only this page itself may send here")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// view has the data of the templates.
type view struct {
	Title, RP, Challenge string
	Grants               []protocol.Grant
	Decision             *decision
}

// decision is a text that can be approved or denied.
type decision struct {
	Text          string
	Approve, Deny string // the challenges
	Credentials   string // the IDs of the approvers' passkeys, with spaces between
	To            string // where the assertion is sent, empty if it is shown
	Open          bool
	State         protocol.GrantState
	Approved      []string
	Needs         int
}

func (p *page) decision(text, to string) *decision {
	d := decision{Text: text, To: to, Open: true}
	d.Approve, d.Deny = passkey.Challenge(text, grant.Approves), passkey.Challenge(text, grant.Denies)
	var ids []string
	for _, a := range p.signer.Policy().Approvers {
		for _, line := range a.Passkeys {
			id, _, _ := strings.Cut(line, " ")
			ids = append(ids, id)
		}
	}
	d.Credentials = strings.Join(ids, " ")
	return &d
}

func (p *page) render(w http.ResponseWriter, name string, v view) {
	v.RP = p.site.RP
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, v); err != nil {
		refuse(w, http.StatusInternalServerError, "the page cannot be shown")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(b.Bytes())
}

// refuse says why, as text.
func refuse(w http.ResponseWriter, status int, why string) {
	lines := strings.Split(why, "\n")
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(ascii(line), `\"`, `"`)
	}
	http.Error(w, strings.Join(lines, "\n"), status)
}

// read reads a body of JSON. A page of another origin can send none without being asked first, which
// nobody answers.
func read(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	if r.Header.Get("Content-Type") != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, "a body of JSON is expected")
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "the body could not be read, or is too long")
		return nil, false
	}
	return body, true
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}
