package sandbox

import (
	"errors"
	"net/http"
	"strings"
	"time"
)

// amm routes over the pools of one venue: quotes on the trade host, and
// transactions made of them; lists of pools, mints and prices on the data host.
type amm struct {
	*Sandbox
	book          *poolBook
	quotes        poolEchoes[*ammQuote]
	wholeEnvelope bool
}

func newAMM(s *Sandbox) *service {
	a := &amm{Sandbox: s, book: s.pools}
	s.amm = a
	return &service{
		name: AMM, hosts: []string{ammData}, auth: open, budgets: a.budgets,
		envelope: a.envelope, success: a.success, routes: a.routes(),
	}
}

// ammData is the listener of the data host.
const ammData = "data"

func (a *amm) routes() []route {
	return []route{
		{method: "GET", path: "/compute/swap-base-in", endpoint: handle(a.computeIn)},
		{method: "GET", path: "/compute/swap-base-out", endpoint: handle(a.computeOut)},
		{method: "POST", path: "/transaction/swap-base-in", endpoint: handle(a.transactionIn)},
		{method: "POST", path: "/transaction/swap-base-out", endpoint: handle(a.transactionOut)},
		{method: "GET", path: "/main/auto-fee", host: ammData, endpoint: handle(a.autoFee)},
		{method: "GET", path: "/pools/info/ids", host: ammData, endpoint: handle(a.poolsByID)},
		{method: "GET", path: "/pools/info/mint", host: ammData, endpoint: handle(a.poolsByMint)},
		{method: "GET", path: "/pools/info/list", host: ammData, endpoint: handle(a.listPools)},
		{method: "GET", path: "/mint/list", host: ammData, endpoint: handle(a.listMints)},
		{method: "GET", path: "/mint/price", host: ammData, endpoint: handle(a.mintPrices)},
	}
}

// budgets keep a client from more than two requests a second for long. The
// service says that it limits and not at what; it asks for one to two seconds
// between requests, and a quote with its transaction may come at once.
func (a *amm) budgets(*call) []budget { return []budget{{120, time.Minute}} }

// The messages that are documented.
const (
	ammNoRoute    = "No route found"
	ammSlippage   = "Slippage exceeded"
	ammMint       = "Invalid mint"
	ammSimulation = "Transaction simulation failed"
)

// ammRefuse is one of the documented messages. With what HTTP status they come
// is not documented: with 200 or, in turn, with 400.
func (a *amm) refuse(message string) error {
	status := http.StatusOK
	if a.turn("amm refusals", 2) == 1 {
		status = http.StatusBadRequest
	}
	return refuse(status, "", "%s", message)
}

type ammEnvelope struct {
	ID      string `json:"id"`
	Success bool   `json:"success"`
	Data    any    `json:"data,omitempty"`
	Msg     string `json:"msg,omitempty"`
}

func (a *amm) envelope(c *call, f *failure) reply {
	return reply{status: f.Status, body: ammEnvelope{ID: c.requestID, Msg: f.Message}}
}

func (a *amm) success(c *call, body any) any {
	return ammEnvelope{ID: c.requestID, Success: true, Data: body}
}

// SetAMMWholeEnvelope makes the transaction routes want the whole envelope of a
// quote as swapResponse, as some deployments do, in place of its data.
func (s *Sandbox) SetAMMWholeEnvelope(whole bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.amm.wholeEnvelope = whole
}

// ammFormat is the kind of a transaction.
type ammFormat string

const (
	ammV0     ammFormat = "V0"
	ammLegacy ammFormat = "LEGACY"
)

// UnmarshalText reads a query parameter.
func (f *ammFormat) UnmarshalText(text []byte) error {
	*f = ammFormat(text)
	if *f != ammV0 && *f != ammLegacy {
		return errors.New("is neither V0 nor LEGACY")
	}
	return nil
}

// UnmarshalJSON reads a field of a body.
func (f *ammFormat) UnmarshalJSON(raw []byte) error {
	return f.UnmarshalText([]byte(strings.Trim(string(raw), `"`)))
}

// hops is how many pools one transaction of the format has room for: without
// lookup tables, one.
func (f ammFormat) hops() int {
	if f == ammLegacy {
		return 1
	}
	return 2
}
