package main

import (
	"crypto/rand"
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

//go:embed static
var static embed.FS

// backend serves the page and what it calls.
type backend struct {
	domain  string
	mint    string
	lending *lending.Client
	wallet  *wallet.Wallet
	now     func() time.Time

	mu       sync.Mutex
	sessions map[string]*session // by the cookie's value
}

// session is one browser's. The backend's lock guards it.
type session struct {
	ends    time.Time
	asked   *signIn                    // what is to be signed, nil if nothing is
	owner   string                     // who has signed in, "" before
	amounts map[string]walletfi.Amount // of the payments that it began, by their keys
}

const (
	cookieName  = "session"
	sessionLife = time.Hour
	mostBody    = 64 << 10
)

func (b *backend) close() { b.wallet.Close() }

// handler refuses what another site's page sends: the cookie is not sent along either.
func (b *backend) handler() http.Handler {
	files, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the folder is embedded
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(files))
	mux.HandleFunc("POST /api/challenge", b.challenge)
	mux.HandleFunc("POST /api/session", b.signedIn)
	mux.HandleFunc("POST /api/payments", b.prepare)
	mux.HandleFunc("POST /api/payments/{key}/prepared", b.prepare)
	mux.HandleFunc("POST /api/payments/{key}/signed", b.submit)
	mux.HandleFunc("POST /api/payments/{key}/declined", b.decline)
	mux.HandleFunc("GET /api/payments/{key}", b.outcome)
	plain := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'")
		w.Header().Set("Cache-Control", "no-store")
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		mux.ServeHTTP(w, r)
	})
	return http.NewCrossOriginProtection().Handler(plain)
}

// sessionOf is the session of a request, nil if there is none. The lock is held.
func (b *backend) sessionOf(r *http.Request) *session {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return nil
	}
	s := b.sessions[cookie.Value]
	if s == nil || b.now().After(s.ends) {
		delete(b.sessions, cookie.Value)
		return nil
	}
	return s
}

// begin begins a session. The lock is held.
func (b *backend) begin(w http.ResponseWriter) *session {
	token := rand.Text()
	s := &session{ends: b.now().Add(sessionLife), amounts: map[string]walletfi.Amount{}}
	b.sessions[token] = s
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		MaxAge: int(sessionLife.Seconds()), // Secure: true, where it is served by HTTPS
	})
	return s
}

// payment is the owner of the session, and the key and amount of the payment that a request is about,
// if it is one of this session's. A request that names none begins one.
func (b *backend) payment(r *http.Request, amount walletfi.Amount) (owner, key string, _ walletfi.Amount, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.sessionOf(r)
	if s == nil || s.owner == "" {
		return "", "", 0, errNoSession
	}
	if key = r.PathValue("key"); key == "" {
		key = rand.Text()
		s.amounts[key] = amount
	}
	amount, known := s.amounts[key]
	if !known {
		return "", "", 0, walletfi.ErrNotFound
	}
	return s.owner, key, amount, nil
}

var errNoSession = errors.New("sign in first")

// prepare builds a deposit of the user's and gives it away to be signed. Asked again, as after a
// lost answer, it gives the same bytes.
func (b *backend) prepare(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Amount walletfi.Amount }
	if r.PathValue("key") == "" && !read(w, r, &asked) {
		return
	}
	owner, key, amount, err := b.payment(r, asked.Amount)
	if err != nil {
		fail(w, err)
		return
	}
	built, err := b.lending.BuildDeposit(r.Context(), lending.DepositRequest{
		Owner: owner, Mint: b.mint, DepositType: lending.DepositProtected, Amount: amount,
	})
	if err != nil {
		fail(w, err)
		return
	}
	prepared, err := b.wallet.Prepare(r.Context(), key, built.Unsigned(), wallet.PrepareOptions{})
	if err != nil {
		fail(w, err)
		return
	}
	answer(w, http.StatusOK, prepared)
}

// submit takes what the user's wallet has signed.
func (b *backend) submit(w http.ResponseWriter, r *http.Request) {
	_, key, _, err := b.payment(r, 0)
	if err != nil {
		fail(w, err)
		return
	}
	var asked struct{ Signed [][]byte }
	if !read(w, r, &asked) {
		return
	}
	result, err := b.wallet.Submit(r.Context(), key, asked.Signed, wallet.SubmitOptions{})
	if err != nil {
		fail(w, err)
		return
	}
	answer(w, http.StatusOK, map[string]any{
		"state": "confirmed", "signatures": result.Signatures(), "changes": result.Changes,
	})
}

// decline takes the user's no.
func (b *backend) decline(w http.ResponseWriter, r *http.Request) {
	_, key, _, err := b.payment(r, 0)
	if err == nil {
		err = b.wallet.Decline(r.Context(), key)
	}
	if err != nil {
		fail(w, err)
		return
	}
	answer(w, http.StatusOK, map[string]string{"state": "declined"})
}

// outcome says what became of a payment.
func (b *backend) outcome(w http.ResponseWriter, r *http.Request) {
	_, key, _, err := b.payment(r, 0)
	if err != nil {
		fail(w, err)
		return
	}
	o, err := b.wallet.Outcome(r.Context(), key)
	if err != nil {
		fail(w, err)
		return
	}
	answer(w, http.StatusOK, map[string]wallet.State{"state": o.State})
}

// codes are what the page is told, the first that fits.
var codes = []struct {
	err    error
	code   string
	status int
}{
	{errNoSession, "session", http.StatusUnauthorized},
	{wallet.ErrReplayed, "replayed", http.StatusConflict},
	{wallet.ErrChanged, "changed", http.StatusUnprocessableEntity},
	{wallet.ErrSignedByAnother, "signedByAnother", http.StatusUnprocessableEntity},
	{wallet.ErrDeclined, "declined", http.StatusConflict},
	{wallet.ErrExpired, "expired", http.StatusGone},
	{wallet.ErrFailed, "failed", http.StatusConflict},
	{signing.ErrRefused, "refused", http.StatusUnprocessableEntity},
	{walletfi.ErrOutcomeUnknown, "unknown", http.StatusAccepted},
	{walletfi.ErrNotFound, "notFound", http.StatusNotFound},
	{walletfi.ErrInvalidRequest, "invalid", http.StatusBadRequest},
}

// fail answers with an error's code. What the user's own wallet and request have caused is told in words.
func fail(w http.ResponseWriter, err error) {
	for _, c := range codes {
		if errors.Is(err, c.err) {
			answer(w, c.status, map[string]string{"code": c.code, "error": err.Error()})
			return
		}
	}
	answer(w, http.StatusBadGateway, map[string]string{"code": "unavailable", "error": "try again"})
}

func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

func read(w http.ResponseWriter, r *http.Request, into any) bool {
	if err := json.NewDecoder(r.Body).Decode(into); err != nil {
		answer(w, http.StatusBadRequest, map[string]string{"code": "invalid", "error": err.Error()})
		return false
	}
	return true
}
