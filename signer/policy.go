package signer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/walletfi/walletfi-go/signing"
)

// PolicyVersion is the version of the policy's file.
const PolicyVersion = 1

// Policy says what may be signed. What it does not list is refused. Amounts are in smallest
// units, of SOL in lamports; mints and addresses are base58, "SOL" stands for the native mint.
type Policy struct {
	// Version is PolicyVersion.
	Version int `toml:"version" json:"version,omitzero"`
	// ReportOnly has the signer sign what an intent asks for and the guard lets pass, whatever the
	// lists and ceilings say, and log what they would have refused: see Policy.Suggest.
	ReportOnly bool `toml:"report_only,omitempty" json:"report_only,omitzero"`
	// Genesis is the hash of the ledger's first block, base58. A node of another ledger
	// shows nothing.
	Genesis string `toml:"genesis" json:"genesis,omitzero"`
	// Admins are user IDs that may freeze, thaw and read the log.
	Admins []int `toml:"admins" json:"admins,omitzero"`
	// Heartbeat is after what time the signer freezes if no admin has said that he is there, with
	// Signer.Beat. Absent asks for none.
	Heartbeat Duration `toml:"heartbeat,omitzero" json:"heartbeat,omitzero"`
	// Approvals is how many of the approvers must sign a grant: see Ceiling.Unapproved. Absent asks
	// for none.
	Approvals int `toml:"approvals,omitzero" json:"approvals,omitzero"`
	// GrantLasts is for how long a grant can be used after it was asked for.
	GrantLasts Duration   `toml:"grant_lasts,omitzero" json:"grant_lasts,omitzero"`
	Approvers  []Approver `toml:"approver" json:"approver,omitzero"`
	// Page is the origin of the signer's page, on which approvers sign with passkeys. Absent has none.
	Page string `toml:"page,omitempty" json:"page,omitzero"`
	// PayeesWait is after what time an address is paid, and a call made by a pin, that a change of this policy adds.
	PayeesWait Duration `toml:"payees_wait,omitzero" json:"payees_wait,omitzero"`
	// Rescue are addresses that may still be paid in mode exit.
	Rescue []signing.PublicKey `toml:"rescue" json:"rescue,omitzero"`
	// Owners are the keys that sign.
	Owners []Owner `toml:"owner" json:"owner,omitzero"`
	// Templates are what owners may do that clients make.
	Templates []Template `toml:"template" json:"template,omitzero"`
	// Clients are those that may ask.
	Clients []Client `toml:"client" json:"client,omitzero"`
	// Services are what the clients may have built.
	Services []Service `toml:"service" json:"service,omitzero"`
	// Payees are whom transactions may pay. An owner of the policy is not one by itself.
	Payees []Payee `toml:"payee" json:"payee,omitzero"`
	// Prices say by which prices trades count: see Owner.Trades.
	Prices *Pricing `toml:"prices,omitempty" json:"prices,omitzero"`
	// Fees are the most of the costs of one transaction.
	Fees Fees `toml:"fees" json:"fees,omitzero"`
	// FeeReceivers may get a service's fee.
	FeeReceivers []signing.PublicKey `toml:"fee_receivers" json:"fee_receivers,omitzero"`
	// CoSigners and Sponsors may sign, too.
	CoSigners []signing.PublicKey `toml:"co_signers" json:"co_signers,omitzero"`
	Sponsors  []signing.PublicKey `toml:"sponsors" json:"sponsors,omitzero"`

	text        string // of its file
	fingerprint string
	byKey       map[string]*Owner
	approvers   approvers
}

// Owner is a key with its ceilings.
type Owner struct {
	Name string            `toml:"name"`
	Key  signing.PublicKey `toml:"key"`
	// Elsewhere says that the key was in other hands before, and may be still. It changes
	// nothing but what is told of the owner.
	Elsewhere bool `toml:"elsewhere,omitempty"`
	// Successor is the owner with a new key that takes this one's place: this one signs only what goes
	// to that key, which Policy.Rescue must have. Closed signs nothing at all. See Policy.Rotate.
	Successor string `toml:"successor,omitempty"`
	Closed    bool   `toml:"closed,omitempty"`
	// Multisigs are those of a token program that the key is a signer of: what their accounts part
	// with counts as the owner's. The key signs for no other.
	Multisigs []signing.PublicKey `toml:"multisigs,omitempty"`
	// Nonces are accounts of durable nonces whose authority is the key. What is signed on one is good
	// until it is advanced, and counts as long; its bytes alone must prove all that leaves.
	Nonces []signing.PublicKey `toml:"nonces,omitempty"`
	// Accounts are token accounts of the owner's that no derivation finds.
	Accounts []Account `toml:"account"`
	// Ceilings bound what leaves. A mint without one cannot leave.
	Ceilings []Ceiling `toml:"ceiling"`
	// Exposure bounds what the programs may write that only a simulation has judged, of all
	// transactions that can still land. A mint without one has 0.
	Exposure []Exposure `toml:"exposure"`
	// Trades have what is traded count as turnover and loss. Absent has it count under the ceilings.
	Trades *Trades `toml:"trades,omitempty" json:",omitzero"`

	template string // of an owner that was made
}

