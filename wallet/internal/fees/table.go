package fees

import (
	"context"
	"reflect"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/portion"
)

// Unit says how a member of a request counts a fee.
type Unit int

// The units. A tip goes to a relay for a bundle, and is no priority fee.
const (
	None     Unit = iota
	PerUnit       // micro-lamports per compute unit
	Priority      // lamports of priority fee for the transaction
	Tip           // lamports
)

// Row says what a builder takes of a fee.
type Row struct {
	Member  string // field of the request in Go, empty if it takes none
	Unit    Unit
	Instead string // field that excludes it: a caller who sets that has chosen
	Limit   string // field that has the service set the compute limit by a simulation
}

const module = "github.com/walletfi/walletfi-go/"

// Table has each request of a builder, by its type.
var Table = map[string]Row{
	"lending.DepositRequest":            {Member: "ComputeUnitPriceMicroLamports", Unit: PerUnit},
	"lending.WithdrawRequest":           {Member: "ComputeUnitPriceMicroLamports", Unit: PerUnit},
	"lending.InitializeReferrerRequest": {},
	"lending.ReferrerClaimRequest":      {},
	"leverage.OpenRequest":              {Member: "TipLamports", Unit: Tip},
	"leverage.CloseRequest":             {Member: "TipLamports", Unit: Tip},
	"leverage.IncreaseBorrowRequest":    {Member: "TipLamports", Unit: Tip},
	"leverage.AddCollateralRequest":     {Member: "TipLamports", Unit: Tip},
	"leverage.PartialSellRequest":       {},
	"leverage.SplitRequest":             {},
	"leverage.MergeRequest":             {},
	"leverage.RepayRequest":             {},
	"leverage.PartialRepayRequest":      {},
	"swap.OrderRequest":                 {Member: "PrioritizationFee", Unit: Priority, Instead: "PrioritizationFee"},
	"swap.BuildRequest": {
		Member: "ComputeUnitPriceMicroLamports", Unit: PerUnit,
		Instead: "PrioritizationFee", Limit: "DynamicComputeUnitLimit",
	},
	"swap.IntentRequest":               {},
	"swap.PredictionMarketInitRequest": {},
	"amm.BuildRequest":                 {Member: "ComputeUnitPriceMicroLamports", Unit: PerUnit},
	"providerswap.BuildRequest":        {},
	"providerswap.BuildV1Request":      {Member: "ComputeUnitPriceMicroLamports", Unit: PerUnit},
	"providerswap.FeeTransferRequest":  {},
	"burnclose.BurnRequest":            {Member: "ComputeUnitPriceMicroLamports", Unit: PerUnit},
	"burnclose.CloseRequest":           {Member: "ComputeUnitPriceMicroLamports", Unit: PerUnit},
	"burnclose.CloseAllRequest":        {Member: "ComputeUnitPriceMicroLamports", Unit: PerUnit},
}

// RowOf is the row of a request. It is not ok if the request is of no builder of the services.
func RowOf(request any) (Row, bool) {
	t := reflect.TypeOf(request)
	if t == nil || !strings.HasPrefix(t.PkgPath(), module) {
		return Row{}, false
	}
	row, ok := Table[t.String()]
	return row, ok
}

// Asked holds what the next build asks for.
type Asked struct {
	Price    uint64 // micro-lamports per compute unit
	Priority uint64 // lamports for one transaction, within the caps
}

// AskedOf turns a price into what to ask for, for transactions of those costs. Without any it
// guesses.
func AskedOf(price uint64, costs []Cost) Asked {
	priority := portion.Up(price, guessedUnits, microPerLamport)
	for i, c := range costs {
		if fee := portion.Up(price, c.Units, microPerLamport); i == 0 || fee < priority {
			priority = fee
		}
	}
	return Asked{price, priority}
}

// TakenBy reports whether what was built pays what was asked for, in either form.
func (a Asked) TakenBy(costs []Cost) bool {
	for _, c := range costs {
		if c.Price != a.Price && c.Priority != a.Priority {
			return false
		}
	}
	return true
}

// FarFrom reports whether what was built for a is worth a second build that asks for b: b asks
// for a tenth more, or the fee of a whole transaction was guessed by another compute limit.
func (a Asked) FarFrom(b Asked, costs []Cost) bool {
	far := func(less, more uint64) bool { return more > plus(less, less/10) }
	if LeastPrice(costs) == a.Price {
		return far(a.Price, b.Price)
	}
	return far(a.Priority, b.Priority) || far(b.Priority, a.Priority)
}

type (
	askedKey struct{}
	tipKey   struct{}
)

// WithTip has the builds under ctx tip so many lamports.
func WithTip(ctx context.Context, lamports walletfi.Amount) context.Context {
	return context.WithValue(ctx, tipKey{}, lamports)
}

// With has the builds under ctx ask for a.
func With(ctx context.Context, a Asked) context.Context { return context.WithValue(ctx, askedKey{}, a) }

// From returns what a build under ctx asks for.
func From(ctx context.Context) (a Asked, ok bool) {
	a, ok = ctx.Value(askedKey{}).(Asked)
	return a, ok
}

// TipFrom returns what a build under ctx tips.
func TipFrom(ctx context.Context) (lamports walletfi.Amount, ok bool) {
	lamports, ok = ctx.Value(tipKey{}).(walletfi.Amount)
	return lamports, ok
}

// lamportsTaker is a type of a service that has several forms of a fee, of which one is a tip.
type lamportsTaker interface {
	SetLamports(walletfi.Amount)
	SetTip(walletfi.Amount)
}

// PutTip puts the tip of ctx into the request that a pointer leads to, if its builder takes one and,
// where it takes a priority fee too, the caller has chosen the tip.
func PutTip(ctx context.Context, request any) {
	tip, ok := TipFrom(ctx)
	v := reflect.ValueOf(request).Elem()
	row, known := RowOf(v.Interface())
	if !ok || tip == 0 || !known {
		return
	}
	if row.Unit == Tip {
		v.FieldByName(row.Member).Set(reflect.ValueOf(tip))
	} else if row.Instead != "" {
		v.FieldByName(row.Instead).Addr().Interface().(lamportsTaker).SetTip(tip)
	}
}

// Put puts a into the request that a pointer leads to, if its builder takes a price or a priority
// fee and the caller has not chosen another form.
func Put(request any, a Asked) {
	v := reflect.ValueOf(request).Elem()
	row, ok := RowOf(v.Interface())
	if !ok || row.Instead != "" && !v.FieldByName(row.Instead).IsZero() {
		return
	}
	switch row.Unit {
	case PerUnit:
		v.FieldByName(row.Member).Set(reflect.ValueOf(&a.Price))
	case Priority:
		v.FieldByName(row.Member).Addr().Interface().(lamportsTaker).SetLamports(walletfi.Amount(a.Priority))
	default:
		return
	}
	if row.Limit == "" {
		return
	}
	if limit := v.FieldByName(row.Limit); limit.IsZero() { // false is the caller's word
		limit.Set(reflect.ValueOf(new(true)))
	}
}
