package transport

import (
	"context"
	"reflect"
	"time"

	"github.com/walletfi/walletfi-go/internal/declared"
)

// Effect says what executing a call twice would do, which decides when an
// attempt may be repeated. The zero value is not an effect: a call without
// one is refused.
type Effect uint8

// The effects, as the table of repeats in policy.go has them.
const (
	_      Effect = iota
	Read          // changes nothing
	Build         // returns an unsigned transaction or a preview, moves nothing
	Set           // sets a value or deletes: the same state however often
	Relay         // sends signed bytes, which the ledger executes once
	Create        // anything that would happen twice

	paidRead // a Read that costs money: the row of Call.NoTimeoutRetry
)

// Call is one operation of a service, written as a literal in the method that
// offers it.
type Call struct {
	// Op is the client's method, for errors and logs.
	Op     string
	Effect Effect
	// Answer is what a success must say.
	Answer Answer
	// Echo holds the result against the request: see [Echo]. Nil if no member of
	// the answer repeats one of the request.
	Echo   func(result any) error
	Method string
	Path   Target

	// Query is a struct with url tags, url.Values, or nil.
	Query any
	// Parameters names the documented query parameters if Query is url.Values.
	Parameters []string
	// Body is a value with json tags, a Spliced, or nil for none.
	Body any
	// Invalid is what is wrong with the request: nothing is sent.
	Invalid error

	// Class picks the budget, "" if the service has one.
	Class string
	// Public sends no credential.
	Public bool
	// MinTimeout is the least timeout of an attempt, for a service that itself waits.
	MinTimeout time.Duration
	// NoTimeoutRetry keeps a read that costs money from being repeated after it
	// may have been served.
	NoTimeoutRetry bool
	// Signature is the relayed transaction's, for the error of a lost answer.
	Signature string
	// BeforeRepeat is asked before a call goes out again of which an attempt may
	// have been carried out; an error ends the call. Nil asks nothing.
	BeforeRepeat func(ctx context.Context) error
	// Read gets the body of a success that was proven, in the documentation's words.
	// Nil gets nothing.
	Read func(body []byte)
	// Secrets lists what the request carries and an error must not show.
	Secrets []string
	// SecretAnswer keeps every answer, a refusal too, out of errors: what it holds
	// is secret and its place is not documented.
	SecretAnswer bool

	result reflect.Type // that the answer is decoded into, nil if it is not
}

// Spliced is a JSON object body of which one member is echoed byte for byte:
// encoding/json would compact and escape it.
type Spliced struct {
	Rest any    // marshals to an object that lacks Key
	Key  string // the member's name
	Raw  []byte // the member's value as it came
}

// Answer is what a call declares that its answer must say; see package declared.
type Answer = declared.Answer

// Why a call is Open.
const (
	NoShape = declared.NoShape
	NoNames = declared.NoNames
)

// Says declares members; see [declared.Says].
func Says(members ...string) Answer { return declared.Says(members...) }

// Lists declares an array; see [declared.Lists].
func Lists(member string) Answer { return declared.Lists(member) }

// Items declares an array that may be null; see [declared.Items].
func Items(member string) Answer { return declared.Items(member) }

// Open declares that no shape is documented; see [declared.Open].
func Open(why string) Answer { return declared.Open(why) }

// Silent declares that no answer is documented; see [declared.Silent].
func Silent(why string) Answer { return declared.Silent(why) }

// Text declares an answer that need not be JSON; see [declared.Text].
func Text(why string) Answer { return declared.Text(why) }
