package main

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/signing"
)

// signIn is the input of the Wallet Standard's solana:signIn. The wallet shows it, and signs its text.
type signIn struct {
	Domain         string `json:"domain"`
	Statement      string `json:"statement"`
	URI            string `json:"uri"`
	Version        string `json:"version"`
	Nonce          string `json:"nonce"`
	IssuedAt       string `json:"issuedAt"`
	ExpirationTime string `json:"expirationTime"`
}

const signInLife = 2 * time.Minute

// text has the words that the wallet signs for an address.
func (s signIn) text(address string) string {
	return strings.Join([]string{
		s.Domain + " wants you to sign in with your Solana account:", address, "", s.Statement, "",
		"URI: " + s.URI, "Version: " + s.Version, "Nonce: " + s.Nonce, "Issued At: " + s.IssuedAt,
		"Expiration Time: " + s.ExpirationTime,
	}, "\n")
}

// challenge begins a session with something to sign, which is good once and for this session alone.
func (b *backend) challenge(w http.ResponseWriter, _ *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now().UTC()
	s := b.begin(w)
	s.asked = &signIn{
		Domain: b.domain, Statement: "Sign in. This moves nothing.", URI: "http://" + b.domain, Version: "1",
		Nonce: rand.Text(), IssuedAt: now.Format(time.RFC3339), ExpirationTime: now.Add(signInLife).Format(time.RFC3339),
	}
	answer(w, http.StatusOK, s.asked)
}

// signedIn takes the signed text. The domain, the nonce and the times in it are those of the challenge,
// since the whole text is compared.
func (b *backend) signedIn(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Address            string
		Message, Signature []byte
	}
	if !read(w, r, &asked) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.sessionOf(r)
	if s == nil || s.asked == nil {
		fail(w, errNoSession)
		return
	}
	challenge := s.asked
	s.asked = nil // once, whatever comes of it
	if problem := b.problem(*challenge, asked.Address, asked.Message, asked.Signature); problem != "" {
		fail(w, fmt.Errorf("%w: %s", errNoSession, problem))
		return
	}
	s.owner = asked.Address
	answer(w, http.StatusOK, map[string]string{"owner": s.owner})
}

// problem says what is wrong with a sign-in, "" if nothing is.
func (b *backend) problem(challenge signIn, address string, message, signature []byte) string {
	owner, err := signing.ParsePublicKey(address)
	ends, timeErr := time.Parse(time.RFC3339, challenge.ExpirationTime)
	switch {
	case err != nil:
		return "the address is none"
	case timeErr != nil || b.now().After(ends):
		return "it took too long"
	case string(message) != challenge.text(address):
		return "another text was signed"
	case len(signature) != len(signing.Signature{}) || !signing.Signature(signature).Verify(owner, message):
		return "the signature is not that of the address"
	}
	return ""
}
