// Package protocol has what the signer and its clients send each other: JSON over HTTP on a
// Unix socket, or over TLS. openapi.json, next to it, says the same for other languages.
package protocol

import (
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer/grant"
)

// Version is the protocol's version. Each request states it in the header Header, and a
// signer of another version refuses the request in words.
const (
	Version = "1"
	Header  = "Walletfi-Signer-Protocol"
)

// The paths. Sign and Judge are POSTs of a Request, Freeze and Thaw POSTs of a Switch, Beat one of nothing, Owners
// a GET and a POST of a NewOwner, the others GETs. Sign, Judge and the POST of Owners are for
// the policy's clients, Owners and Health for all that the policy knows, the rest for its admins.
const (
	PathSign   = "/v1/sign"
	PathJudge  = "/v1/judge"
	PathOwners = "/v1/owners"
	PathHealth = "/v1/health"
	PathLedger = "/v1/ledger"
	PathFreeze = "/v1/freeze"
	PathThaw   = "/v1/thaw"
	PathBeat   = "/v1/beat"
	PathLog    = "/v1/log"
	PathLive   = "/v1/live"
	PathBackup = "/v1/backup" // its answer is a file of SQLite
	// Grants is a GET for all that the policy knows, of their own, and a POST of a NewGrant for its
	// clients, Verdict a POST of a Verdict for all.
	PathGrants  = "/v1/grants"
	PathVerdict = "/v1/verdict"
)

// MaxBody is the most bytes of a request's body.
const MaxBody = 256 << 10

// Request asks for signatures, as signing.SetRequest does.
type Request struct {
	// Unsigned is the set and its intent, as walletfi.Unsigned marshals.
	Unsigned walletfi.Unsigned `json:"unsigned"`
	First    int               `json:"first"`
	Count    int               `json:"count"`
	Key      string            `json:"key,omitempty"`
	Grant    string            `json:"grant,omitempty"`
}

// Switch freezes or thaws.
type Switch struct {
	Mode   string `json:"mode,omitempty"` // of a freeze: frozen or exit, frozen if empty
	Reason string `json:"reason"`
}

// Refusal is the body of every answer that is not 200, as signing.SetRefusal has it. Status
// 403 is a refusal, 409 one that waits; 400, 404, 413 and 426 say that a request is not well formed.
type Refusal struct {
	Code    string    `json:"code"`
	Text    string    `json:"text"`
	Waits   bool      `json:"waits"`
	RetryAt time.Time `json:"retryAt,omitzero"`
}

// Owner is a key that signs.
type Owner struct {
	Name      string `json:"name"`
	Key       string `json:"key"`                // base58
	Elsewhere bool   `json:"elsewhere,omitzero"` // the key was in other hands before
}

// NewOwner asks for a key that the signer makes, under a template of its policy. The same name
// answers the same owner again.
type NewOwner struct {
	Template string `json:"template"`
	Name     string `json:"name"`
}

// NewGrant asks the policy's approvers for a grant, under which such a set may then be signed.
type NewGrant struct {
	Request Request `json:"request"`
	// Reason tells the approvers why.
	Reason string `json:"reason,omitempty"`
	// Most are greater amounts than the set takes now, so that it can be built again at another
	// price. Absent ones are as measured.
	Most []grant.Amount `json:"most,omitempty"`
}

// GrantState says what became of a grant.
type GrantState string

// The states. A grant that is used up stays approved until it expires.
const (
	GrantWaiting  GrantState = "waiting"
	GrantApproved GrantState = "approved"
	GrantDenied   GrantState = "denied"
	GrantExpired  GrantState = "expired"
)

// Grant is a grant, and what the approvers have said of it.
type Grant struct {
	Grant    grant.Grant `json:"grant"`
	State    GrantState  `json:"state"`
	Approved []string    `json:"approved"` // the names of those who did
}

// Verdict hands in an approver's signature.
type Verdict struct {
	ID string `json:"id"`
	// Signature is over the grant's text, armored as OpenSSH writes it: see package grant. A passkey's is
	// the JSON that the signer's page makes.
	Signature string `json:"signature"`
}