// Account is a token account.
type Account struct {
	Address signing.PublicKey `toml:"address"`
	Mint    Mint              `toml:"mint"`
}

// Ceiling bounds what leaves of a mint.
type Ceiling struct {
	Mint Mint `toml:"mint"`
	// Transaction is the most of one transaction.
	Transaction int64 `toml:"transaction"`
	// Unapproved is the most of one transaction without a grant. Absent asks for no grants.
	Unapproved *int64 `toml:"unapproved,omitempty" json:",omitzero"`
	// Windows are the most within any time of a length. At least one is required.
	Windows []Limit `toml:"window"`
}

// Limit is the most within any time of a length.
type Limit struct {
	Length Duration `toml:"length"`
	Most   int64    `toml:"most"`
	// Unapproved is the most of what leaves without a grant: no ceiling of one transaction bounds
	// what a client cuts into small ones. Absent asks for no grants.
	Unapproved *int64 `toml:"unapproved,omitempty" json:",omitzero"`
}

// Exposure is the most of a mint that may be within the reach of unproven code.
type Exposure struct {
	Mint Mint  `toml:"mint"`
	Most int64 `toml:"most"`
}

// Client is who may ask, known on the Unix socket by the user ID of its process, or over TCP by
// the common name of its certificate, which then stands in the place of the user ID.
type Client struct {
	Name        string `toml:"name"`
	UID         int    `toml:"uid"`
	Certificate string `toml:"certificate,omitempty"`

	Owners   []string `toml:"owners"`
	Services []string `toml:"services"`
	// Templates are those that it may make owners of. It may ask for all owners of them.
	Templates []string `toml:"templates"`
	// Share is how many percent of each window of the owners the client may use, 1 to 100.
	Share int64 `toml:"share"`
	// Rate is the most requests per second, and as many at once.
	Rate int `toml:"rate"`
}

// Service lists what transactions of a service may call, under the name of its client's package.
type Service struct {
	Name string `toml:"name"`
	// Blind lets calls pass of which no simulation tells all, or whose pin does not say which
	// accounts must be ours. The owner's exposure bounds them.
	Blind bool  `toml:"blind"`
	Pins  []Pin `toml:"pin"`
}

// Pin lets transactions call instructions of a program: see signing.Pin.
type Pin struct {
	Program signing.PublicKey `toml:"program"`
	// Instructions are what a call's data begins with, in hexadecimal. Absent allows any.
	Instructions []string `toml:"instructions"`
	// Deployed is the slot in which the program was deployed, as its explorers show it. After an
	// upgrade the pin allows nothing. 0 asks for none.
	Deployed uint64 `toml:"deployed,omitzero"`
	// MayWrite are the owner's accounts that the call may write.
	MayWrite []signing.Role `toml:"may_write"`
	// MustBeOurs are the positions, from 0, among the call's accounts that receive what the
	// program holds for us: each must be the owner or one of its token accounts. Absent makes
	// the call blind; an empty list says that the instruction releases nothing.
	MustBeOurs *[]int `toml:"must_be_ours"`
	// Floor says that the instruction fails unless enough comes in, so that a call can be a trade: see
	// Trades. Absent says nothing of what comes in.
	Floor *Floor `toml:"floor,omitempty"`
}

// Payee is whom transactions may pay: a wallet, with its associated token accounts, or a
// token account.
type Payee struct {
	Name    string            `toml:"name"`
	Address signing.PublicKey `toml:"address"`
	// Ceilings bound what goes there, over all owners. None means those of the owners alone.
	Ceilings []Ceiling `toml:"ceiling"`
}

