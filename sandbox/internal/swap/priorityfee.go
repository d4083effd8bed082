package swap

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/gagliardetto/solana-go"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
)

// levels are the priority fees by level, lamports.
var levels = map[string]uint64{"medium": 10_000, "high": 50_000, "veryHigh": 200_000}

// mostFee bounds a priority fee: 1,000 SOL.
const mostFee = 1_000_000_000_000

// fees holds the fees of a transaction besides its signatures.
type fees struct {
	unitLimit uint32
	unitPrice uint64 // micro-lamports a unit
	lamports  uint64 // in all
	tip       uint64 // lamports, paid by a transfer
	kind      string
}

// units are compute-unit limits. They divide a million, so that a fee of
// any number of lamports can be paid exactly.
const (
	unitsFixed = 500_000
	unitsFew   = 125_000
	unitsMore  = 200_000
)

// simulated is the number of units of a trade over so many pools.
func simulatedUnits(hops int) int { return 55_000 + 25_000*hops }

// units is the limit of a transaction: fixed, or as little as will do.
func units(hops int, dynamic bool) uint32 {
	switch {
	case !dynamic:
		return unitsFixed
	case simulatedUnits(hops) > unitsFew:
		return unitsMore
	}
	return unitsFew
}

// Congestion is the fee that the network asks for at present.
func (w *Service) Congestion() uint64 { return 8_000 + w.CurrentSlot()%16*500 }

// fees works a priority fee out. Without any, the service chooses.
func (w *Service) fees(p *priority, limit uint32) fees {
	f := fees{unitLimit: limit, kind: "compute-budget"}
	if p == nil {
		p = &priority{}
	}
	kit.BadIf(p.lamports > mostFee || p.multiplier > mostFee,
		"the priority fee is more than %d lamports", uint64(mostFee))
	lamports := w.Congestion()
	switch p.form {
	case disabled:
		return f
	case tip:
		f.tip, f.lamports, f.kind = p.lamports, p.lamports, "bundle-tip"
		return f
	case level:
		lamports = levels[p.level]
	case exact:
		lamports = p.lamports
	case multiplied:
		lamports = min(uint64(float64(lamports)*p.multiplier), p.lamports)
	}
	f.unitPrice = lamports * 1_000_000 / uint64(limit)
	f.lamports = lamports
	return f
}

// priced is the fees of a caller who names the price of a unit.
func priced(price uint64, limit uint32) fees {
	lamports := market.Share(price, uint64(limit), 1_000_000)
	if price%1_000_000*uint64(limit)%1_000_000 != 0 {
		lamports++
	}
	return fees{unitLimit: limit, unitPrice: price, lamports: lamports, kind: "compute-budget"}
}

// tipping is the transfer of a tip, none if there is no tip.
func (w *Service) tipping(f fees, payer solana.PublicKey) []solana.Instruction {
	if f.tip == 0 {
		return nil
	}
	return []solana.Instruction{
		system.NewTransferInstruction(f.tip, payer, build.PublicKey(w.Keypair("swap tips"))).Build(),
	}
}

// budgeting returns the instructions that build would put in front of a transaction.
func (f fees) budgeting() (all []solana.Instruction) {
	all = append(all, computebudget.NewSetComputeUnitLimitInstruction(f.unitLimit).Build())
	if f.unitPrice > 0 {
		all = append(all, computebudget.NewSetComputeUnitPriceInstruction(f.unitPrice).Build())
	}
	return all
}

// slippage is basis points, or nil if the service is to choose.
type slippage struct{ bps *uint64 }

// UnmarshalText reads a query parameter.
func (s *slippage) UnmarshalText(text []byte) error {
	if string(text) == "auto" {
		return nil
	}
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil || n > 10_000 || !kit.IsInteger(string(text)) {
		return errors.New("is neither auto nor 0 to 10000")
	}
	s.bps = &n
	return nil
}

// priority is one of the six forms of a priority fee.
type priority struct {
	form       priorityForm
	level      string
	lamports   uint64 // exact, most, or the tip
	multiplier float64
}

type priorityForm int

const (
	auto priorityForm = iota
	disabled
	level
	exact
	multiplied
	tip
)

var errSwapPriority = errors.New("is none of the six forms of a priority fee")

// UnmarshalText reads a query parameter: a word, a number, or an object as
// JSON.
func (p *priority) UnmarshalText(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		return p.readObject(text)
	}
	if p.readWord(string(text)) {
		return nil
	}
	return p.readNumber(text)
}

// UnmarshalJSON reads a body's field: a string, a number or an object.
func (p *priority) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) > 0 && raw[0] == '{':
		return p.readObject(raw)
	case len(raw) > 0 && raw[0] == '"':
		var word string
		if json.Unmarshal(raw, &word) != nil || !p.readWord(word) {
			return errSwapPriority
		}
		return nil
	}
	return p.readNumber(raw)
}

func (p *priority) readWord(word string) bool {
	form, ok := map[string]priorityForm{"auto": auto, "disabled": disabled}[word]
	p.form = form
	return ok
}

func (p *priority) readNumber(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil || !kit.IsInteger(string(text)) {
		return errSwapPriority
	}
	p.form, p.lamports = exact, n
	return nil
}

// readObject reads one of the three objects. Members of two forms together are
// an error.
func (p *priority) readObject(raw []byte) error {
	names, values, err := kit.Members(raw)
	if err != nil {
		return errSwapPriority
	}
	seen := map[string]json.RawMessage{}
	for i, name := range names {
		if _, twice := seen[name]; twice {
			return errSwapPriority
		}
		seen[name] = values[i]
	}
	read := func(name string, into any) bool {
		value, ok := seen[name]
		if _, whole := into.(*uint64); whole && !kit.IsInteger(string(value)) {
			return false
		}
		return ok && !bytes.Equal(value, []byte("null")) && json.Unmarshal(value, into) == nil
	}
	switch {
	case len(seen) == 1 && read("priorityLevel", &p.level) && levels[p.level] > 0:
		p.form = level
	case len(seen) == 1 && read("bundleTipLamports", &p.lamports):
		p.form = tip
	case len(seen) == 2 && read("autoMultiplier", &p.multiplier) && read("maxLamports", &p.lamports) && p.multiplier > 0:
		p.form = multiplied
	default:
		return errSwapPriority
	}
	return nil
}
