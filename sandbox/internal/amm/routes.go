// Package amm is the AMM of the sandbox.
package amm

import (
	"net/http"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Service routes over the pools of one venue: quotes on the trade host, and
// transactions made of them; lists of pools, mints and prices on the data host.
type Service struct {
	*build.Chain
	book          *market.Book
	quotes        *market.Echoes[*quote]
	wholeEnvelope bool
}

// New makes the service and its specification for the kit.
func New(b *market.Book) (*Service, *kit.Spec) {
	a := &Service{Chain: b.Chain, book: b, quotes: market.NewEchoes[*quote](b.Core, quoteLife)}
	return a, &kit.Spec{
		Name: play.AMM, Hosts: []string{data}, Auth: kit.NoAuth, Budgets: a.budgets,
		Envelope: a.envelope, Success: a.success, Routes: a.routes(),
	}
}

// data is the listener of the data host.
const data = "data"

func (a *Service) routes() []kit.Route {
	return []kit.Route{
		{Method: "GET", Path: "/compute/swap-base-in", BackAs: "swapResponse", Endpoint: kit.Handle(a.computeIn)},
		{Method: "GET", Path: "/compute/swap-base-out", BackAs: "swapResponse", Endpoint: kit.Handle(a.computeOut)},
		{Method: "POST", Path: "/transaction/swap-base-in", Endpoint: kit.Handle(a.transactionIn)},
		{Method: "POST", Path: "/transaction/swap-base-out", Endpoint: kit.Handle(a.transactionOut)},
		{Method: "GET", Path: "/main/auto-fee", Host: data, Endpoint: kit.Handle(a.autoFee)},
		{Method: "GET", Path: "/pools/info/ids", Host: data, Endpoint: kit.Handle(a.poolsByID)},
		{Method: "GET", Path: "/pools/info/mint", Host: data, Endpoint: kit.Handle(a.poolsByMint)},
		{Method: "GET", Path: "/pools/info/list", Host: data, Endpoint: kit.Handle(a.listPools)},
		{Method: "GET", Path: "/mint/list", Host: data, Endpoint: kit.Handle(a.listMints)},
		{Method: "GET", Path: "/mint/price", Host: data, Endpoint: kit.Handle(a.mintPrices)},
	}
}

// budgets keep a client from more than two requests a second for long. The
// service says that it limits and not at what; it asks for one to two seconds
// between requests, and a quote with its transaction may come at once.
func (a *Service) budgets(*kit.Call) []kit.Budget { return []kit.Budget{{N: 120, Window: time.Minute}} }

// The messages that are documented.
const (
	noRoute     = "No route found"
	slippage    = "Slippage exceeded"
	invalidMint = "Invalid mint"
	simulation  = "Transaction simulation failed"
)

// ammRefuse is one of the documented messages. With what HTTP status they come
// is not documented: with 200 or, in turn, with 400.
func (a *Service) refuse(message string) error {
	status := http.StatusOK
	if a.Turn("amm refusals", 2) == 1 {
		status = http.StatusBadRequest
	}
	return kit.Refuse(status, "", "%s", message)
}

// SetWholeEnvelope does what sandbox.AMMHandle.SetWholeEnvelope says.
func (a *Service) SetWholeEnvelope(whole bool) { a.Locked(func() { a.wholeEnvelope = whole }) }

// format is the kind of a transaction.
type format string

const (
	v0     format = "V0"
	legacy format = "LEGACY"
)

// hops is how many pools one transaction of the format has room for: without
// lookup tables, one.
func (f format) hops() int {
	if f == legacy {
		return 1
	}
	return 2
}

type envelope struct {
	ID      string `json:"id"`
	Success bool   `json:"success"`
	Data    any    `json:"data,omitempty"`
	Msg     string `json:"msg,omitempty"`
}

// envelope gives a malformed mint the documented message.
func (a *Service) envelope(c *kit.Call, f *kit.Failure) kit.Reply {
	subject, ok := strings.CutSuffix(f.Message, " is no address")
	if ok && strings.Contains(strings.ToLower(subject), "mint") {
		f.Message = invalidMint
	}
	return kit.Reply{Status: f.Status, Body: envelope{ID: c.RequestID, Msg: f.Message}}
}

func (a *Service) success(c *kit.Call, body any) any {
	return envelope{ID: c.RequestID, Success: true, Data: body}
}
