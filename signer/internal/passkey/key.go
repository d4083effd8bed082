// Package passkey has the passkeys of approvers: their public keys as a policy lists them, and the check of
// what they have signed. A passkey signs no text but a challenge, so that is a hash of the text and of what
// is said of it. The package needs nothing but the standard library, since what it believes signs money.
package passkey

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// Key is a passkey that was registered on the signer's page.
type Key struct {
	// ID is the credential's, in base64url.
	ID string

	public any // an ECDSA key of P-256, or an RSA key
	line   string
}

// The bounds of a key. Credential IDs have at most 1023 bytes by WebAuthn.
const (
	maxID   = 1023
	leastID = 16
	maxLine = 4 << 10
	rsaBits = 2048
	rsaMost = 4096
)

// ParseKey reads a key as Key.String writes it.
func ParseKey(line string) (*Key, error) {
	id, public, both := strings.Cut(line, " ")
	if !both || len(line) > maxLine {
		return nil, fmt.Errorf("passkey: %.80q is not the line of a passkey: its ID, a space and its key", line)
	}
	rawID, first := decode(id)
	der, second := decode(public)
	if err := errors.Join(first, second); err != nil {
		return nil, fmt.Errorf("passkey: %.80q is not in base64url: %w", line, err)
	}
	return New(rawID, der)
}

// New makes a key of a credential's ID and its public key, a SubjectPublicKeyInfo in DER: of the curve
// P-256, which all passkeys have, or RSA, which Windows has.
func New(id, der []byte) (*Key, error) {
	if len(id) < leastID || len(id) > maxID {
		return nil, fmt.Errorf("passkey: a credential's ID has %d to %d bytes, not %d", leastID, maxID, len(id))
	}
	public, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil, fmt.Errorf("passkey: the public key: %w", err)
	}
	switch k := public.(type) {
	case *ecdsa.PublicKey:
		if k.Curve != elliptic.P256() {
			err = errors.New("passkey: the public key is on another curve than P-256")
		}
	case *rsa.PublicKey:
		if bits := k.N.BitLen(); bits < rsaBits || bits > rsaMost || k.E != 65537 {
			err = fmt.Errorf("passkey: an RSA key has %d to %d bits and the exponent 65537", rsaBits, rsaMost)
		}
	default:
		err = fmt.Errorf("passkey: a passkey signs by ES256 or RS256, the key is %T", public)
	}
	if err != nil {
		return nil, err
	}
	if again, err := x509.MarshalPKIXPublicKey(public); err != nil || !bytes.Equal(again, der) {
		return nil, errors.New("passkey: the public key is not written as one is")
	}
	k := &Key{ID: encode(id), public: public}
	k.line = k.ID + " " + encode(der)
	return k, nil
}

// String returns the line that a policy has of the key.
func (k *Key) String() string { return k.line }

// Same reports whether another key has the same ID or the same public key.
func (k *Key) Same(other *Key) bool {
	public, ok := k.public.(interface{ Equal(crypto.PublicKey) bool })
	return k.ID == other.ID || ok && public.Equal(other.public)
}

// Site is the page on which passkeys sign.
type Site struct {
	// Origin is the page's, as browsers write it.
	Origin string
	// RP is the relying party's ID: the origin's host name, without a port.
	RP string
}

// ParseSite reads the origin of a page: https and a host name, or http and localhost.
func ParseSite(origin string) (Site, error) {
	u, err := url.Parse(origin)
	switch {
	case err != nil:
		return Site{}, fmt.Errorf("passkey: %.80q is no origin", origin)
	case u.Scheme != "https" && (u.Scheme != "http" || u.Hostname() != "localhost"):
		return Site{}, fmt.Errorf("passkey: the origin %.80q is neither https nor http://localhost", origin)
	case u.Scheme+"://"+u.Host != origin || strings.ToLower(origin) != origin || u.Port() == ports[u.Scheme]:
		return Site{}, fmt.Errorf("passkey: %.80q is not an origin as browsers write it", origin)
	case u.Hostname() == "" || net.ParseIP(u.Hostname()) != nil:
		return Site{}, fmt.Errorf("passkey: %.80q has no host name, which passkeys are bound to", origin)
	}
	return Site{origin, u.Hostname()}, nil
}

// ports are those that an origin does not name.
var ports = map[string]string{"https": "443", "http": "80"}

// Host is the origin's host name with its port, as a request names it.
func (s Site) Host() string {
	_, host, _ := strings.Cut(s.Origin, "://")
	return host
}

// strict base64url: a text stands for one value only.
var strict = base64.RawURLEncoding.Strict()

func encode(b []byte) string { return strict.EncodeToString(b) }

func decode(text string) ([]byte, error) {
	if strings.ContainsAny(text, "\r\n") { // which encoding/base64 leaves out
		return nil, errors.New("a line's end")
	}
	return strict.DecodeString(text)
}
