package smartaccount

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// session is a delegated key.
type session struct {
	id          string
	key         solana.PublicKey
	name        string
	expires     time.Time
	permissions []string
	limits      limits
	created     time.Time
	revoked     bool
	spent       []spend
}

// limits bound what a session key may move. An absent limit does not apply.
type limits struct {
	PerTransaction      *amount  `body:"perTransaction"`
	Daily               *amount  `body:"daily"`
	AllowedMints        []string `body:"allowedMints" form:"key"`
	AllowedDestinations []string `body:"allowedDestinations" form:"key"`
}

type sessionRequest struct {
	Account     string   `path:"accountId" open:"an identifier"`
	PublicKey   string   `body:"publicKey,required" form:"key"` // base58
	Name        string   `body:"name,required" open:"any text"`
	ExpiresAt   instant  `body:"expiresAt,required"`
	Permissions []string `body:"permissions,required" open:"values not shown"`
	Limits      *limits  `body:"limits"`
}

func (b *Service) createSession(c *kit.Call, in sessionRequest) any {
	w := b.wallet(c, in.Account)
	key := c.Key(in.PublicKey, "publicKey")
	kit.BadIf(!in.ExpiresAt.After(b.Now()), "expiresAt lies in the past")
	x := &session{
		id: b.id("sess"), key: key, name: in.Name, expires: in.ExpiresAt.Time, permissions: in.Permissions, created: b.Now(),
	}
	if in.Limits != nil {
		x.limits = *in.Limits
	}
	w.sessions = append(w.sessions, x)
	a := b.sessionAnswer(x)
	a["createdAt"] = kit.Stamp(x.created)
	return a
}

func (b *Service) sessionAnswer(x *session) map[string]any {
	status := "active"
	switch {
	case x.revoked:
		status = "revoked"
	case !b.Now().Before(x.expires):
		status = "expired"
	}
	return map[string]any{
		"id": x.id, "publicKey": x.key.String(), "name": x.name, "expiresAt": kit.Stamp(x.expires),
		"permissions": x.permissions, "status": status,
	}
}

func (b *Service) listSessions(c *kit.Call, in request) any {
	w := b.wallet(c, in.Account)
	return map[string]any{"sessions": kit.List(w.sessions, b.sessionAnswer), "total": len(w.sessions)}
}

type revokeRequest struct {
	Account string `path:"accountId" open:"an identifier"`
	Session string `path:"sessionId" open:"an identifier"`
}

func (b *Service) revokeSession(c *kit.Call, in revokeRequest) map[string]any {
	w := b.wallet(c, in.Account)
	x := kit.Found(kit.Find(w.sessions, func(x *session) bool { return x.id == in.Session && !x.revoked }),
		"there is no session %s", in.Session)
	x.revoked = true
	w.sessions = retire(c, w.sessions, x)
	return map[string]any{}
}

// signedBy returns the session key that made the signature over the
// instructions; see SessionKeyMessage.
func (b *Service) signedBy(w *wallet, encoded string, instructions []instruction) *session {
	signature := kit.Must(base64.StdEncoding.DecodeString(encoded))
	message := kit.Must(json.Marshal(instructions))
	for _, x := range w.sessions {
		if len(signature) != ed25519.SignatureSize || !ed25519.Verify(x.key[:], message, signature) || x.revoked {
			continue
		}
		kit.RefuseIf(!b.Now().Before(x.expires), http.StatusUnauthorized, sessionExpired, "the session key has expired")
		return x
	}
	panic(kit.Refuse(http.StatusForbidden, "", "no session key of the account made this signature"))
}

// SessionKeyMessage returns what sandbox.SessionKeyMessage says.
func SessionKeyMessage(instructions []byte) ([]byte, error) {
	var read []instruction
	if problems := kit.ReadJSON(instructions, reflect.ValueOf(&read).Elem(), "instructions"); len(problems) > 0 {
		return nil, fmt.Errorf("sandbox: %s", problems[0])
	}
	return json.Marshal(read)
}
