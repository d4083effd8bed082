package sandbox

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"
)

// smartAccountSession is a delegated key.
type smartAccountSession struct {
	id          string
	key         solana.PublicKey
	name        string
	expires     time.Time
	permissions []string
	limits      smartAccountLimits
	created     time.Time
	revoked     bool
	spent       []smartAccountSpend
}

// smartAccountLimits bound what a session key may move. What is absent is not
// bounded.
type smartAccountLimits struct {
	PerTransaction      *smartAccountAmount `body:"perTransaction"`
	Daily               *smartAccountAmount `body:"daily"`
	AllowedMints        []string            `body:"allowedMints"`
	AllowedDestinations []string            `body:"allowedDestinations"`
}

type smartAccountSessionRequest struct {
	Account     string              `path:"accountId"`
	PublicKey   string              `body:"publicKey,required"` // base58
	Name        string              `body:"name,required"`
	ExpiresAt   smartAccountTime    `body:"expiresAt,required"`
	Permissions []string            `body:"permissions,required"`
	Limits      *smartAccountLimits `body:"limits"`
}

type smartAccountSessionAnswer struct {
	ID          string   `json:"id"`
	PublicKey   string   `json:"publicKey"`
	Name        string   `json:"name"`
	ExpiresAt   string   `json:"expiresAt"`
	Permissions []string `json:"permissions"`
	Status      string   `json:"status"`
	CreatedAt   string   `json:"createdAt,omitempty"`
}

func (b *smartAccount) createSession(c *call, in smartAccountSessionRequest) (*smartAccountSessionAnswer, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	key, err := c.key(in.PublicKey, "publicKey")
	if err != nil {
		return nil, err
	}
	if !in.ExpiresAt.After(b.now()) {
		return nil, refuse(http.StatusBadRequest, "", "expiresAt lies in the past")
	}
	if len(in.Permissions) == 0 || slices.Contains(in.Permissions, "") {
		return nil, refuse(http.StatusBadRequest, "", "permissions are empty")
	}
	x := &smartAccountSession{
		id: b.id("sess"), key: key, name: in.Name, expires: in.ExpiresAt.Time, permissions: in.Permissions, created: b.now(),
	}
	if in.Limits != nil {
		x.limits = *in.Limits
	}
	w.sessions = append(w.sessions, x)
	a := b.sessionAnswer(x)
	a.CreatedAt = smartAccountStamp(x.created)
	return &a, nil
}

func (b *smartAccount) sessionAnswer(x *smartAccountSession) smartAccountSessionAnswer {
	status := "active"
	switch {
	case x.revoked:
		status = "revoked"
	case !b.now().Before(x.expires):
		status = "expired"
	}
	return smartAccountSessionAnswer{
		ID: x.id, PublicKey: x.key.String(), Name: x.name, ExpiresAt: smartAccountStamp(x.expires),
		Permissions: x.permissions, Status: status,
	}
}

func (b *smartAccount) listSessions(c *call, in smartAccountRequest) (any, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	sessions := []smartAccountSessionAnswer{}
	for _, x := range w.sessions {
		sessions = append(sessions, b.sessionAnswer(x))
	}
	return map[string]any{"sessions": sessions, "total": len(sessions)}, nil
}

type smartAccountRevokeRequest struct {
	Account string `path:"accountId"`
	Session string `path:"sessionId"`
}

// revokeSession leaves the key in the list as revoked or takes it out, in
// turn: what becomes of it there is not documented.
func (b *smartAccount) revokeSession(c *call, in smartAccountRevokeRequest) (map[string]any, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(w.sessions, func(x *smartAccountSession) bool { return x.id == in.Session && !x.revoked })
	if at < 0 {
		return nil, refuse(http.StatusNotFound, "", "there is no session %s", in.Session)
	}
	w.sessions[at].revoked = true
	if c.shape(2) == 1 {
		w.sessions = slices.Delete(w.sessions, at, at+1)
	}
	return map[string]any{}, nil
}

// signedBy returns the session key that made the signature over the
// instructions; see SessionKeyMessage.
func (b *smartAccount) signedBy(w *smartAccountWallet, encoded string, instructions []smartAccountInstruction) (*smartAccountSession, error) {
	signature, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(signature) != ed25519.SignatureSize {
		return nil, refuse(http.StatusBadRequest, "", "sessionKeySignature is not 64 bytes in base64")
	}
	message, err := json.Marshal(instructions)
	if err != nil {
		return nil, err
	}
	for _, x := range w.sessions {
		if !ed25519.Verify(x.key[:], message, signature) || x.revoked {
			continue
		}
		if !b.now().Before(x.expires) {
			return nil, refuse(http.StatusUnauthorized, smartAccountSessionExpired, "the session key has expired")
		}
		return x, nil
	}
	return nil, refuse(http.StatusForbidden, "", "no session key of the account made this signature")
}

// SessionKeyMessage returns what a session key signs, by ed25519, to have the
// smart account service execute instructions. What it is on the live service
// is not documented: here it is the array of instructions as compact JSON, the
// members of an instruction in the order programId, accounts (pubkey,
// isSigner, isWritable), data. The argument is the array as JSON of any
// spacing and order.
func SessionKeyMessage(instructions []byte) ([]byte, error) {
	var read []smartAccountInstruction
	if problems := readJSON(instructions, reflect.ValueOf(&read).Elem(), "instructions"); len(problems) > 0 {
		return nil, fmt.Errorf("sandbox: %s", problems[0])
	}
	return json.Marshal(read)
}
