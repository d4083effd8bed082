package observe

import "time"

// Call is one method of a client, with all its attempts and waits. A call of package
// rpcnode is one JSON-RPC request: what it repeats is another call.
type Call struct {
	Service string // package name of the client, such as "lending"
	Op      string // method of the client, such as "BuildDeposit"; of rpcnode the JSON-RPC method
}

// CallEnd is how a [Call] ended.
type CallEnd struct {
	Attempts int   // that were sent or tried; 0 if the request was refused before
	Err      error // what the method returns
}

// Attempt is one HTTP request of a call.
type Attempt struct {
	Service string
	Op      string
	Method  string        // HTTP method
	Server  string        // host, with the port if the base URL names one; empty for rpcnode
	Route   string        // path template such as "/v1/account/{wallet}", "/" for rpcnode
	Path    string        // request path without query; can hold addresses
	Number  int           // 1 for the first
	Queued  time.Duration // the wait for a slot under the rate limit, before the attempt
}

// AttemptEnd is how an [Attempt] ended.
type AttemptEnd struct {
	StatusCode int           // 0 if no answer came
	Duration   time.Duration // from sending to the last byte read
	Err        error         // why no answer came, or no whole one; nil if an answer came
}

// LimiterWait is the wait for a slot under the rate limit. It comes before each
// attempt, and takes no time if a slot is free.
type LimiterWait struct {
	Service string
	Op      string
	Class   string // of calls that share the budget, "" if the service has one
}

// LimiterWaitEnd is how a [LimiterWait] ended.
type LimiterWaitEnd struct {
	Waited time.Duration
	Err    error // why there is no slot, nil if there is one
}

// Backoff is the wait before a repeat.
type Backoff struct {
	Service    string
	Op         string
	Number     int // of the attempt that failed
	StatusCode int // of that attempt, 0 if no answer came
}

// BackoffEnd is how a [Backoff] ended.
type BackoffEnd struct {
	Waited time.Duration
	Err    error // the context's, if it ended first
}

// TokenRefresh is the renewal of a bearer token at the service. The call that does it
// is observed too, inside it. It belongs to the first call that needs the token.
type TokenRefresh struct {
	Service string
}

// TokenRefreshEnd is how a [TokenRefresh] ended.
type TokenRefreshEnd struct {
	Err error
}

// LimiterState is how much of a budget is used, after an attempt. There is one for
// each budget of the class, if the limiter reports them: ratelimit.BudgetLimiter does.
type LimiterState struct {
	Service  string
	Class    string
	Requests int           // of the budget, in any window of the length Per
	Per      time.Duration // the window
	Used     int           // under way, or answered less than a window ago
}

// ServiceBudget is the rest of a budget as the service states it, after an attempt whose
// answer had such headers.
type ServiceBudget struct {
	Service   string
	Class     string
	Remaining int       // requests
	Reset     time.Time // when there are more
}

// Spent is the cost of a call at a service that bills each record.
type Spent struct {
	Service   string
	Op        string
	Micros    int64 // of this call, in millionths of the currency's unit
	Total     int64 // of the meter, likewise
	Remaining int64 // likewise; -1 without a budget
}

// Drift is something in an answer that is not documented: the service, or the
// deployment that speaks for it, is no longer as the SDK knows it. A client tells each
// the first time that it comes, and at most 1,024 of them. The call goes on: its result
// has what is documented. The names and values are the service's: at most 128 bytes of
// each are told, with credentials of the call masked, and a name can be data, such as an
// address.
type Drift struct {
	Service string
	Op      string
	Route   string // path template such as "/v1/account/{wallet}"
	Member  string // its path in the documented words, such as "pools.*.kind", or a header
	// Value is one that the member's enumeration does not list, or what is odd about the
	// header of a wait: "in milliseconds", "in the past", "past any limit". It is empty for
	// an undocumented member.
	Value string
	// Fault says what the member breaks, such as "missing": it would be an error if
	// walletfi.Options.Lenient did not let it through, or nothing hangs on the member, which was
	// then not read, or is out of range or repeated. Member is as named there: "Market.volume_24h".
	// Of an answer without a documented shape it is why no member of it was read.
	Fault string
}

func (Call) operation()         {}
func (Attempt) operation()      {}
func (LimiterWait) operation()  {}
func (Backoff) operation()      {}
func (TokenRefresh) operation() {}

func (CallEnd) end()         {}
func (AttemptEnd) end()      {}
func (LimiterWaitEnd) end()  {}
func (BackoffEnd) end()      {}
func (TokenRefreshEnd) end() {}

func (LimiterState) event()  {}
func (ServiceBudget) event() {}
func (Spent) event()         {}
func (Drift) event()         {}