// Fees are the most lamports that one transaction may cost besides what it pays. They count
// under the ceiling of SOL too.
type Fees struct {
	Network     int64 `toml:"network"`      // base and priority fees
	Tip         int64 `toml:"tip"`          // to a relay, whose address is not listed
	Rent        int64 `toml:"rent"`         // of accounts for the owner
	ForeignRent int64 `toml:"foreign_rent"` // of token accounts for others
}

// LoadPolicy reads a policy from a file and checks all of it.
func LoadPolicy(path string) (*Policy, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p, err := ParsePolicy(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// ParsePolicy reads a policy. A member that is unknown is an error, as one that is misspelt
// would allow more, or less, than it says. The error lists all that is wrong.
func ParsePolicy(text []byte) (*Policy, error) {
	var p Policy
	meta, err := toml.NewDecoder(bytes.NewReader(text)).Decode(&p)
	if err != nil {
		return nil, fmt.Errorf("signer: the policy: %w", err)
	}
	var problems []error
	for _, key := range meta.Undecoded() {
		problems = append(problems, fmt.Errorf("%s is no member of a policy", key))
	}
	c := checker{p: &p}
	c.check()
	if problems = append(problems, c.problems...); len(problems) > 0 {
		return nil, fmt.Errorf("signer: the policy: %w", errors.Join(problems...))
	}
	sum := sha256.Sum256(text)
	p.text = string(text)
	p.fingerprint = hex.EncodeToString(sum[:])
	p.index()
	return &p, nil
}

// Fingerprint identifies the policy's text: SHA-256, in hexadecimal.
func (p *Policy) Fingerprint() string { return p.fingerprint }

// checker collects what is wrong with a policy.
type checker struct {
	p        *Policy
	problems []error
}

func (c *checker) that(holds bool, format string, args ...any) {
	if !holds {
		c.problems = append(c.problems, fmt.Errorf(format, args...))
	}
}

func (c *checker) check() {
	p := c.p
	c.that(p.Version == PolicyVersion, "version is %d, this signer reads %d", p.Version, PolicyVersion)
	_, err := signing.ParsePublicKey(p.Genesis)
	c.that(err == nil, "genesis %q is not the hash of a block", p.Genesis)
	beats := p.Heartbeat == 0 || p.Heartbeat > 0 && len(p.Admins) > 0
	c.that(beats, "heartbeat %v has no admin to come from", p.Heartbeat)
	c.that(p.PayeesWait >= 0, "payees_wait %v is negative", p.PayeesWait)
	c.that(len(p.Owners)+len(p.Templates) > 0, "it has no owner, so that nothing can be signed")
	unique(c, "template", p.Templates, func(t Template) string { return t.Name })
	unique(c, "owner", p.Owners, func(o Owner) string { return o.Name })
	unique(c, "key of owner", p.Owners, func(o Owner) string { return o.Key.String() })
	unique(c, "client", p.Clients, func(x Client) string { return x.Name })
	unique(c, "uid or certificate of client", p.Clients, Client.known)
	unique(c, "service", p.Services, func(s Service) string { return s.Name })
	unique(c, "payee", p.Payees, func(x Payee) string { return x.Address.String() })
	for _, o := range p.Owners {
		where := fmt.Sprintf("owner %q", o.Name)
		c.that(!o.Key.IsZero(), "%s has no key", where)
		c.bounds(where, o.Ceilings, o.Exposure)
		c.trades(where, o.Trades)
		for _, a := range o.Accounts {
			c.that(!a.Address.IsZero() && a.Mint != "", "%s: an account needs an address and a mint", where)
		}
	}
	for _, t := range p.Templates {
		c.template(t)
	}
	c.rotation()
	c.approvals()
	c.pricing(p.Prices)
	for _, x := range p.Payees {
		c.that(!x.Address.IsZero(), "payee %q has no address", x.Name)
		c.ceilings(fmt.Sprintf("payee %q", x.Name), x.Ceilings)
	}
	for _, s := range p.Services {
		c.service(s)
	}
	for _, x := range p.Clients {
		c.client(x)
	}
	for name, amount := range map[string]int64{
		"network": p.Fees.Network, "tip": p.Fees.Tip, "rent": p.Fees.Rent, "foreign_rent": p.Fees.ForeignRent,
	} {
		c.that(amount >= 0, "fees.%s is negative", name)
	}
}

// unique refuses an empty name and one that comes twice.
func unique[T any](c *checker, what string, all []T, name func(T) string) {
	seen := map[string]bool{}
	for _, x := range all {
		c.that(name(x) != "", "a name of %s is empty", what)
		c.that(!seen[name(x)], "%s %q comes twice", what, name(x))
		seen[name(x)] = true
	}
}

func (c *checker) ceilings(where string, all []Ceiling) {
	unique(c, where+": ceiling of", all, func(x Ceiling) string { return string(x.Mint) })
	for _, x := range all {
		c.that(x.Transaction >= 0, "%s: the ceiling of %s for one transaction is negative", where, x.Mint)
		c.that(len(x.Windows) > 0, "%s: the ceiling of %s has no window", where, x.Mint)
		c.limits(where+": "+x.Mint.String(), x.Windows)
		c.unapproved(where+": "+x.Mint.String(), x)
	}
}

func (c *checker) limits(where string, all []Limit) {
	for _, w := range all {
		c.that(w.Most >= 0, "%s: a window has a negative amount", where)
		length := time.Duration(w.Length)
		c.that(length >= time.Minute && length <= longestWindow, "%s: a window is %v long, of 1m to 8784h", where, length)
	}
}

func (c *checker) bounds(where string, ceilings []Ceiling, all []Exposure) {
	c.ceilings(where, ceilings)
	unique(c, where+": exposure of", all, func(e Exposure) string { return e.Mint.String() })
	for _, e := range all {
		c.that(e.Most >= 0, "%s: exposure of %s is negative", where, e.Mint)
	}
}

func (c *checker) service(s Service) {
	for _, pin := range s.Pins {
		where := fmt.Sprintf("service %q: the pin of %s", s.Name, pin.Program)
		c.that(!pin.Program.IsZero(), "%s names no program", where)
		for _, role := range pin.MayWrite {
			c.that(slices.Contains(roles, role), "%s: %q is no role of an account", where, role)
		}
		for _, text := range pin.Instructions {
			b, err := hex.DecodeString(text)
			c.that(err == nil && len(b) > 0, "%s: instruction %q is not hexadecimal", where, text)
		}
		if pin.MustBeOurs == nil {
			c.that(s.Blind, "%s does not say must_be_ours, and the service is not blind", where)
			continue
		}
		for _, position := range *pin.MustBeOurs {
			c.that(position >= 0 && position < 256, "%s: %d is no position of an account", where, position)
		}
		c.floor(where, pin)
	}
}

func (c *checker) client(x Client) {
	where := fmt.Sprintf("client %q", x.Name)
	c.that(x.Share >= 1 && x.Share <= 100, "%s: a share is 1 to 100 percent, not %d", where, x.Share)
	c.that(x.Rate >= 1 && x.Rate <= 100_000, "%s: a rate is 1 to 100000 requests a second, not %d", where, x.Rate)
	c.that(x.UID >= 0, "%s: uid %d is negative", where, x.UID)
	c.that(x.Certificate == "" || x.UID == 0, "%s has a uid and a certificate", where)
	c.that(!c.p.admin(x.known()), "%s is an admin too, and could thaw what it made freeze", where)
	c.that(len(x.Owners)+len(x.Templates) > 0, "%s has no owner", where)
	for _, name := range x.Owners {
		there := slices.ContainsFunc(c.p.Owners, func(o Owner) bool { return o.Name == name })
		c.that(there, "%s: there is no owner %q", where, name)
	}
	for _, name := range x.Templates {
		c.that(c.p.template(name) != nil, "%s: there is no template %q", where, name)
	}
	for _, name := range x.Services {
		c.that(name == "" || c.p.service(name) != nil, "%s: there is no service %q", where, name)
	}
}

// mayAsk reports that the client may ask for what the owner signs.
func (c *Client) mayAsk(o *Owner) bool {
	if o.template != "" {
		return slices.Contains(c.Templates, o.template)
	}
	return slices.Contains(c.Owners, o.Name)
}

func (p *Policy) service(name string) *Service {
	return first(p.Services, func(s Service) bool { return s.Name == name })
}

// client is the one that is known so, nil if there is none.
func (p *Policy) client(known string) *Client {
	return first(p.Clients, func(c Client) bool { return c.known() == known })
}

func (p *Policy) admin(known string) bool {
	return slices.ContainsFunc(p.Admins, func(uid int) bool { return user(uid) == known })
}
