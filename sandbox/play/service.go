package play

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Service names a service by the package name of its client.
type Service string

// The eleven services, the sandbox's Solana node, which Fault and Violations know
// under RPC, and the control port, which URL and APIKey know: see [ControlPort].
const (
	Lending      Service = "lending"
	SmartAccount Service = "smartaccount"
	Leverage     Service = "leverage"
	PredictMeta  Service = "predictmeta"
	Swap         Service = "swap"
	AMM          Service = "amm"
	ProviderSwap Service = "providerswap"
	BurnClose    Service = "burnclose"
	OnchainData  Service = "onchaindata"
	SocialSearch Service = "socialsearch"
	Webhooks     Service = "webhooks"
	RPC          Service = "rpc"
	Control      Service = "control"
)

// Services returns the eleven services, in the order of the listeners.
func Services() []Service {
	return []Service{
		Lending, SmartAccount, Leverage, PredictMeta, Swap, AMM,
		ProviderSwap, BurnClose, OnchainData, SocialSearch, Webhooks,
	}
}

// Tier is the rate that a service grants a key.
type Tier string

// The tiers that services name. A service that documents no tiers ignores
// them.
const (
	TierFree       Tier = "free"
	TierPro        Tier = "pro"
	TierEnterprise Tier = "enterprise"
)

// Route is one route of a service. As an argument of Sandbox.Fault an empty
// field means any.
type Route struct {
	Service Service
	Method  string // HTTP method
	Pattern string // path with its parameters in braces, such as "/v1/account/{walletAddress}"
}

// String is "lending GET /v1/pools".
func (r Route) String() string { return string(r.Service) + " " + r.Method + " " + r.Pattern }

// Covers reports whether r, whose empty fields mean any, covers other.
func (r Route) Covers(other Route) bool {
	return (r.Service == "" || r.Service == other.Service) &&
		(r.Method == "" || r.Method == other.Method) &&
		(r.Pattern == "" || r.Pattern == other.Pattern)
}

// Violation is a request that no correct client sends: an unknown parameter or
// field, a wrong type, something required that is missing, an unexpected body,
// a malformed, missing, doubled or needless credential, an unknown path or
// method. A wrong key, a rate limit and everything that depends on a service's
// state are errors, but not violations.
type Violation struct {
	Service Service
	Route   string // method and pattern, or method and path if no route was found
	Problem string
	Client  string // its User-Agent, empty without one
	Tenant  string // the name of the [Tenant] whose request it was; may be empty
	Number  int    // counts the violations from 1, those that are not listed too
}

// Covers reports whether v covers other: the same service, route and tenant, and in the other's
// problem and client the texts of v. Empty fields mean any; Number counts for nothing.
func (v Violation) Covers(other Violation) bool {
	return (v.Service == "" || v.Service == other.Service) && (v.Route == "" || v.Route == other.Route) &&
		(v.Tenant == "" || v.Tenant == other.Tenant) &&
		strings.Contains(other.Problem, v.Problem) && strings.Contains(other.Client, v.Client)
}

// ViolationGroup counts the violations of a kind: the same problem of a route, by one client.
type ViolationGroup struct {
	Service     Service
	Route       string
	Problem     string
	Client      string // its User-Agent, empty without one
	Count       int
	First, Last time.Time // by the sandbox's clock
	Example     Violation // the first
}

// String returns the violation on one line.
func (v Violation) String() string { return fmt.Sprintf("%s %s: %s", v.Service, v.Route, v.Problem) }

// Part is a part of a sandbox's state, for sandbox.Reset.
type Part string

// The parts.
const (
	PartViolations Part = "violations" // the lists of violations
	PartFaults     Part = "faults"     // what Sandbox.Fault began
	PartState      Part = "state"      // all: ledger, services, limits, violations, faults
)

// Fault describes what goes wrong with a request. Fields combine: a delay can
// precede a reset.
type Fault struct {
	// Delay is a wait, in real time, before anything else happens.
	Delay time.Duration
	// Handled carries the request out before Status or Reset replaces its
	// answer: money moved, and the caller cannot know.
	Handled bool
	// Reset closes the connection instead of answering.
	Reset bool
	// Status replaces the status of the answer. If Body is empty, the body is
	// the service's own error envelope. 429 comes with the headers that the service
	// documents for it, unless Header replaces them. From 200 to 999; 0 keeps it.
	Status int
	// Body replaces the body of the answer.
	Body []byte
	// Header is added to the answer.
	Header http.Header
	// Truncate closes the connection after that many bytes of the body,
	// although Content-Length announces the whole body. 0 sends the whole body.
	Truncate int
	// Garbage carries the request out and sends its status with a body that is
	// not JSON.
	Garbage bool
	// Lie makes the answer well-formed and wrong: its member at the path Member, such as
	// "pools.*.decimals", or for LieFailure its top level. The request is carried out and
	// its status stays. An answer without the member stays as it is.
	Lie    Lie
	Member string
	// Tenant limits the fault to the requests of one tenant. Empty means all requests.
	Tenant string
	// After is how many requests succeed before the fault begins.
	After int
	// Times is how many requests are hit. 0 means every request until the fault
	// is removed.
	Times int
}

// Lie is how an answer is wrong.
type Lie string

// The lies, which a client should tell from an answer.
const (
	LieMissing  Lie = "missing"  // the member is not there
	LieNull     Lie = "null"     // it is null
	LieKind     Lie = "kind"     // it is of another kind: an object for a scalar, a text for anything else
	LieGarbage  Lie = "garbage"  // it is a text that stands for nothing
	LieRange    Lie = "range"    // it is a number out of any range
	LieLong     Lie = "long"     // it is a number of 2,000 digits
	LieZero     Lie = "zero"     // it is 0
	LieRepeated Lie = "repeated" // it comes twice, and says two things
	LieOther    Lie = "other"    // it is another value of its kind: not what was asked for, or less
	LieFailure  Lie = "failure"  // the answer says that the request failed, beside its data
)

// Lies lists all of them.
func Lies() []Lie {
	return []Lie{
		LieMissing, LieNull, LieKind, LieGarbage, LieRange, LieLong, LieZero, LieRepeated, LieOther, LieFailure,
	}
}

// Known reports whether it is one of them.
func (l Lie) Known() bool { return slices.Contains(Lies(), l) }

// Delivery is one attempt to deliver a webhook.
type Delivery struct {
	Service Service
	ID      string // of the webhook or event
	URL     string
	Attempt int       // 1 for the first
	At      time.Time // by the sandbox's clock
	Header  http.Header
	Body    []byte
	Status  int    // 0 if no answer came
	Err     string // why no answer came
	Landed  bool   // whether the destination accepted
	Number  int    // counts the attempts that have ended from 1, those let go too
}
